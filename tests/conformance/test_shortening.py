"""Cases that fail are made shorter, and fail still."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from conformance.adapters.reference import Adapter
from conformance.cases import Case
from conformance.messages import AnyAnswer, AnyCall, Apply, Done, Refused, Start
from conformance.observing import observe
from conformance.playing import play
from conformance.replaying import replay
from conformance.shortening import TRIES, shortest
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from tests.conformance.liars import PLAIN, TABLE_LIES, corpus, game

GAMES = (0, 1, 2)

WRONG: dict[str, Callable[[State], bool]] = {
    "swords": lambda state: any(each.swords > 1 for each in state.players),
    "intrigue": lambda state: len(state.intrigue_discard) > 2,
    "influence": lambda state: any(track.influence > 1 for track in state.players[0].tracks),
    "in play": lambda state: any(len(each.in_play) > 1 for each in state.players),
    "revealed": lambda state: len(state.reveal_order) == 2,
}
"""Positions in which an implementation is wrong."""


class Wrong:
    """Our engine, which is wrong about the Shield Wall in some positions."""

    def __init__(self, where: Callable[[State], bool]) -> None:
        self.where = where
        self.adapter = Adapter()

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer a batch."""
        del seconds
        return [self._answer(call) for call in calls]

    def _answer(self, call: AnyCall) -> AnyAnswer:
        answer = self.adapter.answer(call)
        if isinstance(call, Start | Apply) and isinstance(answer, Done):
            state = self.adapter.game.state
            said = TABLE_LIES["shield_wall"](state) if self.where(state) else None
            return answer if said is None else Done(observe(said))
        return answer

    def close(self) -> None:
        """There is nothing to leave."""


class Fails:
    """Whether a case fails, and how often that was asked."""

    def __init__(self, where: Callable[[State], bool]) -> None:
        self.wrong = Wrong(where)
        self.asked = 0

    def __call__(self, case: Case) -> bool:
        self.asked += 1
        return play(case, PLAIN, self.wrong).divergence is not None


def is_played(case: Case) -> bool:
    """Whether the reference takes every move as the case says."""
    outcomes = replay(case).outcomes
    return all(
        isinstance(outcome, Refusal) == move.refused
        for outcome, move in zip(outcomes, case.moves, strict=True)
    )


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("number", GAMES)
def test_a_game_that_fails_becomes_a_few_moves_from_a_position(number: int, name: str) -> None:
    case, fails = game(number), Fails(WRONG[name])
    assert fails(case)
    short = shortest(case, fails)
    assert fails(short)
    assert is_played(short)
    assert short.position is not None
    assert len(short.moves) <= 12
    assert fails.asked <= TRIES + 2


@pytest.mark.parametrize("number", GAMES)
def test_without_positions_a_game_still_becomes_shorter(number: int) -> None:
    case, fails = game(number, 300), Fails(WRONG["in play"])
    assert fails(case)
    short = shortest(case, fails, positions=False)
    assert fails(short)
    assert is_played(short)
    assert short.position is None
    assert len(short.moves) < len(case.moves) / 2
    assert fails.asked <= TRIES + 2


def test_every_move_that_is_left_is_needed() -> None:
    fails = Fails(WRONG["swords"])
    short = shortest(game(1), fails)
    for at in range(len(short.moves) - 1):
        moves = (*short.moves[:at], *short.moves[at + 1 :])
        shorter = change(short, moves=moves)
        assert not (is_played(shorter) and fails(shorter))


def test_no_case_is_tried_that_the_reference_itself_would_refuse() -> None:
    wrong = Fails(WRONG["swords"])
    tried: list[Case] = []

    def fails(case: Case) -> bool:
        tried.append(case)
        return wrong(case)

    shortest(game(1, 200), fails, positions=False)
    assert len(tried) > 10
    assert all(map(is_played, tried))


def test_the_same_case_is_found_every_time() -> None:
    once = shortest(game(2), Fails(WRONG["swords"]))
    assert once == shortest(game(2), Fails(WRONG["swords"]))


class Accepting(Wrong):
    """Our engine, which says that it accepts what it refuses."""

    def _answer(self, call: AnyCall) -> AnyAnswer:
        answer = self.adapter.answer(call)
        return Done(observe(self.adapter.game.state)) if isinstance(answer, Refused) else answer


def test_a_move_that_has_to_be_refused_is_kept() -> None:
    accepting = Accepting(lambda _: False)

    def fails(case: Case) -> bool:
        return play(case, PLAIN, accepting).divergence is not None

    short = shortest(game(1), fails)
    assert fails(short)
    assert [move.refused for move in short.moves] == [True]


def test_a_case_of_a_scenario_is_never_made_longer() -> None:
    fails = Fails(lambda state: any(each.spice for each in state.players))
    failing = [case for case in corpus("spies", "board_spaces") if fails(case)]
    assert len(failing) > 10
    for case in failing:
        short = shortest(case, fails)
        assert fails(short)
        assert len(short.moves) <= len(case.moves)
