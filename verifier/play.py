"""Plays a position to the end of what is pending, along every path of choices and chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules_engine.imperium.frames import AgentTurn, RevealTurn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Action, Amount, Answer, Frame, asked, handle, legal, options
from rules_engine.kernel.outcomes import Event, Step
from verifier.current import assume, choose, quantity, stage
from verifier.numbers import all_of

MOST_STEPS = 500
"""A play that takes more steps is taken for one that never ends."""

Watch = Callable[[State, State, tuple[Event, ...]], None]
"""Sees every handled frame: the state before, the state after, and the events."""


def play_out(
    state: State,
    *,
    apart: tuple[type[Frame], ...] = (),
    first: Action | None = None,
    watch: Watch | None = None,
) -> tuple[State, tuple[Event, ...]]:
    """Handle the top frame until nothing is pending, forking over every option that is offered.

    It ends early before a frame of a kind in `apart`, unless that is the first one. `first` is the
    first input, where it is allowed.
    """
    start = state
    steps = 0
    inputs: tuple[Any, ...] = ()
    events: tuple[Event, ...] = ()
    stage(start)
    assume(first is None or legal(IMPERIUM, start, first) is None)
    while state.pending and (state is start or not isinstance(state.pending[-1], apart)):
        steps += 1
        assert steps <= MOST_STEPS, f"it has not ended after {MOST_STEPS} steps"
        given = None
        if not asked(IMPERIUM, state).nobody():
            given = _picked(state, len(inputs)) if inputs or first is None else first
            inputs = (*inputs, given)
            stage(start, inputs)
        done = handle(IMPERIUM, state, given)
        assert isinstance(done, Step), f"an offered option is refused: {done}"
        if watch is not None:
            watch(state, done.state, done.events)
        state, events = done.state, events + done.events
    return state, events


def _picked(state: State, number: int) -> Any:
    """Any of the options offered; an amount stays symbolic."""
    option = choose(f"choice {number}", options(IMPERIUM, state))
    if not isinstance(option, Amount):
        return option
    amount = quantity(f"amount {number}")
    assume(all_of(amount >= option.low, amount <= option.high))
    make: Any = option.make
    return make(option.by, amount)


def next_state(state: State, given: Any = None) -> State:
    """The position after the next frame was handled, with an allowed input or by itself."""
    done = handle(IMPERIUM, state, given)
    assert isinstance(done, Step), f"it is refused: {done}"
    after: State = done.state
    return after


@dataclass(frozen=True)
class Line:
    """A line of play: where it starts, the inputs given so far, and where that leads."""

    start: State
    state: State
    inputs: tuple[Any, ...] = ()
    events: tuple[Event, ...] = ()

    def given(self, given: Action | Answer | None) -> Line:
        """The line with the top frame handled, by an input that has to be allowed or by itself."""
        inputs = self.inputs if given is None else (*self.inputs, given)
        stage(self.start, inputs)
        done = handle(IMPERIUM, self.state, given)
        assert isinstance(done, Step), f"refused: {done}"
        return Line(self.start, done.state, inputs, self.events + done.events)

    def then(self, given: Action | Answer) -> Line:
        """The line with one more input and all that goes on by itself after it.

        It stops at a turn in progress, which may end by itself.
        """
        line = self.given(given)
        while _goes_on(line.state):
            line = line.given(None)
        return line


def _goes_on(state: State) -> bool:
    if not state.pending or isinstance(state.pending[-1], AgentTurn | RevealTurn):
        return False
    return asked(IMPERIUM, state).nobody()


def line_from(start: State) -> Line:
    """The line of play without inputs."""
    stage(start)
    return Line(start, start)
