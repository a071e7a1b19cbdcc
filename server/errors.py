"""Errors as gRPC knows them: a status with our `Problem` as its detail, never a stack trace."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from math import ceil
from typing import Any, NoReturn

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from rules_engine.kernel.errors import TruthsayerError
from server.answers.fields import check_fields
from server.answers.messages import problem
from server.around import replies
from server.logs import log
from server.observing import request_id
from truthsayer.v1 import common_pb2

STATUS = {
    "TS0100": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TS0201": grpc.StatusCode.NOT_FOUND,
    "TS0501": grpc.StatusCode.NOT_FOUND,
    "TS0502": grpc.StatusCode.FAILED_PRECONDITION,
    "TS0714": grpc.StatusCode.NOT_FOUND,
    "TS0802": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TS0803": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TS0810": grpc.StatusCode.DEADLINE_EXCEEDED,
    "TS0814": grpc.StatusCode.DEADLINE_EXCEEDED,
    "TS0830": grpc.StatusCode.NOT_FOUND,
    "TS0831": grpc.StatusCode.ABORTED,
    "TS0833": grpc.StatusCode.FAILED_PRECONDITION,
    "TS0834": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TS0835": grpc.StatusCode.FAILED_PRECONDITION,
    "TS0836": grpc.StatusCode.PERMISSION_DENIED,
    "TS0837": grpc.StatusCode.PERMISSION_DENIED,
    "TS0841": grpc.StatusCode.UNAVAILABLE,
    "TS0850": grpc.StatusCode.UNAUTHENTICATED,
    "TS0851": grpc.StatusCode.UNAUTHENTICATED,
    "TS0852": grpc.StatusCode.PERMISSION_DENIED,
    "TS0853": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "TS0854": grpc.StatusCode.DEADLINE_EXCEEDED,
    "TS0857": grpc.StatusCode.UNIMPLEMENTED,
    "TS0868": grpc.StatusCode.UNAVAILABLE,
    "TS0871": grpc.StatusCode.NOT_FOUND,
    "TS0902": grpc.StatusCode.NOT_FOUND,
    "TS0903": grpc.StatusCode.NOT_FOUND,
    "TS0905": grpc.StatusCode.NOT_FOUND,
}
"""The status of each code that is not simply a bad argument."""

UNIMPLEMENTED = (grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNIMPLEMENTED.value[0])
"""A status that was set can be read as either."""


class ProblemFound(Exception):
    """Bad input, as a worker process reports it."""

    def __init__(self, found: common_pb2.Problem) -> None:
        super().__init__(found.message)
        self.problem = found


class TryLater(TruthsayerError):
    """What is refused now, and would not be after some seconds."""

    def __init__(self, code: str, message: str, *, seconds: float) -> None:
        super().__init__(code, message, help=f"try again in {seconds:.1f} seconds")
        self.seconds = seconds


class Fault(Exception):
    """A defect of ours in a worker process; its text is what it came through there."""


class PlainErrors(grpc.aio.ServerInterceptor):
    """Turns whatever goes wrong in a call into a status that its caller can use."""

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Wrap the handler; it reads the message itself, so that a malformed one is told too."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        method = handler_call_details.method
        if handler.request_streaming:  # and so do all our responses then
            return grpc.stream_stream_rpc_method_handler(
                _conversing(method, handler), response_serializer=handler.response_serializer
            )
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(
                _streaming(method, handler), response_serializer=handler.response_serializer
            )
        return grpc.unary_unary_rpc_method_handler(
            _unary(method, handler), response_serializer=handler.response_serializer
        )


def _unary(method: str, handler: Any) -> Any:
    async def answer(data: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        try:
            return await handler.unary_unary(_read(method, handler, data), context)
        except Exception as error:
            await abort(error, context)

    return answer


def _streaming(method: str, handler: Any) -> Any:
    async def answer(
        data: bytes, context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[Any]:
        try:
            request = _read(method, handler, data)
            async for response in replies(handler.unary_stream(request, context)):
                yield response
        except Exception as error:
            await abort(error, context)

    return answer


def _conversing(method: str, handler: Any) -> Any:
    async def answer(
        data: AsyncIterator[bytes], context: grpc.aio.ServicerContext[Any, Any]
    ) -> AsyncIterator[Any]:
        requests = (_read(method, handler, each) async for each in data)
        try:
            async for response in handler.stream_stream(requests, context):
                yield response
        except Exception as error:
            await abort(error, context)

    return answer


def _read(method: str, handler: Any, data: bytes) -> Any:
    try:
        request = handler.request_deserializer(data)
    except DecodeError as error:
        raise TruthsayerError(
            "TS0801",
            f"the message to `{method}` cannot be read",
            help="make it from proto/truthsayer/v1, or from what reflection gives",
        ) from error
    if isinstance(request, Message):
        check_fields(request)
    return request


async def abort(error: Exception, context: grpc.aio.ServicerContext[Any, Any]) -> NoReturn:
    """End the call with the status that fits."""
    if isinstance(error, grpc.aio.AbortError):
        raise error
    if isinstance(error, TryLater):
        status = _status(problem(error), more=_retry_info(error))
    elif isinstance(error, TruthsayerError):
        status = _status(problem(error))
    elif isinstance(error, ProblemFound):
        status = _status(error.problem)
    elif isinstance(error, NotImplementedError) and context.code() in UNIMPLEMENTED:
        status = _status(_not_implemented())
    else:
        status = _internal(error)
    trailing = (*(status.trailing_metadata or ()), *context.trailing_metadata())
    await context.abort(status.code, status.details, trailing)


def _not_implemented() -> common_pb2.Problem:
    """What gRPC's own services say of methods that they have only in name."""
    return common_pb2.Problem(
        code="TS0857",
        message="the service has this method only in name",
        help="call another one",
    )


def _internal(error: Exception) -> grpc.Status:
    """A defect of ours: the caller gets the id of the call, under which the log has more."""
    mark = request_id()
    more = {"worker": str(error)} if isinstance(error, Fault) else {}
    log().error("fault", request=mark, exc_info=error, **more)
    found = common_pb2.Problem(
        code="TS0809",
        message=f"the server met a fault of its own, {mark}",
        help=f"please report it with what the server's log says about {mark}",
    )
    return _status(found, grpc.StatusCode.INTERNAL)


def _retry_info(error: TryLater) -> Message:
    """When to try again, as gRPC's own libraries read it."""
    delay = Duration()
    delay.FromMilliseconds(ceil(1000 * error.seconds))
    found: Message = RetryInfo(retry_delay=delay)
    return found


def _status(
    found: common_pb2.Problem, code: grpc.StatusCode | None = None, more: Message | None = None
) -> grpc.Status:
    """A status with the problem as its detail, and whatever else there is after it."""
    code = code or STATUS.get(found.code, grpc.StatusCode.INVALID_ARGUMENT)
    status = Status(code=code.value[0], message=f"{found.code}: {found.message}")
    status.details.add().Pack(found)
    if more is not None:
        status.details.add().Pack(more)
    return rpc_status.to_status(status)
