"""Leaders as they are seen, and how far they have trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.imperium.state import player
from scenarios.imperium.seen.look import Seen
from scenarios.language.syntax import Line, Words, token

if TYPE_CHECKING:
    from scenarios.run import Run


def _see_led_by(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.id(line, token(words, "STRING"), "leader")
    leader = player(run.state, seat).leader
    faces = run.table.names.printed.leaders
    shown = faces[leader].name if leader else "no Leader"
    return Seen(leader == wanted, faces[wanted].name, shown, seat)


def _see_trained(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.id(line, token(words, "STRING"), "training")
    there = player(run.state, seat).training
    return Seen(there == wanted, wanted, there or "no training track", seat)


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "led_by": _see_led_by,
    "trained": _see_trained,
}
