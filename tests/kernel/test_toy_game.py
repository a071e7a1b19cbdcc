"""The kernel carries a second game without change: dice, a map, a vote of all, two-sided trades."""

from __future__ import annotations

from typing import Any

import pytest

from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.game import Answer, asked, settle, step
from rules_engine.kernel.laws import check_laws
from rules_engine.kernel.outcomes import Refusal, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.views import view, view_event
from tests.kernel import toy_game
from tests.kernel.toy_game import (
    RULES,
    TOY,
    Agree,
    Considering,
    GoTo,
    Haggle,
    Leave,
    Market,
    Poll,
    State,
    Travel,
    Vote,
    start,
)


def at(*pending: Any) -> State:
    """Everybody at the well, with something pending."""
    return change(start(), round=1, pending=pending)


def after(state: State, *inputs: Any) -> State:
    """The position after some allowed inputs."""
    for given in inputs:
        done = step(TOY, state, given)
        assert isinstance(done, Step), done
        state = done.state
    return state


def positions(seed: int) -> list[State]:
    """Every position of a random game."""
    inputs = RandomPlay(seed)
    state = settle(TOY, start()).state
    found = [state]
    while state.pending:
        state = after(state, inputs.pick(TOY, state))
        found.append(state)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_law_holds_in_every_position_of_a_random_game(seed: int) -> None:
    states = positions(seed)
    assert check_laws(TOY, states, RULES.__contains__) == []


def test_random_games_meet_every_kind_of_frame() -> None:
    met = {type(state.pending[-1]) for seed in range(4) for state in positions(seed)[:-1]}
    assert met == set(TOY.frames) - {toy_game.Round}


def test_a_die_is_a_chance_request() -> None:
    state = settle(TOY, start()).state
    assert asked(TOY, state).chance
    assert isinstance(step(TOY, state, Answer("7")), Refusal)
    assert after(state, Answer("6")).pending[-1] == Travel(0, 6)


def test_a_map_bounds_how_far_one_gets() -> None:
    state = at(Travel(0, 1))
    assert isinstance(step(TOY, state, GoTo(0, "cave")), Refusal)
    assert after(state, GoTo(0, "rock")).players[0].place == "rock"
    assert after(at(Travel(0, 2)), GoTo(0, "cave")).players[0].place == "cave"


def test_all_vote_in_any_order_and_nobody_twice() -> None:
    poll = at(Poll())
    one = after(poll, Vote(2, "yes"), Vote(0, "no"), Vote(1, "yes"))
    other = after(poll, Vote(0, "no"), Vote(1, "yes"), Vote(2, "yes"))
    assert one == other
    assert [each.water for each in one.players] == [2, 2, 2]
    assert asked(TOY, poll).players == (0, 1, 2)
    assert asked(TOY, after(poll, Vote(1, "no"))).players == (0, 2)
    assert isinstance(step(TOY, after(poll, Vote(1, "no")), Vote(1, "yes")), Refusal)


def test_a_vote_is_secret_until_all_are_in() -> None:
    poll = at(Poll())
    yes, no = (step(TOY, poll, Vote(1, choice)) for choice in ("yes", "no"))
    assert isinstance(yes, Step)
    assert isinstance(no, Step)
    assert view(yes.state, 0) == view(no.state, 0)
    assert view(yes.state, 1) != view(no.state, 1)
    assert "choice" not in view_event(yes.events[0], 0).facts
    assert view_event(yes.events[0], 1).facts == {"choice": "yes"}


def test_a_trade_needs_the_other_side() -> None:
    offered = after(at(Market(0)), Haggle(0, 2))
    assert offered.pending[-1] == Considering(0, 1, 2)
    assert isinstance(step(TOY, offered, Agree(0)), Refusal)
    declined = after(offered, Leave(1))
    assert declined.players == offered.players
    agreed = after(offered, Agree(1))
    assert [(each.water, each.spice) for each in agreed.players] == [(1, 3), (5, 1), (3, 2)]
