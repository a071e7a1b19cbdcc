"""What chance brings: cards drawn, dealt, turned up or taken, and piles shuffled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from rules_engine.imperium import frames
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Answer
from rules_engine.kernel.outcomes import Seat
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, has_word, phrases, token, tokens
from scenarios.language.values import amount

if TYPE_CHECKING:
    from scenarios.run import Run


def _row_gets(run: Run, line: Line, words: Words) -> None:
    _chance(run, line, frames.FillRow, run.table.id(line, token(words, "STRING"), "card"))


def _row_gets_any(run: Run, line: Line, _: Words) -> None:
    _chance(run, line, frames.FillRow, ANY)


def _contracts_get(run: Run, line: Line, words: Words) -> None:
    contract = run.table.id(line, token(words, "STRING"), "contract")
    _chance(run, line, frames.FillContracts, contract)


def _conflict_is(run: Run, line: Line, words: Words) -> None:
    card = run.table.id(line, token(words, "STRING"), "conflict")
    _chance(run, line, frames.RevealConflict, card)


def _chance(run: Run, line: Line, frame: type[Any], outcome: str) -> None:
    """Chance answers what is pending, if that is of this kind."""
    if run.stopped is not None:
        raise run.stopped
    if not run.state.pending or not isinstance(run.state.pending[-1], frame):
        raise run.not_due(line.place, "nothing of the kind is due now")
    run.give(line, Answer(outcome))


def _draws(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    for card in run.table.cards(line, phrases(words, "cards")[0], "card", "intrigue"):
        draw(run, line, seat, card)


def _draws_any(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    before = len(run.events)
    draw(run, line, seat, ANY)
    check_numbers(run, seat, [_unnamed(run, line, words)], before)


def _draws_some(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    """So many cards as are to be drawn now, none of which is named."""
    before = len(run.events)
    draw(run, line, seat, ANY)
    draw_rest(run, line, seat)
    check_numbers(run, seat, [_unnamed(run, line, words)], before)


class Stated(NamedTuple):
    """What a line says of the cards that a player draws.

    `number` of cards that are not named, if it says one; `every` card has to be among them if they
    are counted.
    """

    line: Line
    cards: tuple[str, ...]
    number: Any
    intrigue: bool
    every: bool


def stated_draw(run: Run, line: Line, seat: Seat) -> Stated | None:
    """What a line says of the cards that this player draws, if it is about that."""
    if line.words.data != "does" or not tokens(line.words, "NAME"):
        return None
    (deed,) = phrases(line.words)
    if run.table.seat(line, token(line.words, "NAME")) != seat or deed.data not in DRAWS:
        return None
    if deed.data != "draws":
        return _unnamed(run, line, deed)
    cards = run.table.cards(line, phrases(deed, "cards")[0], "card", "intrigue")
    return Stated(line, cards, None, intrigue=False, every=False)


def _unnamed(run: Run, line: Line, words: Words) -> Stated:
    every = words.data != "draws_any"
    number = amount(line, phrases(words)[0], run.environment) if every else 1
    cards = (ANY,) * number if type(number) is int else ()
    return Stated(line, cards, number, has_word(words, "intrigue"), every)


def draw_rest(run: Run, line: Line, seat: Seat) -> None:
    """The player draws all cards that are still to be drawn, and nobody names them."""
    while is_drawing(run, seat):
        draw(run, line, seat, ANY)


def check_numbers(run: Run, seat: Seat, stated: list[Stated], before: int) -> None:
    """As many cards of each kind came unnamed as lines say, by the events from `before` on."""
    for each in stated:
        counted = [other for other in stated if other.number is not None]
        alike = [other for other in counted if other.intrigue == each.intrigue]
        drawn = _drawn_unnamed(run, seat, before, intrigue=each.intrigue)
        if each in alike and sum(other.number for other in alike) != drawn:
            raise _other_number(run, each, seat, before)


def _drawn_unnamed(run: Run, seat: Seat, before: int, *, intrigue: bool) -> int:
    key = "draws_intrigue" if intrigue else "draws"
    return sum(
        (each.key, each.player, each.facts["card"]) == (key, seat, ANY)
        for each in run.events[before:]
        if "card" in each.facts
    )


def _other_number(run: Run, stated: Stated, seat: Seat, before: int) -> ScenarioError:
    """Another number of cards is drawn than lines say, or cards of the other kind."""
    name = run.state.players[seat].name
    numbers = {
        intrigue: _drawn_unnamed(run, seat, before, intrigue=intrigue) for intrigue in (False, True)
    }
    drawn = [
        f"{number} {'intrigue ' if intrigue else ''}card{'' if number == 1 else 's'}"
        for intrigue, number in numbers.items()
        if number
    ]
    lines = " and ".join(f"`{_begins(stated.line)} {each}`" for each in drawn)
    return ScenarioError(
        "TS0138",
        f"{name} draws {' and '.join(drawn) or 'nothing'} here",
        place=stated.line.place,
        help=f"write {lines}" if drawn else LEAVE_OUT,
    )


def _begins(line: Line) -> str:
    """Who draws, as the line says it."""
    verb = token(phrases(line.words)[0], "DRAWS")
    return line.written.text[: (verb.column or 1) - 1 + len(verb)]


LEAVE_OUT = "leave the line out: nothing is drawn now"


def is_drawing(run: Run, seat: Seat) -> bool:
    """Whether chance has to say now what this player draws."""
    top: Any = run.state.pending[-1] if run.state.pending else None
    drawing = isinstance(top, (frames.DrawFromDeck, frames.DrawFromIntrigue))
    return run.stopped is None and drawing and top.seat == seat


def draw(run: Run, line: Line, seat: Seat, card: str) -> None:
    """A player draws this card, if a card is to be drawn now."""
    if run.stopped is not None:
        raise run.stopped
    if not is_drawing(run, seat):
        name = run.state.players[seat].name
        raise run.not_due(line.place, f"{name} draws nothing now")
    run.give(line, Answer(card))


def _gets_objective(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    top: Any = run.state.pending[-1] if run.state.pending else None
    if isinstance(top, frames.DealObjectives) and top.seat != seat:
        name = run.state.players[top.seat].name
        raise run.unstated(line.place, f"the next Objective goes to {name}")
    card = run.table.id(line, token(words, "STRING"), "objective")
    _chance(run, line, frames.DealObjectives, card)


def _looks_at(run: Run, line: Line, _: Seat, words: Words, __: list[Line]) -> None:
    for card in run.table.cards(line, phrases(words, "cards")[0], "card"):
        _chance(run, line, frames.LookAtTop, card)


def _steals(run: Run, line: Line, _: Seat, words: Words, __: list[Line]) -> None:
    victim = run.table.seat(line, token(words, "NAME"))
    top: Any = run.state.pending[-1] if run.state.pending else None
    if isinstance(top, frames.Steal) and top.victim != victim:
        asked_of = run.state.players[top.victim].name
        raise run.unstated(line.place, f"the next card is taken from {asked_of}")
    card = run.table.id(line, token(words, "STRING"), "intrigue")
    _chance(run, line, frames.Steal, card)


def _shuffles(run: Run, line: Line, seat: Seat, _: Words, __: list[Line]) -> None:
    """A shuffle happens by itself when the deck runs out; it is stated to be sure that it does."""
    name = run.state.players[seat].name
    shuffled = any(each.key == "reshuffles" and each.player == seat for each in run.recent)
    _check_shuffled(run, line, shuffled, f"{name} does not shuffle now")


def _intrigues_shuffled(run: Run, line: Line, _: Words) -> None:
    shuffled = any(each.key == "reshuffles_intrigue" for each in run.recent)
    _check_shuffled(run, line, shuffled, "the Intrigue cards are not shuffled now")


def _check_shuffled(run: Run, line: Line, shuffled: bool, message: str) -> None:
    if run.stopped is not None:
        raise run.stopped
    if not shuffled:
        raise ScenarioError(
            "TS0403",
            message,
            place=line.place,
            help="leave the line out: a discard pile is shuffled when a deck has run out",
        )


DRAWS = ("draws", "draws_any", "draws_some", "draws_intrigues")
"""Phrases about cards that a player draws."""

SPECIAL: dict[str, Callable[[Run, Line, Seat, Words, list[Line]], None]] = {
    "draws": _draws,
    "draws_any": _draws_any,
    "draws_some": _draws_some,
    "draws_intrigues": _draws_some,
    "gets_objective": _gets_objective,
    "looks_at": _looks_at,
    "steals": _steals,
    "shuffles": _shuffles,
}
"""What chance brings to a player."""

EVENTS: dict[str, Callable[[Run, Line, Words], None]] = {
    "row_gets": _row_gets,
    "row_gets_any": _row_gets_any,
    "contracts_get": _contracts_get,
    "conflict_is": _conflict_is,
    "intrigues_shuffled": _intrigues_shuffled,
}
"""What chance brings to the table."""
