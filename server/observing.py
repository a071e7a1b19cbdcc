"""Observes every call in one place: a line in the log, the figures, and a span of the trace."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import grpc

from server.addresses import address_of
from server.around import Context, Handler, around
from server.callers import CALLER
from server.figures import Figures
from server.logs import log
from server.traces import Traces

REQUEST_KEY = "x-request-id"
"""The key in the metadata: what a caller sends there comes back there, and is in the log."""

_REQUEST_ID = re.compile(r"[\w.:/+=-]{1,64}", re.ASCII)

_REQUEST: ContextVar[str] = ContextVar("request")

QUIET = ("/grpc.health.", "/grpc.reflection.")
"""Who watches the server asks all the time; that is only logged with the level `debug`."""

OURS = frozenset({grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.DATA_LOSS})
"""Statuses that the server is to blame for."""


def request_id() -> str:
    """The id of the call that is being answered, or a new one outside of calls."""
    return _REQUEST.get(None) or new_request_id()


def new_request_id() -> str:
    """An id for a call whose caller gave none."""
    return secrets.token_hex(8)


class Observing(grpc.aio.ServerInterceptor):
    """The outermost interceptor, so that it sees how every call ends."""

    def __init__(self, figures: Figures, traces: Traces | None) -> None:
        self._figures = figures
        self._traces = traces
        self._log = log()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Observe the call, unless there is no such method."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        method = handler_call_details.method
        metadata = _texts(handler_call_details.invocation_metadata)
        return around(handler, lambda context: self._observe(method, metadata, context))

    @asynccontextmanager
    async def _observe(
        self, method: str, metadata: dict[str, str], context: Context
    ) -> AsyncIterator[None]:
        given = metadata.get(REQUEST_KEY, "")
        request = given if _REQUEST_ID.fullmatch(given) else new_request_id()
        _REQUEST.set(request)
        context.set_trailing_metadata(((REQUEST_KEY, request),))
        span = self._traces.begin(method, metadata, request) if self._traces else None
        in_progress = self._figures.in_progress.labels(method)
        in_progress.inc()
        began = time.perf_counter()
        ended = grpc.StatusCode.OK
        try:
            yield
        except (asyncio.CancelledError, GeneratorExit):
            late = context.time_remaining() == 0
            ended = grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED
            raise
        except Exception:
            ended = grpc.StatusCode.UNKNOWN
            raise
        finally:
            seconds = time.perf_counter() - began
            code: Any = context.code()
            status = code if isinstance(code, grpc.StatusCode) else ended
            in_progress.dec()
            self._figures.calls.labels(method, status.name).inc()
            self._figures.seconds.labels(method).observe(seconds)
            known = CALLER.get(None)
            caller = known.id if known else address_of(context.peer())
            self._write(method, status, seconds, caller, request)
            if self._traces and span:
                self._traces.end(span, status.value[0], good=status not in OURS)

    def _write(
        self, method: str, status: grpc.StatusCode, seconds: float, caller: str, request: str
    ) -> None:
        write = self._log.debug if method.startswith(QUIET) else self._log.info
        write(
            "call",
            method=method,
            status=status.name,
            ms=round(seconds * 1000, 2),
            caller=caller,
            request=request,
        )


def _texts(metadata: Any) -> dict[str, str]:
    """The metadata that is text."""
    return {key: value for key, value in metadata or () if isinstance(value, str)}
