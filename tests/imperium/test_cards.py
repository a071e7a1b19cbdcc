"""Discarding, trashing, returning and looking at cards."""

from __future__ import annotations

import pytest

from rules_engine.effects.parse import parse
from rules_engine.effects.text import say
from rules_engine.imperium import frames
from rules_engine.imperium.actions import (
    Choose,
    Decline,
    Discard,
    PlayAgent,
    Resolve,
    Reveal,
    SortCard,
    Trash,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.reveal_turn import clean_up
from rules_engine.imperium.state import Deed, State
from rules_engine.kernel.decks import ANY, shuffled
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Answer, actions, asked
from rules_engine.kernel.outcomes import Seat
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

FAVOR = "spacing_guilds_favor"
SOLDIER = "sardaukar_soldier"
CALCULUS = "calculus_of_power"
FOLDING = "space_time_folding"


def table(**fields: object) -> State:
    """A player's Agent turn with no card but those given."""
    state = bare()
    for seat in range(4):
        state = giving(state, seat, deck=())
    return in_turn(giving(state, 0, **fields), 0, space="arrakeen")


def says(state: State, text: str, source: str = "", seat: Seat = 0) -> State:
    """The position after an effect, up to the next question."""
    (effect,) = parse(text)
    return run(state, seat, effect, source)


def top(state: State) -> object:
    return state.pending[-1] if state.pending else None


def reasons(state: State, given: object) -> list[str]:
    return [reason.key for reason in refused(state, given).reasons]


# Discarding


def test_a_discard_comes_from_the_hand_and_is_open_to_all() -> None:
    state = says(table(hand=("dagger", "diplomacy"), intrigues=("impress",)), "discard 1 card")
    assert actions(IMPERIUM, state) == (Discard(0, "dagger"), Discard(0, "diplomacy"))
    assert "UPR-ICON-002" in refused(state, Discard(0, "reconnaissance")).rules
    assert reasons(state, Decline(0)) == ["pick_card_to_discard"]
    step = done(state, Discard(0, "dagger"))
    assert (owner(step.state).hand, owner(step.state).discard) == (("diplomacy",), ("dagger",))
    assert [view_event(event, 3).facts for event in step.events] == [{"card": "dagger"}]
    assert step.state.pending == ()


def test_a_cost_needs_as_many_cards_as_it_says() -> None:
    text = "discard 2 cards & pay 5 solari -> gain 1 vp"
    state = says(table(hand=("dagger",), solari=5), text)
    assert (owner(state).hand, owner(state).victory_points) == (("dagger",), 1)
    state = says(table(hand=("dagger", "diplomacy", "reconnaissance"), solari=5), text)
    paid = owner(after(state, Discard(0, "dagger"), Discard(0, "diplomacy")))
    assert (paid.hand, paid.solari, paid.victory_points) == (("reconnaissance",), 0, 2)


def test_solari_that_the_discard_would_bring_do_not_pay_for_it() -> None:
    held = table(hand=("dagger", FAVOR), spice=0)
    state = says(held, "discard 2 cards & pay 1 spice -> gain 1 vp")
    assert owner(state).victory_points == 1
    assert state.pending == ()


def test_every_opponent_discards_clockwise_as_far_as_there_are_cards() -> None:
    state = giving(table(hand=("dagger",)), 1, hand=("diplomacy", FAVOR))
    state = giving(state, 3, hand=("dagger", "reconnaissance"))
    state = says(state, "each opponent: discard 1 card", "covert_operation")
    assert asked(IMPERIUM, state).players == (1,)
    state = after(state, Discard(1, FAVOR))
    assert asked(IMPERIUM, state).players == (3,), "Cleo has no card"
    state = after(state, Discard(3, "dagger"))
    assert [each.hand for each in state.players] == [
        ("dagger",), ("diplomacy",), (), ("reconnaissance",)
    ]  # fmt: skip
    assert [each.spice for each in state.players] == [0, 2, 0, 0]
    assert state.turn is not None
    assert state.turn.deeds == (), "it is not the turn of those who discarded"


def test_what_a_card_says_about_being_discarded_comes_after_the_last_discard() -> None:
    state = says(table(hand=("dagger", FAVOR)), "discard 2 cards", "x")
    state = after(state, Discard(0, FAVOR))
    assert isinstance(top(state), frames.PickDiscard)
    assert owner(state).spice == 0
    assert owner(after(state, Discard(0, "dagger"))).spice == 2


def test_cleaning_up_is_no_discard() -> None:
    state = in_turn(table(in_play=(FAVOR,)), 0, kind="reveal")
    ended = clean_up(state, 0).state
    assert (owner(ended).discard, owner(ended).spice) == ((FAVOR,), 0)


@pytest.mark.parametrize(("card", "drawn"), [(FAVOR, 1), ("dagger", 0)])
def test_a_card_asks_what_was_discarded_for_it(card: str, drawn: int) -> None:
    held = table(hand=(card,), in_play=(FOLDING,))
    state = after(says(held, "discard 1 card", FOLDING), Discard(0, card))
    assert state.turn is not None
    assert state.turn.deeds == (Deed("discards", FOLDING, card),)
    for source, count in ((FOLDING, drawn), ("guild_spy", 0)):
        told = says(state, "if discarded spacing_guild card: gain 1 solari", source)
        assert owner(told).solari == count


def test_a_hand_that_was_never_named_can_be_counted_but_not_looked_at() -> None:
    state = says(table(hand=(ANY, "dagger")), "discard 1 card")
    assert actions(IMPERIUM, state) == (Discard(0, "dagger"),)
    with pytest.raises(UnknownRead):
        after(state, Discard(0, "diplomacy"))


# Trashing


def test_a_faction_and_a_zone_narrow_down_what_can_be_trashed() -> None:
    held = table(hand=(SOLDIER, "dagger"), discard=(CALCULUS,), in_play=("imperial_spymaster",))
    state = says(held, "trash 1 emperor card from hand", "x")
    assert actions(IMPERIUM, state) == (Trash(0, SOLDIER, "hand"),)
    assert reasons(state, Trash(0, "dagger", "hand")) == ["wrong_faction"]
    assert reasons(state, Trash(0, CALCULUS, "discard")) == ["wrong_zone"]
    assert reasons(state, Trash(0, CALCULUS, "hand")) == ["no_such_card"]
    state = says(held, "trash 1 emperor card", "x")
    assert len(actions(IMPERIUM, state)) == 3


def test_a_card_can_ask_for_another_one_of_which_a_second_copy_is_one() -> None:
    text = "trash 1 other emperor card from in_play -> 3 swords"
    alone = table(in_play=(CALCULUS, "dagger"), hand=(SOLDIER,))
    assert says(alone, text, CALCULUS).pending == (), "there is no other card to pay with"
    state = says(table(in_play=(CALCULUS, SOLDIER)), text, CALCULUS)
    assert actions(IMPERIUM, state) == (Trash(0, SOLDIER, "in_play"),)
    assert reasons(state, Trash(0, CALCULUS, "in_play")) == ["not_itself"]
    twice = says(table(in_play=(CALCULUS, CALCULUS)), text, CALCULUS)
    assert actions(IMPERIUM, twice) == (Trash(0, CALCULUS, "in_play"),)


def test_what_a_card_says_about_being_trashed_happens_from_every_zone() -> None:
    for zone in ("hand", "discard", "in_play"):
        state = says(table(**{zone: (SOLDIER,)}), "trash 1 card", "x")
        step = done(state, Trash(0, SOLDIER, zone))
        assert isinstance(top(step.state), frames.DrawFromIntrigue)
        assert step.state.trashed == (SOLDIER,)
        assert step.state.turn is not None
        assert step.state.turn.deeds == (Deed("trashes", "x", SOLDIER),)


def test_nobody_is_stuck_without_a_card_that_fits() -> None:
    state = at(table(hand=("dagger",)), frames.PickTrash(0, faction="emperor", zone="hand"))
    assert actions(IMPERIUM, state) == (Decline(0),)
    assert owner(after(state, Decline(0))).hand == ("dagger",)
    fits = at(table(hand=(SOLDIER,)), frames.PickTrash(0, faction="emperor", zone="hand"))
    assert reasons(fits, Decline(0)) == ["pick_card_to_trash"]


@pytest.mark.parametrize(("card", "spice"), [("dagger", 0), ("prepare_the_way", 2)])
def test_a_cost_of_the_trashed_card_is_asked_for(card: str, spice: int) -> None:
    text = "trash 1 card from hand & (if trashed card costing >= 1: gain 2 spice)"
    state = says(table(hand=(card,)), text, "princess_irulan")
    assert owner(after(state, Trash(0, card, "hand"))).spice == spice


def test_a_card_pays_with_itself_only_while_it_is_in_play() -> None:
    text = "trash self -> gain 1 vp"
    gone = says(table(hand=("delivery_agreement",)), text, "delivery_agreement")
    assert owner(gone).victory_points == 1
    paid = says(table(in_play=("delivery_agreement",)), text, "delivery_agreement")
    assert (owner(paid).victory_points, paid.trashed) == (2, ("delivery_agreement",))


def test_both_cards_of_a_cost_are_trashed() -> None:
    text = "trash self & trash 1 emperor card from hand -> gain 1 vp"
    source = "treacherous_maneuver"
    assert says(table(in_play=(source,), hand=("dagger",)), text, source).trashed == ()
    state = says(table(in_play=(source,), hand=(SOLDIER,)), text, source)
    state = after(state, Trash(0, SOLDIER, "hand"), Answer("impress"))
    assert state.trashed == (SOLDIER, source)
    assert owner(state).victory_points == 2


def test_a_card_returns_from_play_to_the_hand_and_can_be_played_again() -> None:
    text = "if another bene_gesserit card in play: return self"
    source = "weirding_woman"
    alone = says(table(in_play=(source,)), text, source)
    assert owner(alone).in_play == (source,)
    both = owner(says(table(in_play=(source, source)), text, source))
    assert (both.hand, both.in_play) == ((source,), (source,))


# Two equal cards in play


def revealing(*hand: str, **fields: object) -> State:
    """A Reveal turn that has just begun."""
    state = in_turn(table(hand=tuple(sorted(hand)), **fields), 0, kind="undecided")
    return after(at(state, frames.Turn(0)), Reveal(0))


def texts(state: State) -> list[str]:
    """What is still due, in the order of the list."""
    turn = next(frame for frame in state.pending if isinstance(frame, frames.RevealTurn))
    return [say(item.effect) for item in turn.items]


def test_a_card_that_trashes_its_equal_leaves_nothing_of_it() -> None:
    arrow = "trash 1 other emperor card from in_play -> +3 swords"
    state = revealing(CALCULUS, CALCULUS, SOLDIER, troops=1, supply=8)
    assert texts(state).count(arrow) == 2
    state = after(state, Resolve(0, texts(state).index("gain 2 persuasion")))
    state = after(state, Resolve(0, texts(state).index("gain 2 persuasion")))
    state = after(state, Resolve(0, texts(state).index(arrow)), Trash(0, CALCULUS, "in_play"))
    assert owner(state).in_play == (CALCULUS, SOLDIER)
    assert arrow not in texts(state), "the arrow left was on the card that is gone"
    assert owner(state).persuasion == 4


def test_with_one_of_two_equal_cards_only_its_own_effects_are_lost() -> None:
    arrow = "trash 1 other emperor card from in_play -> +3 swords"
    state = revealing(CALCULUS, CALCULUS, troops=1, supply=8)
    state = after(state, Resolve(0, texts(state).index(arrow)), Trash(0, CALCULUS, "in_play"))
    assert texts(state) == ["gain 2 persuasion"]
    kept = following(revealing(CALCULUS, CALCULUS), trashed_card_effects_lost="kept")
    kept = after(kept, Resolve(0, texts(kept).index(arrow)), Trash(0, CALCULUS, "in_play"))
    assert texts(kept) == ["gain 2 persuasion", "gain 2 persuasion", arrow]


def test_a_used_up_card_is_the_one_that_is_trashed() -> None:
    state = revealing("dagger", "dagger", troops=1, supply=8)
    state = after(state, Resolve(0, 0))
    state = after(at(state, frames.PickTrash(0)), Trash(0, "dagger", "in_play"))
    assert texts(state) == ["+1 sword"]


def test_the_owner_says_which_of_two_equal_cards_it_was() -> None:
    state = revealing("maula_pistol", "maula_pistol", troops=1, supply=8)
    assert texts(state) == ["gain 1 persuasion", "+1 sword", "gain 1 persuasion", "+1 sword"]
    state = after(state, Resolve(0, 0), Resolve(0, 2))
    assert texts(state) == ["+1 sword", "gain 1 persuasion"], "one of each card"
    state = after(at(state, frames.PickTrash(0)), Trash(0, "maula_pistol", "in_play"))
    assert actions(IMPERIUM, state) == (Choose(0, 0), Choose(0, 1))
    assert reasons(state, Choose(0, 2)) == ["pick_copy"]
    assert texts(after(state, Choose(0, 0))) == ["gain 1 persuasion"]
    assert texts(after(state, Choose(0, 1))) == ["+1 sword"]


def test_equal_cards_with_the_same_effects_due_need_no_question() -> None:
    state = revealing("maula_pistol", "maula_pistol")
    state = after(at(state, frames.PickTrash(0)), Trash(0, "maula_pistol", "in_play"))
    assert texts(state) == ["gain 1 persuasion", "+1 sword"]


def test_with_the_last_of_equal_cards_all_is_lost() -> None:
    state = revealing("dagger")
    state = after(at(state, frames.PickTrash(0)), Trash(0, "dagger", "in_play"))
    assert reasons(state, Resolve(0, 0)) == ["card_is_gone"]


# Looking at the top cards


def looking(*deck: str, seen: tuple[str, ...], kind: str = "agent", **ruled: str) -> State:
    """The top three cards have been looked at."""
    state = in_turn(table(deck=shuffled(deck)), 0, kind=kind)
    state = says(following(state, **ruled), "sort top cards", "long_live_the_fighters")
    return after(state, *map(Answer, seen))


def test_one_card_is_drawn_one_discarded_and_one_trashed() -> None:
    seen = ("dagger", "diplomacy", "reconnaissance")
    state = looking(*seen, "signet_ring", seen=seen)
    assert len(actions(IMPERIUM, state)) == 9
    state = after(state, SortCard(0, "diplomacy", "trash"))
    assert reasons(state, SortCard(0, "dagger", "trash")) == ["fate_given"]
    assert reasons(state, SortCard(0, "diplomacy", "draw")) == ["not_looked_at"]
    state = after(state, SortCard(0, "dagger", "draw"))
    mine = owner(state)
    assert (mine.hand, mine.discard, state.trashed) == (
        ("dagger",), ("reconnaissance",), ("diplomacy",)
    )  # fmt: skip
    assert mine.deck == shuffled(("signet_ring",))
    assert state.pending == ()


def test_only_the_owner_sees_the_cards_looked_at_and_the_one_drawn() -> None:
    seen = ("dagger", "diplomacy", "reconnaissance")
    state = looking(*seen, seen=seen)
    assert view(state, 0)["pending"][-1]["seen"] == list(seen)
    for viewer in (1, None):
        assert view(state, viewer)["pending"][-1]["seen"] == {"count": 3}
    step = done(state, SortCard(0, "dagger", "draw"))
    assert [view_event(event, 0).facts for event in step.events] == [{"card": "dagger"}]
    assert [view_event(event, 1).facts for event in step.events] == [{}]


def test_three_cards_have_to_be_in_the_deck() -> None:
    held = table(deck=shuffled(("dagger", "diplomacy")), discard=("dagger",))
    assert says(held, "sort top cards").pending == ()
    item = frames.Item(parse("sort top cards")[0], "x")
    waiting = at(held, frames.AgentTurn(0, (item,)))
    assert reasons(waiting, Resolve(0, 0)) == ["too_few_in_deck"]


def test_what_the_cards_say_comes_after_all_three_have_their_fate() -> None:
    seen = ("dagger", SOLDIER, FAVOR)
    state = after(looking(*seen, seen=seen), SortCard(0, SOLDIER, "trash"))
    assert isinstance(top(state), frames.SortCards)
    state = after(state, SortCard(0, FAVOR, "discard"))
    assert isinstance(top(state), frames.DrawFromIntrigue)
    assert owner(state).spice == 0, "it was not discarded from the hand"


def test_a_ruling_lets_a_discard_from_the_deck_count() -> None:
    seen = ("dagger", "diplomacy", FAVOR)
    state = looking(*seen, seen=seen, guilds_favor_from_deck="any_discard")
    state = after(state, SortCard(0, FAVOR, "discard"), SortCard(0, "dagger", "draw"))
    assert owner(state).spice == 2


def test_a_card_drawn_this_way_in_the_reveal_turn_is_revealed_last() -> None:
    seen = ("diplomacy", "dagger", "reconnaissance")
    state = looking(*seen, seen=seen, kind="reveal")
    state = after(state, SortCard(0, "diplomacy", "draw"), SortCard(0, "dagger", "trash"))
    assert owner(state).in_play == ("diplomacy",)
    assert owner(state).persuasion == 1
    assert state.turn is not None
    assert state.turn.shown == ("diplomacy",)


def test_a_reserve_card_looked_at_and_trashed_lies_on_its_stack_again() -> None:
    state = table()
    left = {stack.card: stack.left for stack in state.reserve}["prepare_the_way"]
    seen = ("dagger", "diplomacy", "prepare_the_way")
    state = looking(*seen, seen=seen)
    state = after(state, SortCard(0, "prepare_the_way", "trash"))
    assert {stack.card: stack.left for stack in state.reserve}["prepare_the_way"] == left + 1


def test_an_agent_card_is_played_twice_in_a_round_after_it_returned() -> None:
    woman = "weirding_woman"
    state = table(hand=(woman,), in_play=("truthtrance",))
    state = after(at(in_turn(state, 0, kind="undecided"), frames.Turn(0)),
                  PlayAgent(0, woman, "arrakeen"))  # fmt: skip
    assert isinstance(top(state), frames.AgentTurn)
    turn = state.pending[-1]
    assert isinstance(turn, frames.AgentTurn)
    (at_index,) = (i for i, item in enumerate(turn.items) if item.source == woman)
    assert owner(after(state, Resolve(0, at_index))).hand == (woman,)
