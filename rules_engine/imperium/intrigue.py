"""Intrigue cards: when they can be played, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.catalogue.faces import Way
from rules_engine.effects import tree
from rules_engine.imperium.actions import PlayIntrigue
from rules_engine.imperium.cards import holds
from rules_engine.imperium.choices import resolvable, why_not_resolve
from rules_engine.imperium.faces import intrigue_face
from rules_engine.imperium.frames import Effects, IntriguePlayed, Item
from rules_engine.imperium.held_intrigue import take_from_hand, to_discard_pile
from rules_engine.imperium.state import State, player, with_player
from rules_engine.kernel.decks import ANY, with_card
from rules_engine.kernel.game import by_itself, push
from rules_engine.kernel.outcomes import Event, Reason, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

HELD = cite("UPR-ICON-004")
TIMING = {
    "plot": cite("UPR-ROUND-004", "UPR-ROUND-007"),
    "combat": cite("UPR-COMBAT-007", "UPR-COMBAT-004", "UPR-ROUND-007"),
    "won": cite("UPR-COMBAT-008"),
    "endgame": cite("UPR-END-003", "UPR-ROUND-007"),
}
"""The rules about when an Intrigue card can be played, by its timing."""

CONDITIONS = cite("UPR-COST-003", "UPR-FACTION-014")
DISCARD = cite("UPR-ROUND-006")


def why_not_play(state: State, action: PlayIntrigue, timing: str) -> Iterator[Reason]:
    """The reasons against playing an Intrigue card in this way at this moment."""
    seat, card = action.by, action.card
    if not holds(player(state, seat), "intrigues", card):
        yield Reason("no_such_intrigue", HELD, {"card": card})
    ways = intrigue_face(state, card).ways
    if not 0 <= action.way < len(ways):
        yield Reason("no_such_way", TIMING[timing], {"card": card})
        return
    way = ways[action.way]
    if way.timing != timing:
        rules = TIMING[way.timing] + TIMING[timing]
        yield Reason("wrong_time", rules, {"card": card, "timing": way.timing})
    if not usable(state, seat, card, way):
        rules = (*_against(state, seat, card, way), *CONDITIONS)
        yield Reason("condition_or_cost", tuple(dict.fromkeys(rules)), {"card": card})


def _against(state: State, seat: Seat, card: str, way: Way) -> Iterator[str]:
    """The rules against each of the card's effects: they decide why it cannot be played."""
    for effect in (*way.effects, *way.lines):
        for reason in why_not_resolve(state, seat, effect, card):
            yield from reason.rules


def usable(state: State, seat: Seat, card: str, way: Way) -> bool:
    """Whether any of the card's effects can be resolved: else it cannot be played."""
    return any(resolvable(state, seat, effect, card) for effect in (*way.effects, *way.lines))


def play_options(state: State, seat: Seat, timing: str) -> tuple[PlayIntrigue, ...]:
    """The Intrigue cards that the player can play now."""
    return tuple(
        PlayIntrigue(seat, card, number)
        for card in dict.fromkeys(player(state, seat).intrigues)
        if card != ANY
        for number, way in enumerate(intrigue_face(state, card).ways)
        if way.timing == timing and usable(state, seat, card, way)
    )


def play(state: State, action: PlayIntrigue) -> Step[State]:
    """The card is shown and its effects are resolved; after them it is discarded, or stays face up.

    UPR-ROUND-004, UPR-ROUND-006
    """
    seat, card = action.by, action.card
    way = intrigue_face(state, card).ways[action.way]
    state = take_from_hand(state, seat, card)
    if _stays(way):
        owner = player(state, seat)
        state = with_player(state, change(owner, standing=with_card(owner.standing, card)))
    else:
        state = push(state, IntriguePlayed(seat, card))
    items = tuple(Item(effect, card) for effect in (way.lines or way.effects))
    group = Effects(seat, items, committed=not way.lines, lines=bool(way.lines))
    event = Event("plays_intrigue", TIMING[way.timing], seat, {"card": card})
    return Step(push(state, group), (event,))


def _stays(way: Way) -> bool:
    """Whether a card stays face up until the own Reveal turn ends: it speaks of all that turn."""
    return any(isinstance(effect, tree.WhenAcquiring) for effect in way.effects)


def _discard(state: State, frame: IntriguePlayed, _: object) -> Step[State]:
    """A played Intrigue card goes face up on the Intrigue discard pile. UPR-ROUND-006"""
    event = Event("discards_intrigue", DISCARD, frame.seat, {"card": frame.card})
    return Step(to_discard_pile(state, frame.card), (event,))


INTRIGUE_PLAYED = by_itself(_discard, DISCARD)
