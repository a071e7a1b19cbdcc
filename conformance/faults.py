"""What can be wrong with an adapter itself, whatever it says about the game."""

from __future__ import annotations

from conformance.messages import Answers, AnyAnswer, Calls
from conformance.results import CRASHED, TIMED_OUT

NOT_STARTED = "not started"
CLOSED = "closed"
SLOW = "slow"
TOO_LONG = "too long"
GARBAGE = "garbage"
CHANGED = "changed"


class AdapterFault(Exception):
    """The adapter cannot go on: it has to be started anew."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message

    @property
    def outcome(self) -> str:
        """How the case ends in which it happened."""
        return TIMED_OUT if self.kind == SLOW else CRASHED


def matched(asked: Calls, found: Answers) -> list[AnyAnswer]:
    """The answers to a batch, if they are as many as its calls and belong to it."""
    if found.id != asked.id:
        raise AdapterFault(
            GARBAGE, f"it answered batch {found.id} where batch {asked.id} was asked"
        )
    if len(found.answers) != len(asked.calls):
        raise AdapterFault(
            GARBAGE, f"it gave {len(found.answers)} answers to {len(asked.calls)} calls"
        )
    return list(found.answers)
