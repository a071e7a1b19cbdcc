"""The steps of the proofs are all that there are, and start from positions that can be."""

import itertools
from typing import Any

import pytest

from rules_engine.effects import tree
from rules_engine.imperium.effects import MEANING
from rules_engine.imperium.game import IMPERIUM, universe
from rules_engine.kernel.game import legal
from tests.verifier.games import Played, played_steps, step_of
from verifier.any_effect import (
    AMOUNTS,
    NEVER_RUN,
    any_effect,
    kinds,
    printed_effects,
    shape_of,
    shapes,
)
from verifier.current import claim
from verifier.relied_on import relied_on
from verifier.replay import replay
from verifier.steps import STEPS, take_step


def _frame_of(step: str) -> str:
    return step.partition(" ")[0]


def test_every_kind_of_frame_has_a_step() -> None:
    assert {_frame_of(step) for step in STEPS} == {kind.__name__ for kind in IMPERIUM.frames}


def test_every_kind_of_effect_has_a_step() -> None:
    run = {step.removeprefix("Run ") for step in STEPS if step.startswith("Run ")}
    assert run == {kind.__name__ for kind in MEANING if kind not in NEVER_RUN}


def test_what_is_never_run_is_only_printed_on_spaces_as_a_choice_of_costs() -> None:
    inside = [part for effect in printed_effects() for part in tree.parts(effect)]
    assert not any(isinstance(part, NEVER_RUN) for part in inside)


def test_every_step_of_a_game_is_one_of_the_steps() -> None:
    assert {step_of(played) for played in played_steps()} <= set(STEPS)


def test_an_input_without_a_step_is_refused() -> None:
    seen: dict[str, Played] = {}
    for played in played_steps():
        if played.given is not None:
            seen.setdefault(type(played.before.pending[-1]).__name__, played)
    assert len(seen) > 20
    for name, played in seen.items():
        for given in universe(played.before):
            if f"{name} <- {type(given).__name__}" not in STEPS:
                assert legal(IMPERIUM, played.before, given) is not None, (name, given)


def test_what_steps_rely_on_is_so_in_games() -> None:
    for played in played_steps():
        assert relied_on(played.before), played.before.pending[-1]


@pytest.mark.parametrize("step", STEPS)
def test_the_position_of_a_replay_is_a_real_one(step: str) -> None:
    def function() -> None:
        before, _, _ = take_step(step)
        broken = [text for law in IMPERIUM.invariants for text in law.broken(before)]
        claim(not broken, f"it can be: {broken}")

    assert not replay(function, {}).failed


# Every printed effect is an instance of its step


def test_every_printed_effect_is_one_of_its_kind() -> None:
    for effect in printed_effects():
        if not isinstance(effect, NEVER_RUN):
            assert _is_an_instance(effect), effect


def _is_an_instance(effect: Any) -> bool:
    """Whether the step of its kind runs this very effect; of effects inside it, any."""
    fields = AMOUNTS.get(type(effect), ("amount",) if hasattr(effect, "amount") else ())
    amounts = {name: getattr(effect, name) for name in fields if getattr(effect, name) is not None}
    made = [_made(type(effect), at, amounts) for at in range(MOST_SHAPES)]
    if tree.parts(effect):
        return any(shape_of(each) == shape_of(effect) for each in made if each is not None)
    return effect in made


MOST_SHAPES = 40


def _made(kind: type, at: int, amounts: dict[str, int]) -> Any:
    """An effect of a kind in one of its shapes, with these amounts; nothing if there is none."""
    found: list[Any] = []
    values = {"effect": at, "faction": at, **amounts}
    replay(lambda: found.append(any_effect(kind)), values)
    return found[0] if found else None


def test_an_effect_that_no_step_runs_is_found() -> None:
    assert not _is_an_instance(tree.Gain(1, "sand"))
    assert not _is_an_instance(tree.PlaceSpy(on=("city", "fremen")))
    assert not _is_an_instance(tree.If(tree.Is("never_so"), tree.TakeSeat()))


def test_every_kind_has_a_shape_and_nothing_else_has() -> None:
    assert all(isinstance(shape, kind) for kind in kinds() for shape in shapes(kind))
    pairs = itertools.chain.from_iterable(shapes(kind) for kind in kinds())
    assert len(set(pairs)) == sum(len(shapes(kind)) for kind in kinds())
