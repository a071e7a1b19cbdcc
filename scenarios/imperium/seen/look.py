"""What a look at a position gives, and the looks that several topics share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from lark import Token

from rules_engine.imperium.state import player
from rules_engine.kernel.decks import size
from rules_engine.kernel.outcomes import Seat
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.language.values import holds_always
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


def check_each_once(line: Line, names: list[Token]) -> None:
    """Refuse a line that says something of one player twice."""
    for number, name in enumerate(names):
        if name in names[:number]:
            raise ScenarioError(
                "TS0105",
                f"`{name}` is named twice",
                place=line.at(name),
                help="leave out one of the two",
            )


def has_one(field: str, yes: str, no: str, wanted: bool) -> Callable[[Run, Line, Words], Seen]:
    """Whether a player has something of which there is one or none."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        has = bool(getattr(player(run.state, seat), field))
        return Seen(has == wanted, yes if wanted else no, yes if has else no, seat)

    return look


class Listed(NamedTuple):
    """Cards that have to be there: these alone, or with `at least` these among others."""

    cards: tuple[str, ...]
    least: bool

    def met_by(self, there: Iterable[str]) -> bool:
        """Whether the cards that are there are as this says."""
        if self.least:
            return not Counter(self.cards) - Counter(there)
        return Counter(self.cards) == Counter(there)

    def text(self, run: Run) -> str:
        """The list as a message shows it."""
        return ("at least " if self.least else "") + card_names(run, self.cards)


def listed(run: Run, line: Line, words: Words, *kinds: str) -> Listed:
    """The list of cards in a phrase."""
    cards, least = list_in(line, words)
    return Listed(run.table.cards(line, cards, *kinds), least)


def list_in(line: Line, words: Words) -> tuple[Words, bool]:
    """What a phrase lists, and whether with `at least`; at least nothing there is always."""
    least = phrases(words, "at_least")
    (cards,) = phrases(least[0] if least else words, "cards")
    if least and not tokens(cards, "STRING"):
        raise holds_always(line, "at least nothing", "leave out `at least`")
    return cards, bool(least)


def has_cards(field: str, kind: str) -> Callable[[Run, Line, Words], Seen]:
    """The named things are what a player has there."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        return see_list(
            run, listed(run, line, words, kind), getattr(player(run.state, seat), field), seat
        )

    return look


def lies_there(field: str, kind: str) -> Callable[[Run, Line, Words], Seen]:
    """The named things are what lies on the table there."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        return see_list(run, listed(run, line, words, kind), getattr(run.state, field))

    return look


def see_list(run: Run, wanted: Listed, there: tuple[str, ...], about: Seat | None = None) -> Seen:
    """A list beside the cards that are there."""
    return Seen(wanted.met_by(there), wanted.text(run), card_names(run, there), about)


def is_empty(deck: str) -> Callable[[Run, Line, Words], Seen]:
    """Whether a deck has run out."""

    def look(run: Run, _: Line, __: Words) -> Seen:
        left = size(getattr(run.state, deck))
        return Seen(left == 0, "an empty deck", f"{left} left")

    return look
