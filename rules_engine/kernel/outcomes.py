"""What a step gives back: events with the rules behind them, or a refusal with all its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from rules_engine.kernel.records import Record

Seat = int
"""A player's place at the table, counted clockwise from 0."""

StateT = TypeVar("StateT")


class Event(Record):
    """Something that happened: a key, whom it is about, facts, and every rule that decides it.

    `secret` names the facts that only that player may see.
    """

    key: str
    rules: tuple[str, ...]
    player: Seat | None = None
    facts: dict[str, Any] = {}
    secret: tuple[str, ...] = ()


class Reason(Record):
    """One reason why something is not allowed."""

    key: str
    rules: tuple[str, ...]
    facts: dict[str, Any] = {}


class Refusal(Record):
    """An input that is not allowed, with every reason found."""

    reasons: tuple[Reason, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """All rule ids that forbid it, each once."""
        return tuple(dict.fromkeys(rule for reason in self.reasons for rule in reason.rules))


class Step(Record, Generic[StateT]):
    """The state after an accepted input and what happened on the way."""

    state: StateT
    events: tuple[Event, ...] = ()


def none(found: Iterator[object]) -> bool:
    """Whether there is none, be it a reason or a duty: the first one is enough to know."""
    return next(found, None) is None


def refusal(reasons: Iterable[Reason]) -> Refusal | None:
    """A refusal if there is any reason for one."""
    found = tuple(reasons)
    return Refusal(found) if found else None
