"""Rulings on the order of a turn: what may come between, when it is tested, and when it ends."""

from __future__ import annotations

import pytest

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import Deploy, EndTurn, PlayAgent, Resolve, Retreat, Reveal
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Answer, actions
from rules_engine.kernel.laws import check_laws
from rules_engine.rulebook.index import rules
from tests.imperium.positions import (
    after,
    at,
    bare,
    following,
    giving,
    holding,
    in_turn,
    led_by,
    owner,
    refused,
    to_move,
)

KNOWN = frozenset(rule.id for rule in rules())
SPICE, WATER, SOLARI = (tree.Gain(1, what) for what in ("spice", "water", "solari"))
MAY = tree.May(tree.Gain(1, "vp"))


def resting(*items: tuple[tree.Effect, str], **rulings: str) -> State:
    """The rest of an Agent turn at Fremkit with effects of several sources."""
    due = tuple(frames.Item(effect, source, boxed=source == "dagger") for effect, source in items)
    state = giving(following(bare(), **rulings), 0, in_play=("dagger",))
    state = in_turn(state, 0, space="fremkit", combat=True)
    return at(state, frames.AgentTurn(0, due))


def resolvable(state: State) -> list[int]:
    """The numbers of the effects that can be resolved now."""
    return [each.index for each in actions(IMPERIUM, state) if isinstance(each, Resolve)]


# Boxes


BOXES = ((SPICE, "fremkit"), (WATER, "dagger"), (SOLARI, "fremkit"), (MAY, "fremkit"))


def test_effects_of_several_boxes_are_mixed() -> None:
    assert resolvable(after(resting(*BOXES), Resolve(0, 0))) == [0, 1, 2]


def test_a_box_that_was_begun_is_finished_first_if_so_ruled() -> None:
    state = after(resting(*BOXES, icon_granularity="whole_box"), Resolve(0, 0))
    assert resolvable(state) == [1, 2]
    assert "UPR-AGENT-009" in refused(state, Resolve(0, 0)).rules
    finished = after(state, Resolve(0, 1))
    assert resolvable(finished) == [0, 1]
    left = after(finished, Resolve(0, 0))
    assert resolvable(left) == []


def test_the_influence_of_a_visit_is_no_part_of_the_space() -> None:
    visit = (tree.GainInfluence(1, "fremen"), "fremkit")
    state = resting(visit, (SPICE, "fremkit"), (WATER, "dagger"), icon_granularity="whole_box")
    assert resolvable(after(state, Resolve(0, 0))) == [0, 1]


def test_equal_cards_are_boxes_of_their_own() -> None:
    items = tuple(
        frames.Item(effect, "dagger", boxed=True, copy=copy)
        for copy in (0, 1)
        for effect in (SPICE, WATER)
    )
    state = giving(following(bare(), icon_granularity="whole_box"), 0, in_play=("dagger",) * 2)
    state = at(in_turn(state, 0, kind="reveal"), frames.RevealTurn(0, items))
    assert resolvable(after(state, Resolve(0, 3))) == [2]


def test_whole_boxes_keep_every_law() -> None:
    start = resting(*BOXES, icon_granularity="whole_box")
    assert check_laws(IMPERIUM, [start, after(start, Resolve(0, 0))], KNOWN.__contains__) == []


# Conditions


@pytest.mark.parametrize(("ruling", "draws"), [("when_resolved", True), ("at_start", False)])
def test_when_a_condition_is_tested(ruling: str, draws: bool) -> None:
    state = following(bare(), condition_check_time=ruling)
    state = to_move(giving(state, 0, hand=("prepare_the_way",), solari=5))
    sent = after(state, PlayAgent(0, "prepare_the_way", "arrakeen"))
    influenced = giving(
        sent,
        0,
        tracks=tuple(
            type(track)(track.faction, 2) if track.faction == "bene_gesserit" else track
            for track in owner(sent).tracks
        ),
    )
    assert (len(resolvable(influenced)) == 3) is draws


def test_a_leaders_condition_is_tested_with_the_cards_revealed() -> None:
    state = following(
        led_by("gurney_halleck", "muad_dib", "staban_tuek"), condition_check_time="at_start"
    )
    state = giving(to_move(holding(state, 0, "dagger")), 0, troops=3, supply=6)
    top = after(state, Reveal(0)).pending[-1]
    assert isinstance(top, frames.RevealTurn)
    assert tree.Gain(1, "persuasion") in [item.effect for item in top.items]


def test_what_the_turn_itself_brings_is_never_tested_beforehand() -> None:
    state = following(
        led_by("staban_tuek", "muad_dib", "gurney_halleck"), condition_check_time="at_start"
    )
    sent = after(to_move(holding(state, 0, "signet_ring")), PlayAgent(0, "signet_ring", "arrakeen"))
    top = sent.pending[-1]
    assert isinstance(top, frames.AgentTurn)
    assert [item.source for item in top.items].count("signet_ring") == 3


# The end of the turn


def test_the_turn_ends_when_its_player_says_so_or_with_its_last_effect() -> None:
    said = after(resting((SPICE, "fremkit")), Resolve(0, 0))
    assert EndTurn(0) in actions(IMPERIUM, said)
    ended = after(resting((SPICE, "fremkit"), agent_turn_end="last_effect"), Resolve(0, 0))
    assert ended.pending == ()
    assert ended.turn is None


def test_an_optional_effect_keeps_the_turn_going() -> None:
    state = resting((SPICE, "fremkit"), (MAY, "fremkit"), agent_turn_end="last_effect")
    open_still = after(state, Resolve(0, 0))
    assert resolvable(open_still) == [0]
    assert after(open_still, EndTurn(0)).pending == ()


# Duties


def test_a_duty_cannot_be_dodged_while_it_is_impossible() -> None:
    state = resting((tree.DiscardCards(1), "dagger"), (tree.DrawCards(1), "fremkit"))
    assert resolvable(state) == [1]
    drawn = after(state, Resolve(0, 1), Answer("diplomacy"))
    assert EndTurn(0) not in actions(IMPERIUM, drawn)


def test_a_duty_may_be_dodged_if_so_ruled_but_need_not() -> None:
    due = ((tree.DiscardCards(1), "dagger"), (tree.DrawCards(1), "fremkit"))
    state = resting(*due, no_deliberate_fizzle="any_time")
    assert resolvable(state) == [0, 1]
    dodged = after(state, Resolve(0, 0), Resolve(0, 0), Answer("diplomacy"))
    assert owner(dodged).hand == ("diplomacy",)
    assert EndTurn(0) in actions(IMPERIUM, dodged)
    only = resting((tree.DiscardCards(1), "dagger"), no_deliberate_fizzle="any_time")
    assert EndTurn(0) in actions(IMPERIUM, only)


def test_a_cost_is_never_paid_by_halves_under_any_ruling() -> None:
    cost = tree.Arrow(tree.Pay(1, "spice"), tree.Gain(1, "vp"))
    assert resolvable(resting((cost, "dagger"), no_deliberate_fizzle="any_time")) == []


# The Influence of a visit


@pytest.mark.parametrize(("ruling", "resolves"), [("one", False), ("two", True)])
def test_a_trashed_card_and_the_influence_of_the_visit(ruling: str, resolves: bool) -> None:
    more = tree.All((tree.VisitInfluence(2), tree.TrashSelf()))
    state = resting((more, "dagger"), (SPICE, "dagger"), subversive_trashed_first=ruling)
    gone = giving(state, 0, in_play=())
    assert resolvable(gone) == ([0] if resolves else [])


# Taking back


@pytest.mark.parametrize(("ruling", "allowed"), [("final", False), ("until_end", True)])
def test_whether_troops_are_taken_back(ruling: str, allowed: bool) -> None:
    state = after(resting((SPICE, "fremkit"), deploy_takeback=ruling), Deploy(0, 2))
    assert (Retreat(0, 1) in actions(IMPERIUM, state)) is allowed
    if allowed:
        assert owner(after(state, Retreat(0, 2))).garrison == 3
    else:
        assert refused(state, Retreat(0, 1))
