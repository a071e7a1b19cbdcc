"""The run in progress: rule functions and properties reach it through these functions.

A run is either symbolic (`explorer.Explorer`, which follows every path) or concrete
(`replay.Replay`, which follows the one path of a counterexample). Properties are written once and
run both ways.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rules_engine.kernel import numbers
from rules_engine.kernel.numbers import Quantity

Term = Any
"""A Z3 term: the library has no types of its own."""

Option = TypeVar("Option")

VERIFIER = Path(__file__).parent
OWN = {
    str(numbers.__file__),
    *(str(VERIFIER / each) for each in ("current.py", "numbers.py", "one_of.py")),
    str(VERIFIER / "refused_calls.py"),
}
"""The files that a misuse is noticed in, and does not come from."""
MAKE_POSITIONS = {str(VERIFIER), str(VERIFIER / "shapes")}
"""What is no position at all is known there; whoever else says so leaves values out."""


class Unsupported(Exception):
    """The code under proof does something that a proof cannot follow."""


class Misuse(Unsupported):
    """Something was done with a value that a proof cannot follow, told with its place."""

    def __init__(self, use: str) -> None:
        super().__init__(f"{use} at {_place()}")


def _place() -> str:
    """The innermost place outside the verifier's own numbers."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename in OWN:
        frame = frame.f_back
    file = Path(frame.f_code.co_filename)
    return f"{'/'.join(file.parts[-3:])}:{frame.f_lineno} ({frame.f_code.co_name})"


class PathEnds(BaseException):
    """An assumption failed: no more claims on this path. Rule code must not catch it."""


class NoSuchPosition(PathEnds):
    """These values do not exist together, so not even the claims made before count."""


class Run(Protocol):
    """What a run offers to the code under proof."""

    values: Mapping[str, int] | None
    """The values of all unknowns that matter, if the run is concrete."""

    def branch(self, condition: Any) -> bool:
        """Which way the code goes at a condition on symbolic numbers."""

    def quantity(self, name: str, low: int, high: int | None) -> Quantity:
        """A number that may be anything from low to high."""

    def choose(self, name: str, options: Sequence[Any], *, column: bool = False) -> int:
        """The place of one of the options; the same name gives the same all along a path.

        The options of a name are the same at every time; those of a column are only as many.
        """

    def assume(self, condition: bool, by: str) -> None:
        """Go on only where the condition holds, which the property `by` shows, if any does."""

    def domain(self, condition: bool, stated: bool) -> None:
        """Only values for which the condition holds exist; `stated` by a property, or known."""

    def claim(self, condition: bool, text: str, of: str) -> None:
        """What has to hold here; `of` names the property that says so, if several run at once."""

    def note(self, found: Unsupported) -> None:
        """Remember a use that cannot be followed, even if somebody catches the error."""

    def stage(self, position: Any, inputs: tuple[Any, ...]) -> None:
        """The position that the path starts from and the inputs given so far."""


_runs: list[Run] = []


@contextmanager
def running(run: Run) -> Iterator[None]:
    """Make this the run in progress."""
    _runs.append(run)
    try:
        yield
    finally:
        _runs.pop()


def in_progress() -> bool:
    """Whether there is a run in progress."""
    return bool(_runs)


def current() -> Run:
    """The run in progress."""
    if not _runs:
        raise Unsupported("symbolic numbers only mean something inside a proof")
    return _runs[-1]


def reject(found: Unsupported) -> Unsupported:
    """Note a use that cannot be followed and give the error to raise."""
    if _runs:
        _runs[-1].note(found)
    return found


def quantity(name: str, low: int = 0, high: int | None = None) -> Quantity:
    """Any whole number from `low` to `high`; without `high`, however large."""
    if high is not None and high < low:
        raise ValueError(f"no number from {low} to {high} for {name}")
    return current().quantity(name, low, high)


def choose(name: str, options: Sequence[Option]) -> Option:
    """Any one of the options; the same name gives the same place in the list along a path."""
    return options[current().choose(name, options, column=bool(_elsewhere))]


_elsewhere: list[bool] = []
"""Whether names stand for the choices of another table."""


def is_elsewhere() -> bool:
    """Whether this is at another table."""
    return bool(_elsewhere)


@contextmanager
def at_another_table() -> Iterator[None]:
    """Inside, a name is the choice that was made before, with the options as they are there."""
    _elsewhere.append(True)
    try:
        yield
    finally:
        _elsewhere.pop()


def truth_value(condition: bool) -> bool:
    """The condition, which must be a truth value: a generator or a function would count as true."""
    # A symbolic truth value says that it is a `bool`.
    if condition.__class__ is not bool:
        kind = type(condition).__name__
        raise reject(Misuse(f"a {kind} where a truth value has to be"))
    return condition


def choose_in_column(name: str, options: Sequence[Option]) -> Option:
    """One of the options of a column, in the row that is chosen for all columns of this name."""
    return options[current().choose(name, options, column=True)]


def assume(condition: bool) -> None:
    """Go on only where the condition holds; what was claimed before has to hold elsewhere too."""
    current().assume(truth_value(condition), "")


def domain(condition: bool) -> None:
    """Say which values of unknowns exist together; where it fails, nothing has to hold.

    It belongs where the unknowns are read first. After a claim about the same unknowns it would
    hide what was claimed, and is refused.
    """
    folder = os.path.dirname(sys._getframe(1).f_code.co_filename)
    current().domain(truth_value(condition), folder not in MAKE_POSITIONS)


def claim(condition: bool, text: str, *, of: str = "") -> None:
    """Say what has to hold here; a proof fails where it does not.

    `of` is the property that says so; inside `claims_of` it need not be named.
    """
    current().claim(truth_value(condition), text, of or (_claiming[-1] if _claiming else ""))


_claiming: list[str] = []
"""The property whose claims are being made, if several are run at once."""


@contextmanager
def claims_of(name: str) -> Iterator[None]:
    """Say of which property the claims made inside are."""
    _claiming.append(name)
    try:
        yield
    finally:
        _claiming.pop()


def stage(position: Any, inputs: tuple[Any, ...] = ()) -> None:
    """Say from which position, by which inputs, the engine gets to what is claimed."""
    current().stage(position, inputs)
