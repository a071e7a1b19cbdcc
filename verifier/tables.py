"""Who sits where in the position of a step: so many players, and the seat of the one who acts.

The one who acts is always Red, and the others follow clockwise by their names, so that an unknown
has the same name whatever seat its player has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from rules_engine.kernel.outcomes import Seat
from verifier.positions import NAMES

RED = NAMES[0]
"""The one who acts: whose frame comes next."""


class Table(NamedTuple):
    """So many players, and the seat of the one who acts."""

    players: int
    actor: Seat

    def seat(self, place: int) -> Seat:
        """The seat so many places clockwise from the one who acts."""
        return (self.actor + place) % self.players

    def clockwise(self) -> tuple[Seat, ...]:
        """All seats from the one who acts on."""
        return tuple(map(self.seat, range(self.players)))

    def name(self, seat: Seat) -> str:
        """What the player of a seat is called."""
        return NAMES[(seat - self.actor) % self.players]


USUAL = Table(3, 0)
NUMBERS = (3, 4)
"""How many may play."""

_tables: list[Table] = [USUAL]


@contextmanager
def seated(table: Table) -> Iterator[None]:
    """Make positions for this table."""
    _tables.append(table)
    try:
        yield
    finally:
        _tables.pop()


def table() -> Table:
    """The table that positions are made for."""
    return _tables[-1]


def actor() -> Seat:
    """The seat of the one who acts."""
    return table().actor


def neighbour() -> Seat:
    """The seat of the next player."""
    return table().seat(1)


def third() -> Seat:
    """The seat of the player after that."""
    return table().seat(2)


def everyone() -> tuple[Seat, ...]:
    """All seats, from the one who acts on."""
    return table().clockwise()
