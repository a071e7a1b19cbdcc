"""Cards as they are seen: in hands and other places, in the Imperium Row, and out of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules_engine.imperium.state import player
from rules_engine.kernel.views import view_of
from scenarios.imperium.seen.look import Seen, card_names, happened, has_cards, is_empty
from scenarios.imperium.table import ZONES
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, has_word, phrases, token, tokens
from scenarios.language.values import amount

if TYPE_CHECKING:
    from scenarios.run import Run


def _whole(where: str, kind: str) -> Callable[[Run, Line, Words], Seen]:
    """The named cards are all that a player holds there."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        wanted = run.table.cards(line, phrases(words, "cards")[0], kind)
        held = getattr(player(run.state, seat), where)
        same = Counter(held) == Counter(wanted)
        return Seen(same, card_names(run, wanted), card_names(run, held), seat)

    return look


def _see_in_zone(run: Run, line: Line, words: Words) -> Seen:
    """The named cards are among those of the zone."""
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], "card"))
    zone = ZONES[str(token(words, "ZONE"))]
    if zone == "deck":
        raise ScenarioError(
            "TS0116",
            "the cards of a deck are not seen",
            place=line.place,
            help=f"count them, like `{run.scenario.players[seat]} has 4 cards in deck`",
        )
    there = getattr(player(run.state, seat), zone)
    missing = wanted - Counter(there)
    return Seen(
        not missing, card_names(run, tuple(wanted.elements())), card_names(run, there), seat
    )


def _see_intrigue_discard(run: Run, line: Line, words: Words) -> Seen:
    wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], "intrigue"))
    there = run.state.intrigue_discard
    missing = wanted - Counter(there)
    return Seen(not missing, card_names(run, tuple(wanted.elements())), card_names(run, there))


def _see_row(run: Run, line: Line, words: Words) -> Seen:
    wanted = run.table.cards(line, phrases(words, "cards")[0], "card")
    row = run.state.row
    return Seen(Counter(row) == Counter(wanted), card_names(run, wanted), card_names(run, row))


def _see_row_size(run: Run, line: Line, words: Words) -> Seen:
    wanted = amount(line, phrases(words)[0], run.environment)
    return Seen(len(run.state.row) == wanted, f"{wanted} cards", f"{len(run.state.row)} cards")


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
    wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], "card", "intrigue"))
    there = (*run.state.trashed, *run.state.trashed_intrigues)
    missing = wanted - Counter(there)
    return Seen(not missing, card_names(run, tuple(wanted.elements())), card_names(run, there))


def _see_has_trashed(run: Run, line: Line, words: Words) -> Seen:
    """The named cards were trashed by a player since the last `when`."""
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.cards(line, phrases(words, "cards")[0], "card")
    trashed = tuple(
        event.facts["card"] for event in happened(run, "trashes") if event.player == seat
    )
    holds = not Counter(wanted) - Counter(trashed) if wanted else not trashed
    return Seen(holds, card_names(run, wanted), card_names(run, trashed), seat)


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
    "hand": _whole("hand", "card"),
    "intrigue": _whole("intrigues", "intrigue"),
    "in_zone": _see_in_zone,
    "intrigue_discard": _see_intrigue_discard,
    "row": _see_row,
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
