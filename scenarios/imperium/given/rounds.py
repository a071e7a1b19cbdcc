"""The given round, whose turn it is, and who has revealed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.imperium.table import impossible
from scenarios.language.syntax import Line, Words, token

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def _round(position: Position, line: Line, words: Words) -> None:
    position.once(line, "round")
    number = int(token(words, "NUMBER"))
    if number < 1:
        remedy = "write `it is round 1`"
        raise impossible(line, "rounds count from 1", cite("UPR-ROUND-001"), remedy)
    position.round = number


def _turn_of(position: Position, line: Line, words: Words) -> None:
    position.once(line, "turn")
    position.turn_of = position.table.seat(line, token(words, "NAME"))


def _revealed(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "revealed")
    position.change_player(seat, revealed=True)
    position.state = change(position.state, reveal_order=(*position.state.reveal_order, seat))


def _not_revealed(position: Position, line: Line, words: Words) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "revealed")
    position.known.add((seat, "not revealed"))


FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    "round": _round,
    "turn_of": _turn_of,
    "revealed": _revealed,
    "not_revealed": _not_revealed,
}
