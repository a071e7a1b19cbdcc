"""Placing Spies where an effect says, sharing a post, and recalling them as a cost."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.imperium.actions import Decline, PlaceSpy, RecallSpy
from rules_engine.imperium.conditions import holds
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.spies import spied_factions, spies_at
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from tests.imperium.positions import (
    after,
    bare,
    following,
    in_turn,
    owner,
    refused,
    run,
    spying,
)

CITY = ("post_research_sietch", "post_research_refinery", "post_refinery_arrakeen")
"""The posts that are linked to a city."""


def _keys(state: State, given: object) -> list[str]:
    return [reason.key for reason in refused(state, given).reasons]


def _places(state: State) -> set[str]:
    return {each.post for each in actions(IMPERIUM, state) if isinstance(each, PlaceSpy)}


def _recalls(state: State) -> set[str]:
    return {each.post for each in actions(IMPERIUM, state) if isinstance(each, RecallSpy)}


def _broken(state: State) -> list[str]:
    return [text for each in IMPERIUM.invariants for text in each.broken(state)]


# Where


def test_a_named_icon_restricts_the_posts() -> None:
    state = run(bare(), 0, tree.PlaceSpy(on=("city",)))
    assert _places(state) == set(CITY)
    assert _keys(state, PlaceSpy(0, "post_fremen")) == ["post_not_named"]


def test_several_icons_may_be_named() -> None:
    state = run(bare(), 0, tree.PlaceSpy(on=("emperor", "bene_gesserit", "fremen")))
    assert _places(state) == {"post_emperor", "post_bene_gesserit", "post_fremen"}


def test_the_visited_space_restricts_the_posts() -> None:
    state = in_turn(bare(), 0, space="spice_refinery")
    placing = tree.PlaceSpy(on=(tree.VISITED,), sharing=True)
    assert _places(run(state, 0, placing)) == {"post_research_refinery", "post_refinery_arrakeen"}


def test_no_spy_is_placed_when_all_named_posts_are_taken() -> None:
    state = spying(bare(), 1, *CITY)
    after_it = run(state, 0, tree.PlaceSpy(on=("city",)))
    assert after_it.pending == ()
    assert owner(after_it).spies == 3


def test_with_an_empty_supply_a_named_post_may_be_opened() -> None:
    state = spying(spying(bare(), 1, *CITY[1:]), 0, CITY[0], "post_fremen", "post_emperor")
    state = run(state, 0, tree.PlaceSpy(on=("city",)))
    assert _recalls(state) == {CITY[0]}
    assert _keys(state, RecallSpy(0, "post_fremen")) == ["opens_no_post"]
    state = after(state, RecallSpy(0, CITY[0]))
    assert _keys(state, Decline(0)) == ["must_place_spy"]
    assert spies_at(after(state, PlaceSpy(0, CITY[0])), CITY[0]) == (0,)


def test_with_an_empty_supply_any_spy_may_come_for_a_free_named_post() -> None:
    state = spying(bare(), 0, "post_fremen", "post_emperor", "post_choam")
    state = run(state, 0, tree.PlaceSpy(on=("city",)))
    assert _recalls(state) == {"post_fremen", "post_emperor", "post_choam"}
    state = after(state, RecallSpy(0, "post_choam"))
    assert _places(state) == set(CITY)


# Sharing


def test_a_post_is_taken_by_the_spy_of_anybody() -> None:
    state = run(spying(bare(), 1, "post_fremen"), 0, tree.PlaceSpy())
    assert _keys(state, PlaceSpy(0, "post_fremen")) == ["post_taken"]


def test_a_post_may_be_shared_with_another_player_only() -> None:
    state = spying(spying(bare(), 1, "post_fremen"), 0, "post_emperor")
    state = run(state, 0, tree.PlaceSpy(sharing=True))
    assert _keys(state, PlaceSpy(0, "post_emperor")) == ["post_taken"]
    state = after(state, PlaceSpy(0, "post_fremen"))
    assert spies_at(state, "post_fremen") == (0, 1)
    assert _broken(state) == []


def test_two_spies_of_one_player_on_a_post_are_a_mistake() -> None:
    assert _broken(spying(bare(), 0, "post_fremen", "post_fremen")) == [
        "two Spies of one player are on post_fremen"
    ]


# What the card that placed it asks


def test_a_card_knows_where_it_placed_a_spy() -> None:
    state = run(in_turn(bare(), 0), 0, tree.PlaceSpy(), "some_card")
    state = after(state, PlaceSpy(0, "post_landsraad_hall"))
    assert holds(state, 0, tree.PlacedOn("landsraad"), "some_card")
    assert not holds(state, 0, tree.PlacedOn("faction"), "some_card")
    assert not holds(state, 0, tree.PlacedOn("landsraad"), "another_card")


def test_a_spy_taken_back_first_is_placed_for_the_same_card() -> None:
    state = spying(bare(), 0, "post_fremen", "post_emperor", "post_choam")
    state = run(in_turn(state, 0), 0, tree.PlaceSpy(), "some_card")
    state = after(state, RecallSpy(0, "post_choam"), PlaceSpy(0, "post_bene_gesserit"))
    assert holds(state, 0, tree.PlacedOn("faction"), "some_card")


# Declining


def test_placing_may_be_declined() -> None:
    assert owner(after(run(bare(), 0, tree.PlaceSpy()), Decline(0))).spies == 3


def test_placing_is_a_duty_if_so_ruled() -> None:
    state = following(bare(), spy_placement_mandatory="yes")
    assert _keys(run(state, 0, tree.PlaceSpy()), Decline(0)) == ["must_place_spy"]


# Recalling by an effect


def test_spies_are_recalled_as_a_cost() -> None:
    state = in_turn(spying(bare(), 0, "post_fremen", "post_emperor", "post_choam"), 0, "reveal")
    state = run(state, 0, tree.Arrow(tree.RecallSpies(2), tree.Gain(3, "persuasion")))
    assert _recalls(state) == {"post_fremen", "post_emperor", "post_choam"}
    assert _keys(state, Decline(0)) == ["pick_spy_to_recall"]
    state = after(state, RecallSpy(0, "post_fremen"))
    assert _keys(state, RecallSpy(0, "post_fremen")) == ["no_spy_there"]
    state = after(state, RecallSpy(0, "post_choam"))
    assert (owner(state).spies, owner(state).persuasion) == (2, 3)
    assert holds(state, 0, tree.Is("recalled_spy_this_turn"))


def test_too_few_spies_pay_nothing() -> None:
    state = spying(bare(), 0, "post_fremen")
    state = run(state, 0, tree.Arrow(tree.RecallSpies(2), tree.Gain(1, "vp")))
    assert state.pending == ()
    assert (owner(state).spies, owner(state).victory_points) == (2, owner(bare()).victory_points)


# Spying on a Faction


def test_a_faction_is_spied_on_from_any_linked_post_once() -> None:
    state = spying(bare(), 0, "post_fremen", "post_emperor", "post_choam")
    assert spied_factions(state, 0) == ("emperor", "fremen")
    assert spied_factions(state, 1) == ()
