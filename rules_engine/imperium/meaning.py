"""What a game says about one kind of effect: each rule area says it for its own kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Reason, Seat, Step

Runner = Callable[[State, Seat, Any, str], Step[State]]
"""Carries an effect out for its owner; what it leaves to be decided is pushed as a frame.

The last argument is the source: the card, space, track, contract or Leader that says it.
"""

WhyNot = Callable[[State, Seat, Any, str], Iterator[Reason]]
"""The reasons why an effect cannot be carried out, or a cost not be paid, now."""


def nothing_against(_: State, __: Seat, ___: Any, ____: str) -> Iterator[Reason]:
    """An effect that does what it can, and be it nothing."""
    return iter(())


@dataclass(frozen=True)
class Meaning:
    """What a kind of effect does, the rules it stands on, and what can stand against it.

    `why_not_buy` is what stands against paying a cost for it: usually nothing does.
    """

    run: Runner
    rules: tuple[str, ...]
    why_not: WhyNot = nothing_against
    why_not_buy: WhyNot = nothing_against


Meanings: TypeAlias = "dict[type, Meaning]"
