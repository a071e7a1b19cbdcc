"""A server with every service for tests of clients; it can be stopped and started in its place."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import grpc

from server.around import Handler
from server.authorising import Authorising
from server.errors import PlainErrors
from server.run import Pools, _add_services
from server.sessions.service import SessionService
from server.settings import Limits, Settings
from server.store.database import Database, open_database
from server.store.tokens import Tokens
from server.workers import Workers
from tests.server.running import UNLIMITED

T = TypeVar("T")


class Recorder(grpc.aio.ServerInterceptor):
    """Keeps what callers show, with the method that they call."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Note the call and let it go on."""
        metadata = dict(handler_call_details.invocation_metadata or ())
        method = handler_call_details.method.rpartition("/")[2]
        self.shown.append((method, str(metadata.get("authorization", ""))))
        return await continuation(handler_call_details)


class Forgetful(grpc.aio.ServerInterceptor):
    """Does what it is called for, and now and then loses the answer, as a server does that dies."""

    def __init__(self) -> None:
        self.forgotten = 0
        self._method = ""

    def forget(self, method: str) -> None:
        """Lose the next answer to a method, and no other."""
        self._method = method

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Let the call go on, and see whether its answer is to be lost."""
        found = await continuation(handler_call_details)
        if handler_call_details.method.rpartition("/")[2] != self._method:
            return found
        self._method = ""
        handler: Any = found

        async def answer(request: Any, context: Any) -> Any:
            await handler.unary_unary(request, context)
            self.forgotten += 1
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the connection was lost")

        readers = (handler.request_deserializer, handler.response_serializer)
        return grpc.unary_unary_rpc_method_handler(answer, *readers)


class Host:
    """One server in a thread, on one port for all its life."""

    def __init__(self, store: Path, credentials: grpc.ServerCredentials | None = None) -> None:
        self.address = "127.0.0.1:0"
        self.recorder = Recorder()
        self.forgetful = Forgetful()
        self._store = store
        self._credentials = credentials
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._parts: tuple[grpc.aio.Server, SessionService, Workers, Database] | None = None

    def start(self) -> None:
        """Begin to serve; a second time, at the same address."""
        self._await(self._start())

    def stop(self, grace: float = 0) -> None:
        """Leave; what is kept stays."""
        self._await(self._stop(grace))

    def token(self) -> str:
        """A token with which everything can be run."""
        database = open_database(str(self._store))
        text, _ = Tokens(database).add(["run"], 1)
        database.close()
        return text

    def close(self) -> None:
        """End everything."""
        if self._parts is not None:
            self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=30)
        assert not self._thread.is_alive()
        self._loop.close()

    async def _start(self) -> None:
        database = open_database(str(self._store), "normal")
        sessions = SessionService(database, Limits())
        interceptors = [
            self.recorder,
            self.forgetful,
            Authorising(database, Settings(limits=UNLIMITED)),
            PlainErrors(),
        ]
        server = grpc.aio.server(interceptors=interceptors, options=[("grpc.so_reuseport", 0)])
        workers = Workers()
        _add_services(server, sessions, Pools(workers, workers, workers))
        if self._credentials is None:
            port = server.add_insecure_port(self.address)
        else:
            port = server.add_secure_port(self.address, self._credentials)
        await server.start()
        self.address = f"127.0.0.1:{port}"
        self._parts = (server, sessions, workers, database)

    async def _stop(self, grace: float) -> None:
        assert self._parts is not None
        server, sessions, workers, database = self._parts
        self._parts = None
        await server.stop(grace)
        sessions.close()
        workers.close()
        database.close()

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=60)


@contextmanager
def hosted(store: Path, credentials: grpc.ServerCredentials | None = None) -> Iterator[Host]:
    """A server that runs meanwhile."""
    host = Host(store, credentials)
    try:
        host.start()
        yield host
    finally:
        host.close()
