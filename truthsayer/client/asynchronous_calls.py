"""Calls to await, over one connection and for one caller."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeVar

import grpc
from grpc import aio

from truthsayer.client.connecting import metadata_of
from truthsayer.client.failures import told
from truthsayer.client.keys import KeyedT, with_key

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")


class AsyncCalls:
    """Makes functions of methods: they say who calls, keep to the time and raise our errors."""

    def __init__(
        self, address: str, channel: aio.Channel, token: str | None, timeout: float | None
    ) -> None:
        self.address = address
        self.channel = channel
        self.timeout = timeout
        self.metadata = metadata_of(token)

    def of(self, token: str) -> AsyncCalls:
        """Calls of another caller over the same connection."""
        return AsyncCalls(self.address, self.channel, token, self.timeout)

    def one(
        self, method: aio.UnaryUnaryMultiCallable[RequestT, ResponseT]
    ) -> Callable[[RequestT], Awaitable[ResponseT]]:
        """A method with one answer."""

        async def call(request: RequestT) -> ResponseT:
            try:
                return await method(request, timeout=self.timeout, metadata=self.metadata)
            except grpc.RpcError as error:
                raise told(self.address, error) from None

        return call

    def keyed(
        self, method: aio.UnaryUnaryMultiCallable[KeyedT, ResponseT]
    ) -> Callable[[KeyedT], Awaitable[ResponseT]]:
        """A method that changes something, and is repeated safely because of a key."""
        call = self.one(method)
        return lambda request: call(with_key(request))

    def many(
        self,
        method: aio.UnaryStreamMultiCallable[RequestT, ResponseT],
        *,
        endless: bool = False,
    ) -> Callable[[RequestT], AsyncGenerator[ResponseT, None]]:
        """A method with answers that come one by one; to an endless one, no timeout applies."""

        async def call(request: RequestT) -> AsyncGenerator[ResponseT, None]:
            timeout = None if endless else self.timeout
            answers = method(request, timeout=timeout, metadata=self.metadata)
            try:
                async for answer in answers:
                    yield answer
            except grpc.RpcError as error:
                raise told(self.address, error) from None
            finally:
                answers.cancel()

        return call
