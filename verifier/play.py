"""Plays a position to the end of what is pending, along every path of choices and chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Amount, Frame, asked, handle, options
from rules_engine.kernel.outcomes import Event, Step
from verifier.current import assume, choose, quantity, stage
from verifier.numbers import all_of

Watch = Callable[[State, State, tuple[Event, ...]], None]
"""Sees every handled frame: the state before, the state after, and the events."""


def play_out(
    state: State,
    *,
    only: tuple[type[Frame], ...] | None = None,
    until: tuple[type[Frame], ...] = (),
    watch: Watch | None = None,
) -> tuple[State, tuple[Event, ...]]:
    """Handle the top frame until nothing is pending, forking over every option that is offered.

    `only` and `until` end it before a frame of another kind, or of one of these kinds.
    """
    start, inputs, events = state, (), ()
    stage(start)
    while state.pending and _goes_on(state.pending[-1], only, until):
        given = None
        if not asked(IMPERIUM, state).nobody():
            given = _picked(state, len(inputs))
            inputs = (*inputs, given)
            stage(start, inputs)
        done = handle(IMPERIUM, state, given)
        assert isinstance(done, Step), f"an offered option is refused: {done}"
        if watch is not None:
            watch(state, done.state, done.events)
        state, events = done.state, events + done.events
    return state, events


def _goes_on(
    top: Frame, only: tuple[type[Frame], ...] | None, until: tuple[type[Frame], ...]
) -> bool:
    return (only is None or isinstance(top, only)) and not isinstance(top, until)


def _picked(state: State, number: int) -> Any:
    """Any of the options offered; an amount stays symbolic."""
    option = choose(f"choice {number}", options(IMPERIUM, state))
    if not isinstance(option, Amount):
        return option
    amount = quantity(f"amount {number}")
    assume(all_of(amount >= option.low, amount <= option.high))
    make: Any = option.make
    return make(option.by, amount)
