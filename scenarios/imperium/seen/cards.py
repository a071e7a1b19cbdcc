"""Cards as they are seen: in hands and other places, in the Imperium Row, and out of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules_engine.imperium.state import player
from rules_engine.kernel.decks import possibly_in, size
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.views import view_of
from scenarios.imperium.seen.look import (
    Seen,
    card_names,
    has_cards,
    is_empty,
    lies_there,
    listed,
    see_list,
)
from scenarios.imperium.table import ZONES
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, has_word, phrases, token, tokens
from scenarios.language.values import amount, bound

if TYPE_CHECKING:
    from scenarios.run import Run


def _see_in_zone(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = listed(run, line, words, "card")
    zone = ZONES[str(token(words, "ZONE"))]
    owner = player(run.state, seat)
    there = _in_deck(run, line, seat) if zone == "deck" else getattr(owner, zone)
    return see_list(run, wanted, there, seat)


def _in_deck(run: Run, line: Line, seat: Seat) -> tuple[str, ...]:
    """The cards of a deck in whatever order, if nobody has drawn some that were not named."""
    deck = tuple(part for part in player(run.state, seat).deck if size((part,)))
    cards = possibly_in(deck)
    if len(cards) != size(deck):
        raise ScenarioError(
            "TS0116",
            "which cards are in this deck is not said",
            place=line.place,
            help=f"count them, like `{run.scenario.players[seat]} has {size(deck)} cards in deck`",
        )
    return tuple(cards)


def _see_row_size(run: Run, line: Line, words: Words) -> Seen:
    wanted = bound(line, phrases(words)[0], run.environment)
    there = len(run.state.row)
    return Seen(wanted.met_by(there), f"{wanted!r} cards", f"{there} cards")


def _see_reserve(run: Run, line: Line, words: Words) -> Seen:
    """So many copies of a card are left on its stack in the Reserve."""
    left = {stack.card: stack.left for stack in run.state.reserve}
    expected, actual = [], []
    holds: Any = True
    for phrase, word in zip(phrases(words), tokens(words, "STRING"), strict=True):
        card = run.table.reserve_card(line, word)
        wanted = amount(line, phrase, run.environment)
        holds = holds & (left[card] == wanted)
        expected.append(f"{wanted!r} {card_names(run, (card,))}")
        actual.append(f"{left[card]!r} {card_names(run, (card,))}")
    return Seen(holds, ", ".join(expected), ", ".join(actual))


def _see_out_of_game(run: Run, line: Line, words: Words) -> Seen:
    wanted = listed(run, line, words, "card", "intrigue")
    return see_list(run, wanted, (*run.state.trashed, *run.state.trashed_intrigues))


def _see_has_trashed(run: Run, line: Line, words: Words) -> Seen:
    """The named cards are what a player has trashed so far, and they are out of the game."""
    seat = run.table.seat(line, token(words, "NAME"))
    return see_list(run, listed(run, line, words, "card"), run.trashed.by_seat.get(seat, ()), seat)


def _seeing(wanted: bool) -> Callable[[Run, Line, Words], Seen]:
    """Whether the view of one player shows the cards of another, or only how many there are."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        viewer, owner = (run.table.seat(line, name) for name in tokens(words, "NAME"))
        (what,) = phrases(words, "hidden")
        field = "intrigues" if has_word(what, "intrigue") else "hand"
        held = getattr(player(run.state, owner), field)
        seen = bool(view_of(player(run.state, owner), field, viewer) == list(held))
        words_for = {True: "seen", False: "hidden"}
        return Seen(seen == wanted, words_for[wanted], words_for[seen], viewer)

    return look


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "hand": has_cards("hand", "card"),
    "intrigue": has_cards("intrigues", "intrigue"),
    "in_zone": _see_in_zone,
    "intrigue_discard": lies_there("intrigue_discard", "intrigue"),
    "row": lies_there("row", "card"),
    "row_size": _see_row_size,
    "reserve": _see_reserve,
    "set_aside": has_cards("set_aside", "card"),
    "standing": has_cards("standing", "intrigue"),
    "out_of_game": _see_out_of_game,
    "has_trashed": _see_has_trashed,
    "no_cards_left": is_empty("imperium_deck"),
    "no_intrigues_left": is_empty("intrigue_deck"),
    "sees": _seeing(wanted=True),
    "does_not_see": _seeing(wanted=False),
}
