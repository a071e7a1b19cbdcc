"""A session as one seat, or an observer, has it; its answers are awaited."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from truthsayer.client.asynchronous_calls import AsyncCalls
from truthsayer.client.failures import updates_ended
from truthsayer.client.reconnecting import PAUSES
from truthsayer.errors import ServiceError
from truthsayer.v1 import session_pb2, session_pb2_grpc


class AsyncSession:
    """One session, for one seat or an observer; `AsyncClient.session` makes it.

    It remembers the revision at which the caller last looked, or to which the caller's own input
    led. An input is sent for that revision, so that the call fails with `ABORTED` if the session
    has gone on meanwhile: look again and decide anew.
    """

    def __init__(self, id: str, calls: AsyncCalls) -> None:
        self.id = id
        self.revision: int | None = None
        """The revision that was last seen; none before the first look."""

        self._address = calls.address
        sessions = session_pb2_grpc.SessionServiceStub(calls.channel)
        self._get = calls.one(sessions.GetSession)
        self._list_actions = calls.one(sessions.ListSessionActions)
        self._send_input = calls.keyed(sessions.SendInput)
        self._undo = calls.keyed(sessions.Undo)
        self._subscribe = calls.many(sessions.Subscribe, endless=True)

    async def get(self) -> session_pb2.GetSessionResponse:
        """How the session stands: revision, view, who is asked, and by what it is played."""
        found = await self._get(session_pb2.GetSessionRequest(session=self.id))
        self.revision = found.revision
        return found

    async def view(self) -> dict[str, Any]:
        """The position as the caller may see it."""
        shown: dict[str, Any] = json.loads((await self.get()).view)
        return shown

    async def actions(self) -> list[dict[str, Any]]:
        """Every input that is allowed to the caller now."""
        found = await self._list_actions(session_pb2.ListSessionActionsRequest(session=self.id))
        self.revision = found.revision
        return [json.loads(each) for each in found.inputs]

    async def send(self, input: Mapping[str, Any]) -> session_pb2.SendInputResponse:
        """Give an input, made for the revision last seen; it was `taken` or `refused`."""
        request = session_pb2.SendInputRequest(
            session=self.id, revision=await self._seen(), input=json.dumps(dict(input))
        )
        answer = await self._send_input(request)
        if answer.HasField("taken"):
            self.revision = answer.taken.revision
        return answer

    async def undo(self, to: int) -> session_pb2.UndoResponse:
        """Take the caller's own last inputs back, to a revision."""
        request = session_pb2.UndoRequest(
            session=self.id, revision=await self._seen(), return_to=to
        )
        answer = await self._undo(request)
        self.revision = answer.revision
        return answer

    async def updates(self, after: int = 0) -> AsyncGenerator[session_pb2.SubscribeResponse, None]:
        """What happened after a revision, and then whatever happens, without end.

        A connection that is lost is made anew, from the last update on.
        """
        pauses = iter(PAUSES)
        while True:
            failure = updates_ended(self._address)
            try:
                request = session_pb2.SubscribeRequest(session=self.id, after=after)
                async with aclosing(self._subscribe(request)) as heard:
                    async for update in heard:
                        after = update.revision
                        pauses = iter(PAUSES)
                        yield update
            except ServiceError as error:
                if error.status != "UNAVAILABLE":
                    raise
                failure = error
            pause = next(pauses, None)
            if pause is None:
                raise failure
            await asyncio.sleep(pause)

    async def _seen(self) -> int:
        return (await self.get()).revision if self.revision is None else self.revision
