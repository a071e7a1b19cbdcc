"""The units and swords behind a Combat marker: what they can be, and what they are filled in with.

What a marker shows is the engine's to say: everything here asks `strength`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.imperium.shield_wall import protects_conflict
from rules_engine.imperium.state import Player, State, player
from rules_engine.imperium.strength import strength
from rules_engine.imperium.units import TROOPS
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record, change
from verifier.watched import Unknown, raw


def missing_swords(owner: Player, marker: Quantity) -> Quantity:
    """The swords that are missing to a marker, beside the units that a player has."""
    return marker - strength(change(owner, swords=0))


def least_units(state: State, seat: Seat, marker: int, swords: int | None) -> Player | None:
    """The player with the fewest units and swords that make the marker; nothing if none can.

    The swords may be known. Sandworms come in only where troops and swords do not make it.
    """
    return next(_ways(state, player(state, seat), marker, swords), None)


def _ways(state: State, owner: Player, marker: int, swords: int | None) -> Iterator[Player]:
    sheltered = _is_known(state, "conflict") and protects_conflict(state)
    for sandworms in range(1 if sheltered else marker + 1):
        for troops in range(TROOPS - owner.garrison - owner.memories, -1, -1):
            units = change(owner, troops=troops, sandworms=sandworms)
            shown = missing_swords(units, marker) if swords is None else swords
            found = change(units, swords=shown)
            if shown >= 0 and strength(found) == marker:
                yield found


def _is_known(record: Record, field: str) -> bool:
    return not isinstance(raw(record, field), Unknown)


def units_are_open(owner: Player) -> bool:
    """Whether a position leaves open which units are behind a player's marker."""
    return not _is_known(owner, "troops")


def weakest(owner: Player) -> Quantity:
    """The least strength that a player can have with a unit."""
    return strength(change(owner, troops=1, sandworms=0, swords=0))


def with_units(state: State) -> State:
    """The position with units and swords behind every marker that leaves them open."""
    return change(state, players=tuple(_filled(state, each) for each in state.players))


def _filled(state: State, owner: Player) -> Player:
    if not units_are_open(owner):
        return owner
    swords = owner.swords if _is_known(owner, "swords") else None
    found = least_units(state, owner.seat, owner.strength, swords)
    if found is None:
        return owner
    if _is_known(owner, "supply"):
        return found
    return change(found, supply=TROOPS - found.garrison - found.troops - found.memories)
