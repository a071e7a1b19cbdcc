"""Cards between deck, hand, play, discard pile and box."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium.faces import card_face
from rules_engine.imperium.frames import GROUPS, DrawFromDeck, DrawFromIntrigue, Effects, Item
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import Player, State, follows, player, with_player
from rules_engine.imperium.turn_items import tested
from rules_engine.kernel.decks import (
    ANY,
    Cards,
    shuffled,
    with_card,
    without_card,
    without_top,
)
from rules_engine.kernel.drawing import draws_from
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Answer, push
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

DRAW = cite("UPR-ICON-003")
DRAW_INTRIGUE = cite("UPR-ICON-004")
REVEALED_WHEN_DRAWN = cite("UPR-REVEAL-003", "UPR-REVEAL-005")


def cards_in(owner: Player, zone: str) -> Cards:
    """The cards of one of a player's zones."""
    found: Cards = getattr(owner, zone)
    return found


def holds(owner: Player, zone: str, card: str) -> bool:
    """Whether a card is in a zone; it depends on the zone if cards there were never named."""
    cards = cards_in(owner, zone)
    if card in cards:
        return True
    if ANY in cards:
        raise UnknownRead(f"{owner.name}'s {zone.replace('_', ' ')}")
    return False


def move_card(state: State, seat: Seat, card: str, start: str, end: str) -> State:
    """A card moves between two of a player's zones: nothing but drawing does so too."""
    owner = player(state, seat)
    left = without_card(cards_in(owner, start), card)
    owner = change(owner, **{start: left})
    return with_player(state, change(owner, **{end: with_card(cards_in(owner, end), card)}))


def all_cards_to_discard(state: State, seat: Seat) -> State:
    """Everything in play goes to the discard pile."""
    for card in player(state, seat).in_play:
        state = move_card(state, seat, card, "in_play", "discard")
    return state


# The boxes of cards in play


def due_boxes(state: State, seat: Seat, card: str) -> dict[int, tuple[Effect, ...]]:
    """What is still due of the boxes of one of a player's cards, for each of equal ones."""
    due: dict[int, tuple[Effect, ...]] = {}
    for frame in state.pending:
        if isinstance(frame, GROUPS) and frame.seat == seat:
            for item in frame.items:
                if item.boxed and item.source == card:
                    due[item.copy] = (*due.get(item.copy, ()), item.effect)
    return due


def _boxes(
    state: State, seat: Seat, cards: Cards, box: Callable[[CardFace], tuple[Effect, ...]]
) -> tuple[Item, ...]:
    """The effects in one box of cards that have just come into play, equal cards told apart."""
    items: tuple[Item, ...] = ()
    for place, card in enumerate(cards):
        first = max(due_boxes(state, seat, card), default=-1) + 1
        copy = first + cards[:place].count(card)
        effects = box(card_face(state, card))
        items += tuple(Item(effect, card, boxed=True, copy=copy) for effect in effects)
    return items


def agent_box(state: State, seat: Seat, card: str) -> tuple[Item, ...]:
    """The effects in the Agent box of a card that was just played."""
    return _boxes(state, seat, (card,), lambda face: face.agent)


def reveal_boxes(state: State, seat: Seat, cards: Cards) -> tuple[Item, ...]:
    """The effects in the Reveal boxes of cards that were just revealed."""
    return _boxes(state, seat, cards, lambda face: face.reveal)


# Drawing from the own deck


def _draw(state: State, frame: DrawFromDeck, answer: Answer | None) -> Step[State]:
    """Draw the top card; an empty deck is first made of the discard pile. UPR-ICON-003"""
    owner = player(state, frame.seat)
    if answer is None:
        if frame.count < 1 or not owner.discard:
            return Step(state)
        if ANY in owner.discard:
            raise UnknownRead(f"{owner.name}'s discard pile")
        owner = change(owner, deck=owner.deck + shuffled(owner.discard), discard=())
        state = push(with_player(state, owner), frame)
        return Step(state, (Event("reshuffles", DRAW, frame.seat),))
    card = answer.outcome
    owner = change(owner, deck=without_top(owner.deck, card), hand=with_card(owner.hand, card))
    state = push(with_player(state, owner), change(frame, count=frame.count - 1))
    event = Event("draws", DRAW, frame.seat, {"card": card}, secret=("card",))
    if reveals_what_is_drawn(state, frame.seat):
        state, items, shown = reveal_drawn(state, frame.seat, card)
        return Step(push(state, Effects(frame.seat, items)), (event, shown))
    return Step(state, (event,))


def reveals_what_is_drawn(state: State, seat: Seat) -> bool:
    """In the own Reveal turn, as the ruling says."""
    turn = state.turn
    revealing = turn is not None and turn.seat == seat and turn.kind == "reveal"
    return revealing and follows(state, "draw_during_reveal") == "revealed"


def reveal_drawn(state: State, seat: Seat, card: str) -> tuple[State, tuple[Item, ...], Event]:
    """A card drawn in the own Reveal turn is revealed; its Reveal box is to be used at once.

    UPR-REVEAL-005
    """
    if card == ANY:
        raise UnknownRead(f"the card {player(state, seat).name} draws in the Reveal turn")
    state = move_card(state, seat, card, "hand", "in_play")
    if state.turn is not None:
        state = change(state, turn=change(state.turn, shown=with_card(state.turn.shown, card)))
    items = tested(state, seat, reveal_boxes(state, seat, (card,)))
    return state, items, Event("reveals", REVEALED_WHEN_DRAWN, seat, {"card": card})


DRAW_FROM_DECK = draws_from(
    lambda state, frame: player(state, frame.seat).deck,
    lambda _, frame: frame.count >= 1,
    _draw,
    DRAW,
)


# Drawing Intrigue cards


def _draw_intrigue(state: State, frame: DrawFromIntrigue, answer: Answer | None) -> Step[State]:
    """Draw an Intrigue card; an empty deck is first made of the discard pile. UPR-ICON-004"""
    if answer is None:
        reshuffle = follows(state, "intrigue_deck_empty") == "reshuffle"
        if frame.count < 1 or not state.intrigue_discard or not reshuffle:
            return Step(state)
        deck = state.intrigue_deck + shuffled(state.intrigue_discard)
        state = push(change(state, intrigue_deck=deck, intrigue_discard=()), frame)
        return Step(state, (Event("reshuffles_intrigue", DRAW_INTRIGUE, frame.seat),))
    card = answer.outcome
    owner = player(state, frame.seat)
    owner = change(owner, intrigues=with_card(owner.intrigues, card))
    deck = without_top(state.intrigue_deck, card)
    state = with_player(change(state, intrigue_deck=deck), owner)
    event = Event("draws_intrigue", DRAW_INTRIGUE, frame.seat, {"card": card}, secret=("card",))
    return Step(push(state, change(frame, count=frame.count - 1)), (event,))


DRAW_FROM_INTRIGUE = draws_from(
    lambda state, _: state.intrigue_deck,
    lambda _, frame: frame.count >= 1,
    _draw_intrigue,
    DRAW_INTRIGUE,
)


# Effects on cards


MEANING: Meanings = {
    tree.DrawCards: Meaning(
        lambda state, seat, effect, _: Step(push(state, DrawFromDeck(seat, effect.amount))), DRAW
    ),
    tree.DrawIntrigue: Meaning(
        lambda state, seat, effect, _: Step(push(state, DrawFromIntrigue(seat, effect.amount))),
        DRAW_INTRIGUE,
    ),
}
