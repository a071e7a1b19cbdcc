"""Generated games of an implementation that has only a part of the game stay within that part."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from conformance import games
from conformance.adapters.reference import ABOUT
from conformance.choosing import Choices
from conformance.features import Features, lacking
from conformance.games import Round, drawn_case
from conformance.messages import (
    REPORT,
    AnyAnswer,
    AnyCall,
    Apply,
    Described,
    Start,
    Unsupported,
)
from conformance.results import GOOD, UNSUPPORTED
from rules_engine.kernel.records import change
from tests.conformance import own_chance
from tests.conformance.in_process import InProcess

SMALL: dict[str, tuple[str, ...]] = {
    "leaders": (),
    "modules": (),
    "spies": (),
    "contracts": (),
    "intrigues": (),
}
PART = change(ABOUT, features=SMALL)
PART_FROM_SETUP = change(PART, capabilities=())
OWN_CHANCE = change(ABOUT, capabilities=(), chance=REPORT)

Refuses = Callable[[AnyCall], bool]


class CannotDo(InProcess):
    """Our adapter, which does not support some calls; `told` counts how often it said so."""

    def __init__(self, cannot: Refuses) -> None:
        super().__init__()
        self.cannot = cannot
        self.told = 0

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Its answers to a batch, up to what it cannot do; then nothing makes sense."""
        for at, call in enumerate(calls):
            if self.cannot(call):
                self.told += 1
                before = super().ask(calls[:at], seconds)
                return [*before, *[Unsupported("this")] * (len(calls) - at)]
        return super().ask(calls, seconds)


def decides(call: AnyCall, action: str) -> bool:
    """Whether a decision of a kind is made."""
    return isinstance(call, Apply) and call.input.get("do", {}).get("action") == action


@pytest.mark.parametrize("about", [PART, PART_FROM_SETUP], ids=["positions", "setup"])
def test_a_game_names_nothing_that_is_lacking(about: Described) -> None:
    cases = [drawn_case(random.Random(seed).randrange, "game", about, {}) for seed in range(12)]
    assert [lacking(case, about) for case in cases] == [()] * len(cases)
    assert all(case.moves for case in cases)
    kinds = Counter(move.given["do"]["action"] for case in cases for move in case.moves)
    assert kinds["play_agent"] > 0
    assert not {"place_spy", "recall_spy", "play_intrigue", "take_contract"} & kinds.keys()


def test_whole_games_are_played_in_a_part_of_the_game() -> None:
    choices = Choices(Features(SMALL))
    reached = [
        games._walked(games.drawn_setup(draw, PART), seed, 4, 0, choices).state.round
        for seed in range(4)
        for draw in [random.Random(seed).randrange]
    ]
    assert max(reached) >= 4


def test_whoever_has_too_little_for_any_game_is_told_what_lacks() -> None:
    bare = change(ABOUT, features={"conflicts": ()})
    found = Round(InProcess(), bare, 1, {})
    found.play(2)
    assert {(each.outcome, each.lacks) for each in found.results} == {(UNSUPPORTED, ("conflicts",))}


def test_an_input_that_is_not_supported_makes_a_game_choose_another_one() -> None:
    adapter = CannotDo(lambda call: decides(call, "resolve") and "spice" in str(call))
    found = Round(adapter, ABOUT, 1, {})
    found.play(8)
    assert 0 < adapter.told < games.MOST_REPLACED  # or a game would end there, not go on
    assert found.shortest is None
    assert [each.outcome in GOOD for each in found.results] == [True] * 8


def test_a_game_that_cannot_be_started_is_not_supported() -> None:
    adapter = CannotDo(lambda call: isinstance(call, Start))
    found = Round(adapter, ABOUT, 1, {})
    found.play(3)
    assert [each.outcome for each in found.results] == [UNSUPPORTED] * 3
    assert adapter.told == 3


def test_an_adapter_with_a_chance_of_its_own_is_asked_for_nothing_that_it_lacks() -> None:
    asked: list[str] = []

    def note(call: AnyCall, answer: AnyAnswer) -> AnyAnswer:
        if isinstance(call, Apply):
            asked.append(call.input["do"]["action"])
        return answer

    about = change(
        OWN_CHANCE, features={"actions": ("play_agent", "reveal", "end_turn", "resolve")}
    )
    found = Round(own_chance.InProcess(own_chance.OwnChance(3), note), about, 1, {})
    found.play(1)
    assert len(asked) > 5
    assert set(asked) <= set(about.features["actions"])
