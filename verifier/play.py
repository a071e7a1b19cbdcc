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
    only: tuple[type[Frame], ...] = (Frame,),
    offers: Callable[[Any], bool] = lambda _: True,
    watch: Watch | None = None,
) -> tuple[State, tuple[Event, ...]]:
    """Handle the top frame until nothing is pending, forking over every option that is offered.

    `only` ends it before a frame of another kind; `offers` says which options are of interest.
    """
    start = state
    inputs: tuple[Any, ...] = ()
    events: tuple[Event, ...] = ()
    stage(start)
    while state.pending and isinstance(state.pending[-1], only):
        given = None
        if not asked(IMPERIUM, state).nobody():
            given = _picked(state, offers, len(inputs))
            inputs = (*inputs, given)
            stage(start, inputs)
        done = handle(IMPERIUM, state, given)
        assert isinstance(done, Step), f"an offered option is refused: {done}"
        if watch is not None:
            watch(state, done.state, done.events)
        state, events = done.state, events + done.events
    return state, events


def _picked(state: State, offers: Callable[[Any], bool], number: int) -> Any:
    """Any of the options offered; an amount stays symbolic."""
    offered = [option for option in options(IMPERIUM, state) if offers(option)]
    option = choose(f"choice {number}", offered)
    if not isinstance(option, Amount):
        return option
    amount = quantity(f"amount {number}")
    assume(all_of(amount >= option.low, amount <= option.high))
    make: Any = option.make
    return make(option.by, amount)
