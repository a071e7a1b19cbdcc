"""What a look at a position gives, and the looks that several topics share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from rules_engine.imperium.state import player
from rules_engine.kernel.decks import size
from rules_engine.kernel.outcomes import Event, Seat
from scenarios.language.syntax import Line, Words, phrases, token
from scenarios.words import card_name

if TYPE_CHECKING:
    from scenarios.run import Run


class Seen(NamedTuple):
    """Whether an expectation holds, what was expected and what there is."""

    holds: Any
    expected: str
    actual: str
    about: Seat | None = None
    rules: tuple[str, ...] | None = None


def card_names(run: Run, cards: tuple[str, ...]) -> str:
    """Cards by their names, as a message shows them."""
    return ", ".join(card_name(run.state, card) for card in cards) or "nothing"


def player_name(run: Run, seat: Seat | None) -> str:
    """Who sits there, as a message shows it."""
    return "nobody" if seat is None else run.state.players[seat].name


def happened(run: Run, key: str) -> list[Event]:
    """What happened of a kind since the last `when`."""
    return [event for event in run.events if event.key == key]


def has_one(field: str, yes: str, no: str, wanted: bool) -> Callable[[Run, Line, Words], Seen]:
    """Whether a player has something of which there is one or none."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        has = bool(getattr(player(run.state, seat), field))
        return Seen(has == wanted, yes if wanted else no, yes if has else no, seat)

    return look


def has_cards(field: str, kind: str) -> Callable[[Run, Line, Words], Seen]:
    """The named things are among those that a player has there."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], kind))
        there = getattr(player(run.state, seat), field)
        holds = not wanted - Counter(there) if wanted else not there
        return Seen(holds, card_names(run, tuple(wanted.elements())), card_names(run, there), seat)

    return look


def is_empty(deck: str) -> Callable[[Run, Line, Words], Seen]:
    """Whether a deck has run out."""

    def look(run: Run, _: Line, __: Words) -> Seen:
        left = size(getattr(run.state, deck))
        return Seen(left == 0, "an empty deck", f"{left} left")

    return look
