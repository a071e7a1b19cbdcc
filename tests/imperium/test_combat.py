"""Combat: who may play, what rewards give, what is added to them, and battle icons."""

from __future__ import annotations

import pytest

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects import tree
from rules_engine.imperium.actions import EndTurn, Flip, Pass, PickFaction, Resolve
from rules_engine.imperium.combat import reward_items
from rules_engine.imperium.frames import (
    CombatIntrigues,
    GiveRewards,
    ResolveCombat,
    TakeConflictCard,
    Taking,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, Won
from rules_engine.kernel.game import actions, asked, asks
from rules_engine.kernel.records import change
from tests.imperium.positions import (
    after,
    at,
    bare,
    following,
    giving,
    owner,
    refused,
    run,
    settled,
)

POINTS = owner(bare()).victory_points

TWO_MICE = (Won("protect_the_sietches", "desert_mouse"), Won("propaganda", "wild"))


def _fought_over(conflict: str, *strengths: int, players: int = 4) -> State:
    """A Conflict in which players have a troop and so much strength."""
    state = change(bare(players), conflict=conflict)
    for seat, strength in enumerate(strengths):
        troops = 1 if strength else 0
        state = giving(state, seat, troops=troops, supply=9 - troops, strength=strength)
    return state


def _resolved(state: State) -> State:
    return settled(at(state, ResolveCombat()))


def _keys(state: State, given: object) -> list[str]:
    return [reason.key for reason in refused(state, given).reasons]


# What is added to the first reward


ADDED = tree.AddFirstReward(tree.GainInfluence(1, "any"))


def _gains(state: State, reward: str) -> int:
    items = reward_items(state, Taking(0, reward))
    return sum(item.effect == ADDED.effect for item in items)


def test_what_was_added_is_in_the_first_reward_only() -> None:
    state = run(_fought_over("skirmish_desert_mouse", 4), 0, ADDED)
    assert [_gains(state, reward) for reward in ("first", "second", "third")] == [1, 0, 0]


def test_whoever_wins_gets_what_was_added() -> None:
    state = run(_fought_over("skirmish_desert_mouse", 2, 4), 0, ADDED)
    state = after(_resolved(state), Resolve(1, 1), PickFaction(1, "fremen"))
    assert [track.influence for track in owner(state, 1).tracks] == [0, 0, 0, 1]


def test_what_was_added_is_doubled_like_the_rest() -> None:
    state = run(giving(_fought_over("skirmish_desert_mouse", 4), 0, sandworms=1), 0, ADDED)
    assert _gains(state, "first") == 2


def test_what_was_added_goes_with_the_conflict() -> None:
    state = run(_fought_over("skirmish_desert_mouse", 4, 4), 0, ADDED)
    assert state.first_reward
    assert _resolved(state).first_reward == ()


# A cost inside a reward


def _rewarded(spice: int, **rulings: str) -> State:
    """A reward of 3 spice with a cost of 3 spice in it is about to be taken."""
    cost = tree.Arrow(tree.Pay(3, "spice"), tree.Gain(1, "vp"))
    face = ConflictFace("raid", "Raid", (tree.Gain(3, "spice"), cost), (), ())
    state = following(giving(_fought_over("raid", 4), 0, spice=spice), **rulings)
    state = change(state, config=change(state.config, conflicts=(face,)))
    return settled(at(state, GiveRewards((Taking(0, "first"),))))


def test_what_a_reward_gives_may_pay_for_a_cost_in_it() -> None:
    state = after(_rewarded(0), Resolve(0, 0), Resolve(0, 0))
    assert (owner(state).spice, owner(state).victory_points) == (0, POINTS + 1)


def test_a_cost_in_a_reward_is_paid_with_what_was_there_if_so_ruled() -> None:
    state = _rewarded(2, reward_income_pays="no")
    assert actions(IMPERIUM, state) == (EndTurn(0),)
    assert owner(after(state, EndTurn(0))).spice == 5


def test_what_was_there_may_pay_for_it() -> None:
    state = after(_rewarded(3, reward_income_pays="no"), Resolve(0, 0))
    assert (owner(state).spice, owner(state).victory_points) == (3, POINTS + 1)


# The last unit leaves in the Intrigue step


def test_who_loses_the_last_unit_drops_out_at_once() -> None:
    state = _fought_over("skirmish_desert_mouse", 2, 2, 2)
    state = at(state, CombatIntrigues(0, played=True))
    state = run(state, 0, tree.Retreat(1, 1))
    assert asked(IMPERIUM, state) == asks(1)
    state = after(state, Pass(1))
    assert asked(IMPERIUM, state) == asks(2)
    assert after(state, Pass(2)).pending == ()


# Nobody wins


def test_a_conflict_card_nobody_wins_is_nobodys() -> None:
    state = _resolved(_fought_over("skirmish_desert_mouse", 4, 4))
    assert state.conflict is None
    assert all(each.won == () for each in state.players)


# Battle icons


def test_winning_matches_an_equal_icon_but_never_the_wild_one() -> None:
    state = giving(change(bare(), conflict="skirmish_crysknife"), 0, won=TWO_MICE)
    state = settled(at(state, TakeConflictCard(0)))
    assert owner(state).victory_points == POINTS
    assert all(each.face_up for each in owner(state).won)


def test_a_wild_card_just_won_matches_nothing() -> None:
    won = (Won("objective_crysknife", "crysknife"), Won("propaganda", "wild"))
    state = giving(change(bare(), conflict="propaganda"), 0, won=won)
    state = settled(at(state, TakeConflictCard(0)))
    assert owner(state).victory_points == POINTS
    assert [text for each in IMPERIUM.invariants for text in each.broken(state)] == []


FLIPPABLE = (
    Won("choam_security", "crysknife", face_up=False),
    Won("objective_desert_mouse_4_6p", "desert_mouse"),
    Won("propaganda", "wild"),
    Won("siege_of_arrakeen", "ornithopter"),
)


def _flipping(icon: str, **rulings: str) -> State:
    state = following(giving(bare(), 0, won=FLIPPABLE), **rulings)
    return run(state, 0, tree.Arrow(tree.FlipIcon(icon), tree.Gain(1, "vp")))


def test_a_face_up_card_with_the_icon_or_a_wild_one_is_flipped() -> None:
    state = _flipping("ornithopter")
    assert set(actions(IMPERIUM, state)) == {Flip(0, "siege_of_arrakeen"), Flip(0, "propaganda")}
    assert _keys(state, Flip(0, "choam_security")) == ["not_face_up"]
    assert "another_icon" in _keys(state, Flip(0, "objective_desert_mouse_4_6p"))
    assert _keys(state, Pass(0)) == ["no_chance_to_pass", "pick_icon_to_flip"]
    state = after(state, Flip(0, "propaganda"))
    assert [each.card for each in owner(state).won if each.face_up] == [
        "objective_desert_mouse_4_6p",
        "siege_of_arrakeen",
    ]
    assert owner(state).victory_points == POINTS + 1


@pytest.mark.parametrize(
    ("ruling", "allowed"), [("objectives_too", True), ("conflicts_only", False)]
)
def test_an_objective_is_flipped_as_ruled(ruling: str, allowed: bool) -> None:
    state = _flipping("desert_mouse", battle_intrigue_objective=ruling)
    flip = Flip(0, "objective_desert_mouse_4_6p")
    assert (flip in actions(IMPERIUM, state)) == allowed
    if not allowed:
        assert _keys(state, flip) == ["no_conflict_card"]


def test_nothing_is_bought_without_an_icon_to_flip() -> None:
    state = giving(bare(), 0, won=FLIPPABLE[:1])
    assert run(state, 0, tree.Arrow(tree.FlipIcon("crysknife"), tree.Gain(1, "vp"))) == state
