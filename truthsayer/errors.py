"""What the client raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from truthsayer.v1 import common_pb2


class ServiceError(Exception):
    """A call that the service refused or could not answer.

    `status` is the name of the gRPC status, such as NOT_FOUND; `problem` says what to put right,
    and the properties are its parts.
    """

    def __init__(self, status: str, problem: common_pb2.Problem) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.status = status
        self.problem = problem

    @property
    def code(self) -> str:
        """The stable code, such as TS0201."""
        return self.problem.code

    @property
    def message(self) -> str:
        """What is wrong."""
        return self.problem.message

    @property
    def place(self) -> str:
        """Where it is wrong, as `file:line:column`; empty if it is in no file."""
        found = self.problem
        return f"{found.file}:{found.line}:{found.column}" if found.file else ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules behind it."""
        return tuple(rule.id for rule in self.problem.rules)

    @property
    def help(self) -> str:
        """How to put it right; empty if nothing is known."""
        return self.problem.help
