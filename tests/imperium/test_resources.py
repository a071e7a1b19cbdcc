"""Bonus spice, taken once and doubled by a card."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.imperium.effects import payable
from rules_engine.imperium.state import Maker, State
from rules_engine.kernel.records import change
from tests.imperium.positions import bare, in_turn, owner, run


def _at_deep_desert(bonus: int) -> State:
    state = in_turn(bare(), 0, space="deep_desert")
    return change(state, makers=(Maker("deep_desert", bonus),))


def test_the_bonus_spice_of_this_agent_is_doubled() -> None:
    state = run(_at_deep_desert(3), 0, tree.GainBonusSpice(), "deep_desert")
    assert owner(run(state, 0, tree.DoubleBonusSpice(), "some_card")).spice == 6


def test_doubling_waits_for_the_harvest() -> None:
    assert not payable(_at_deep_desert(3), 0, tree.DoubleBonusSpice(), "some_card")


def test_only_bonus_spice_is_doubled() -> None:
    state = run(_at_deep_desert(1), 0, tree.Gain(4, "spice"), "deep_desert")
    state = run(state, 0, tree.GainBonusSpice(), "deep_desert")
    assert owner(run(state, 0, tree.DoubleBonusSpice(), "some_card")).spice == 6
