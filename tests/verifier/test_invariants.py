"""Every invariant is proved of every step, and holds in games that were really played."""

from functools import partial

import pytest

from rules_engine.imperium.game import IMPERIUM
from tests.verifier.games import played_steps
from verifier.api import property_named
from verifier.properties.invariants import INVARIANTS, run_together
from verifier.replay import replay
from verifier.steps import STEPS
from verifier.verdicts import PROVED, settle


@pytest.mark.parametrize("step", STEPS)
def test_a_step_keeps_every_invariant(step: str) -> None:
    found = settle(partial(run_together, tuple(INVARIANTS), step))
    assert found.verdict == PROVED, found.detail
    assert set(found.claimed_of) == set(INVARIANTS), "each claims something of the step"


def test_every_invariant_has_a_case_for_every_step() -> None:
    for name in INVARIANTS:
        steps = [case["step"] for case in property_named(name).cases]
        assert sorted(steps) == sorted(STEPS)


@pytest.mark.parametrize("name", INVARIANTS)
def test_it_holds_in_games(name: str) -> None:
    def function() -> None:
        for step in played_steps():
            INVARIANTS[name](step.before, step.after, step.events)

    shown = replay(function, {})
    assert shown.claims >= len(played_steps())
    assert not shown.failed


def test_the_games_are_real_ones() -> None:
    assert len(played_steps()) > 1000
    last = played_steps()[-1].after
    assert last.winners
    assert not any(text for law in IMPERIUM.invariants for text in law.broken(last))
