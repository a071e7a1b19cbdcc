"""What a property needs to say about the step of one effect: what it ran, and what comes next."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.game import Frame
from verifier.any_position import OWNER
from verifier.registry import Params
from verifier.steps import take_step


def cases(*steps: str) -> tuple[Params, ...]:
    """A case for each of some steps."""
    return tuple({"step": step} for step in steps)


def run_effect(step: str) -> tuple[Any, State, State]:
    """The effect that a step runs, and the positions before and after it."""
    before, after, _ = take_step(step)
    frame: Any = before.pending[-1]
    return frame.item.effect, before, after


def owners(before: State, after: State) -> tuple[Player, Player]:
    """The owner of the frame, before and after."""
    return before.players[OWNER], after.players[OWNER]


def comes_next(before: State, after: State, *expected: Frame) -> bool:
    """Whether just these frames have taken the place of the one that was handled."""
    return after.pending == (*before.pending[:-1], *expected)


def source_of(before: State) -> str:
    """Where the effect that is run comes from."""
    frame: Any = before.pending[-1]
    source: str = frame.item.source
    return source


def now(effect: Any, before: State) -> Run:
    """An effect that happens next, from the same source."""
    return Run(OWNER, Item(effect, source_of(before)))
