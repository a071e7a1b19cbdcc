"""Plays random games with whatever `rules_engine` lies beside it, and prints the times as JSON.

`steps.py` copies this file next to a copy of the engine and runs it there.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.game import step
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.rulings import Rulings

NAMES = ("Ada", "Ben", "Cleo", "Dov")


def start(seed: int) -> Any:
    """A game of three or four players about to be dealt."""
    return new_game("uprising", NAMES[: 3 + seed % 2], Rulings())


def taken(state: Any, given: Any) -> Any:
    """The position after an input."""
    done = step(IMPERIUM, state, given)
    assert isinstance(done, Step)
    return done.state


def played(seed: int) -> tuple[list[Any], Any]:
    """The inputs of a random game, and its end."""
    state, play, inputs = start(seed), RandomPlay(seed), []
    while state.pending:
        given = play.pick(IMPERIUM, state)
        inputs.append(given)
        state = taken(state, given)
    return inputs, state


def measure(count: int) -> None:
    """Play the games, then take the same inputs again without choosing them."""
    seeds = range(count)
    played(len(seeds))  # grammars and catalogues are read before the clock runs
    begun = time.process_time()
    games = [played(seed) for seed in seeds]
    chosen = time.process_time()
    for seed, (inputs, _) in zip(seeds, games, strict=True):
        state = start(seed)
        for given in inputs:
            state = taken(state, given)
    ended = time.process_time()
    found = {
        "steps": sum(len(inputs) for inputs, _ in games),
        "play": chosen - begun,
        "step": ended - chosen,
        "ends": [[each.victory_points for each in state.players] for _, state in games],
    }
    print(json.dumps(found))


if __name__ == "__main__":
    measure(int(sys.argv[1]))
