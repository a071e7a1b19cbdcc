"""Solari, spice and water: taken from the bank, paid back to it."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import Player, State, own_turn, player, with_player
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Reason, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

BANK = cite("UPR-COST-007", "UPR-COST-008")
BONUS_SPICE = cite("UPR-MAKER-005")
DOUBLED_SPICE = cite("UPR-MAKER-005", "UPR-ROUND-005")


def owned(owner: Player, what: str) -> Quantity:
    """How much of a resource a player has."""
    amount: Quantity = getattr(owner, what)
    return amount


def gain(
    state: State, seat: Seat, amount: Quantity, what: str, rules: tuple[str, ...] = ()
) -> Step[State]:
    """A player takes resources from the bank. UPR-COST-007, UPR-COST-008"""
    owner = player(state, seat)
    state = with_player(state, change(owner, **{what: owned(owner, what) + amount}))
    if what == "spice":
        state = _count_spice(state, seat, amount)
    return Step(state, (Event("gains", rules + BANK, seat, {"amount": amount, "what": what}),))


def _count_spice(state: State, seat: Seat, amount: Quantity) -> State:
    """Remember the spice gained in one's own turn from anywhere: cards and contracts ask."""
    turn = own_turn(state, seat)
    if turn is None:
        return state
    return change(state, turn=change(turn, spice=turn.spice + amount))


def can_pay(state: State, seat: Seat, amount: Quantity, what: str) -> bool:
    """Whether a player has what a cost asks for."""
    return owned(player(state, seat), what) >= amount


def pay(
    state: State, seat: Seat, amount: Quantity, what: str, rules: tuple[str, ...] = ()
) -> Step[State]:
    """A player gives resources back to the bank. UPR-COST-007"""
    owner = player(state, seat)
    state = with_player(state, change(owner, **{what: owned(owner, what) - amount}))
    return Step(state, (Event("pays", rules + BANK, seat, {"amount": amount, "what": what}),))


# Bonus spice


def _take_bonus_spice(state: State, seat: Seat, _: tree.GainBonusSpice, source: str) -> Step[State]:
    """All bonus spice on the visited space is the visitor's. UPR-MAKER-005"""
    for maker in state.makers:
        if maker.space == source:
            taken = gain(state, seat, maker.bonus_spice, "spice", BONUS_SPICE)
            state = _count_harvest(taken.state, seat, maker.bonus_spice)
            makers = tuple(
                change(each, bonus_spice=0) if each.space == source else each
                for each in state.makers
            )
            return Step(change(state, makers=makers), taken.events)
    return Step(state)


def _count_harvest(state: State, seat: Seat, amount: Quantity) -> State:
    """Remember the bonus spice that this turn's Agent took."""
    turn = own_turn(state, seat)
    if turn is None:
        return state
    return change(state, turn=change(turn, harvested=turn.harvested + amount))


def _double_bonus_spice(state: State, seat: Seat, _: tree.DoubleBonusSpice, __: str) -> Step[State]:
    """As much again as the bonus spice of this turn's Agent. UPR-MAKER-005, UPR-ROUND-005"""
    return gain(state, seat, _harvested(state, seat), "spice", DOUBLED_SPICE)


def _harvested(state: State, seat: Seat) -> Quantity:
    turn = state.turn
    return turn.harvested if turn is not None and turn.seat == seat else 0


def _why_not_double(
    state: State, seat: Seat, _: tree.DoubleBonusSpice, __: str
) -> Iterator[Reason]:
    """It waits for the harvest."""
    if _harvested(state, seat) < 1:
        yield Reason("nothing_harvested", DOUBLED_SPICE)


MEANING: Meanings = {
    tree.GainBonusSpice: Meaning(_take_bonus_spice, BONUS_SPICE),
    tree.DoubleBonusSpice: Meaning(_double_bonus_spice, DOUBLED_SPICE, _why_not_double),
}
