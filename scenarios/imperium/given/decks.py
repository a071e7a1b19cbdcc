"""Cards that a scenario names are taken from the decks that setup made."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rules_engine.imperium.state import player
from rules_engine.kernel.decks import Deck, Pool, possibly_in, shuffled, zone
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record, change
from rules_engine.rulebook.index import cite
from scenarios.imperium.table import impossible
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, tokens
from scenarios.language.values import amount

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def take(position: Position, line: Line, seat: Seat, card: str) -> None:
    """A named card is taken from wherever the starting position has it."""
    owner = player(position.state, seat)
    deck = Counter(possibly_in(owner.deck))
    supplies = Counter(possibly_in(position.state.imperium_deck))
    if deck[card]:
        deck[card] -= 1
        position.change_player(seat, deck=shuffled(deck.elements()))
    elif supplies[card]:
        supplies[card] -= 1
        position.state = change(position.state, imperium_deck=shuffled(supplies.elements()))
    elif any(stack.card == card and stack.left for stack in position.state.reserve):
        position.state = change(
            position.state,
            reserve=tuple(
                change(stack, left=stack.left - 1) if stack.card == card else stack
                for stack in position.state.reserve
            ),
        )
    elif not any(own.id == card for own in position.table.names.cards):
        raise _too_many(position, line, card, cite("UPR-REVEAL-010"))


def taken_out(
    position: Position, line: Line, deck: Deck, cards: tuple[str, ...], rules: tuple[str, ...]
) -> Deck:
    """The deck without cards that were placed elsewhere; it has to have them.

    A card that exists in this scenario only is in no deck.
    """
    names = position.table.names
    own = {card.id for faces in (names.cards, names.intrigues, names.contracts) for card in faces}
    left = Counter(possibly_in(deck))
    left.subtract(card for card in cards if card not in own)
    for card, count in left.items():
        if count < 0:
            raise _too_many(position, line, card, rules)
    return shuffled(left.elements())


def _too_many(position: Position, line: Line, card: str, rules: tuple[str, ...]) -> ScenarioError:
    """There are not so many copies of a card, or none without the module it belongs to."""
    printed = position.table.names.printed
    face = printed.cards.get(card) or printed.intrigue.get(card) or printed.contracts[card]
    if getattr(face, "choam", False) and not position.state.config.choam:
        rules = cite("UPR-CHOAM-003", "UPR-CHOAM-004")
        return without_module(line, f"{face.name} is not in", "choam", rules)
    if getattr(face, "promo", False) and not position.state.config.promos:
        return without_module(line, f"{face.name} is not in", "promos", ())
    message = f"there are not that many copies of {face.name}: {_copies(face)}"
    return impossible(line, message, rules, f'leave out a `"{face.name}"` here or elsewhere')


def without_module(line: Line, what: str, module: str, rules: tuple[str, ...]) -> ScenarioError:
    """Something does not exist without a module that is not used."""
    return ScenarioError(
        "TS0110",
        f"this position is impossible: {what} this game",
        place=line.place,
        help=f"add the line `module {module}` below `game`",
        rules=rules,
    )


def use_up(position: Position, line: Line, deck: str) -> None:
    """A deck has run out; nobody has to say where its cards have gone."""
    position.once(line, deck)
    position.used_up.append(deck)


def empty_decks(position: Position) -> None:
    """After all cards were laid out, the rest of a used up deck is as good as in the box."""
    for deck in position.used_up:
        rest = zone(possibly_in(getattr(position.state, deck)))
        position.state = change(position.state, **{deck: (Pool(0, rest),) if rest else ()})


def reserve_has(position: Position, line: Line, words: Words) -> None:
    """So many copies of a card are left on its stack; nobody has to say who has the others."""
    for phrase, word in zip(phrases(words), tokens(words, "STRING"), strict=True):
        card = position.table.reserve_card(line, word)
        position.once(line, "reserve", card)
        number = amount(line, phrase, position.environment)
        if type(number) is not int:
            raise ScenarioError(
                "TS0116",
                "the copies on a stack cannot be any number",
                place=line.place,
                help="write a number, or an `examples` table",
            )
        position.left_in_reserve[card] = (line, number)


def lower_stacks(position: Position) -> None:
    """After all cards were laid out, copies that are on no stack are in decks, out of sight."""
    for card, (line, number) in position.left_in_reserve.items():
        (stack,) = (each for each in position.state.reserve if each.card == card)
        if number > stack.left:
            name = position.table.names.printed.cards[card].name
            message = f"the Reserve has no more than {stack.left} left of {name}"
            remedy = f"write a number from 0 to {stack.left}"
            raise impossible(line, message, cite("UPR-ACQ-002"), remedy)
        reserve = tuple(
            change(each, left=number) if each.card == card else each
            for each in position.state.reserve
        )
        position.state = change(position.state, reserve=reserve)
        owner = player(position.state, 0)
        hidden = (Pool(0, (card,) * (stack.left - number)),) if number < stack.left else ()
        position.change_player(0, deck=owner.deck + hidden)


def _copies(face: Record) -> str:
    """How many copies there are of a card or a contract, and where."""
    return ", ".join(
        f"{number} in {where}"
        for field, where in COPIES.items()
        if (number := getattr(face, field, 0))
    )


COPIES = {"starting": "each starting deck", "reserve": "the Reserve", "copies": "its deck"}
