"""Compares an observation with the reference's, field by field, and says which rule decides it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.observing import FIELDS, PLAYER_FIELDS
from conformance.reference import Moved
from rules_engine.imperium.state import State
from rules_engine.kernel.records import Record

Json = dict[str, Any]

MISSING = "(nothing)"


class Difference(Record):
    """A field in which an observation is not what the reference has."""

    path: str
    expected: Any
    got: Any


def differences(expected: Json, got: Json, fields: Iterable[str] = ()) -> list[Difference]:
    """All differences, in the order of the fields; without `fields`, every field counts.

    `fields` are names of the table's fields, and `players.` with a name for those of a player.
    """
    if expected == got:
        return []
    wanted = frozenset(fields)
    return [
        each
        for each in _all_differences(expected, got)
        if not wanted or _is_among(each.path, wanted)
    ]


def _is_among(path: str, wanted: frozenset[str]) -> bool:
    """Whether a path belongs to these fields; `players` alone does with any field of theirs."""
    first, *rest = path.split(".")
    if first != "players":
        return first in wanted
    if not rest:
        return any(each.startswith("players.") for each in wanted)
    return f"players.{rest[1]}" in wanted


def _all_differences(expected: Json, got: Json) -> Iterator[Difference]:
    for name in FIELDS:
        if not same(expected[name], got.get(name, MISSING)):
            yield Difference(name, expected[name], got.get(name, MISSING))
    players = got.get("players")
    if not isinstance(players, list) or len(players) != len(expected["players"]):
        yield Difference("players", f"{len(expected['players'])} players", players)
        return
    for seat, (own, theirs) in enumerate(zip(expected["players"], players, strict=True)):
        for name in PLAYER_FIELDS:
            found = theirs.get(name, MISSING) if isinstance(theirs, dict) else MISSING
            if not same(own[name], found):
                yield Difference(f"players.{seat}.{name}", own[name], found)


def same(expected: Any, got: Any) -> bool:
    """Whether two values of a field say the same: the order of a list means nothing."""
    if expected == got:
        # In Python a truth equals a number.
        return isinstance(expected, bool) == isinstance(got, bool)
    if isinstance(expected, dict) and expected.keys() == {"count"} and isinstance(got, list):
        return bool(expected["count"] == len(got))
    if isinstance(expected, list) and isinstance(got, list):
        return sorted(map(_key, expected)) == sorted(map(_key, got))
    return False


def _key(value: Any) -> str:
    return repr(sorted(value.items())) if isinstance(value, dict) else repr(value)


# The rule that decides


def deciding_rules(path: str, moved: Moved, found_wrong: Any = None) -> tuple[str, ...]:
    """The rules behind a field: of what changed it last, or of all that happened to its player."""
    del found_wrong
    for part in reversed(moved.parts):
        if part.events and _value(part.before, path) != _value(part.after, path):
            return _rules(part.events)
    seat = _seat(path)
    about = [event for event in moved.events if seat is not None and event.player == seat]
    return _rules(about) or _rules(moved.events)


def _rules(events: Iterable[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for event in events for rule in event.rules))


def _seat(path: str) -> int | None:
    parts = path.split(".")
    return int(parts[1]) if parts[0] == "players" and len(parts) > 1 else None


def _value(state: State, path: str) -> Any:
    parts = path.split(".")
    if parts[0] == "players" and len(parts) > 2:
        return getattr(state.players[int(parts[1])], parts[2])
    if parts[0] == "asked":
        return state.pending
    return getattr(state, parts[0], None)
