"""Who calls, and what they may do. The call's token says it; services only ask `caller()`."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Literal

from rules_engine.kernel.records import Record

Scope = Literal["play", "observe", "run", "prove", "administer"]
"""Play a seat of one session, look on at one, run what the service computes, prove, administer."""

SCOPES: tuple[Scope, ...] = ("play", "observe", "run", "prove", "administer")


class Caller(Record):
    """A caller with what the token allows; `play` and `observe` are for one session alone."""

    id: str
    """The token's id, or where the call comes from if it has none: for limits and the log."""

    scopes: frozenset[Scope]
    session: str | None = None
    seat: int | None = None
    """The seat that is played; none for those who look on."""


CALLER: ContextVar[Caller] = ContextVar("caller")
"""Set for each call before its method runs."""


def caller() -> Caller:
    """Who calls."""
    return CALLER.get()
