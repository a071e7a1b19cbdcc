"""Positions where one piece more or less decides: what is offered is what is allowed."""

from __future__ import annotations

import pytest

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import (
    Acquire,
    Choose,
    EndTurn,
    PlayAgent,
    PlayIntrigue,
    Resolve,
    Trash,
)
from rules_engine.imperium.agents import move_agent_to
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.spies import move_spy
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import shuffled, zone
from rules_engine.kernel.game import Action, Answer, actions
from rules_engine.kernel.laws import check_laws
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import rules
from rules_engine.rulebook.rulings import chosen
from tests.imperium.positions import (
    after,
    at,
    bare,
    done,
    giving,
    in_turn,
    refused,
    run,
    tracked,
)

KNOWN = frozenset(rule.id for rule in rules())
SPICE = "the_spice_must_flow"
WAY = "prepare_the_way"
TRACKS = ("emperor", "spacing_guild", "bene_gesserit", "fremen")
SPICE_LEFT = 10
WAY_LEFT = 8


def revealing(persuasion: int, spice: int = SPICE_LEFT, way: int = WAY_LEFT) -> State:
    """A Reveal turn with so much Persuasion and so many cards left in the Reserve."""
    bought = zone((SPICE,) * (SPICE_LEFT - spice) + (WAY,) * (WAY_LEFT - way))
    state = giving(in_turn(bare(), 0, kind="reveal"), 0, persuasion=persuasion)
    state = giving(state, 1, discard=bought)
    left = {SPICE: spice, WAY: way}
    reserve = tuple(change(stack, left=left[stack.card]) for stack in state.reserve)
    row = ("imperial_spymaster", "maula_pistol", "public_spectacle", "strike_fleet", "truthtrance")
    return at(change(state, reserve=reserve, row=row), frames.RevealTurn(0, ()))


def resting(*effects: tree.Effect, **fields: object) -> State:
    """The rest of an Agent turn at a Combat space with effects that are due."""
    items = tuple(frames.Item(effect, "arrakeen") for effect in effects)
    state = giving(in_turn(bare(), 0, space="arrakeen", combat=True), 0, **fields)
    return at(state, frames.AgentTurn(0, items))


def about_to_move(*own: str, **fields: object) -> State:
    """A turn about to begin, with the player's Agents on some spaces and two cards in hand."""
    state = giving(bare(), 0, hand=("dagger", "reconnaissance"), **fields)
    for space in own:
        state = move_agent_to(state, 0, space)
    return at(in_turn(state, 0, kind="undecided"), frames.Turn(0))


def with_spy(state: State, post: str) -> State:
    return move_spy(state, 0, start=None, end=post)


def without_plot(state: State) -> State:
    """The position under the reading that no Plot card comes before the turn's card."""
    return change(state, config=change(state.config, rulings=chosen({"plot_window": "after_card"})))


AWAY = ("deliver_supplies", "fremkit")
TAKEN = move_agent_to(about_to_move(), 1, "arrakeen")
NEAR = "post_refinery_arrakeen"
HELD = ("change_allegiances", "contingency_plan", "mercenaries", "weirding_combat")

BOUNDARIES = {
    "no copy left": revealing(9, spice=0, way=0),
    "one copy left": revealing(9, spice=1, way=1),
    "one Persuasion short": revealing(8),
    "no Persuasion": revealing(0),
    "an effect is due": resting(tree.Gain(1, "spice")),
    "an optional effect waits": resting(tree.May(tree.TrashCard())),
    "no effect waits": resting(),
    "an empty garrison": resting(supply=12, garrison=0),
    "one troop in garrison": resting(supply=11, garrison=1),
    "no Agent left": about_to_move(*AWAY),
    "one Agent left": about_to_move(*AWAY[:1]),
    "two Agents left": about_to_move(),
    "a space is taken": TAKEN,
    "a space is taken, a Spy is near": with_spy(TAKEN, NEAR),
    "the own Agent stands there, a Spy is near": with_spy(about_to_move("arrakeen"), NEAR),
    "Intrigue cards in hand": about_to_move(intrigues=HELD, solari=2, spice=2),
    "Intrigue cards that can be paid": about_to_move(intrigues=HELD, solari=3, spice=3),
    "no Plot card before the turn's card": without_plot(about_to_move(intrigues=HELD)),
    "one troop to defend with": at(giving(bare(), 1, supply=1, garrison=11), frames.Defend(1)),
    "one Spy in supply": at(
        with_spy(with_spy(bare(), "post_fremen"), "post_emperor"), frames.SpyPlacement(0)
    ),
    "a card in the discard pile": at(
        giving(bare(), 0, deck=(), discard=("dagger",)), frames.PickTrash(0)
    ),
    "a card in play": at(giving(bare(), 0, deck=(), in_play=("dagger",)), frames.PickTrash(0)),
}


@pytest.mark.parametrize("state", BOUNDARIES.values(), ids=BOUNDARIES)
def test_every_law_holds_at_a_boundary(state: State) -> None:
    assert check_laws(IMPERIUM, [state], KNOWN.__contains__) == []


def offered(state: State, kind: type[Action]) -> list[Action]:
    """What of one kind a player can do now."""
    return [given for given in actions(IMPERIUM, state) if isinstance(given, kind)]


# The Reserve


def test_a_stack_is_offered_down_to_its_last_copy() -> None:
    bought = revealing(27, spice=2)
    for left in (1, 0):
        assert Acquire(0, SPICE) in offered(bought, Acquire)
        bought = after(bought, Acquire(0, SPICE))
        assert {stack.card: stack.left for stack in bought.reserve}[SPICE] == left
    assert Acquire(0, SPICE) not in offered(bought, Acquire)
    assert "UPR-ACQ-002" in refused(bought, Acquire(0, SPICE)).rules


@pytest.mark.parametrize(("card", "boxed"), [(SPICE, True), (WAY, False)])
def test_only_an_acquire_box_stands_on_its_rule(card: str, boxed: bool) -> None:
    (event,) = (
        each for each in done(revealing(9), Acquire(0, card)).events if each.key == "acquires"
    )
    assert ("UPR-ACQ-012" in event.rules) is boxed


def test_only_what_can_be_paid_is_offered() -> None:
    assert offered(revealing(0), Acquire) == []
    assert offered(revealing(2), Acquire) == [Acquire(0, "imperial_spymaster"), Acquire(0, WAY)]


def test_a_trashed_reserve_card_lies_on_its_stack_again() -> None:
    held = giving(revealing(0, spice=9), 1, discard=())
    held = at(giving(held, 0, discard=(SPICE,)), frames.PickTrash(0))
    trashed = after(held, Trash(0, SPICE, "discard"))
    assert {stack.card: stack.left for stack in trashed.reserve} == {SPICE: 10, WAY: 8}
    assert trashed.trashed == ()
    assert trashed.players[0].discard == ()


def test_another_trashed_card_leaves_the_game() -> None:
    held = at(giving(bare(), 0, deck=(), hand=("dagger",)), frames.PickTrash(0))
    trashed = after(held, Trash(0, "dagger", "hand"))
    assert trashed.trashed == ("dagger",)
    assert trashed.reserve == bare().reserve


# Turns


def test_the_turn_cannot_end_before_its_effects() -> None:
    waiting = resting(tree.Gain(1, "spice"))
    assert offered(waiting, EndTurn) == []
    assert "UPR-AGENT-006" in refused(waiting, EndTurn(0)).rules
    assert offered(after(waiting, Resolve(0, 0)), EndTurn) == [EndTurn(0)]


@pytest.mark.parametrize(("away", "sends"), [(0, True), (1, True), (2, False)])
def test_an_agent_is_needed_to_send_one(away: int, sends: bool) -> None:
    assert bool(offered(about_to_move(*AWAY[:away]), PlayAgent)) is sends


def test_an_intrigue_card_has_no_way_beyond_its_last() -> None:
    held = about_to_move(intrigues=("contingency_plan",))
    assert PlayIntrigue(0, "contingency_plan", 0) in offered(held, PlayIntrigue)
    for way in (-1, 2):
        assert "UPR-ROUND-004" in refused(held, PlayIntrigue(0, "contingency_plan", way)).rules


# Influence


def test_two_tracks_are_picked_though_only_one_can_move() -> None:
    start = in_turn(bare(), 0)
    for faction in TRACKS[1:]:
        start = tracked(start, 0, faction, 6)
    two = tree.Choose(tuple(tree.GainInfluence(1, faction) for faction in TRACKS), picks=2)
    picking = run(start, 0, two)
    assert offered(picking, Choose) == [Choose(0, 0)]
    second = after(picking, Choose(0, 0))
    assert offered(second, Choose) == [Choose(0, option) for option in (1, 2, 3)]
    assert [track.influence for track in after(second, Choose(0, 1)).players[0].tracks] == [
        1 if track.faction == TRACKS[0] else 6 for track in start.players[0].tracks
    ]


# Drawing


def test_a_draw_goes_on_in_the_reshuffled_deck() -> None:
    start = giving(bare(), 0, deck=shuffled(("dagger",)), discard=("diplomacy",))
    drawing = at(in_turn(start, 0), frames.DrawFromDeck(0, 3))
    drawn = after(drawing, Answer("dagger"), Answer("diplomacy")).players[0]
    assert (drawn.hand, drawn.discard, drawn.deck) == (("dagger", "diplomacy"), (), ())
