"""The High Council seat, the Swordmaster, Assembly Hall, and recalling Agents."""

from __future__ import annotations

import pytest

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import (
    EndTurn,
    PlayAgent,
    RecallAgent,
    Resolve,
    Reveal,
)
from rules_engine.imperium.agent_turn import price
from rules_engine.imperium.agents import move_agent_to
from rules_engine.imperium.council import take_swordmaster
from rules_engine.imperium.faces import space_face
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Answer, actions
from rules_engine.kernel.laws import check_laws
from rules_engine.rulebook.index import rules
from tests.imperium.positions import (
    after,
    at,
    bare,
    done,
    following,
    giving,
    holding,
    in_turn,
    owner,
    refused,
    run,
    to_move,
    tracked,
)

KNOWN = frozenset(rule.id for rule in rules())


def broken(state: State) -> list[str]:
    return [text for invariant in INVARIANTS for text in invariant.broken(state)]


# The seat


def test_the_first_visit_takes_a_seat_and_later_ones_give_the_other_effects() -> None:
    start = giving(holding(bare(), 0, "dagger", "reconnaissance"), 0, solari=10)
    seated = after(to_move(start), PlayAgent(0, "dagger", "high_council"), Resolve(0, 0))
    assert owner(seated).high_council
    assert owner(seated).solari == 5
    assert (owner(seated).spice, owner(seated).garrison) == (0, 3)
    again = to_move(giving(start, 0, high_council=True))
    again = after(again, PlayAgent(0, "dagger", "high_council"), Resolve(0, 0))
    again = after(again, Answer("mercenaries"))
    assert (owner(again).solari, owner(again).spice, owner(again).garrison) == (5, 2, 6)
    assert owner(again).intrigues == ("mercenaries",)


def test_a_seat_is_two_persuasion_on_each_reveal_turn() -> None:
    state = after(to_move(giving(bare(), 0, high_council=True)), Reveal(0))
    assert owner(after(state, Resolve(0, 0))).persuasion == 2
    assert "UPR-REVEAL-006" in refused(state, EndTurn(0)).rules


def test_a_seat_taken_in_the_reveal_turn_counts_at_once() -> None:
    revealing = at(in_turn(bare(), 0, kind="reveal"), frames.RevealTurn(0, ()))
    assert owner(run(revealing, 0, tree.TakeSeat())).persuasion == 2
    agent = at(in_turn(bare(), 0, space="high_council"), frames.AgentTurn(0, ()))
    assert owner(run(agent, 0, tree.TakeSeat())).persuasion == 0


def test_nobody_has_two_seats() -> None:
    revealing = at(in_turn(bare(), 0, kind="reveal"), frames.RevealTurn(0, ()))
    twice = run(run(revealing, 0, tree.TakeSeat()), 0, tree.TakeSeat())
    assert owner(twice).persuasion == 2


# Assembly Hall


def test_assembly_hall_gives_persuasion_only_while_the_agent_is_there() -> None:
    there = to_move(move_agent_to(bare(), 0, "assembly_hall"))
    assert owner(after(there, Reveal(0), Resolve(0, 0))).persuasion == 1
    top = after(to_move(move_agent_to(bare(), 1, "assembly_hall")), Reveal(0)).pending[-1]
    assert isinstance(top, frames.RevealTurn)
    assert top.items == ()


# The Swordmaster


@pytest.mark.parametrize(("taken", "solari"), [(False, 8), (True, 6)])
def test_the_swordmaster_is_cheaper_once_anybody_has_it(taken: bool, solari: int) -> None:
    state = take_swordmaster(bare(), 1).state if taken else bare()
    assert price(state, space_face(state, "swordmaster")) == tree.Pay(solari, "solari")
    able = to_move(giving(holding(state, 0, "dagger"), 0, solari=solari))
    action = PlayAgent(0, "dagger", "swordmaster")
    assert action in actions(IMPERIUM, able)
    sent = after(able, action)
    assert owner(sent).solari == 0
    short = giving(able, 0, solari=solari - 1)
    assert "UPR-BOARD-022" in refused(short, action).rules


def test_the_swordmaster_is_a_third_agent_usable_this_round() -> None:
    able = to_move(giving(holding(bare(), 0, "dagger"), 0, solari=8))
    sent = after(able, PlayAgent(0, "dagger", "swordmaster"))
    assert owner(sent).agents == 1
    bought = after(sent, Resolve(0, 0))
    assert (owner(bought).agents, owner(bought).swordmaster) == (2, True)
    assert broken(bought) == []


def test_the_swordmaster_space_is_closed_to_those_who_have_it() -> None:
    has = take_swordmaster(bare(), 0).state
    able = to_move(giving(holding(has, 0, "dagger"), 0, solari=20))
    assert "UPR-AGENT-005" in refused(able, PlayAgent(0, "dagger", "swordmaster")).rules
    assert PlayAgent(0, "dagger", "swordmaster") not in actions(IMPERIUM, able)
    again = take_swordmaster(has, 0)
    assert again.state == has


def test_an_agent_too_many_is_found() -> None:
    assert broken(giving(bare(), 0, agents=3)) == ["Ada has not just 2 Agents"]
    assert broken(giving(bare(), 0, swordmaster=True)) == ["Ada has not just 3 Agents"]


# Requirements


def test_a_card_may_ignore_the_influence_that_a_space_asks_for() -> None:
    asks_for = tracked(giving(bare(), 0, spice=3), 0, "spacing_guild", 1)
    with_it = to_move(giving(asks_for, 0, hand=("undercover_asset",)))
    action = PlayAgent(0, "undercover_asset", "shipping")
    assert action in actions(IMPERIUM, with_it)
    assert owner(after(with_it, action)).spice == 0
    without = to_move(holding(asks_for, 0, "reconnaissance", "signet_ring"))
    assert "UPR-AGENT-005" in refused(without, PlayAgent(0, "signet_ring", "shipping")).rules


def test_ignoring_influence_does_not_open_the_swordmaster_again() -> None:
    has = giving(take_swordmaster(bare(), 0).state, 0, solari=20, hand=("undercover_asset",))
    action = PlayAgent(0, "undercover_asset", "swordmaster")
    assert "UPR-AGENT-005" in refused(to_move(has), action).rules


# Recalling an Agent


def recalling() -> State:
    """An Agent turn at Arrakeen with two own Agents elsewhere and one of an opponent."""
    state = take_swordmaster(bare(), 0).state
    for space in ("arrakeen", "fremkit", "secrets"):
        state = move_agent_to(state, 0, space)
    state = move_agent_to(state, 1, "espionage")
    state = at(in_turn(state, 0, space="arrakeen"), frames.AgentTurn(0, ()))
    return at(state, frames.PickAgent(0, 1))


def test_another_agent_comes_back_never_the_one_sent_this_turn() -> None:
    state = recalling()
    assert set(actions(IMPERIUM, state)) == {RecallAgent(0, "fremkit"), RecallAgent(0, "secrets")}
    for space in ("arrakeen", "espionage", "heighliner"):
        assert "UPR-AGENT-013" in refused(state, RecallAgent(0, space)).rules
    back = after(state, RecallAgent(0, "fremkit"))
    assert owner(back).agents == 1
    assert [at_.space for at_ in back.agents if at_.seat == 0] == ["arrakeen", "secrets"]
    assert broken(back) == []


def test_without_another_agent_nothing_is_recalled() -> None:
    alone = move_agent_to(bare(), 0, "arrakeen")
    alone = at(in_turn(alone, 0, space="arrakeen"), frames.AgentTurn(0, ()))
    assert run(alone, 0, tree.RecallAgents(1)) == alone


def test_recalling_keeps_every_law() -> None:
    assert check_laws(IMPERIUM, [recalling()], KNOWN.__contains__) == []


# Imperial Privilege


def at_imperial_privilege(*away: str, **rulings: str) -> State:
    """After the Agent was sent to Imperial Privilege, with other Agents away."""
    state = tracked(following(bare(), **rulings), 0, "emperor", 2)
    for space in away:
        state = move_agent_to(state, 0, space)
    state = giving(holding(state, 0, "dagger"), 0, solari=3, intrigues=("mercenaries",))
    return after(to_move(state), PlayAgent(0, "dagger", "imperial_privilege"))


def effects_due(state: State) -> list[tree.Effect]:
    top = state.pending[-1]
    assert isinstance(top, frames.AgentTurn)
    return [item.effect for item in top.items]


def test_imperial_privilege_recalls_and_draws() -> None:
    state = at_imperial_privilege("fremkit")
    swap = tree.Arrow(tree.DiscardIntrigue(1), tree.DrawIntrigue(1))
    assert effects_due(state) == [swap, tree.RecallAgents(1), tree.DrawCards(1)]
    assert "UPR-AGENT-009" in refused(state, EndTurn(0)).rules


def test_imperial_privilege_trashes_if_so_ruled() -> None:
    state = at_imperial_privilege("fremkit", imperial_privilege_discard_or_trash="trash")
    assert effects_due(state)[0] == tree.Arrow(tree.TrashIntrigue(), tree.DrawIntrigue(1))


@pytest.mark.parametrize(
    ("ruling", "away", "can_end"),
    [("still_draw", (), False), ("no_draw", (), True), ("no_draw", ("fremkit",), False)],
)
def test_whether_the_card_needs_an_agent_to_recall(
    ruling: str, away: tuple[str, ...], can_end: bool
) -> None:
    state = at_imperial_privilege(*away, imperial_privilege_no_agent=ruling)
    assert (EndTurn(0) in actions(IMPERIUM, state)) is can_end


def test_recall_and_card_as_one() -> None:
    state = at_imperial_privilege("fremkit", imperial_privilege_no_agent="no_draw")
    recalled = after(state, Resolve(0, 1), RecallAgent(0, "fremkit"))
    assert isinstance(recalled.pending[-1], frames.DrawFromDeck)
    assert done(state, Resolve(0, 1)).state.pending[-1] == frames.PickAgent(0, 1)
