"""What the client raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from truthsayer.v1 import common_pb2


class ServiceError(Exception):
    """A call that the service refused or could not answer.

    `status` is the name of the gRPC status, such as NOT_FOUND; `problem` says what to put right.
    """

    def __init__(self, status: str, problem: common_pb2.Problem) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.status = status
        self.problem = problem
