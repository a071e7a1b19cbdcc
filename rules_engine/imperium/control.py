"""Control of the critical locations: taking it, its bonus, and the defence it allows."""

from __future__ import annotations

from rules_engine.effects.tree import Gain
from rules_engine.imperium import resources
from rules_engine.imperium.actions import Accept, Decline
from rules_engine.imperium.faces import conflict_face, space_face
from rules_engine.imperium.frames import Defend
from rules_engine.imperium.state import State, player
from rules_engine.imperium.units import deploy_from_supply
from rules_engine.kernel.game import FrameRules, asks
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

TAKE = cite("UPR-CTRL-002", "UPR-CTRL-003")
BONUS = cite("UPR-CTRL-004")
DEFENCE = cite("UPR-CTRL-008", "UPR-CTRL-009")


def holder_of(state: State, space: str) -> Seat | None:
    """Whose Control marker is on a location."""
    for control in state.controls:
        if control.space == space:
            return control.holder
    return None


def take_control(state: State, seat: Seat, space: str) -> Step[State]:
    """The winner's Control marker replaces any other on the location. UPR-CTRL-002, UPR-CTRL-003"""
    controls = tuple(
        change(control, holder=seat) if control.space == space else control
        for control in state.controls
    )
    event = Event("takes_control", TAKE, seat, {"space": space})
    return Step(change(state, controls=controls), (event,))


def give_bonus(state: State, space: str) -> Step[State]:
    """The controller of a space gets its bonus whenever an Agent is sent to it. UPR-CTRL-004"""
    face = space_face(state, space)
    holder = holder_of(state, space)
    if holder is None:
        return Step(state)
    events: tuple[Event, ...] = ()
    for bonus in face.control_bonus:
        assert isinstance(bonus, Gain)
        given = resources.gain(state, holder, bonus.amount, bonus.what, BONUS + face.control_rules)
        state, events = given.state, events + given.events
    return Step(state, events)


def defender(state: State) -> Seat | None:
    """The player who controls the location of the current Conflict. UPR-CTRL-008"""
    if state.conflict is None:
        return None
    location = conflict_face(state, state.conflict).location
    return None if location is None else holder_of(state, location)


def _legal(state: State, frame: Defend, action: object) -> Refusal | None:
    if not isinstance(action, (Accept, Decline)):
        return refusal([Reason("defend_or_not", DEFENCE)])
    if isinstance(action, Accept) and player(state, frame.seat).supply < 1:
        return refusal([Reason("no_troop_in_supply", DEFENCE)])
    return None


def _options(state: State, frame: Defend) -> tuple[Accept | Decline, ...]:
    can = player(state, frame.seat).supply >= 1
    return (Accept(frame.seat), Decline(frame.seat)) if can else (Decline(frame.seat),)


def _apply(state: State, frame: Defend, action: object) -> Step[State]:
    if isinstance(action, Accept):
        return deploy_from_supply(state, frame.seat, DEFENCE)
    return Step(state)


DEFEND = FrameRules(
    asks=lambda _, frame: asks(frame.seat), apply=_apply, legal=_legal, options=_options
)
