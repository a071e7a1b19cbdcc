"""One step of the engine from any position: every kind of frame with every kind of input.

A step is called `Frame <- Input`, or `Frame` where the frame goes on by itself; an effect that
happens now is a step for each kind of effect, `Run Kind`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import asked, handle, legal
from rules_engine.kernel.outcomes import Event, Refusal, Step
from rules_engine.kernel.records import change
from verifier.any_effect import kinds
from verifier.any_position import any_position
from verifier.current import assume, claim, current, stage
from verifier.relied_on import relied_on
from verifier.shapes.choices import CHOICES
from verifier.shapes.common import Shape
from verifier.shapes.round import ROUND
from verifier.shapes.runs import shape_of_run
from verifier.shapes.turns import TURNS

SHAPES: dict[str, Shape] = {
    **{kind.__name__: shape for kind, shape in (ROUND | TURNS | CHOICES).items()},
    **{f"Run {kind.__name__}": shape_of_run(kind) for kind in kinds()},
}
"""How to make any frame of a kind; what is run is told apart by the kind of effect."""


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
    name, kind = _STEPS[step]
    shape = SHAPES[name]
    before = _position(name, kind)
    assume(relied_on(before))
    if kind is None:
        stage(before)
        assume(asked(IMPERIUM, before).nobody())
        return _done(before, None)
    given = shape.inputs[kind](before)
    stage(before, (given,))
    if legal(IMPERIUM, before, given) is not None:
        refused = isinstance(handle(IMPERIUM, before, given), Refusal)
        claim(refused, "an input that is not allowed is refused")
        assume(False)
    return _done(before, given)


def _done(before: State, given: Any) -> tuple[State, State, tuple[Event, ...]]:
    done = handle(IMPERIUM, before, given)
    assert isinstance(done, Step)
    return before, done.state, done.events


def _position(name: str, kind: type | None) -> State:
    """Slots keep no values, so a proof makes them only once; a replay makes real ones."""
    make = _same_open_position if current().values is None else _open_position
    shape = SHAPES[name]
    return change(make(name, kind), pending=(*shape.below(), shape.make()))


def _open_position(name: str, kind: type | None) -> State:
    shape = SHAPES[name]
    special = shape.special[kind]() if kind in shape.special else {}
    return any_position({**shape.slots(), **special}, shape.owner())


_same_open_position = functools.cache(_open_position)
