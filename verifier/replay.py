"""Runs a function once with plain numbers: the values of a counterexample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.numbers import Quantity
from verifier.current import PathEnds, Unsupported, running
from verifier.explorer import told


@dataclass
class Replay:
    """A run in which every unknown has its value; it remembers what failed and from where."""

    values: Mapping[str, int]
    failed: list[str] = field(default_factory=list)
    claims: int = 0
    position: Any = None
    inputs: tuple[Any, ...] = ()

    def branch(self, condition: Any) -> bool:
        """Never asked: there are no symbolic numbers here."""
        raise AssertionError(condition)

    def quantity(self, name: str, low: int, high: int | None) -> Quantity:
        """The value, or the smallest one possible if it played no part."""
        value = self.values.get(name, low)
        if value < low or (high is not None and value > high):
            raise PathEnds
        return value

    def choose(self, name: str, count: int) -> int:
        """The option that the counterexample takes."""
        if count < 1:
            raise ValueError(f"nothing to choose for {name}")
        chosen = self.values.get(name, 0)
        if not 0 <= chosen < count:
            raise PathEnds
        return chosen

    def assume(self, condition: bool) -> None:
        """A counterexample lies within the assumptions."""
        if not condition:
            raise PathEnds

    def claim(self, condition: bool, text: str) -> None:
        """Note what does not hold."""
        self.claims += 1
        if not condition:
            self.failed.append(text)

    def note(self, found: Unsupported) -> None:
        """Plain numbers can be used in every way."""

    def stage(self, position: Any, inputs: tuple[Any, ...]) -> None:
        """Keep the position and inputs that show the failure."""
        if not self.failed:
            self.position, self.inputs = position, inputs


def replay(function: Callable[[], object], values: Mapping[str, int]) -> Replay:
    """Run the function with these values; an exception of a rule function is a failure too."""
    run = Replay(values)
    with running(run):
        try:
            function()
        except PathEnds:
            pass
        except TruthsayerError:
            raise
        except Exception as crash:
            run.failed.append(f"the engine does not crash ({told(crash)})")
    return run
