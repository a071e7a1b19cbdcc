"""The Shield Wall: which Conflicts it shelters, and its removal."""

from __future__ import annotations

from rules_engine.imperium.faces import conflict_face
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

PROTECTS = cite("UPR-WALL-003", "UPR-WALL-002", "UPR-WORM-005", "UPR-WORM-006")
REMOVE = cite("UPR-WALL-004", "UPR-WALL-005", "UPR-WALL-006")


def at_critical_location(state: State) -> bool:
    """Whether the Conflict is fought at Arrakeen, Spice Refinery or Imperial Basin. UPR-WALL-002"""
    return state.conflict is not None and conflict_face(state, state.conflict).location is not None


def protects_conflict(state: State) -> bool:
    """The Wall shelters the current Conflict while the token stands. UPR-WALL-003"""
    return state.shield_wall and at_critical_location(state)


def remove(state: State, seat: Seat) -> Step[State]:
    """The token goes to the box for good. UPR-WALL-004, UPR-WALL-005"""
    if not state.shield_wall:
        return Step(state, (Event("no_wall_left", REMOVE, seat),))
    return Step(change(state, shield_wall=False), (Event("removes_wall", REMOVE, seat),))
