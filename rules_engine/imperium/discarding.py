"""Discarding from the hand because an effect says so."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import Discard
from rules_engine.imperium.cards import holds, move_card
from rules_engine.imperium.faces import card_face
from rules_engine.imperium.frames import Effects, Item, PickDiscard
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import State, player, with_deed
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

DISCARD = cite("UPR-ICON-001", "UPR-ICON-002")
FROM_HAND = cite("UPR-CLAR-008")


def when_discarded(state: State, card: str) -> tuple[Item, ...]:
    """What a card says about being discarded by an effect; cleaning up is none. UPR-CLAR-008"""
    return tuple(Item(effect, card) for effect in card_face(state, card).when_discarded)


def _asks(state: State, frame: PickDiscard) -> Asks:
    due = frame.count >= 1 and player(state, frame.seat).hand
    return asks(frame.seat) if due else NOBODY


def _legal(state: State, frame: PickDiscard, action: object) -> Refusal | None:
    if not isinstance(action, Discard):
        return refusal([Reason("pick_card_to_discard", DISCARD)])
    if not holds(player(state, frame.seat), "hand", action.card):
        return refusal([Reason("not_in_hand", DISCARD, {"card": action.card})])
    return None


def _options(state: State, frame: PickDiscard) -> tuple[Discard, ...]:
    cards = dict.fromkeys(player(state, frame.seat).hand)
    return tuple(Discard(frame.seat, card) for card in cards if card != ANY)


def _discard(state: State, frame: PickDiscard, action: Discard | None) -> Step[State]:
    """A card goes from the hand to the discard pile; what it says comes after the last one.

    UPR-ICON-001, UPR-ICON-002, UPR-CLAR-008
    """
    if action is None:
        return Step(state)
    seat, card = frame.seat, action.card
    state = move_card(state, seat, card, "hand", "discard")
    state = with_deed(state, seat, "discards", frame.source, card)
    items = when_discarded(state, card)
    if items:
        state = push(state, Effects(seat, items))
    if frame.count > 1:
        state = push(state, change(frame, count=frame.count - 1))
    rules = DISCARD + (FROM_HAND if items else ())
    return Step(state, (Event("discards", rules, seat, {"card": card}),))


PICK_DISCARD = FrameRules(asks=_asks, apply=_discard, legal=_legal, options=_options)


def _discard_by_effect(
    state: State, seat: Seat, effect: tree.DiscardCards, source: str
) -> Step[State]:
    """So many cards, or as many as there are."""
    return Step(push(state, PickDiscard(seat, effect.amount, source)))


def _why_not(state: State, seat: Seat, effect: tree.DiscardCards, _: str) -> Iterator[Reason]:
    if len(player(state, seat).hand) < effect.amount:
        yield Reason("too_few_in_hand", DISCARD, {"amount": effect.amount})


MEANING: Meanings = {tree.DiscardCards: Meaning(_discard_by_effect, DISCARD, _why_not)}
