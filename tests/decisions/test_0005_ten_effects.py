"""Decision 0005: all orders of ten effects are tried by walking the sets of resolved ones."""

from __future__ import annotations

import time

import pytest

from rules_engine.effects.parse import parse_all
from rules_engine.imperium.actions import Resolve, Reveal
from rules_engine.imperium.frames import Item, RevealTurn, Turn
from rules_engine.imperium.state import State
from rules_engine.kernel.records import change
from scenarios.groups import LARGEST_GROUP, OrderMatters, TooManyEffects, finish_group
from tests.imperium.positions import after, at, bare, giving, in_turn, owner

CARDS = (
    "dangerous_rhetoric",
    "desert_survival",
    "imperial_spymaster",
    "maula_pistol",
    "rebel_supplier",
)
"""Five cards with two effects each in their Reveal boxes."""


def revealing() -> State:
    """The first player has revealed ten effects, with two troops in the Conflict."""
    state = giving(bare(), 0, hand=CARDS, troops=2, garrison=1)
    return after(at(in_turn(state, 0, kind="undecided"), Turn(0)), Reveal(0))


def ends(state: State, count: int) -> tuple[list[State], int]:
    """The different ends of all orders of so many effects, and the steps it took to find them.

    A set of resolved effects is reached from each set with one fewer; equal positions are one.
    """
    reached: dict[int, list[State]] = {0: [state]}
    steps = 0
    for resolved in range(1 << count):
        for position in reached.pop(resolved) if resolved + 1 < 1 << count else []:
            left = [effect for effect in range(count) if not resolved >> effect & 1]
            for place, effect in enumerate(left):
                following = after(position, Resolve(0, place))
                steps += 1
                known = reached.setdefault(resolved | 1 << effect, [])
                if following not in known:
                    known.append(following)
    return reached[(1 << count) - 1], steps


def test_all_orders_of_ten_effects_lead_to_one_position() -> None:
    state = revealing()
    top = state.pending[-1]
    assert isinstance(top, RevealTurn)
    assert len(top.items) == 10
    start = time.monotonic()
    found, steps = ends(state, 10)
    seconds = time.monotonic() - start
    assert len(found) == 1
    assert steps == 10 * 2**9
    assert (owner(found[0]).persuasion, owner(found[0]).strength) == (4, 9)
    # 3,628,800 orders one by one would take minutes.
    assert seconds < 20


def group(*texts: str) -> State:
    """A Reveal turn with these effects, at a Conflict that the Shield Wall protects."""
    items = tuple(Item(effect, "dagger") for effect in parse_all(list(texts)))
    state = change(in_turn(bare(), 0, kind="reveal"), conflict="siege_of_arrakeen")
    return at(state, RevealTurn(0, items))


def test_the_scenario_runner_finishes_ten_effects_in_whatever_order() -> None:
    state = revealing()
    finished = finish_group(state, (), optional_asks=True)
    assert [finished.state] == ends(state, 10)[0]


def test_orders_that_differ_are_found() -> None:
    state = group("remove shield_wall", "summon 1 sandworm", "gain 1 spice")
    found, _ = ends(state, 3)
    assert sorted(owner(end).sandworms for end in found) == [0, 1]
    with pytest.raises(OrderMatters):
        finish_group(state, (), optional_asks=True)


def test_a_group_of_more_than_twelve_has_to_be_ordered() -> None:
    assert finish_group(group(*["1 sword"] * LARGEST_GROUP), (), optional_asks=True)
    with pytest.raises(TooManyEffects):
        finish_group(group(*["1 sword"] * (LARGEST_GROUP + 1)), (), optional_asks=True)
