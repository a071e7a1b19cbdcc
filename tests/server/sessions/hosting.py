"""Servers with nothing but sessions, several in one process if need be."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import Any

import grpc

from rules_engine.kernel.records import change
from server.authorising import Authorising
from server.errors import PlainErrors
from server.sessions.service import SessionService
from server.settings import Limits, Settings
from server.store.database import Database, Synchronous, open_database
from server.store.tokens import Tokens
from truthsayer.v1 import session_pb2_grpc

LOOPBACK = "127.0.0.1:0"


@dataclass
class Running:
    """A server that runs."""

    server: grpc.aio.Server
    sessions: SessionService
    database: Database
    address: str

    def token(self) -> str:
        """The token of somebody who may begin sessions, and is nobody else."""
        return Tokens(self.database).add(["run"], 1)[0]

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
    settings = Settings(limits=change(limits, requests_per_second=0))
    interceptors = [Authorising(database, settings), PlainErrors()]
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
