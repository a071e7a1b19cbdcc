"""Acquiring cards from the Imperium Row and the Reserve."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.imperium.actions import Acquire
from rules_engine.imperium.faces import card_face
from rules_engine.imperium.frames import Effects, FillRow, Item
from rules_engine.imperium.state import State, player, with_player
from rules_engine.kernel.decks import (
    with_card,
    without_card,
    without_top,
)
from rules_engine.kernel.drawing import draws_from
from rules_engine.kernel.game import Answer, push
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Reason, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

ROW = 5

WHERE_FROM = cite("UPR-ACQ-002")
PRICE = cite("UPR-ACQ-001", "UPR-ACQ-004")
ANY_MOMENT = cite("UPR-REVEAL-007")
TO_DISCARD = cite("UPR-ACQ-008", "UPR-ACQ-009")
ACQUIRE_BOX = cite("UPR-ACQ-012")
REFILL = cite("UPR-ACQ-010", "UPR-ACQ-011")


def offered(state: State, card: str) -> bool:
    """Whether a card lies in the Row or on top of a Reserve stack. UPR-ACQ-002"""
    in_reserve = any(stack.card == card and stack.left > 0 for stack in state.reserve)
    return card in state.row or in_reserve


def price(state: State, card: str) -> Quantity:
    """The Persuasion that a card costs; cards without a price are never offered."""
    cost = card_face(state, card).cost
    return 0 if cost is None else cost


def why_not(state: State, seat: Seat, card: str) -> Iterator[Reason]:
    """The reasons against acquiring a card."""
    if not offered(state, card):
        yield Reason("not_offered", WHERE_FROM, {"card": card})
        return
    if price(state, card) > player(state, seat).persuasion:
        yield Reason("too_expensive", PRICE, {"card": card, "cost": price(state, card)})


def options(state: State, seat: Seat) -> tuple[Acquire, ...]:
    """The cards that the player can acquire now."""
    reserve = (stack.card for stack in state.reserve if stack.left > 0)
    cards = dict.fromkeys((*state.row, *reserve))
    persuasion = player(state, seat).persuasion
    return tuple(Acquire(seat, card) for card in cards if price(state, card) <= persuasion)


def acquire(state: State, seat: Seat, card: str) -> Step[State]:
    """A card is paid with Persuasion and put on the discard pile; its Acquire box applies once.

    UPR-ACQ-001, UPR-ACQ-008, UPR-ACQ-010, UPR-ACQ-012
    """
    owner = player(state, seat)
    persuasion = owner.persuasion - price(state, card)
    owner = change(owner, persuasion=persuasion, discard=with_card(owner.discard, card))
    state = _taken(with_player(state, owner), card)
    box = tuple(Item(effect, card) for effect in card_face(state, card).acquire)
    state = push(state, Effects(seat, box), FillRow())
    rules = PRICE + ANY_MOMENT + TO_DISCARD + (ACQUIRE_BOX if box else ())
    return Step(state, (Event("acquires", rules, seat, {"card": card}),))


def _taken(state: State, card: str) -> State:
    if card in state.row:
        return change(state, row=without_card(state.row, card))
    reserve = tuple(
        change(stack, left=stack.left - 1) if stack.card == card else stack
        for stack in state.reserve
    )
    return change(state, reserve=reserve)


# The Row is filled up


def _fill(state: State, frame: FillRow, answer: Answer | None) -> Step[State]:
    """A gap in the Row is filled from the top of the Imperium Deck. UPR-ACQ-010"""
    if answer is None:
        return Step(state)
    card = answer.outcome
    deck = without_top(state.imperium_deck, card)
    state = change(state, imperium_deck=deck, row=with_card(state.row, card))
    return Step(push(state, frame), (Event("row_filled", REFILL, None, {"card": card}),))


FILL_ROW = draws_from(
    lambda state, _: state.imperium_deck, lambda state, _: len(state.row) < ROW, _fill, REFILL
)
