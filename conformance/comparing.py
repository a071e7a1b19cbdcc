"""Compares an observation with the reference's, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.observing import FIELDS, PLAYER_FIELDS
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
    if expected == got and _is_alike(expected, got):
        return []
    wanted = frozenset(fields)
    return [each for each in _all_differences(expected, got) if is_observed(each.path, wanted)]


def is_observed(path: str, fields: frozenset[str]) -> bool:
    """Whether a path is in these fields, or no fields are named at all.

    `players` alone is with any field of theirs. The seat may be left out.
    """
    first, *rest = path.split(".")
    if not fields or first != "players":
        return not fields or first in fields
    if not rest:
        return any(each.startswith("players.") for each in fields)
    return f"players.{rest[-1]}" in fields


def changed_paths(before: Json | None, now: Json, fields: frozenset[str]) -> list[str]:
    """The observed paths that have another value now; all of them if nothing was before."""
    return [path for path in _changed(before, now) if is_observed(path, fields)]


def _changed(before: Json | None, now: Json) -> Iterator[str]:
    for name in FIELDS:
        if before is None or before[name] != now[name]:
            yield name
    for seat, own in enumerate(now["players"]):
        old = None if before is None else before["players"][seat]
        if old is not own:
            for name in PLAYER_FIELDS:
                if old is None or old[name] != own[name]:
                    yield f"players.{seat}.{name}"


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


def value_at(observation: Json, path: str) -> Any:
    """What an observation has at the path of a field."""
    first, *rest = path.split(".")
    if first == "players" and len(rest) > 1:
        return observation["players"][int(rest[0])][rest[1]]
    return observation.get(first)


def same(expected: Any, got: Any) -> bool:
    """Whether two values of a field say the same: the order of a list means nothing."""
    if expected == got:
        return _is_alike(expected, got)
    if is_count(expected) and isinstance(got, list):
        return bool(expected["count"] == len(got))
    if isinstance(expected, list) and isinstance(got, list):
        return sorted(map(_key, expected)) == sorted(map(_key, got))
    return False


def _is_alike(expected: Any, got: Any) -> bool:
    """Whether equal values are of the same kind: in Python a truth equals a number."""
    if isinstance(expected, dict):
        return all(_is_alike(value, got[key]) for key, value in expected.items())
    if isinstance(expected, list):
        return all(map(_is_alike, expected, got))
    return isinstance(expected, bool) == isinstance(got, bool)


def is_count(value: Any) -> bool:
    """Whether a field has the number of its cards alone."""
    return isinstance(value, dict) and value.keys() == {"count"}


def leaks(expected: Json, got: Json) -> list[Difference]:
    """The cards of players that are shown where a viewer sees their number alone.

    What the adapter has not declared it may leave out.
    """
    shown = got.get("players")
    players = shown if isinstance(shown, list) else []
    return [
        Difference(f"players.{seat}.{name}", own[name], theirs[name])
        for seat, (own, theirs) in enumerate(zip(expected["players"], players, strict=False))
        if isinstance(theirs, dict)
        for name in own
        if is_count(own[name]) and isinstance(theirs.get(name), list) and theirs[name]
    ]


def _key(value: Any) -> str:
    return repr(sorted(value.items())) if isinstance(value, dict) else repr(value)
