"""Solari, spice and water: taken from the bank, paid back to it."""

from __future__ import annotations

from rules_engine.imperium.state import Player, State, player, with_player
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

BANK = cite("UPR-COST-007", "UPR-COST-008")


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
    return Step(state, (Event("gains", rules + BANK, seat, {"amount": amount, "what": what}),))


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
