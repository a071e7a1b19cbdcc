"""Every invariant has a case for every kind of step, and holds in games that were really played."""

from functools import partial

import pytest

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Event
from tests.verifier.games import played_steps, step_of
from verifier.api import property_named
from verifier.current import claim
from verifier.properties.invariants import ALIKE, INVARIANTS, run_together
from verifier.replay import replay
from verifier.steps import STEPS, claims_about
from verifier.verdicts import PROVED, REFUTED, UNKNOWN, settle


def test_every_invariant_has_a_case_for_every_step() -> None:
    for name in INVARIANTS:
        steps = [case["step"] for case in property_named(name).cases]
        assert sorted(steps) == sorted(STEPS)


@pytest.mark.parametrize("name", INVARIANTS)
def test_it_holds_in_games(name: str) -> None:
    def function() -> None:
        for step in played_steps():
            with claims_about(step_of(step)):
                INVARIANTS[name](step.before, step.after, step.events)

    shown = replay(function, {})
    assert name == ALIKE or shown.claims >= len(played_steps())
    assert not shown.failed


# Planted lies


def _nobody_recruits(before: State, after: State, events: tuple[Event, ...]) -> None:
    del events
    claim(after.players[0].garrison <= before.players[0].garrison, "nobody recruits")


def _says_nothing(before: State, after: State, events: tuple[Event, ...]) -> None:
    del before, after, events


def test_a_false_invariant_is_refuted_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(INVARIANTS, "nobody_recruits", _nobody_recruits)
    names = tuple(INVARIANTS)
    found = settle(partial(run_together, names, "Run Recruit"))
    assert found.verdict == REFUTED
    assert found.failed == ("nobody recruits",)
    assert settle(partial(run_together, names, "Run Swords")).verdict == PROVED


def test_an_invariant_that_says_nothing_is_not_among_those_that_claim(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(INVARIANTS, "says_nothing", _says_nothing)
    found = settle(partial(run_together, ("says_nothing", "agents_are_conserved"), "Run Recruit"))
    assert found.claimed_of == ("agents_are_conserved",)
    alone = settle(partial(run_together, ("says_nothing",), "Run Recruit"))
    assert alone.verdict == UNKNOWN


def test_a_claim_may_name_its_property_itself() -> None:
    found = settle(lambda: claim(True, "it is so", of="something"))
    assert found.claimed_of == ("something",)


def test_the_games_are_real_ones() -> None:
    assert len(played_steps()) > 1000
    last = played_steps()[-1].after
    assert last.winners
    assert not any(text for law in IMPERIUM.invariants for text in law.broken(last))
