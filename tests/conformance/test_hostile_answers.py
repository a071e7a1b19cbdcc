"""Observations and chance that are none: a divergence, never a failure of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.messages import AnyAnswer, AnyCall, Described, Done
from conformance.playing import play
from conformance.results import FAIL
from tests.conformance.games import random_game

ABOUT = Described("mine", "1", ("uprising",), chance="report")

DEEP: list[Any] = []
for _ in range(500):
    DEEP = [DEEP]


class Brings:
    """An adapter that tells the same of chance whatever it is asked."""

    def __init__(self, *chance: dict[str, Any]) -> None:
        self.chance = chance

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer."""
        del seconds
        return [Done({}, self.chance) for _ in calls]

    def close(self) -> None:
        """Nothing to do."""


@pytest.mark.parametrize(
    "chance",
    [
        {},
        {"kind": None},
        {"kind": ["draw"]},
        {"kind": "no such thing", "outcome": "dagger"},
        {"outcome": "dagger"},
        {"kind": DEEP},
        {**random_game(1, most_moves=0).chance[0], "outcome": 3},
        {**random_game(1, most_moves=0).chance[0], "outcome": "no_such_card"},
        {**random_game(1, most_moves=0).chance[0], "more": 1},
    ],
    ids=lambda chance: str(chance)[:60],
)
def test_impossible_chance_is_a_divergence(chance: dict[str, Any]) -> None:
    result = play(random_game(1, most_moves=2), ABOUT, Brings(chance))
    assert result.outcome == FAIL
    assert result.divergence is not None
    assert result.divergence.kind == "chance"


def test_no_chance_at_all_is_a_divergence() -> None:
    result = play(random_game(1, most_moves=2), ABOUT, Brings())
    assert result.divergence is not None
    assert "nothing is told of" in str(result.divergence.got)


class Shows:
    """An adapter that shows the same whatever it is asked."""

    def __init__(self, observation: dict[str, Any]) -> None:
        self.observation = observation

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer."""
        del seconds
        return [Done(self.observation) for _ in calls]

    def close(self) -> None:
        """Nothing to do."""


@pytest.mark.parametrize(
    "observation",
    [
        {},
        {"round": DEEP},
        {"agents": [DEEP, 1, None, {"a": DEEP}]},
        {"players": 4},
        {"players": [1, None, "x", []]},
        {"players": [{"hand": [{}, [], 3, None]}] * 4},
        {"conflict_deck": {"count": "many"}},
    ],
    ids=lambda observation: str(observation)[:60],
)
def test_an_impossible_observation_is_a_divergence(observation: dict[str, Any]) -> None:
    about = Described("mine", "1", ("uprising",))
    result = play(random_game(1, most_moves=2), about, Shows(observation))
    assert result.outcome == FAIL
    assert result.divergence is not None
    assert (result.divergence.move, result.divergence.kind) == (0, "field")
