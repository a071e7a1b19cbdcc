"""Intrigue cards in hand: giving them up, and stealing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import GiveUpIntrigue
from rules_engine.imperium.cards import holds
from rules_engine.imperium.frames import PickIntrigue, Steal
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import State, clockwise, follows, player, with_player
from rules_engine.kernel.decks import ANY, with_card, without_card
from rules_engine.kernel.game import CHANCE, NOBODY, Answer, Asks, FrameRules, asks, push
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

DISCARD = cite("UPR-ICON-002", "UPR-ROUND-006")
TRASH = cite("UPR-ICON-010")
STEAL = cite("UPR-ICON-009")


# Giving up


def take_from_hand(state: State, seat: Seat, card: str) -> State:
    """An Intrigue card leaves its holder's hand: where it goes is up to who takes it."""
    owner = player(state, seat)
    return with_player(state, change(owner, intrigues=without_card(owner.intrigues, card)))


def to_discard_pile(state: State, card: str) -> State:
    """An Intrigue card is put face up on the Intrigue discard pile. UPR-ROUND-006"""
    return change(state, intrigue_discard=with_card(state.intrigue_discard, card))


def give_up(state: State, seat: Seat, card: str, trash: bool) -> Step[State]:
    """A held Intrigue card is discarded, or trashed: a ruling says where it goes then.

    UPR-ICON-002, UPR-ICON-010
    """
    state = take_from_hand(state, seat, card)
    if not trash:
        event = Event("discards_intrigue", DISCARD, seat, {"card": card})
        return Step(to_discard_pile(state, card), (event,))
    if follows(state, "trashed_intrigue_zone") == "discard_pile":
        state = to_discard_pile(state, card)
    else:
        state = change(state, trashed_intrigues=with_card(state.trashed_intrigues, card))
    return Step(state, (Event("trashes_intrigue", TRASH, seat, {"card": card}),))


def _asks_give_up(state: State, frame: PickIntrigue) -> Asks:
    due = frame.count >= 1 and player(state, frame.seat).intrigues
    return asks(frame.seat) if due else NOBODY


def _legal_give_up(state: State, frame: PickIntrigue, action: object) -> Refusal | None:
    rules = TRASH if frame.trash else DISCARD
    if not isinstance(action, GiveUpIntrigue):
        return refusal([Reason("pick_intrigue", rules)])
    if not holds(player(state, frame.seat), "intrigues", action.card):
        return refusal([Reason("no_such_intrigue", rules, {"card": action.card})])
    return None


def _give_up(state: State, frame: PickIntrigue, action: GiveUpIntrigue | None) -> Step[State]:
    """The picked card is given up. UPR-ICON-010"""
    if action is None:
        return Step(state)
    if frame.count > 1:
        state = push(state, change(frame, count=frame.count - 1))
    return give_up(state, frame.seat, action.card, frame.trash)


PICK_INTRIGUE = FrameRules(
    asks=_asks_give_up,
    apply=_give_up,
    legal=_legal_give_up,
    options=lambda state, frame: tuple(
        GiveUpIntrigue(frame.seat, card)
        for card in dict.fromkeys(player(state, frame.seat).intrigues)
        if card != ANY
    ),
)


def _why_too_few(
    state: State, seat: Seat, amount: Quantity, rules: tuple[str, ...]
) -> Iterator[Reason]:
    if len(player(state, seat).intrigues) < amount:
        yield Reason("too_few_intrigues", rules, {"amount": amount})


# Stealing


def _steal_by_effect(state: State, seat: Seat, effect: tree.StealIntrigue, _: str) -> Step[State]:
    """Every opponent who holds enough at this moment loses one, clockwise. UPR-ICON-009"""
    victims = [
        other
        for other in clockwise(state, seat)[1:]
        if len(player(state, other).intrigues) >= effect.least
    ]
    if not victims:
        return Step(state, (Event("nobody_to_steal_from", STEAL, seat),))
    return Step(push(state, *(Steal(seat, victim) for victim in reversed(victims))))


def _copies(state: State, frame: Steal) -> Counter[str]:
    """How many copies the victim holds of each card that was named."""
    cards = player(state, frame.victim).intrigues
    return Counter(card for card in cards if card != ANY)


def _legal_steal(state: State, frame: Steal, answer: Answer) -> Refusal | None:
    """One of the victim's cards, or one that was never named if such a card is held."""
    if answer.outcome in player(state, frame.victim).intrigues:
        return None
    return refusal([Reason("no_such_intrigue", STEAL, {"card": answer.outcome})])


def _steal(state: State, frame: Steal, answer: Answer | None) -> Step[State]:
    """A random card changes hands; only the two players know which. UPR-ICON-009"""
    if answer is None:
        return Step(state)
    card, seat, victim = answer.outcome, frame.seat, frame.victim
    state = take_from_hand(state, victim, card)
    thief = player(state, seat)
    state = with_player(state, change(thief, intrigues=with_card(thief.intrigues, card)))
    taken = Event("steals_intrigue", STEAL, seat, {"victim": victim, "card": card}, ("card",))
    lost = Event("loses_intrigue", STEAL, victim, {"card": card}, ("card",))
    return Step(state, (taken, lost))


STEAL_INTRIGUE = FrameRules(
    asks=lambda state, frame: CHANCE if player(state, frame.victim).intrigues else NOBODY,
    apply=_steal,
    legal=_legal_steal,
    options=lambda state, frame: tuple(map(Answer, _copies(state, frame))),
    weights=_copies,
)


MEANING: Meanings = {
    tree.DiscardIntrigue: Meaning(
        lambda state, seat, effect, _: Step(push(state, PickIntrigue(seat, effect.amount))),
        DISCARD,
        lambda state, seat, effect, _: _why_too_few(state, seat, effect.amount, DISCARD),
    ),
    tree.TrashIntrigue: Meaning(
        lambda state, seat, _, __: Step(push(state, PickIntrigue(seat, 1, trash=True))),
        TRASH,
        lambda state, seat, _, __: _why_too_few(state, seat, 1, TRASH),
    ),
    tree.StealIntrigue: Meaning(_steal_by_effect, STEAL),
}
