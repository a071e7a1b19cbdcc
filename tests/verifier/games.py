"""Random games, step by step: what really comes up, to hold against what the proofs start from."""

from __future__ import annotations

import functools
import random
from typing import Any, NamedTuple

from rules_engine.imperium.frames import Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.soak import Settings, drawn_setup
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions, asked, handle
from rules_engine.kernel.outcomes import Event, Step

GAMES = 12
"""So many games meet every kind of frame that a game is bound to meet."""


class Played(NamedTuple):
    """One step of a game."""

    before: State
    given: Any
    after: State
    events: tuple[Event, ...]


@functools.cache
def played_steps() -> tuple[Played, ...]:
    """Every step of some random games."""
    return tuple(step for number in range(GAMES) for step in _game(number))


def _game(number: int) -> list[Played]:
    draw = random.Random(f"steps {number}")
    state: State = drawn_setup(Settings(seed=5), number).state
    steps: list[Played] = []
    while state.pending:
        quiet = asked(IMPERIUM, state).nobody()
        given = None if quiet else draw.choice(actions(IMPERIUM, state))
        done = handle(IMPERIUM, state, given)
        assert isinstance(done, Step)
        steps.append(Played(state, given, done.state, done.events))
        state = done.state
    return steps


def step_of(played: Played) -> str:
    """What a step of a game is called."""
    frame = played.before.pending[-1]
    if isinstance(frame, Run):
        return f"Run {type(frame.item.effect).__name__}"
    name = type(frame).__name__
    return name if played.given is None else f"{name} <- {type(played.given).__name__}"
