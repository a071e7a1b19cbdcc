"""Outcomes look at what was delivered: what is announced and lost is noticed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.imperium import frames, trashing
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.records import change
from scenarios.check import check
from scenarios.finding import library_files

MARKERS = """scenario "Markers"
game uprising with John, Abby, Ned
given strength of John is 6, Abby is 4, Ned is 0
when combat resolves
then {}
"""

CARD = """scenario "A Conflict card"
game uprising with John, Abby, Ned
first player John
conflict "Storm" with crysknife icon: first "gain 3 spice", second "gain 1 water"
given strength of John is 6, Abby is 4, Ned is 0
  and John has 3 troops in conflict
  and John has won nothing
  and Abby has 2 troops in conflict
when combat resolves
then {}
"""

TIE = MARKERS.replace("John is 6", "John is 4")


def verdict(text: str, claim: str) -> str:
    (result,) = check("test.scenario", text.format(claim))
    return result.verdict


def plant(monkeypatch: pytest.MonkeyPatch, frame: type, lost: Callable[[State], State]) -> None:
    """A frame tells what it told before, and something of what it does is lost."""
    rules = IMPERIUM.frames[frame]

    def apply(state: State, top: Any, given: object) -> Step[State]:
        done = rules.apply(state, top, given)
        return Step(lost(done.state), done.events)

    monkeypatch.setitem(IMPERIUM.frames, frame, dataclasses.replace(rules, apply=apply))


def without_takings(state: State) -> State:
    """Nobody is due to take the first of the rewards."""
    left = (
        frames.GiveRewards(each.takings[1:]) if isinstance(each, frames.GiveRewards) else each
        for each in state.pending
    )
    return change(state, pending=tuple(left))


def without(*kinds: type) -> Callable[[State], State]:
    """Nothing of these kinds is due."""

    def lost(state: State) -> State:
        left = tuple(each for each in state.pending if not isinstance(each, kinds))
        return change(state, pending=left)

    return lost


def without_won_cards(state: State) -> State:
    """Nobody has won a card."""
    return change(state, players=tuple(change(each, won=()) for each in state.players))


REWARDS = "rewards are John first, Abby second"
CLAIMS = (REWARDS, "John gains the first reward", "John wins the conflict")


@pytest.mark.parametrize("text", [MARKERS, CARD], ids=["markers", "card"])
@pytest.mark.parametrize("claim", [*CLAIMS, "Ned gains no reward"])
def test_what_is_delivered_is_seen(text: str, claim: str) -> None:
    assert verdict(text, claim) == "passed"


@pytest.mark.parametrize("text", [MARKERS, CARD], ids=["markers", "card"])
@pytest.mark.parametrize("claim", CLAIMS[:2])
def test_a_reward_that_is_announced_and_never_due_is_noticed(
    text: str, claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, frames.ResolveCombat, without_takings)
    assert verdict(text, claim) == "failed"


@pytest.mark.parametrize("claim", CLAIMS[:2])
def test_a_reward_that_is_announced_and_lost_is_noticed(
    claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, frames.GiveRewards, without(frames.Effects))
    assert verdict(CARD, claim) == "failed"


def test_the_library_notices_a_reward_that_is_announced_and_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch, frames.ResolveCombat, without_takings)
    (file,) = (each for each in library_files() if each[0].endswith("uprising/combat.scenario"))
    failed = [each for each in check(*file) if not each.good]
    assert len(failed) > 10


@pytest.mark.parametrize("text", [MARKERS, CARD], ids=["markers", "card"])
def test_a_conflict_that_is_won_without_the_card_is_noticed(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, frames.ResolveCombat, without(frames.TakeConflictCard))
    assert verdict(text, "John wins the conflict") == "failed"
    assert verdict(text, "nobody wins the conflict") == "passed"


def test_a_card_that_nobody_gets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, frames.TakeConflictCard, without_won_cards)
    assert verdict(CARD, "John wins the conflict") == "failed"


def test_nobody_wins_only_a_combat_that_was_resolved() -> None:
    assert verdict(TIE, "nobody wins the conflict") == "passed"
    assert verdict(TIE.replace("when combat resolves\n", ""), "nobody wins the conflict") == (
        "failed"
    )
    assert verdict(MARKERS, "nobody wins the conflict") == "failed"


TRASH = """scenario "A card is trashed"
game uprising with John, Abby, Ned
given John has hand "Dagger", "Diplomacy"
when John resolves the effect "trash 1 card"
 and John trashes "Dagger" from hand
then {}
"""


def test_a_card_that_is_told_to_be_trashed_and_stays_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert verdict(TRASH, 'John has trashed "Dagger"') == "passed"
    monkeypatch.setattr(trashing, "out_of_game", lambda state, _: (state, trashing.TRASH))
    assert verdict(TRASH, 'John has trashed "Dagger"') == "failed"
    assert verdict(TRASH, "John has trashed nothing") == "passed"
