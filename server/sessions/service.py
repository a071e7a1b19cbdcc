"""`SessionService`: each method hands its request to the function that answers it, in a thread.

The event loop only waits: for threads, for callers that read slowly, and for sessions to go on.
"""

# ruff: noqa: N802, ARG002  # methods are named and shaped by proto/

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import grpc

from rules_engine.kernel.views import Viewer
from server.logs import log
from server.sessions.administering import (
    begin_replay,
    delete_session,
    list_sessions,
    replay_some,
    replayed,
)
from server.sessions.creating import create_session
from server.sessions.expiring import forget_some
from server.sessions.keeping import Keeper
from server.sessions.permitting import viewer_of
from server.sessions.playing import send_input
from server.sessions.problems import bad_field
from server.sessions.replaying import Replay
from server.sessions.showing import get_session, list_session_actions, shown_record
from server.sessions.undoing import undo
from server.sessions.watching import Watch
from server.settings import Limits
from server.store.database import MOST_CONNECTIONS, Database
from server.store.session_tokens import SessionTokens
from server.store.sessions import SessionStore
from truthsayer.v1 import session_pb2, session_pb2_grpc

Context = grpc.aio.ServicerContext[Any, Any]
T = TypeVar("T")

TOLD_AT_A_TIME = 50
"""Records that are read for a subscriber at a time."""

FORGET_SECONDS = 60.0
"""How often sessions are looked for whose time is over."""


class SessionService(session_pb2_grpc.SessionServiceServicer):
    """Keeps games."""

    def __init__(self, database: Database, limits: Limits) -> None:
        self._keeper = Keeper(SessionStore(database), SessionTokens(database), limits)
        # As many as there are connections: threads of their own, which nothing slow keeps busy.
        self._threads = ThreadPoolExecutor(MOST_CONNECTIONS, "sessions")
        self._watch = Watch(self._revisions, limits.subscriptions)
        self._forgetting: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to forget sessions whose time is over."""
        self._forgetting = asyncio.create_task(self._forget())

    def leave(self) -> None:
        """End the subscriptions: the server is told to stop."""
        self._watch.leave()

    def close(self) -> None:
        """End everything, once no call is in progress."""
        if self._forgetting is not None:
            self._forgetting.cancel()
        self._watch.leave()
        self._threads.shutdown()

    async def CreateSession(
        self, request: session_pb2.CreateSessionRequest, context: Context
    ) -> session_pb2.CreateSessionResponse:
        """A game begins."""
        return await self._in_thread(create_session, self._keeper, request)

    async def GetSession(
        self, request: session_pb2.GetSessionRequest, context: Context
    ) -> session_pb2.GetSessionResponse:
        """How a session stands."""
        return await self._in_thread(get_session, self._keeper, request)

    async def ListSessionActions(
        self, request: session_pb2.ListSessionActionsRequest, context: Context
    ) -> session_pb2.ListSessionActionsResponse:
        """What the caller may do."""
        return await self._in_thread(list_session_actions, self._keeper, request)

    async def SendInput(
        self, request: session_pb2.SendInputRequest, context: Context
    ) -> session_pb2.SendInputResponse:
        """What comes of an input."""
        answer = await self._in_thread(send_input, self._keeper, request)
        self._watch.wake(request.session)
        return answer

    async def Undo(
        self, request: session_pb2.UndoRequest, context: Context
    ) -> session_pb2.UndoResponse:
        """Something is taken back."""
        answer = await self._in_thread(undo, self._keeper, request)
        self._watch.wake(request.session)
        return answer

    async def Subscribe(
        self, request: session_pb2.SubscribeRequest, context: Context
    ) -> AsyncIterator[session_pb2.SubscribeResponse]:
        """The records after a revision, and then each as it is written."""
        viewer = viewer_of(request.session)
        session, _ = await self._in_thread(self._keeper.opened, request.session)
        if not 0 <= request.after <= session.revision:
            raise bad_field(
                f"the session is not at revision {request.after} yet",
                f"name one from 0 to {session.revision}",
            )
        with self._watch.watching(request.session, request.after) as watcher:
            while not watcher.gone:
                watcher.woken.clear()
                records = await self._in_thread(
                    self._next_records, request.session, watcher.revision, viewer
                )
                if records is None:
                    return
                for record in records:
                    yield record
                    watcher.revision = record.revision
                if not records:
                    await watcher.woken.wait()

    async def ReplaySession(
        self, request: session_pb2.ReplaySessionRequest, context: Context
    ) -> session_pb2.ReplaySessionResponse:
        """Where a log leads. Between some records and the next, a caller who is gone is noticed."""
        session = await self._in_thread(begin_replay, self._keeper, request)
        replay = Replay()
        while await self._in_thread(replay_some, self._keeper, session, replay):
            pass
        return await self._in_thread(replayed, self._keeper, session, replay)

    async def ListSessions(
        self, request: session_pb2.ListSessionsRequest, context: Context
    ) -> session_pb2.ListSessionsResponse:
        """Some sessions."""
        return await self._in_thread(list_sessions, self._keeper, request)

    async def DeleteSession(
        self, request: session_pb2.DeleteSessionRequest, context: Context
    ) -> session_pb2.DeleteSessionResponse:
        """A session is ended."""
        answer = await self._in_thread(delete_session, self._keeper, request)
        self._watch.wake(request.session)
        return answer

    def _next_records(
        self, session: str, after: int, viewer: Viewer
    ) -> list[session_pb2.SubscribeResponse] | None:
        """What a viewer is told next; nothing more if the session is gone."""
        records = self._keeper.store.records(session, after, TOLD_AT_A_TIME)
        if not records and session not in self._keeper.store.revisions(
            [session], self._keeper.now()
        ):
            return None
        return [shown_record(record, viewer) for record in records]

    async def _revisions(self, sessions: Sequence[str]) -> dict[str, int]:
        now = self._keeper.now()
        return await self._in_thread(self._keeper.store.revisions, sessions, now)

    async def _forget(self) -> None:
        while True:
            try:
                while await self._in_thread(forget_some, self._keeper):
                    pass
            except Exception as error:  # whatever it is, it is tried again
                log().error("cannot forget sessions", exc_info=error)
            await asyncio.sleep(FORGET_SECONDS)

    async def _in_thread(self, work: Callable[..., T], *values: Any) -> T:
        """What a function gives; it knows who calls, and the event loop goes on meanwhile."""
        inside = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: inside.run(work, *values))
