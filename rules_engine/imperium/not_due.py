"""Why an effect that is printed somewhere is not due now: it was used, or its moment is another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium import contracts, leaders
from rules_engine.imperium.choices import CARD_GONE
from rules_engine.imperium.faces import card_face, leader_face, printed, space_face
from rules_engine.imperium.frames import GROUPS, Item
from rules_engine.imperium.state import State, ThisTurn, own_turn, player
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.outcomes import Reason, Seat
from rules_engine.rulebook.index import cite

ONCE = cite("UPR-COST-005")
AGENT_BOX = cite("UPR-AGENT-006", "UPR-AGENT-009")
REVEAL_BOX = cite("UPR-REVEAL-005", "UPR-REVEAL-006")
ACQUIRE_BOX = cite("UPR-ACQ-012")
SPACE = cite("UPR-AGENT-009")
PAID_WHEN_SENT = cite("UPR-COST-001")

USED = "no_longer_due"
"""The effect came with this turn: it was resolved, or left."""

Same = Callable[[Effect], bool]
"""Whether an effect is the one asked for."""


class Box(NamedTuple):
    """Effects printed in one place, and the rule that says when they come."""

    effects: tuple[Effect, ...]
    key: str
    rules: tuple[str, ...]


def why_effect_not_due(state: State, seat: Seat, effect: Effect) -> Iterator[Reason]:
    """The reasons why a player cannot resolve an effect that is not due."""
    known = printed(state).contracts
    if isinstance(effect, tree.CompleteContract) and effect.contract in known:
        yield from contracts.why_not_completed(state, seat, effect.contract)
    yield from _why_not(state, seat, lambda each: each == effect)


def why_cost_not_due(state: State, seat: Seat, cost: tree.Pay) -> Iterator[Reason]:
    """The reasons why a player cannot pay a cost that is not offered.

    UPR-COST-001, UPR-COST-005
    """
    turn = own_turn(state, seat)
    if turn is not None and turn.space is not None and _offers(state, turn.space, cost):
        yield Reason("paid_when_sent", PAID_WHEN_SENT)
    yield from _why_not(
        state, seat, lambda each: isinstance(each, tree.Arrow) and each.cost == cost
    )


def _offers(state: State, space: str, cost: tree.Pay) -> bool:
    """Whether a space lets its visitor pick such a cost."""
    return any(
        option.cost == cost
        for effect in space_face(state, space).effects
        if isinstance(effect, tree.AtPlacement)
        for option in effect.options
    )


def _why_not(state: State, seat: Seat, same: Same) -> Iterator[Reason]:
    """One reason for each kind of place where the effect is printed; it may just wait."""
    if any(same(item.effect) for item in _waiting(state, seat)):
        yield Reason("choice_first", SPACE)
        return
    found = {
        box.key: (box, effect)
        for box in _boxes(state, seat)
        for effect in box.effects
        if same(effect)
    }
    for key, (box, effect) in found.items():
        once = ONCE if key == USED and isinstance(effect, tree.Arrow) else ()
        yield Reason(key, once + box.rules)


def _waiting(state: State, seat: Seat) -> Iterator[Item]:
    """The effects that are due to a player once what is asked now is answered."""
    for frame in state.pending[:-1]:
        if isinstance(frame, GROUPS) and frame.seat == seat:
            yield from frame.items


def _boxes(state: State, seat: Seat) -> Iterator[Box]:
    yield from _boxes_of_cards(state, seat)
    yield from _boxes_of_leader(state, seat)
    turn = own_turn(state, seat)
    if turn is not None and turn.space is not None:
        yield Box(space_face(state, turn.space).effects, USED, SPACE)


def _boxes_of_cards(state: State, seat: Seat) -> Iterator[Box]:
    """What cards in play say, those acquired this turn, and those that are out of the game.

    UPR-AGENT-006, UPR-REVEAL-005, UPR-REVEAL-010, UPR-ACQ-012
    """
    turn = own_turn(state, seat) or ThisTurn(seat)
    for card in _named(player(state, seat).in_play):
        face = card_face(state, card)
        revealed = turn.kind == "reveal" and card in turn.shown
        yield Box(face.reveal, USED if revealed else "not_this_box", REVEAL_BOX)
        yield Box(face.agent, USED if turn.kind == "agent" else "not_this_box", AGENT_BOX)
    for card in _named(turn.acquired):
        yield Box(card_face(state, card).acquire, "acquired_already", ACQUIRE_BOX)
    for card in _named(state.trashed):
        face = card_face(state, card)
        yield Box((*face.agent, *face.reveal), "box_is_gone", CARD_GONE)


def _named(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card in dict.fromkeys(cards) if card != ANY)


def _boxes_of_leader(state: State, seat: Seat) -> Iterator[Box]:
    """What the Leader says, and the other side of the Leader. UPR-AGENT-014, UPR-CLAR-003"""
    face = leader_face(state, seat)
    if face is None:
        return
    turn = own_turn(state, seat)
    space = None if turn is None else turn.space
    came = space is not None and bool(leaders.sending_items(state, seat, space))
    yield Box(face.ability.effects, USED if came else "not_this_ability", leaders.OWN_WORDS)
    yield Box(face.signet, "not_this_ability", leaders.SIGNET)
    if face.turns_into is not None:
        other = printed(state).leaders[face.turns_into]
        yield Box((*other.ability.effects, *other.signet), "other_side", leaders.FLIP)
