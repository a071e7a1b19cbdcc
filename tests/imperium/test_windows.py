"""Refusals name the rule that says when a thing could be done, whoever decides now."""

from __future__ import annotations

import typing

import pytest

from rules_engine.catalogue.faces import IntrigueFace, Way
from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import (
    Accept,
    Acquire,
    AnyInput,
    Choose,
    Decline,
    Deploy,
    EndTurn,
    Flip,
    GiveAlliance,
    Pass,
    PickFaction,
    PlaceSpy,
    PlayAgent,
    PlayIntrigue,
    RecallSpy,
    Resolve,
    Reveal,
    TakeContract,
)
from rules_engine.imperium.game import FRAMES, IMPERIUM
from rules_engine.imperium.not_due import why_cost_not_due, why_effect_not_due
from rules_engine.imperium.spies import why_not_gather
from rules_engine.imperium.state import AgentAt, Control, State
from rules_engine.imperium.windows import WINDOWS
from rules_engine.kernel.game import Action, Answer, window
from rules_engine.kernel.outcomes import Reason
from rules_engine.kernel.records import change
from tests.imperium.positions import bare, giving, in_turn, refused, spying, to_move


def at(state: State, *pending: frames.AnyFrame) -> State:
    """The position with just this pending, the last one on top."""
    return change(state, pending=pending)


OTHERS_TURN = to_move(bare(), 1)
NOTHING = bare()
IN_REVEAL = at(
    in_turn(giving(bare(), 0, revealed=True), 0, kind="reveal"), frames.RevealTurn(0, ())
)
IN_AGENT_TURN = at(in_turn(bare(), 0, space="imperial_basin", combat=True), frames.AgentTurn(0, ()))
STEP = at(giving(bare(), 1, troops=1), frames.ResolveCombat(), frames.CombatIntrigues(1))
REWARDS = at(giving(bare(), 0, troops=1), frames.EndCombat(), frames.PickTrack(0, 1, gain=True))
COMBAT_CARD = PlayIntrigue(0, "impress", 0)
PLOT_CARD = PlayIntrigue(0, "cunning", 0)


def first(state: State, action: Action) -> tuple[str, str]:
    """The first reason of a refusal, and the rule that it rests on first."""
    reason = refused(state, action).reasons[0]
    return reason.key, reason.rules[0]


@pytest.mark.parametrize(
    ("state", "action", "key", "rule"),
    [
        (OTHERS_TURN, PlayAgent(0, "dagger", "arrakeen"), "not_own_turn", "UPR-ROUND-003"),
        (NOTHING, Reveal(0), "not_own_turn", "UPR-ROUND-003"),
        (giving(OTHERS_TURN, 0, revealed=True), Reveal(0), "revealed_already", "UPR-REVEAL-009"),
        (IN_REVEAL, Reveal(0), "reveal_in_progress", "UPR-REVEAL-009"),
        (IN_AGENT_TURN, Reveal(0), "turn_in_progress", "UPR-AGENT-001"),
        (OTHERS_TURN, EndTurn(0), "not_own_turn", "UPR-ROUND-003"),
        (OTHERS_TURN, Deploy(0, 1), "no_combat_space", "UPR-UNIT-008"),
        (NOTHING, Deploy(0, 1), "no_combat_space", "UPR-UNIT-008"),
        (IN_AGENT_TURN, Acquire(0, "dagger"), "not_reveal_turn", "UPR-ACQ-001"),
        (OTHERS_TURN, PLOT_CARD, "plot_in_own_turn", "UPR-ROUND-004"),
        (OTHERS_TURN, COMBAT_CARD, "only_in_combat", "UPR-COMBAT-007"),
        (STEP, COMBAT_CARD, "no_unit_in_conflict", "UPR-COMBAT-003"),
        (giving(STEP, 0, troops=1), Pass(0), "chances_go_round", "UPR-COMBAT-002"),
        (REWARDS, COMBAT_CARD, "intrigue_step_over", "UPR-COMBAT-006"),
        (REWARDS, Pass(1), "intrigue_step_over", "UPR-COMBAT-006"),
        (OTHERS_TURN, Pass(0), "no_chance_to_pass", "UPR-COMBAT-002"),
        (NOTHING, PlayIntrigue(0, "desert_mouse", 1), "only_in_endgame", "UPR-END-003"),
        (OTHERS_TURN, Flip(0, "propaganda"), "pairs_in_endgame", "UPR-COMBAT-030"),
        (OTHERS_TURN, GiveAlliance(0, 1), "token_stays", "UPR-FACTION-011"),
        (IN_AGENT_TURN, PlaceSpy(0, "post_fremen"), "only_by_effect", "UPR-SPY-002"),
        (IN_AGENT_TURN, RecallSpy(0, "post_fremen"), "two_uses_of_a_spy", "UPR-SPY-010"),
        (OTHERS_TURN, PickFaction(0, "fremen"), "only_by_effect", "UPR-FACTION-016"),
        (OTHERS_TURN, TakeContract(0, "contract_harvest_3"), "no_module", "UPR-CHOAM-006"),
    ],
)
def test_the_rule_about_the_thing_comes_first(
    state: State, action: Action, key: str, rule: str
) -> None:
    assert first(state, action) == (key, rule)


def test_an_action_at_its_moment_has_no_window_to_wait_for() -> None:
    assert window(IMPERIUM, IN_AGENT_TURN, Deploy(0, 1)) == ()
    choosing = change(IN_AGENT_TURN, pending=(*IN_AGENT_TURN.pending, frames.PickTrack(0, 1, True)))
    assert window(IMPERIUM, choosing, Deploy(0, 1)) == ()
    assert window(IMPERIUM, choosing, PLOT_CARD) == ()
    assert window(IMPERIUM, choosing, PickFaction(0, "fremen")) == ()
    assert [each.key for each in window(IMPERIUM, choosing, Reveal(0))] == ["one_kind_of_turn"]
    rewards = at(bare(), frames.EndCombat(), frames.Effects(0, ()))
    assert window(IMPERIUM, rewards, EndTurn(0)) == ()
    elsewhere = at(in_turn(bare(), 0, space="fremkit"), frames.PickTrack(0, 1, gain=True))
    assert first(elsewhere, Deploy(0, 1)) == ("no_combat_space", "UPR-UNIT-008")


WON_CARD = IntrigueFace("feast", "Feast", 1, (Way("won", (tree.Gain(1, "water"),)),))


def test_a_card_that_acts_on_winning_waits_for_its_owner_to_win() -> None:
    state = change(bare(), config=change(bare().config, intrigues=(WON_CARD,)))
    winning = at(state, frames.WinIntrigues(0))
    assert first(winning, PlayIntrigue(1, "feast", 0)) == ("only_on_winning", "UPR-COMBAT-008")
    assert window(IMPERIUM, winning, PlayIntrigue(0, "feast", 0)) == ()


def test_a_use_that_a_card_has_not_has_no_moment() -> None:
    assert window(IMPERIUM, OTHERS_TURN, PlayIntrigue(0, "cunning", 9)) == ()


def test_a_location_is_defended_by_its_controller_when_the_conflict_is_revealed() -> None:
    controlled = change(bare(), conflict="siege_of_arrakeen", controls=(Control("arrakeen", 1),))
    defending = at(controlled, frames.Defend(1))
    assert first(defending, Accept(0)) == ("not_the_defender", "UPR-CTRL-008")
    assert first(to_move(controlled, 0), Accept(1)) == ("defence_moment_over", "UPR-CTRL-009")
    assert window(IMPERIUM, defending, Accept(1)) == ()
    assert window(IMPERIUM, OTHERS_TURN, Accept(0)) == ()


def test_each_action_has_a_moment_or_answers_a_question() -> None:
    kinds = set(typing.get_args(AnyInput)) - {Answer}
    assert kinds - WINDOWS.keys() == {Choose, Decline, Resolve}


def test_each_frame_of_a_window_can_be_pending() -> None:
    assert {frame for each in WINDOWS.values() for frame in each.frames} <= FRAMES.keys()


# Gather Intelligence

POST = "post_refinery_arrakeen"


def _gathering(state: State) -> list[tuple[str, str]]:
    return [(each.key, each.rules[0]) for each in why_not_gather(state, 0, POST)]


def test_intelligence_is_not_gathered_for_each_of_its_reasons() -> None:
    sent = in_turn(bare(), 0, space="arrakeen", recalled_spy=True)
    over = ("gather_moment_over", "UPR-SPY-016")
    assert _gathering(to_move(bare(), 0)) == [("no_agent_sent", "UPR-SPY-015")]
    assert _gathering(spying(sent, 0, POST)) == [over]
    assert _gathering(sent) == [("no_spy_there", "UPR-SPY-008"), over]
    joined = change(sent, agents=(AgentAt("arrakeen", 0), AgentAt("arrakeen", 1)))
    assert _gathering(joined) == [("spy_infiltrated", "UPR-SPY-017"), over]
    elsewhere = spying(in_turn(bare(), 0, space="fremkit"), 0, POST)
    assert [key for key, _ in _gathering(elsewhere)] == ["not_linked", "gather_moment_over"]


# Effects and costs that are not due


def told(reasons: typing.Iterable[Reason]) -> list[tuple[str, str]]:
    """The reasons, each with the rule that it rests on first."""
    return [(each.key, each.rules[0]) for each in reasons]


SWORD = tree.Swords(1)


def test_an_effect_of_a_card_is_due_once_and_in_its_own_kind_of_turn() -> None:
    revealed = in_turn(giving(bare(), 0, in_play=("dagger",)), 0, kind="reveal", shown=("dagger",))
    assert told(why_effect_not_due(revealed, 0, SWORD)) == [("no_longer_due", "UPR-REVEAL-005")]
    sent = in_turn(giving(bare(), 0, in_play=("dagger",)), 0, space="fremkit")
    assert told(why_effect_not_due(sent, 0, SWORD)) == [("not_this_box", "UPR-REVEAL-005")]
    assert told(why_effect_not_due(sent, 1, SWORD)) == []
    drawn = tree.DrawCards(1)
    assert told(why_effect_not_due(sent, 0, drawn)) == [("no_longer_due", "UPR-AGENT-009")]
    waiting = at(
        sent, frames.AgentTurn(0, (frames.Item(drawn, "fremkit"),)), frames.SpyPlacement(0)
    )
    assert told(why_effect_not_due(waiting, 0, drawn)) == [("choice_first", "UPR-AGENT-009")]


def test_a_cost_is_paid_once_a_turn_and_that_of_a_space_when_the_agent_is_sent() -> None:
    sold = in_turn(giving(bare(), 0, in_play=("smugglers_haven",)), 0, space="spice_refinery")
    assert told(why_cost_not_due(sold, 0, tree.Pay(4, "spice"))) == [
        ("no_longer_due", "UPR-COST-005")
    ]
    assert told(why_cost_not_due(sold, 0, tree.Pay(1, "spice"))) == [
        ("paid_when_sent", "UPR-COST-001")
    ]
    assert told(why_cost_not_due(sold, 0, tree.Pay(7, "spice"))) == []


def test_a_contract_that_does_not_exist_is_no_reason() -> None:
    assert told(why_effect_not_due(bare(), 0, tree.CompleteContract("contract_x"))) == []
