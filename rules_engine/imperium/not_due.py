"""Why an effect that is printed somewhere is not due now: it was used, or its moment is another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rules_engine.catalogue.faces import CardFace
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

Same = Callable[[Effect], bool]
"""Whether an effect is the one asked for."""


class Box(NamedTuple):
    """Effects printed in one place, and why they are not due."""

    effects: tuple[Effect, ...]
    reason: Reason


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
    """One reason for each place where the effect is printed; it may just wait for a choice."""
    if any(same(item.effect) for item in _waiting(state, seat)):
        yield Reason("choice_first", SPACE)
        return
    told: list[Reason] = []
    for box in _boxes(state, seat):
        if any(map(same, box.effects)) and box.reason not in told:
            told.append(box.reason)
    yield from told


def _used(effects: tuple[Effect, ...], rules: tuple[str, ...]) -> Iterator[Box]:
    """Effects that came with this turn and were resolved, or left: costs are paid once a turn.

    UPR-COST-005
    """
    costs = tuple(each for each in effects if isinstance(each, tree.Arrow))
    others = tuple(each for each in effects if each not in costs)
    yield Box(costs, Reason("no_longer_due", ONCE + rules))
    yield Box(others, Reason("no_longer_due", rules))


def _waiting(state: State, seat: Seat) -> Iterator[Item]:
    """The effects that are due to a player once what is asked now is answered."""
    for frame in state.pending[:-1]:
        if isinstance(frame, GROUPS) and frame.seat == seat:
            yield from frame.items


def _boxes(state: State, seat: Seat) -> Iterator[Box]:
    turn = own_turn(state, seat) or ThisTurn(seat)
    for card in _named(player(state, seat).in_play):
        yield from _boxes_of_card(card_face(state, card), turn)
    for card in _named(turn.acquired):
        yield Box(card_face(state, card).acquire, Reason("acquired_already", ACQUIRE_BOX))
    for card in _named(tuple(each.what for each in turn.deeds if each.kind == "trashes")):
        face = card_face(state, card)
        yield Box((*face.agent, *face.reveal), Reason("box_is_gone", CARD_GONE))
    yield from _boxes_of_leader(state, seat, turn)
    if turn.space is not None:
        yield from _used(space_face(state, turn.space).effects, SPACE)


def _boxes_of_card(face: CardFace, turn: ThisTurn) -> Iterator[Box]:
    """The two boxes of a card in play: only one of them is for this turn.

    UPR-AGENT-006, UPR-REVEAL-005
    """
    if turn.kind == "reveal" and face.id in turn.shown:
        yield from _used(face.reveal, REVEAL_BOX)
    else:
        yield Box(face.reveal, Reason("not_this_box", REVEAL_BOX))
    if turn.kind == "agent":
        yield from _used(face.agent, AGENT_BOX)
    else:
        yield Box(face.agent, Reason("not_this_box", AGENT_BOX))


def _named(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card in dict.fromkeys(cards) if card != ANY)


def _ability_came(state: State, seat: Seat, turn: ThisTurn) -> bool:
    """Whether the Leader's ability came with this turn."""
    if turn.kind == "reveal":
        return bool(leaders.reveal_items(state, seat))
    return turn.space is not None and bool(leaders.sending_items(state, seat, turn.space))


def _boxes_of_leader(state: State, seat: Seat, turn: ThisTurn) -> Iterator[Box]:
    """What the Leader says, and the other side of the Leader. UPR-AGENT-014, UPR-CLAR-003"""
    face = leader_face(state, seat)
    if face is None:
        return
    if _ability_came(state, seat, turn):
        yield from _used(face.ability.effects, leaders.OWN_WORDS)
    else:
        yield Box(face.ability.effects, Reason("not_this_ability", leaders.OWN_WORDS))
    yield Box(face.signet, Reason("not_this_ability", leaders.SIGNET))
    if face.turns_into is not None:
        other = printed(state).leaders[face.turns_into]
        yield Box((*other.ability.effects, *other.signet), Reason("other_side", leaders.FLIP))
