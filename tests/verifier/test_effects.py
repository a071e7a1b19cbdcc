"""The positions for effects cover every kind of effect and everything that is printed."""

import itertools

import pytest

from rules_engine.effects.tree import Effect
from rules_engine.imperium.effects import MEANING
from rules_engine.imperium.game import IMPERIUM
from verifier.current import assume, claim
from verifier.effects import (
    KINDS,
    about_to_happen,
    everything,
    is_of_a_kind,
    kind_names,
    pending_for,
    printed_effects,
)
from verifier.replay import replay
from verifier.verdicts import REFUTED, settle


def test_every_kind_that_the_engine_runs_has_an_example() -> None:
    assert set(KINDS) == set(MEANING)
    assert len(kind_names()) == len(MEANING)


def test_a_kind_without_an_example_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = next(iter(KINDS))
    monkeypatch.delitem(KINDS, kind)
    with pytest.raises(LookupError, match=kind.__name__):
        kind_names()


LEFT_OUT = {name: effect for name, (effect, _) in printed_effects().items() if is_of_a_kind(effect)}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_printed_effect_without_a_case_is_an_example_of_its_kind(name: str) -> None:
    effect = LEFT_OUT[name]
    assert any(_example(effect, *given) == effect for given in GIVEN)


AMOUNTS, PLACES = range(8), range(7)
GIVEN = tuple(itertools.product(AMOUNTS, PLACES, AMOUNTS))


def _example(effect: Effect, amount: int, place: int, other: int) -> Effect | None:
    """The example of the effect's kind with these amounts and the names at this place."""
    values = {"amount": amount, "most troops": other}
    values |= dict.fromkeys(("what", "faction", "icon", "space", "most"), place)
    made: list[Effect] = []
    replay(lambda: made.append(KINDS[type(effect)]()), values)
    return made[0] if made else None


@pytest.mark.parametrize("name", everything())
def test_the_position_of_a_replay_is_a_real_one(name: str) -> None:
    def function() -> None:
        state = about_to_happen(pending_for(name), 3)
        broken = [text for law in IMPERIUM.invariants for text in law.broken(state)]
        claim(not broken, "it can be")

    shown = replay(function, {})
    assert shown.claims == 1
    assert not shown.failed


def test_quantities_of_a_real_position_fit_together() -> None:
    def function() -> None:
        owner = about_to_happen(pending_for("Recruit"), 3).players[0]
        assume(owner.troops > 2)
        claim(owner.supply != 5, "five are never left")

    settled = settle(function)
    assert settled.verdict == REFUTED
    values = {each.name: each.value for each in settled.values}
    assert values["Red.garrison"] + values["Red.troops"] == 7
