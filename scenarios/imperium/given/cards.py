"""Given cards: in hands and other places of players, in the Imperium Row, and out of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules_engine.imperium.acquire import ROW
from rules_engine.kernel.decks import shuffled, zone
from rules_engine.kernel.errors import Place
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.imperium.given.decks import reserve_has, take, taken_out, use_up
from scenarios.imperium.table import ZONES, impossible
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, token
from scenarios.words import card_name

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def _hand(position: Position, line: Line, words: Words) -> None:
    _cards_in(position, line, words, "hand")


def _in_zone(position: Position, line: Line, words: Words) -> None:
    _cards_in(position, line, words, ZONES[str(token(words, "ZONE"))])


def _cards_in(position: Position, line: Line, words: Words, where: str) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, where)
    cards = position.table.all_of(line, words, "card")
    for card in cards:
        take(position, line, seat, card)
    fields: Any = shuffled(cards) if where == "deck" else zone(cards)
    position.change_player(seat, **{where: fields})
    position.known.add((seat, where))


PLOTS = cite("UPR-ICON-004")
ROW_RULES = cite("UPR-ACQ-010")


def _out_of(
    deck: str, kind: str, where: str, rules: tuple[str, ...]
) -> Callable[[Position, Line, Words], None]:
    """A player has named cards there that come out of a deck of all players."""

    def fact(position: Position, line: Line, words: Words) -> None:
        seat = position.table.seat(line, token(words, "NAME"))
        position.once(line, seat, where)
        cards = position.table.all_of(line, words, kind)
        left = taken_out(position, line, getattr(position.state, deck), cards, rules)
        position.state = change(position.state, **{deck: left})
        position.change_player(seat, **{where: zone(cards)})

    return fact


def _intrigue_discard(position: Position, line: Line, words: Words) -> None:
    position.once(line, "intrigue discard")
    cards = position.table.all_of(line, words, "intrigue")
    left = taken_out(position, line, position.state.intrigue_deck, cards, PLOTS)
    position.state = change(position.state, intrigue_deck=left, intrigue_discard=zone(cards))


def _row(position: Position, line: Line, words: Words) -> None:
    position.once(line, "row")
    cards = position.table.all_of(line, words, "card")
    left = taken_out(position, line, position.state.imperium_deck, cards, ROW_RULES)
    position.state = change(position.state, row=zone(cards), imperium_deck=left)
    position.row_known = True


def check_row(position: Position) -> None:
    """Refuse an Imperium Row with more cards than there are in one."""
    if position.row_known and len(position.state.row) > ROW:
        raise ScenarioError(
            "TS0110",
            f"this position is impossible: the row has {len(position.state.row)} cards",
            place=_last_about(position, "row"),
            help=f"leave out {len(position.state.row) - ROW}: the Imperium Row has {ROW} cards",
            rules=ROW_RULES,
        )


def _last_about(position: Position, fact: str) -> Place:
    """The last given line that states a fact."""
    about = [line for line in position.scenario.given if phrases(line.words, fact)]
    return about[-1].place if about else position.scenario.place


def _has_trashed(position: Position, line: Line, words: Words) -> None:
    """Cards that a player has trashed: one of the Reserve is back in its stack."""
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, "trashed")
    cards = position.table.all_of(line, words, "card")
    position.trashed[seat] = cards
    stacks = {stack.card for stack in position.state.reserve}
    gone = tuple(card for card in cards if card not in stacks)
    for card in gone:
        take(position, line, seat, card)
    position.state = change(position.state, trashed=zone((*position.state.trashed, *gone)))


def _out_of_game(position: Position, line: Line, words: Words) -> None:
    """All cards out of the game, whoever trashed them; those of starting decks have to be told."""
    position.once(line, "out of the game")
    printed = position.table.names.printed
    named = position.table.all_of(line, words, "card", "intrigue")
    left_out = Counter(position.state.trashed) - Counter(named)
    if left_out:
        name = card_name(position.state, next(iter(left_out)))
        message = f"{name} was trashed and is not among the cards out of the game"
        raise impossible(line, message, cite("UPR-ICON-011"), f'write `"{name}"` here too')
    cards = tuple((Counter(named) - Counter(position.state.trashed)).elements())
    plots = tuple(card for card in cards if card in printed.intrigue)
    others = tuple(card for card in cards if card not in printed.intrigue)
    starting = [card for card in others if card in printed.cards and printed.cards[card].starting]
    decks = {(seat, "deck") for seat in range(len(position.scenario.players))}
    if starting and not decks <= position.known:
        name = printed.cards[starting[0]].name
        raise ScenarioError(
            "TS0116",
            f"whose {name} it was is not said",
            place=line.place,
            help=f'write whose, like `{position.scenario.players[0]} has trashed "{name}"`',
        )
    bought = tuple(card for card in others if card not in starting)
    rules = cite("UPR-ICON-011")
    position.state = change(
        position.state,
        imperium_deck=taken_out(position, line, position.state.imperium_deck, bought, rules),
        intrigue_deck=taken_out(position, line, position.state.intrigue_deck, plots, rules),
        trashed=zone((*position.state.trashed, *others)),
        trashed_intrigues=zone((*position.state.trashed_intrigues, *plots)),
    )


def _no_cards_left(position: Position, line: Line, _: Words) -> None:
    use_up(position, line, "imperium_deck")


def _no_intrigues_left(position: Position, line: Line, _: Words) -> None:
    use_up(position, line, "intrigue_deck")


FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    "hand": _hand,
    "in_zone": _in_zone,
    "intrigue": _out_of("intrigue_deck", "intrigue", "intrigues", PLOTS),
    "intrigue_discard": _intrigue_discard,
    "standing": _out_of("intrigue_deck", "intrigue", "standing", PLOTS),
    "row": _row,
    "reserve": reserve_has,
    "set_aside": _out_of("imperium_deck", "card", "set_aside", ROW_RULES),
    "has_trashed": _has_trashed,
    "out_of_game": _out_of_game,
    "no_cards_left": _no_cards_left,
    "no_intrigues_left": _no_intrigues_left,
}
