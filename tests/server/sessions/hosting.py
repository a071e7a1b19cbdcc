"""Servers with nothing but sessions, several in one process if need be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import grpc

from server.callers import CALLER, Caller
from server.errors import PlainErrors
from server.sessions.service import SessionService
from server.settings import Limits
from server.store.database import Database, Synchronous, open_database
from server.store.session_tokens import SessionTokens
from truthsayer.v1 import session_pb2_grpc

LOOPBACK = "127.0.0.1:0"
Context = grpc.aio.ServicerContext[Any, Any]


class Admitting(grpc.aio.ServerInterceptor):
    """Says who calls: who has a session's token, or else anybody."""

    def __init__(self, tokens: SessionTokens) -> None:
        self._tokens = tokens

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Set the caller before the method runs."""
        handler: Any = await continuation(handler_call_details)
        how = handler.request_deserializer, handler.response_serializer

        async def one(request: Any, context: Context) -> Any:
            CALLER.set(self._caller(context))
            return await handler.unary_unary(request, context)

        async def many(request: Any, context: Context) -> AsyncIterator[Any]:
            CALLER.set(self._caller(context))
            async for response in handler.unary_stream(request, context):
                yield response

        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(many, *how)
        return grpc.unary_unary_rpc_method_handler(one, *how)

    def _caller(self, context: Context) -> Caller:
        metadata = dict(context.invocation_metadata() or ())
        token = str(metadata.get("authorization", "")).removeprefix("Bearer ")
        verified = self._tokens.verify(token)
        if verified is None:
            who = str(metadata.get("who", "anybody"))
            return Caller(who, frozenset({"run", "prove", "administer"}))
        session, seat = verified
        if seat is None:
            return Caller(f"observer of {session}", frozenset({"observe"}), session)
        return Caller(f"seat {seat} of {session}", frozenset({"play"}), session, seat)


@dataclass
class Running:
    """A server that runs."""

    server: grpc.aio.Server
    sessions: SessionService
    database: Database
    address: str

    async def stop(self, grace: float = 5.0) -> None:
        """Let the calls in progress end, and leave."""
        self.sessions.leave()
        await self.server.stop(grace)
        self.sessions.close()
        self.database.close()


async def serve_sessions(
    store: str, limits: Limits, synchronous: Synchronous = "full", listen: str = LOOPBACK
) -> Running:
    """A server that keeps sessions in a store, from now on."""
    database = open_database(store, synchronous)
    sessions = SessionService(database, limits)
    interceptors = [Admitting(SessionTokens(database)), PlainErrors()]
    server = grpc.aio.server(interceptors=interceptors)
    session_pb2_grpc.add_SessionServiceServicer_to_server(sessions, server)
    port = server.add_insecure_port(listen)
    await server.start()
    sessions.start()
    return Running(server, sessions, database, f"127.0.0.1:{port}")


class Hosts:
    """A thread in which servers run."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._running: list[Running] = []
        self._thread.start()

    def start(self, store: str, limits: Limits = Limits()) -> Running:  # noqa: B008
        """One more server."""
        running: Running = self._await(serve_sessions(store, limits))
        self._running.append(running)
        return running

    def stop(self, running: Running) -> None:
        """One server less."""
        self._running.remove(running)
        self._await(running.stop())

    def close(self) -> None:
        """Stop everything."""
        while self._running:
            self.stop(self._running[-1])
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=30)
        assert not self._thread.is_alive()
        self._loop.close()

    def _await(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=60)
