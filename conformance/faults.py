"""What can be wrong with an adapter itself, whatever it says about the game."""

from __future__ import annotations

from conformance.results import CRASHED, TIMED_OUT

NOT_STARTED = "not started"
CLOSED = "closed"
SLOW = "slow"
TOO_LONG = "too long"
GARBAGE = "garbage"


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
