"""Does something around each call, whether it takes or gives one message or many."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

import grpc

Context = grpc.aio.ServicerContext[Any, Any]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


def around(
    handler: Handler,
    manager: Callable[[Context], AbstractAsyncContextManager[None]],
    before_each: Callable[[Context], Awaitable[None]] | None = None,
) -> Handler:
    """The handler, which enters what `manager` gives before each call and leaves it after.

    `before_each` is called before each of many replies to one request.
    """
    inner: Any = handler

    async def unary(request: Any, context: Context) -> Any:
        async with manager(context):
            return await inner.unary_unary(request, context)

    async def streaming(request: Any, context: Context) -> AsyncIterator[Any]:
        async with manager(context):
            async for each in replies(inner.unary_stream(request, context)):
                if before_each is not None:
                    await before_each(context)
                yield each

    async def conversing(requests: Any, context: Context) -> AsyncIterator[Any]:
        async with manager(context):
            async for each in replies(inner.stream_stream(requests, context)):
                yield each

    readers = (inner.request_deserializer, inner.response_serializer)
    if inner.request_streaming:  # and so do all our responses then
        return grpc.stream_stream_rpc_method_handler(conversing, *readers)
    if inner.response_streaming:
        return grpc.unary_stream_rpc_method_handler(streaming, *readers)
    return grpc.unary_unary_rpc_method_handler(unary, *readers)


async def replies(answer: Any) -> AsyncIterator[Any]:
    """What a method with many replies gives; one that is awaited has sent them by itself."""
    if inspect.isawaitable(answer):
        await answer
        return
    async for each in answer:
        yield each
