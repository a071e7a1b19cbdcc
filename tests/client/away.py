"""A service that is away at times and keeps what it was asked, to see what clients repeat."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc

from truthsayer.v1 import session_pb2, session_pb2_grpc

AWAY, REFUSED = grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL


class Away(session_pb2_grpc.SessionServiceServicer):
    """Fails as often as it is told, and answers then."""

    def __init__(self, failures: int, status: grpc.StatusCode = AWAY) -> None:
        self.failures = failures
        self.status = status
        self.heard: list[Any] = []

    def _hear(self, request: Any, context: Any) -> None:
        self.heard.append(request)
        if len(self.heard) <= self.failures:
            context.abort(self.status, "away")

    def ListSessions(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Changes nothing."""
        self._hear(request, context)
        return session_pb2.ListSessionsResponse()

    ListSessionActions = ReplaySession = ListSessions

    def CreateSession(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Changes something, with a key."""
        self._hear(request, context)
        return session_pb2.CreateSessionResponse(session="s")

    def SendInput(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Changes something, with a key."""
        self._hear(request, context)
        taken = session_pb2.Taken(revision=request.revision + 1)
        return session_pb2.SendInputResponse(taken=taken)

    def Undo(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Changes something, with a key."""
        self._hear(request, context)
        return session_pb2.UndoResponse(revision=request.revision + 1)

    def DeleteSession(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Changes something, without a key."""
        self._hear(request, context)
        return session_pb2.DeleteSessionResponse()

    def GetSession(self, request: Any, context: Any) -> Any:  # noqa: N802, ARG002
        """Always there."""
        return session_pb2.GetSessionResponse(revision=7, view="{}")

    def Subscribe(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Two records, and then it is away, or ends; as often as it is told, at once."""
        self._hear(request, context)
        for revision in (request.after + 1, request.after + 2):
            yield session_pb2.SubscribeResponse(revision=revision)
        if request.after % 4 == 0:
            context.abort(AWAY, "away")


@contextmanager
def away(service: Away) -> Iterator[str]:
    """The service, running; gives its address."""
    server = grpc.server(ThreadPoolExecutor(4))
    session_pb2_grpc.add_SessionServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(0).wait()
