"""Acquiring cards by effects, setting one aside, and where every card of the game is."""

from __future__ import annotations

from collections import Counter

import pytest

from rules_engine.effects.parse import parse
from rules_engine.imperium import frames
from rules_engine.imperium.actions import (
    Accept,
    Acquire,
    Decline,
    EndTurn,
    PlayIntrigue,
    TakeFromRow,
)
from rules_engine.imperium.faces import printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import Deck, Known, shuffled
from rules_engine.kernel.game import Answer, actions
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from rules_engine.kernel.views import view
from tests.imperium.positions import (
    after,
    at,
    bare,
    done,
    giving,
    in_turn,
    owner,
    random_game,
    refused,
    run,
)

ROW = ("corrinth_city", "desert_survival", "maula_pistol", "space_time_folding", "truthtrance")
CHEAP = {"desert_survival", "maula_pistol", "space_time_folding", "prepare_the_way"}
WAY, SPICE = "prepare_the_way", "the_spice_must_flow"


def table(kind: str = "agent", **fields: object) -> State:
    """A turn with a Row of known cards and two more to fill it up."""
    state = change(bare(), row=ROW, imperium_deck=shuffled(("covert_operation", "guild_spy")))
    return in_turn(giving(state, 0, **fields), 0, kind=kind)


def says(state: State, text: str, source: str = "", seat: Seat = 0) -> State:
    """The position after an effect, up to the next question."""
    (effect,) = parse(text)
    return run(state, seat, effect, source)


def offered(state: State) -> set[str]:
    return {given.card for given in actions(IMPERIUM, state) if isinstance(given, Acquire)}


def reasons(state: State, given: object) -> list[str]:
    return [reason.key for reason in refused(state, given).reasons]


# By an effect


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("acquire 1 card costing <= 3", CHEAP),
        ("acquire 1 card costing 1 to hand", {"space_time_folding"}),
        ("acquire 1 row card costing <= 2", {"desert_survival", "space_time_folding"}),
        ("acquire 1 card", {*ROW, WAY, SPICE}),
    ],
)
def test_bounds_of_the_cost_and_the_place_say_what_can_be_acquired(
    text: str, cards: set[str]
) -> None:
    assert offered(says(table(), text)) == cards


def test_an_acquisition_is_a_duty_within_its_bounds() -> None:
    state = says(table(), "acquire 1 card costing <= 3")
    assert reasons(state, Decline(0)) == ["pick_card_to_acquire"]
    assert reasons(state, Acquire(0, "truthtrance")) == ["wrong_cost"]
    assert reasons(state, Acquire(0, "guild_spy")) == ["not_offered"]
    row_only = says(table(), "acquire 1 row card costing <= 3")
    assert reasons(row_only, Acquire(0, WAY)) == ["not_offered"]


@pytest.mark.parametrize("to", ["discard", "hand", "deck_top"])
def test_an_acquired_card_goes_where_the_effect_says(to: str) -> None:
    text = "acquire 1 card costing <= 3" + ("" if to == "discard" else f" to {to}")
    state = after(says(table(deck=()), text), Acquire(0, "maula_pistol"))
    mine = owner(after(state, Answer("guild_spy")))
    found = {
        "discard": mine.discard,
        "hand": mine.hand,
        "deck_top": tuple(part.card for part in mine.deck if isinstance(part, Known)),
    }
    assert {zone for zone, cards in found.items() if "maula_pistol" in cards} == {to}
    assert mine.persuasion == 0


def test_everybody_knows_the_card_acquired_to_the_top_of_the_deck() -> None:
    held = table(deck=shuffled(("dagger", "diplomacy")))
    state = after(says(held, "acquire 1 card costing <= 3 to deck_top"), Acquire(0, "maula_pistol"))
    for viewer in range(len(state.players)):
        assert view(state, viewer)["players"][0]["deck"] == ["maula_pistol", None, None]


def test_the_row_is_filled_before_the_acquire_box_applies() -> None:
    row = (*ROW[:3], "strike_fleet", "truthtrance")
    state = says(change(table(), row=row), "acquire 1 card costing <= 5")
    state = after(state, Acquire(0, "strike_fleet"))
    assert isinstance(state.pending[-1], frames.FillRow)
    assert isinstance(after(state, Answer("guild_spy")).pending[-1], frames.SpyPlacement)


def test_a_cost_in_solari_is_paid_and_bounds_the_choice() -> None:
    state = says(table(solari=3, persuasion=9), "acquire 1 card to hand with solari")
    assert offered(state) == CHEAP
    assert reasons(state, Acquire(0, "truthtrance")) == ["cannot_pay"]
    mine = owner(after(state, Acquire(0, "maula_pistol"), Answer("guild_spy")))
    assert (mine.solari, mine.persuasion, mine.hand) == (0, 9, ("maula_pistol",))


def test_what_may_be_acquired_may_be_declined() -> None:
    state = says(table(solari=9), "may acquire 1 card to hand with solari")
    assert owner(after(state, Decline(0))).solari == 9
    assert offered(after(state, Accept(0))) == {*ROW, WAY, SPICE}


def test_the_spice_must_flow_bought_with_solari_scores() -> None:
    state = says(table(solari=9), "acquire 1 card to hand with solari")
    mine = owner(after(state, Acquire(0, SPICE)))
    assert (mine.victory_points, mine.hand) == (2, (SPICE,))


def test_what_was_acquired_in_the_own_turn_is_known_to_cards() -> None:
    state = says(table(), "acquire 1 card costing <= 2")
    state = after(state, Acquire(0, WAY))
    assert state.turn is not None
    assert state.turn.acquired == (WAY,)
    assert owner(says(state, f"if acquired {WAY}: gain 1 solari")).solari == 1
    assert owner(says(state, f"if acquired {SPICE}: gain 1 solari")).solari == 0


def test_an_empty_imperium_deck_leaves_a_gap() -> None:
    state = says(change(table(), imperium_deck=()), "acquire 1 card costing <= 3")
    assert len(after(state, Acquire(0, "maula_pistol")).row) == 4


def test_an_emptied_stack_is_not_offered() -> None:
    state = table()
    reserve = tuple(change(stack, left=0) for stack in state.reserve)
    assert offered(says(change(state, reserve=reserve), "acquire 1 card")) == set(ROW)


# Set aside


def aside(kind: str = "agent", **fields: object) -> State:
    """The player has set a card of the Row aside."""
    state = at(table(kind, intrigues=("manipulate",), **fields), _turn(kind))
    state = after(state, PlayIntrigue(0, "manipulate", 0))
    assert set(actions(IMPERIUM, state)) == {TakeFromRow(0, card) for card in ROW}
    assert reasons(state, TakeFromRow(0, WAY)) == ["not_in_row"]
    return after(state, TakeFromRow(0, "truthtrance"), Answer("guild_spy"))


def _turn(kind: str) -> frames.AnyFrame:
    return frames.RevealTurn(0, ()) if kind == "reveal" else frames.AgentTurn(0, ())


def test_a_card_set_aside_leaves_a_gap_that_is_filled() -> None:
    state = aside()
    assert owner(state).set_aside == ("truthtrance",)
    assert "truthtrance" not in state.row
    assert "guild_spy" in state.row
    assert state.intrigue_discard == ("manipulate",)


@pytest.mark.parametrize(("persuasion", "can"), [(2, False), (3, True)])
def test_it_costs_one_less_on_the_own_reveal_turn(persuasion: int, can: bool) -> None:
    state = aside("reveal", persuasion=persuasion)
    assert ("truthtrance" in offered(state)) is can
    if can:
        mine = owner(after(state, Acquire(0, "truthtrance")))
        assert (mine.persuasion, mine.discard, mine.set_aside) == (0, ("truthtrance",), ())
    else:
        assert reasons(state, Acquire(0, "truthtrance")) == ["too_expensive"]


def test_other_players_cannot_acquire_it() -> None:
    state = giving(in_turn(aside(), 1, kind="reveal"), 1, persuasion=9)
    state = at(change(state, pending=()), frames.RevealTurn(1, ()))
    assert "truthtrance" not in offered(state)
    assert reasons(state, Acquire(1, "truthtrance")) == ["not_offered"]


def test_other_own_means_acquire_it_without_the_discount() -> None:
    state = change(aside(solari=3), pending=())
    assert "truthtrance" not in offered(says(state, "acquire 1 card to hand with solari"))
    state = giving(state, 0, solari=4)
    state = after(says(state, "acquire 1 card to hand with solari"), Acquire(0, "truthtrance"))
    assert (owner(state).solari, owner(state).hand) == (0, ("truthtrance",))
    row = says(change(aside(), pending=()), "acquire 1 row card costing 4 to hand")
    assert offered(row) == {"truthtrance"}


def test_what_is_still_set_aside_leaves_the_game_with_the_reveal_turn() -> None:
    step = done(aside("reveal"), EndTurn(0))
    assert "set_aside_leaves" in [event.key for event in step.events]
    assert (owner(step.state).set_aside, step.state.trashed) == ((), ("truthtrance",))


# Where every card is


def _in(deck: Deck) -> list[str]:
    cards: list[str] = []
    for part in deck:
        cards.extend([part.card] if isinstance(part, Known) else part.cards)
    return cards


def everywhere(state: State) -> tuple[Counter[str], Counter[str]]:
    """All cards of the game, and all Intrigue cards, wherever they are."""
    cards = Counter([*state.row, *state.trashed, *_in(state.imperium_deck)])
    for stack in state.reserve:
        cards[stack.card] += stack.left
    intrigues = Counter([*state.intrigue_discard, *state.trashed_intrigues])
    intrigues.update(_in(state.intrigue_deck))
    for each in state.players:
        cards.update([*each.hand, *each.discard, *each.in_play, *each.set_aside, *_in(each.deck)])
        intrigues.update([*each.intrigues, *each.standing])
    for frame in state.pending:
        cards.update(getattr(frame, "seen", ()))
        if isinstance(frame, frames.IntriguePlayed):
            intrigues[frame.card] += 1
    return +cards, +intrigues


@pytest.mark.parametrize("seed", range(6))
def test_every_card_is_in_exactly_one_place_all_game_long(seed: int) -> None:
    start = None
    for _, step in random_game(3 + seed % 2, seed):
        start = everywhere(step.state) if start is None else start
        assert everywhere(step.state) == start
        assert sum(len(each.set_aside) for each in step.state.players) <= 4
    assert start is not None
    faces = printed(step.state)
    for card, count in start[1].items():
        assert count == faces.intrigue[card].copies
