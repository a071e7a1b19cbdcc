"""Influence by visits and effects: what comes at 2 and at 4, and what is lost for a cost."""

from __future__ import annotations

import pytest

from rules_engine.catalogue.faces import Ability, LeaderFace
from rules_engine.effects import tree
from rules_engine.imperium import influence
from rules_engine.imperium.actions import PickFaction, Resolve
from rules_engine.imperium.frames import AgentTurn, Effects, Item, RevealTurn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
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
    spying,
    tracked,
)

VISIT = Item(tree.GainInfluence(1, "fremen"), "fremkit")
TWO_LOSSES = tree.All((tree.LoseInfluence(1, "any"), tree.LoseInfluence(1, "any")))


def _at_fremkit(*items: Item) -> State:
    return at(in_turn(bare(), 0, space="fremkit"), AgentTurn(0, items))


def _has(state: State, faction: str, seat: int = 0) -> int:
    return influence.influence(state, seat, faction)


# Instead of the Influence for the visit


def test_a_visit_gives_two_in_all_before_its_own_influence() -> None:
    state = run(_at_fremkit(VISIT), 0, tree.VisitInfluence(2))
    assert _has(state, "fremen") == 2
    assert state.pending == (AgentTurn(0, ()),)


def test_a_visit_gives_two_in_all_after_its_own_influence() -> None:
    state = after(_at_fremkit(VISIT), Resolve(0, 0))
    assert _has(run(state, 0, tree.VisitInfluence(2)), "fremen") == 2


def test_a_like_effect_of_a_card_stays_due() -> None:
    by_card = Item(tree.GainInfluence(1, "fremen"), "some_card", boxed=True)
    state = run(_at_fremkit(by_card, VISIT), 0, tree.VisitInfluence(2))
    assert state.pending == (AgentTurn(0, (by_card,)),)


def test_a_visit_elsewhere_gives_no_influence() -> None:
    state = at(in_turn(bare(), 0, space="arrakeen"), AgentTurn(0, ()))
    after_it = run(state, 0, tree.VisitInfluence(2))
    assert owner(after_it).tracks == owner(state).tracks


# Every Faction that one spies on


def test_each_faction_spied_on_gives_influence_once() -> None:
    state = spying(bare(), 0, "post_fremen", "post_emperor", "post_choam")
    state = run(state, 0, tree.GainInfluence(1, tree.SPIED_ON), "some_card")
    state = after(state, Resolve(0, 1))
    assert [track.influence for track in owner(state).tracks] == [1, 0, 0, 1]


def test_without_a_spy_no_influence_is_gained() -> None:
    state = run(bare(), 0, tree.GainInfluence(1, tree.SPIED_ON), "some_card")
    assert state.pending == ()
    assert not any(track.influence for track in owner(state).tracks)


# A Leader who gains something at 2


@pytest.fixture
def _loyal(monkeypatch: pytest.MonkeyPatch) -> None:
    ability = Ability("Loyalty", "reaches_two", (tree.Gain(2, "spice"),), faction="bene_gesserit")
    face = LeaderFace("loyal", "Loyal", ability, "", ())
    monkeypatch.setattr(influence, "leader_face", lambda _, seat: face if seat == 0 else None)


@pytest.mark.usefixtures("_loyal")
@pytest.mark.parametrize(
    ("before", "amount", "spice"), [(0, 2, 2), (1, 1, 2), (1, 2, 2), (0, 1, 0), (2, 1, 0)]
)
def test_a_leader_gains_on_the_way_up_to_or_past_two(before: int, amount: int, spice: int) -> None:
    state = tracked(bare(), 0, "bene_gesserit", before)
    state = run(state, 0, tree.GainInfluence(amount, "bene_gesserit"))
    assert owner(state).spice == spice


@pytest.mark.usefixtures("_loyal")
def test_a_leader_gains_again_after_a_loss_but_not_on_the_way_down() -> None:
    state = tracked(bare(), 0, "bene_gesserit", 3)
    state = run(state, 0, tree.LoseInfluence(1, "bene_gesserit"))
    assert owner(state).spice == 0
    state = run(state, 0, tree.LoseInfluence(1, "bene_gesserit"))
    assert owner(run(state, 0, tree.GainInfluence(1, "bene_gesserit"))).spice == 2


@pytest.mark.usefixtures("_loyal")
def test_a_leader_gains_nothing_from_another_faction_or_player() -> None:
    assert owner(run(bare(), 0, tree.GainInfluence(2, "fremen"))).spice == 0
    assert owner(run(bare(), 1, tree.GainInfluence(2, "bene_gesserit")), 1).spice == 0


# The bonus at 4


def test_the_bonus_at_four_comes_at_once() -> None:
    state = tracked(_at_fremkit(), 0, "fremen", 3)
    assert owner(run(state, 0, tree.GainInfluence(1, "fremen"))).water == owner(state).water + 1


@pytest.mark.parametrize("turn", [AgentTurn, RevealTurn])
def test_the_bonus_at_four_waits_in_the_turn_if_so_ruled(
    turn: type[AgentTurn] | type[RevealTurn],
) -> None:
    state = following(in_turn(bare(), 0), emperor_track_spy_timing="until_end_of_turn")
    state = at(tracked(state, 0, "fremen", 3), turn(0, (VISIT,)))
    later = run(state, 0, tree.GainInfluence(1, "fremen"))
    assert owner(later).water == owner(state).water
    bonus = Item(tree.Gain(1, "water"), "fremen")
    assert later.pending == (turn(0, (VISIT, bonus)),)
    assert owner(after(later, Resolve(0, 1))).water == owner(state).water + 1


def test_the_bonus_at_four_does_not_wait_outside_the_own_turn() -> None:
    state = following(in_turn(bare(), 1), emperor_track_spy_timing="until_end_of_turn")
    state = at(tracked(state, 0, "fremen", 3), AgentTurn(1, ()))
    assert owner(run(state, 0, tree.GainInfluence(1, "fremen"))).water == owner(state).water + 1


# Two losses in one cost


def _losing(state: State) -> State:
    return run(state, 0, tree.Arrow(TWO_LOSSES, tree.Gain(4, "solari")))


def test_two_losses_may_be_with_the_same_faction() -> None:
    state = _losing(tracked(bare(), 0, "fremen", 2))
    state = after(state, PickFaction(0, "fremen"), PickFaction(0, "fremen"))
    assert (_has(state, "fremen"), owner(state).solari) == (0, owner(bare()).solari + 4)


def test_two_losses_are_with_different_factions_if_so_ruled() -> None:
    state = following(bare(), opportunism_same_faction="different")
    state = tracked(tracked(state, 0, "fremen", 3), 0, "emperor", 1)
    state = after(_losing(state), PickFaction(0, "fremen"))
    assert actions(IMPERIUM, state) == (PickFaction(0, "emperor"),)
    keys = [reason.key for reason in refused(state, PickFaction(0, "fremen")).reasons]
    assert keys == ["track_cannot_move"]
    state = after(state, PickFaction(0, "emperor"))
    assert (_has(state, "fremen"), _has(state, "emperor")) == (2, 0)
    assert owner(state).solari == owner(bare()).solari + 4


@pytest.mark.parametrize("ruling", ["allowed", "different"])
def test_two_losses_need_two_influence(ruling: str) -> None:
    state = following(tracked(bare(), 0, "fremen", 1), opportunism_same_faction=ruling)
    assert owner(_losing(state)) == owner(state)


def test_two_losses_with_different_factions_need_two_factions() -> None:
    state = following(tracked(bare(), 0, "fremen", 4), opportunism_same_faction="different")
    # Nobody holds the token in a position made up like this, but nothing is asked about it.
    assert owner(_losing(state)) == owner(state)


def test_influence_is_not_lost_from_nothing() -> None:
    cost = tree.Arrow(tree.LoseInfluence(1, "any"), tree.Gain(4, "solari"))
    assert owner(run(bare(), 0, cost)) == owner(bare())


# The top of a track


def test_a_gain_of_choice_has_to_go_where_there_is_room() -> None:
    state = run(tracked(bare(), 0, "fremen", 6), 0, tree.GainInfluence(1, "any"))
    assert PickFaction(0, "fremen") not in actions(IMPERIUM, state)


def test_a_gain_at_the_top_is_wasted() -> None:
    state = giving(bare(), 0)
    for track in owner(state).tracks:
        state = tracked(state, 0, track.faction, 6)
    done = after(run(state, 0, tree.GainInfluence(1, "any")), PickFaction(0, "fremen"))
    assert _has(done, "fremen") == 6


def test_what_a_leader_and_a_track_give_comes_in_an_order_of_choice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ability = Ability("Loyalty", "reaches_two", (tree.Gain(2, "spice"),), faction="fremen")
    face = LeaderFace("loyal", "Loyal", ability, "", ())
    monkeypatch.setattr(influence, "leader_face", lambda _, __: face)
    state = run(tracked(bare(), 0, "fremen", 1), 0, tree.GainInfluence(3, "fremen"))
    (group,) = state.pending
    assert isinstance(group, Effects)
    assert [item.source for item in group.items] == ["loyal", "fremen"]
