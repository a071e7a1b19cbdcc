"""Random games to their end: every position on the way is a possible one."""

from __future__ import annotations

import random

import pytest

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import State
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import chosen, rulings
from tests.imperium.positions import after, bare, dealt, giving, random_game

SEEDS = range(14)


def broken(state: State) -> list[str]:
    """Everything about a position that cannot be."""
    return [what for invariant in INVARIANTS for what in invariant.broken(state)]


def played(players: int, seed: int, rulings: Rulings) -> tuple[list[object], State]:
    """The inputs of a whole random game and its end, with every position looked at."""
    inputs: list[object] = []
    last: Step[State] | None = None
    for given, last in random_game(players, seed, rulings):
        inputs.append(given)
        assert broken(last.state) == [], (seed, len(inputs), given)
    assert last is not None
    return inputs, last.state


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game_comes_to_a_winner(seed: int, players: int) -> None:
    inputs, end = played(players, seed, Rulings())
    assert end.winners
    assert end.pending == ()
    assert len(inputs) > 100
    best = max(each.victory_points for each in end.players)
    assert all(end.players[seat].victory_points == best for seat in end.winners)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game_comes_to_a_winner_under_any_rulings(seed: int) -> None:
    pick = random.Random(seed)
    others = {name: pick.choice(each.values) for name, each in rulings().items()}
    _, end = played(3 + seed % 2, seed, chosen(others))
    assert end.winners


def test_a_game_played_again_ends_in_the_same_position() -> None:
    inputs, end = played(4, 99, Rulings())
    assert fingerprint(after(dealt(4), *inputs)) == fingerprint(end)


@pytest.mark.parametrize(
    "fields",
    [
        {"garrison": 13},
        {"spice": -1},
        {"spies": 4},
        {"agents": 1},
        {"strength": 3},
        {"hand": ("dagger",) * 9},
    ],
    ids=str,
)
def test_an_impossible_position_is_reported(fields: dict[str, int]) -> None:
    assert broken(bare()) == []
    assert broken(giving(bare(), 0, **fields)) != []


def test_the_game_has_the_invariants() -> None:
    assert IMPERIUM.invariants == INVARIANTS
