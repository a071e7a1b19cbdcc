"""Runs a function once with plain numbers: the values of a counterexample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.numbers import Quantity
from verifier.current import NoSuchPosition, PathEnds, Unsupported, running
from verifier.explorer import is_asserted, told
from verifier.same_options import require_same_options, two_unknowns

NO_CRASH = "the engine does not crash"
"""What does not hold where a rule function raises an error."""
AS_PLAYED = "the game goes on as the property plays it"
"""What does not hold where the engine refuses what a property does, or asks for something else."""


class Replay:
    """A run in which every unknown has its value; it remembers what failed and from where.

    `values` is open to the builders of positions, so that they make real ones. A run that hides it
    gets watched positions instead and shows, in `read`, which unknowns matter at all.
    """

    def __init__(self, known: Mapping[str, int], *, real: bool = True) -> None:
        self.known = known
        self.values = known if real else None
        self.read: dict[str, str] = {}
        """The unknowns asked for, and their values in words."""
        self.bounds: dict[str, tuple[int, int | None]] = {}
        self.options: dict[str, Sequence[Any]] = {}
        self.failed: list[str] = []
        self.claims = 0
        self.staged: list[Any] = []
        """The positions that were looked at until something failed."""
        self.inputs: tuple[Any, ...] = ()

    def branch(self, condition: Any) -> bool:
        """Never asked: there are no symbolic numbers here."""
        raise AssertionError(condition)

    def quantity(self, name: str, low: int, high: int | None) -> Quantity:
        """The value, or the smallest one possible if it played no part."""
        if self.bounds.setdefault(name, (low, high)) != (low, high):
            raise two_unknowns(name)
        value = self.known.get(name, low)
        self.read[name] = str(value)
        self.domain(value >= low and (high is None or value <= high), stated=False)
        return value

    def choose(self, name: str, options: Sequence[Any], *, column: bool = False) -> int:
        """The option that the counterexample takes."""
        if not options:
            raise ValueError(f"nothing to choose for {name}")
        if not column:
            require_same_options(name, self.options.setdefault(name, options), options)
        chosen = self.known.get(name, 0)
        self.domain(0 <= chosen < len(options), stated=False)
        plain = isinstance(options[chosen], str | int | None)
        self.read[name] = str(options[chosen]) if plain else ""
        return chosen

    def assume(self, condition: bool, by: str) -> None:
        """A counterexample lies within the assumptions."""
        del by
        if not condition:
            raise PathEnds

    def domain(self, condition: bool, stated: bool) -> None:
        """A counterexample is a position that can be."""
        del stated
        if not condition:
            raise NoSuchPosition

    def claim(self, condition: bool, text: str, of: str) -> None:
        """Note what does not hold."""
        del of
        self.claims += 1
        if not condition:
            self.failed.append(text)

    def note(self, found: Unsupported) -> None:
        """Plain numbers can be used in every way."""

    def stage(self, position: Any, inputs: tuple[Any, ...]) -> None:
        """Keep the position and inputs that show the failure."""
        if not self.failed:
            self.staged.append(position)
            self.inputs = inputs

    @property
    def position(self) -> Any:
        """The position that shows the failure: the last one."""
        return self.staged[-1] if self.staged else None


def replay(
    function: Callable[[], object], values: Mapping[str, int], *, real: bool = True
) -> Replay:
    """Run the function with these values; an exception of a rule function is a failure too."""
    run = Replay(values, real=real)
    try:
        with running(run):
            function()
    except NoSuchPosition:
        run.failed.clear()
    except PathEnds:
        return run
    except (TruthsayerError, Unsupported):
        raise
    except (Exception, SystemExit) as crash:
        run.failed.append(f"{AS_PLAYED if is_asserted(crash) else NO_CRASH} ({told(crash)})")
    return run
