"""What happened since the last `when`, as it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scenarios.imperium.changes import changes, gains
from scenarios.imperium.seen.look import Seen
from scenarios.language.syntax import Line, Words, token, unquoted
from scenarios.words import event_words, telling

if TYPE_CHECKING:
    from scenarios.run import Run


def _happening(wanted: bool) -> Callable[[Run, Line, Words], Seen]:
    """Whether something happened since the last `when` that is told in these words."""

    def look(run: Run, _: Line, words: Words) -> Seen:
        sentence = unquoted(token(words, "STRING"))
        told = {event_words(run.state, event).lower(): event for event in run.events}
        found = told.get(sentence.lower())
        shown = [event_words(run.state, event) for event in telling(run.events)]
        actual = "; ".join(shown) or "nothing"
        expected = f"that {sentence}" if wanted else f"not that {sentence}"
        rules = found.rules if found is not None else None
        return Seen((found is not None) == wanted, expected, actual, rules=rules)

    return look


def _see_gains_nothing(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    gained = gains(changes(run.before, run.state, seat, owned=True))
    return Seen(not gained, "nothing", ", ".join(each.text() for each in gained) or "nothing", seat)


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "happens": _happening(wanted=True),
    "does_not_happen": _happening(wanted=False),
    "gains_nothing": _see_gains_nothing,
}
