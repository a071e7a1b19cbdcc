"""One step of the engine from any position: every kind of frame with every kind of input.

A step is called `Frame <- Input`, or `Frame` where the frame goes on by itself; an effect that
happens now is a step for each kind of effect, `Run Kind`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from rules_engine.imperium.frames import Combat, Effects, Makers, PlayerTurns, Recall
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Frame, asked, handle, legal
from rules_engine.kernel.outcomes import Event, Refusal, Seat, Step
from rules_engine.kernel.records import change
from verifier.any_effect import kinds
from verifier.any_position import any_position
from verifier.current import assume, claim, current, stage
from verifier.relied_on import assume_relied_on
from verifier.shapes.choices import CHOICES
from verifier.shapes.common import Shape
from verifier.shapes.round import ROUND
from verifier.shapes.runs import shape_of_run
from verifier.shapes.turns import TURNS
from verifier.tables import Table, neighbour, table

SHAPES: dict[str, Shape] = {
    **{kind.__name__: shape for kind, shape in (ROUND | TURNS | CHOICES).items()},
    **{f"Run {kind.__name__}": shape_of_run(kind) for kind in kinds()},
}
"""How to make any frame of a kind; what is run is told apart by the kind of effect."""

_OF_THE_ROUND = frozenset(kind.__name__ for kind in ROUND)


def _named() -> Iterator[tuple[str, tuple[str, type | None]]]:
    """The steps by name: the shape of the frame, and the kind of input, if there is one."""
    for name, shape in SHAPES.items():
        if shape.alone:
            yield name, (name, None)
        for kind in shape.inputs:
            yield f"{name} <- {kind.__name__}", (name, kind)


_STEPS = dict(_named())

STEPS: tuple[str, ...] = tuple(_STEPS)
"""Every kind of frame with every kind of input that it takes, and every kind of effect."""


def shape_and_input(step: str) -> tuple[Shape, type | None]:
    """How the frame of a step is made, and the kind of input that it gets, if it gets one."""
    name, kind = _STEPS[step]
    return SHAPES[name], kind


def open_position(step: str) -> State:
    """Any position in which a step comes next."""
    return _position(*_STEPS[step])


def take_step(step: str) -> tuple[State, State, tuple[Event, ...]]:
    """The position before and after a step, and what happened, along every path of it.

    An input that is not allowed is no step: that it is refused is all that is claimed of it.
    """
    tried = try_step(step)
    assume(tried.done is not None)
    assert tried.done is not None
    return tried.before, tried.done.state, tried.done.events


_taken: list[str] = []
"""The step that claims are being made about."""


@contextmanager
def claims_about(step: str) -> Iterator[None]:
    """Say about which step the claims made inside are."""
    _taken.append(step)
    try:
        yield
    finally:
        _taken.pop()


def step_taken() -> str:
    """The step that claims are being made about."""
    return _taken[-1]


class Tried(NamedTuple):
    """A step that was tried: from where, what came of it, and else why not."""

    before: State
    done: Step[State] | None
    asked: tuple[Seat, ...] = ()
    """Who is asked instead, if the frame does not go on by itself."""
    refused: Refusal | None = None


def try_step(step: str) -> Tried:
    """What comes of a step, also where it cannot be taken."""
    name, kind = _STEPS[step]
    shape = SHAPES[name]
    before = _position(name, kind)
    assume_relied_on(before)
    if kind is None:
        stage(before)
        who = asked(IMPERIUM, before)
        return (
            Tried(before, _done(before, None)) if who.nobody() else Tried(before, None, who.players)
        )
    given = shape.inputs[kind](before)
    stage(before, (given,))
    refused = legal(IMPERIUM, before, given)
    if refused is None:
        return Tried(before, _done(before, given))
    claim(isinstance(handle(IMPERIUM, before, given), Refusal), NOT_ALLOWED)
    return Tried(before, None, refused=refused)


NOT_ALLOWED = "an input that is not allowed is refused"


def _done(before: State, given: Any) -> Step[State]:
    done = handle(IMPERIUM, before, given)
    assert isinstance(done, Step)
    return done


def _position(name: str, kind: type | None) -> State:
    """Slots keep no values, so a proof makes them only once; a replay makes real ones."""
    make = _same_open_position if current().values is None else _open_position
    shape = SHAPES[name]
    upper = (*shape.below(), shape.make())
    return change(make(name, kind, table()), pending=(*_rest_of_the_round(name, upper[0]), *upper))


def _rest_of_the_round(name: str, lowest: Frame) -> tuple[Frame, ...]:
    """What is still to come of the round below a turn; frames of the round bring their own.

    Just below what happens in a turn something of it is due, which relies on nothing.
    """
    if name in _OF_THE_ROUND:
        return ()
    turns = (PlayerTurns(neighbour()), Effects(neighbour(), ()))
    return (Recall(), Makers(), Combat(), *(() if isinstance(lowest, PlayerTurns) else turns))


def _open_position(name: str, kind: type | None, at: Table) -> State:
    del at
    shape = SHAPES[name]
    special = shape.special[kind]() if kind in shape.special else {}
    return any_position({**shape.slots(), **special}, shape.owner(), shape.others())


_same_open_position = functools.cache(_open_position)
