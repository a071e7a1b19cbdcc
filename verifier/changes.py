"""What a step has changed: a record or field left as it was is never read, and costs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.imperium.state import Player, State
from rules_engine.kernel.outcomes import Seat
from verifier.current import Unsupported, reject
from verifier.numbers import all_of
from verifier.watched import raw


def same(one: Any, other: Any, *fields: str) -> bool:
    """Whether some fields of two records are just what they were, whatever that is."""
    if one is None or other is None:
        return one is other
    return one is other or all(raw(one, name) is raw(other, name) for name in fields)


def left_alone(one: Any, other: Any) -> bool:
    """Whether a record is the very one that it was; numbers and texts are to be compared."""
    if isinstance(one, int | str) or isinstance(other, int | str):
        raise reject(Unsupported("a number or a text is compared by identity"))
    return one is other


def changed(before: State, after: State, *fields: str) -> Iterator[tuple[Player, Player]]:
    """The players of whom one of some fields was written, as they were and as they are."""
    if same(before, after, "players"):
        return
    for old, new in zip(before.players, after.players, strict=True):
        if not same(old, new, *fields):
            yield old, new


NOTES = ("pending", "turn")
"""What is still to come and what the turn remembers: neither is on the table."""


def table_kept(before: State, after: State, *but: str) -> Any:
    """Whether nothing on the table has changed, but for some fields; players are not looked at."""
    return _kept(before, after, (*NOTES, "players", *but))


def players_kept(before: State, after: State, *but: Seat) -> Any:
    """Whether all players are as they were, but for some."""
    pairs = zip(before.players, after.players, strict=True)
    return all_of(*(_kept(old, new, ()) for old, new in pairs if old.seat not in but))


def player_kept(before: State, after: State, seat: Seat, *but: str) -> Any:
    """Whether a player is as before, but for some fields."""
    return _kept(before.players[seat], after.players[seat], but)


def nothing_changed(before: State, after: State) -> Any:
    """Whether the table and everybody's things are just as they were."""
    return all_of(table_kept(before, after), players_kept(before, after))


def only(before: State, after: State, seat: Seat, **fields: Any) -> Any:
    """Whether some fields of one player have these values now, and nothing else has changed."""
    owner = after.players[seat]
    return all_of(
        *(getattr(owner, name) == value for name, value in fields.items()),
        player_kept(before, after, seat, *fields),
        players_kept(before, after, seat),
        table_kept(before, after),
    )


def _kept(one: Any, other: Any, but: tuple[str, ...]) -> Any:
    if one is other:
        return True
    names = (name for name in one.__struct_fields__ if name not in but)
    touched = (name for name in names if raw(one, name) is not raw(other, name))
    return all_of(*(getattr(one, name) == getattr(other, name) for name in touched))
