"""Whether the same step does the same to everybody when all players move on by some seats.

Fields that hold seats are known by their names; every other value has to be equal. What a step has
left alone at both tables is not read.
"""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import Record
from verifier.numbers import all_of
from verifier.watched import raw

OF_SEATS = frozenset(
    {"seat", "next", "victim", "tied", "passed", "holder", "first_player", "reveal_order",
     "winners", "seen_by", "player", "by"}
)  # fmt: skip
"""The fields, and the facts of events, that hold a seat or several."""

IN_ANY_ORDER = frozenset({"tied", "winners", "seen_by"})
"""Of these, those that hold several whose order says nothing."""

BY_PLACE = frozenset({"agents", "spies"})
"""Lists that are sorted by place, then by seat: their order depends on who sits where."""

PARTED = (Record, tuple)
"""What may have parts that a step leaves alone."""

NOTHING = object()
"""Where there was nothing to compare with before the step."""


class Turned:
    """A table at which everybody has moved on by some seats."""

    def __init__(self, players: int, by: int) -> None:
        self.players = players
        self.by = by

    def seat(self, seat: Seat | None) -> Seat | None:
        """Where the player of a seat sits now."""
        return None if seat is None else self.at(seat)

    def at(self, seat: Seat) -> Seat:
        """The same for somebody."""
        return (seat + self.by) % self.players

    def seats(self, value: Any) -> Any:
        """The same for one seat or several."""
        if isinstance(value, tuple | list):
            return type(value)(map(self.seat, value))
        return self.seat(value)

    def same_step(self, before: State, after: State, there: State, then: State) -> Any:
        """Whether a step here (`before` to `after`) and one there (`there` to `then`) agree."""
        sides = zip(before.players, after.players, strict=True)
        theirs = tuple(zip(there.players, then.players, strict=True))
        each = (self._record(*one, *theirs[self.at(seat)]) for seat, one in enumerate(sides))
        return all_of(*each, self._record(before, after, there, then, ("players",)))

    def same_events(self, here: tuple[Event, ...], there: tuple[Event, ...]) -> Any:
        """Whether the same is told of the same players; of several at once in any order."""
        sorted_here = sorted(here, key=lambda each: (each.key, _first(self.seat(each.player))))
        sorted_there = sorted(there, key=lambda each: (each.key, _first(each.player)))
        return len(here) == len(there) and all_of(*map(self._event, sorted_here, sorted_there))

    def _event(self, here: Event, there: Event) -> Any:
        named = (here.key, here.rules, self.seat(here.player), here.secret, sorted(here.facts))
        if named != (there.key, there.rules, there.player, there.secret, sorted(there.facts)):
            return False
        facts = (
            self._value(name, NOTHING, value, NOTHING, there.facts[name])
            for name, value in here.facts.items()
        )
        return all_of(*facts)

    def _record(
        self, before: Any, after: Any, there: Any, then: Any, but: tuple[str, ...] = ()
    ) -> Any:
        """Whether two records agree, if either was written."""
        if before is after and there is then:
            return True
        if _kind(after) != _kind(then):
            return False
        written = _written(before, after) | _written(there, then)
        names = (name for name in after.__struct_fields__ if name in written and name not in but)
        return all_of(*(self._field(name, before, after, there, then) for name in names))

    def _field(self, name: str, before: Any, after: Any, there: Any, then: Any) -> Any:
        new, new_there = getattr(after, name), getattr(then, name)
        return self._value(
            name, _old(before, name, new), new, _old(there, name, new_there), new_there
        )

    def _value(self, name: str, before: Any, after: Any, there: Any, then: Any) -> Any:
        if before is after and there is then:
            return True
        if name in IN_ANY_ORDER:
            return sorted(self.seats(after)) == sorted(then)
        if name in OF_SEATS:
            return self.seats(after) == then
        if name in BY_PLACE and isinstance(after, tuple):
            moved = {(_place(each), self.seat(each.seat)) for each in after}
            return moved == {(_place(each), each.seat) for each in then}
        if isinstance(after, Record) and isinstance(then, Record):
            return self._record(before, after, there, then)
        if isinstance(after, tuple) and isinstance(then, tuple):
            return self._list(name, before, after, there, then)
        return after == then

    def _list(self, name: str, before: Any, after: Any, there: Any, then: Any) -> Any:
        if len(after) != len(then):
            return False
        old, old_there = (_as_long(each, after) for each in (before, there))
        parts = zip(old, after, old_there, then, strict=True)
        return all_of(*(self._value(name, *part) for part in parts))


def _first(seat: Seat | None) -> int:
    """For sorting: nobody comes first."""
    return -1 if seat is None else seat


def _place(at: Any) -> str:
    """The space or post of a piece on the board."""
    place: str = getattr(at, "space" if hasattr(at, "space") else "post")
    return place


def _as_long(before: Any, after: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the places of a list held before; nothing beyond its end."""
    known = before if isinstance(before, tuple) else ()
    return (*known, *(NOTHING,) * len(after))[: len(after)]


def _written(before: Any, after: Any) -> set[str]:
    """The fields of a record that a step did not leave alone: all of them in a new record."""
    names = after.__struct_fields__
    if getattr(before, "__struct_fields__", ()) != names:
        return set(names)
    return {name for name in names if raw(before, name) is not raw(after, name)}


def _old(before: Any, name: str, new: Any) -> Any:
    """What a field held that now has parts: those left alone need not be read."""
    return getattr(before, name) if _has(before, name) and isinstance(new, PARTED) else NOTHING


def _kind(record: Any) -> str:
    """What kind of record it is, watched or not."""
    return type(record).__name__.removeprefix("Watched")


def _has(record: Any, name: str) -> bool:
    return isinstance(record, Record) and name in record.__struct_fields__
