"""Intrigue cards: when they can be played, giving them up, stealing them, leaving them face up."""

from __future__ import annotations

import pytest

from rules_engine.effects.parse import parse
from rules_engine.imperium import frames
from rules_engine.imperium.actions import Acquire, EndTurn, GiveUpIntrigue, PlayIntrigue
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.held_intrigue import give_up
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Answer, actions, asked
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from rules_engine.kernel.views import view, view_event
from tests.imperium.positions import (
    after,
    at,
    bare,
    done,
    following,
    giving,
    in_turn,
    owner,
    refused,
    run,
)

FOUR = ("contingency_plan", "cunning", "detonation", "impress")


def table(**fields: object) -> State:
    """A player's Agent turn with nothing in hands."""
    return in_turn(giving(bare(), 0, **fields), 0, space="arrakeen")


def says(state: State, text: str, source: str = "", seat: Seat = 0) -> State:
    """The position after an effect, up to the next question."""
    (effect,) = parse(text)
    return run(state, seat, effect, source)


def reasons(state: State, given: object) -> list[str]:
    return [reason.key for reason in refused(state, given).reasons]


def playing(card: str, kind: str = "agent", **fields: object) -> State:
    """The rest of a turn with an Intrigue card in hand."""
    state = in_turn(giving(bare(), 0, intrigues=(card,), **fields), 0, kind=kind, space=None)
    turn = frames.RevealTurn(0, ()) if kind == "reveal" else frames.AgentTurn(0, ())
    return at(state, turn)


def can_play(state: State, card: str, way: int = 0) -> bool:
    return PlayIntrigue(0, card, way) in actions(IMPERIUM, state)


# Giving up


def test_a_held_card_is_discarded_face_up() -> None:
    state = says(table(intrigues=("cunning", "impress"), hand=("dagger",)), "discard 1 intrigue")
    given = (GiveUpIntrigue(0, "cunning"), GiveUpIntrigue(0, "impress"))
    assert actions(IMPERIUM, state) == given
    assert reasons(state, GiveUpIntrigue(0, "devour")) == ["no_such_intrigue"]
    step = done(state, given[0])
    assert (owner(step.state).intrigues, step.state.intrigue_discard) == (
        ("impress",),
        ("cunning",),
    )
    assert view_event(step.events[0], None).facts == {"card": "cunning"}


@pytest.mark.parametrize("zone", ["out_of_game", "discard_pile"])
def test_where_a_trashed_card_goes_is_a_ruling(zone: str) -> None:
    state = following(table(intrigues=("cunning",)), trashed_intrigue_zone=zone)
    state = after(says(state, "trash 1 intrigue"), GiveUpIntrigue(0, "cunning"))
    gone = ("cunning",)
    kept = zone == "discard_pile"
    assert state.trashed_intrigues == (() if kept else gone)
    assert state.intrigue_discard == (gone if kept else ())
    assert owner(state).intrigues == ()


def test_a_cost_of_an_intrigue_card_needs_one() -> None:
    for text in ("trash 1 intrigue -> gain 1 vp", "discard 1 intrigue -> gain 1 vp"):
        assert owner(says(table(hand=("dagger",)), text)).victory_points == 1
        paid = after(says(table(intrigues=("cunning",)), text), GiveUpIntrigue(0, "cunning"))
        assert owner(paid).victory_points == 2


def test_the_two_ways_to_give_up_a_card_are_one_function() -> None:
    state = table(intrigues=("cunning",))
    assert give_up(state, 0, "cunning", trash=False).state.intrigue_discard == ("cunning",)
    assert give_up(state, 0, "cunning", trash=True).state.trashed_intrigues == ("cunning",)


# Stealing


def test_every_opponent_with_four_or_more_loses_one_clockwise() -> None:
    state = giving(table(), 1, intrigues=FOUR[:3])
    state = giving(giving(state, 2, intrigues=FOUR), 3, intrigues=("contingency_plan", *FOUR))
    state = says(state, "steal intrigue from holders of 4", "secrets")
    assert asked(IMPERIUM, state).chance
    assert {answer.outcome for answer in actions(IMPERIUM, state)} == set(FOUR)
    assert "UPR-ICON-009" in refused(state, Answer("devour")).rules
    state = after(state, Answer("impress"))
    weights = IMPERIUM.frames[frames.Steal].weights
    assert weights is not None
    assert weights(state, state.pending[-1])["contingency_plan"] == 2
    state = after(state, Answer("cunning"))
    assert [len(each.intrigues) for each in state.players] == [2, 3, 3, 4]
    assert owner(state).intrigues == ("cunning", "impress")
    assert state.pending == ()


def test_only_thief_and_victim_know_what_was_stolen() -> None:
    state = says(giving(table(), 2, intrigues=FOUR), "steal intrigue from holders of 4")
    step = done(state, Answer("impress"))
    told = {seat: [view_event(event, seat).facts for event in step.events] for seat in range(4)}
    assert {"victim": 2, "card": "impress"} in told[0]
    assert {"card": "impress"} in told[2]
    assert told[1] == told[3] == [{"victim": 2}, {}]
    assert [view_event(event, None).facts for event in step.events] == told[1]
    for viewer in (1, 3, None):
        assert "impress" not in str(view(step.state, viewer))


def test_without_a_victim_nothing_is_stolen_and_it_is_said() -> None:
    state = giving(table(), 1, intrigues=FOUR[:3])
    (effect,) = parse("steal intrigue from holders of 4")
    step = IMPERIUM.frames[frames.Run].apply(state, frames.Run(0, frames.Item(effect, "")), None)
    assert [event.key for event in step.events] == ["nobody_to_steal_from"]
    assert step.state == state


def test_a_card_that_was_never_named_can_be_stolen() -> None:
    state = giving(table(), 1, intrigues=(ANY, ANY, ANY, "impress"))
    state = says(state, "steal intrigue from holders of 4")
    assert actions(IMPERIUM, state) == (Answer("impress"),)
    stolen = after(state, Answer(ANY))
    assert [each.intrigues for each in stolen.players[:2]] == [(ANY,), (ANY, ANY, "impress")]


# What can be played


def test_a_cost_that_cannot_be_paid_forbids_the_card() -> None:
    assert not can_play(playing("sietch_ritual"), "sietch_ritual")
    assert can_play(playing("sietch_ritual", hand=("dagger",)), "sietch_ritual")
    revealed = playing("sietch_ritual", kind="reveal", in_play=("dagger",))
    assert not can_play(revealed, "sietch_ritual"), "the hand has been revealed"
    assert reasons(revealed, PlayIntrigue(0, "sietch_ritual", 0)) == ["condition_or_cost"]


def test_a_card_without_a_target_is_playable_and_its_acquisition_does_nothing() -> None:
    row = ("corrinth_city", "junction_headquarters", "price_is_no_object")
    state = change(playing("inspire_awe"), row=row, reserve=(), imperium_deck=())
    step = done(state, PlayIntrigue(0, "inspire_awe", 0))
    assert "nothing_to_acquire" in [event.key for event in step.events]
    assert step.state.intrigue_discard == ("inspire_awe",)
    assert step.state.row == row


def test_a_card_being_played_is_not_shuffled_in_by_its_own_draw() -> None:
    state = playing("cunning")
    state = change(state, intrigue_deck=(), intrigue_discard=("impress",))
    played = after(state, PlayIntrigue(0, "cunning", 0))
    assert any(isinstance(frame, frames.IntriguePlayed) for frame in played.pending)
    assert played.intrigue_discard == ("impress",)


# A card that stays face up


def troops(state: State) -> int:
    return owner(state).garrison


def test_a_card_that_speaks_of_the_reveal_turn_stays_face_up_until_it_ends() -> None:
    state = after(playing("call_to_arms"), PlayIntrigue(0, "call_to_arms", 0))
    assert (owner(state).standing, owner(state).intrigues) == (("call_to_arms",), ())
    assert state.intrigue_discard == ()
    before = troops(state)
    turn = in_turn(giving(state, 0, persuasion=11), 0, kind="reveal")
    turn = at(change(turn, pending=(), imperium_deck=()), frames.RevealTurn(0, ()))
    bought = after(turn, Acquire(0, "prepare_the_way"))
    assert troops(bought) == before + 1
    bought = after(bought, Acquire(0, "the_spice_must_flow"))
    while any(isinstance(frame, frames.Effects) for frame in bought.pending):
        bought = after(bought, actions(IMPERIUM, bought)[0])
    assert troops(bought) == before + 2
    ended = after(bought, EndTurn(0))
    assert (owner(ended).standing, ended.intrigue_discard) == ((), ("call_to_arms",))


def test_only_what_comes_after_it_in_the_own_reveal_turn_counts() -> None:
    state = giving(playing("call_to_arms", kind="reveal"), 0, persuasion=4)
    state = change(state, imperium_deck=())
    before = troops(state)
    state = after(state, Acquire(0, "prepare_the_way"))
    assert troops(state) == before
    state = after(state, PlayIntrigue(0, "call_to_arms", 0), Acquire(0, "prepare_the_way"))
    assert troops(state) == before + 1


def test_a_card_acquired_in_an_agent_turn_does_not_count() -> None:
    state = change(table(standing=("call_to_arms",), solari=2), imperium_deck=())
    before = troops(state)
    state = after(says(state, "acquire 1 card costing <= 2"), Acquire(0, "prepare_the_way"))
    assert troops(state) == before
