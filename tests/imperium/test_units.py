"""Recruiting, deploying and retreating: limits, effects that lift or forbid, and the rulings."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.imperium import units
from rules_engine.imperium.actions import Decline, Deploy, Retreat
from rules_engine.imperium.conditions import holds
from rules_engine.imperium.frames import AgentTurn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.records import change
from tests.imperium.positions import (
    after,
    at,
    bare,
    following,
    giving,
    in_turn,
    owner,
    refused,
    run,
)


def _at_combat_space(garrison: int = 5, recruited: int = 0) -> State:
    """An Agent turn at a Combat space."""
    state = giving(bare(), 0, garrison=garrison, supply=12 - garrison)
    state = in_turn(state, 0, space="arrakeen", combat=True, recruited=recruited)
    return at(state, AgentTurn(0, ()))


def _in_conflict(troops: int, **fields: int) -> State:
    return giving(bare(), 0, supply=12 - troops, garrison=0, troops=troops, **fields)


def _keys(state: State, given: object) -> list[str]:
    return [reason.key for reason in refused(state, given).reasons]


# The limit of the turn


def test_two_of_the_garrison_and_all_recruits_may_be_deployed() -> None:
    state = _at_combat_space(recruited=1)
    assert units.most_deployable(state, 0) == 3
    assert owner(after(state, Deploy(0, 3))).troops == 3
    assert _keys(state, Deploy(0, 4)) == ["over_the_limit"]


def test_units_may_be_deployed_in_parts() -> None:
    state = after(_at_combat_space(), Deploy(0, 1), Deploy(0, 1))
    assert owner(state).troops == 2
    assert _keys(state, Deploy(0, 1)) == ["over_the_limit"]


def test_units_are_deployed_at_once_if_so_ruled() -> None:
    state = after(following(_at_combat_space(), deploy_split="at_once"), Deploy(0, 1))
    assert _keys(state, Deploy(0, 1)) == ["deployed_already"]
    assert Deploy(0, 1) not in actions(IMPERIUM, state)


def test_recruits_may_be_deployed_from_any_space_without_the_two() -> None:
    state = giving(bare(), 0, garrison=4, supply=8)
    state = at(in_turn(state, 0, space="sardaukar", recruited=1), AgentTurn(0, ()))
    assert _keys(state, Deploy(0, 1)) == ["no_combat_space"]
    state = run(state, 0, tree.DeployRecruits())
    assert units.most_deployable(state, 0) == 1
    assert _keys(state, Deploy(0, 2)) == ["only_recruits"]
    assert owner(after(state, Deploy(0, 1))).troops == 1


def test_recruits_may_be_deployed_with_the_two_at_a_combat_space() -> None:
    state = run(_at_combat_space(recruited=1), 0, tree.DeployRecruits())
    assert units.most_deployable(state, 0) == 3


# Deployment forbidden


def test_no_unit_enters_when_deployment_is_forbidden() -> None:
    state = run(_at_combat_space(), 0, tree.ForbidDeployment())
    assert _keys(state, Deploy(0, 1)) == ["deployment_forbidden"]
    assert units.most_deployable(state, 0) == 0
    assert owner(run(state, 0, tree.DeployTroops(4))).troops == 0
    assert owner(run(state, 0, tree.Summon(1))).sandworms == 0


def test_only_the_one_whose_turn_it_is_may_not_deploy() -> None:
    state = run(_at_combat_space(), 0, tree.ForbidDeployment())
    assert owner(run(state, 1, tree.Summon(1)), 1).sandworms == 1


# Deployment by an effect


def test_an_effect_deploys_without_a_combat_space_and_leaves_the_limit() -> None:
    state = run(_at_combat_space(), 0, tree.DeployTroops(4))
    assert _keys(state, Deploy(0, 0)) == ["at_least_one"]
    assert _keys(state, Deploy(0, 5)) == ["more_than_the_effect"]
    state = after(state, Deploy(0, 3))
    assert owner(state).troops == 3
    assert units.most_deployable(state, 0) == 2


def test_an_effect_deploys_no_more_than_the_garrison_holds() -> None:
    state = run(giving(bare(), 0, garrison=1, supply=11), 0, tree.DeployTroops(4))
    assert set(actions(IMPERIUM, state)) == {Deploy(0, 1), Decline(0)}
    assert "not_in_garrison" in _keys(state, Deploy(0, 2))
    assert owner(after(state, Decline(0))).troops == 0


def test_with_an_empty_garrison_nobody_is_asked() -> None:
    state = run(giving(bare(), 0, garrison=0, supply=12), 0, tree.DeployTroops(4))
    assert state.pending == ()


# Three units deployed in one turn


THREE = tree.AtLeast("units_deployed_this_turn", 3)


def test_units_deployed_count_with_sandworms() -> None:
    state = run(after(_at_combat_space(), Deploy(0, 2)), 0, tree.Summon(1))
    assert holds(state, 0, THREE)


def test_units_deployed_have_to_be_there_at_the_same_time() -> None:
    state = run(after(_at_combat_space(), Deploy(0, 2)), 0, tree.Retreat(2, 2))
    state = after(run(state, 0, tree.DeployTroops(2)), Deploy(0, 2))
    assert not holds(state, 0, THREE)


def test_a_retreat_does_not_undo_three_deployed_units() -> None:
    state = after(_at_combat_space(recruited=1), Deploy(0, 3))
    assert holds(run(state, 0, tree.Retreat(3, 3)), 0, THREE)


# Retreat


def test_an_exact_number_retreats_without_a_question() -> None:
    state = run(_in_conflict(3), 0, tree.Retreat(2, 2))
    assert state.pending == ()
    assert (owner(state).troops, owner(state).garrison) == (1, 2)


def test_one_or_two_troops_retreat_as_picked() -> None:
    state = run(_in_conflict(3), 0, tree.Retreat(1, 2))
    assert set(actions(IMPERIUM, state)) == {Retreat(0, 1), Retreat(0, 2)}
    assert _keys(state, Retreat(0, 0)) == ["not_so_many_retreat"]
    assert owner(after(state, Retreat(0, 1))).garrison == 1


def test_the_last_troop_retreats_without_a_question() -> None:
    assert owner(run(_in_conflict(1), 0, tree.Retreat(1, 2))).garrison == 1


def test_any_number_of_troops_may_be_none() -> None:
    state = run(_in_conflict(2), 0, tree.Retreat(0, None))
    assert set(actions(IMPERIUM, state)) == {Retreat(0, 0), Retreat(0, 1), Retreat(0, 2)}
    assert owner(after(state, Retreat(0, 0))).troops == 2


def test_a_retreat_that_cannot_be_made_pays_nothing() -> None:
    cost = tree.Arrow(tree.Retreat(2, 2), tree.Gain(3, "spice"))
    state = run(_in_conflict(1), 0, cost)
    assert (owner(state).troops, owner(state).spice) == (1, 0)


def test_sandworms_do_not_retreat() -> None:
    state = run(_in_conflict(0, sandworms=2), 0, tree.Retreat(0, None))
    assert owner(state).sandworms == 2


def test_a_retreat_makes_no_room_for_more() -> None:
    state = run(after(_at_combat_space(), Deploy(0, 2)), 0, tree.Retreat(1, 1))
    assert units.most_deployable(state, 0) == 0


def test_a_retreat_makes_room_if_so_ruled() -> None:
    state = following(_at_combat_space(), retreat_does_not_refund="yes")
    state = run(after(state, Deploy(0, 2)), 0, tree.Retreat(1, 1))
    assert units.most_deployable(state, 0) == 1


# Swords and the last unit


def _revealed(**fields: int) -> State:
    state = _in_conflict(2, swords=3, strength=7, **fields)
    return in_turn(giving(state, 0, revealed=True), 0, "reveal")


def test_the_last_unit_takes_strength_and_swords_with_it() -> None:
    state = run(_revealed(), 0, tree.Retreat(2, 2))
    assert (owner(state).strength, owner(state).swords) == (0, 0)
    state = after(run(state, 0, tree.DeployTroops(1)), Deploy(0, 1))
    assert owner(state).strength == 2


def test_swords_count_again_if_so_ruled() -> None:
    state = following(_revealed(), swords_after_last_unit="count_again")
    state = run(state, 0, tree.Retreat(2, 2))
    assert owner(state).strength == 0
    state = after(run(state, 0, tree.DeployTroops(1)), Deploy(0, 1))
    assert owner(state).strength == 5


def test_swords_stay_while_a_sandworm_does() -> None:
    state = run(_revealed(sandworms=1), 0, tree.Retreat(2, 2))
    assert owner(state).strength == 6


def test_swords_revealed_before_the_first_unit_count_when_it_comes() -> None:
    state = giving(bare(), 0, garrison=3, supply=9, swords=3, revealed=True)
    state = run(in_turn(state, 0, "reveal"), 0, tree.Retreat(0, None))
    state = after(run(state, 0, tree.DeployTroops(1)), Deploy(0, 1))
    assert owner(state).strength == 5


# Taking troops back


def test_deploying_is_final() -> None:
    state = after(_at_combat_space(), Deploy(0, 2))
    assert [reason.key for reason in units.why_not_take_back(state, 0, 1)] == ["deployed_for_good"]
    assert units.takeback_options(state, 0) == ()


def test_troops_of_this_turn_may_be_taken_back_if_so_ruled() -> None:
    state = following(_at_combat_space(), deploy_takeback="until_end")
    state = giving(state, 0, troops=3, supply=4)
    state = after(state, Deploy(0, 2))
    (amount,) = units.takeback_options(state, 0)
    assert (amount.low, amount.high) == (1, 2)
    assert [reason.key for reason in units.why_not_take_back(state, 0, 3)] == [
        "not_deployed_this_turn"
    ]
    back = units.take_back(state, 0, 2).state
    assert (owner(back).troops, owner(back).garrison) == (3, 5)
    assert units.most_deployable(back, 0) == 2


# A supply that is short


def test_what_the_supply_lacks_is_lost() -> None:
    state = run(_at_combat_space(11), 0, tree.Recruit(3))
    assert (owner(state).garrison, owner(state).supply) == (12, 0)
    grown = giving(state, 0, supply=2, garrison=10)
    assert units.make_up_shortage(grown, 0).state == grown


def test_a_shortage_is_made_up_in_the_same_turn_if_so_ruled() -> None:
    state = following(_at_combat_space(11), recruit_shortage_makeup="made_up")
    state = run(state, 0, tree.Recruit(3))
    grown = giving(state, 0, supply=3, garrison=9)
    made_up = units.make_up_shortage(grown, 0).state
    assert (owner(made_up).supply, owner(made_up).garrison) == (1, 11)
    assert made_up.turn is not None
    assert made_up.turn.recruited == 3
    assert units.make_up_shortage(made_up, 0).state == made_up
    assert units.make_up_shortage(change(grown, turn=None), 0).state.turn is None
