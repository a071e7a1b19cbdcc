"""Lets a server stop: what would never end by itself is told to, everything else may go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from rules_engine.kernel.errors import TruthsayerError
from server.around import Context, Handler, around

ENDLESS = frozenset(
    {
        "/grpc.health.v1.Health/Watch",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        "/truthsayer.v1.SessionService/Subscribe",
    }
)
"""Calls that last as long as the caller wants."""


class Draining(grpc.aio.ServerInterceptor):
    """Knows the endless calls, and ends them when the server stops."""

    def __init__(self) -> None:
        self._calls: set[asyncio.Task[Any]] = set()
        self._stopping = False

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Remember the call while it lasts, if it is endless."""
        handler = await continuation(handler_call_details)
        if handler is None or handler_call_details.method not in ENDLESS:
            return handler
        return around(handler, self._remember)

    @asynccontextmanager
    async def _remember(self, _: Context) -> AsyncIterator[None]:
        call = asyncio.current_task()
        if self._stopping or call is None:
            raise _stops()
        self._calls.add(call)
        try:
            yield
        except asyncio.CancelledError:
            # The caller may have gone as well; then nobody hears what we say.
            if not self._stopping:
                raise
            call.uncancel()
            raise _stops() from None
        finally:
            self._calls.discard(call)

    def begin(self) -> None:
        """End the endless calls; those who made them are told to call again."""
        self._stopping = True
        for call in self._calls:
            call.cancel()


def _stops() -> TruthsayerError:
    return TruthsayerError("TS0868", "the server stops", help="call again: another server answers")
