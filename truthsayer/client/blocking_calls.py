"""Calls that wait for their answer, over one connection and for one caller."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

import grpc

from truthsayer.client.connecting import metadata_of
from truthsayer.client.failures import told
from truthsayer.client.keys import KeyedT, with_key

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")


class Calls:
    """Makes functions of methods: they say who calls, keep to the time and raise our errors."""

    def __init__(
        self, address: str, channel: grpc.Channel, token: str | None, timeout: float | None
    ) -> None:
        self.address = address
        self.channel = channel
        self.timeout = timeout
        self.metadata = metadata_of(token)

    def of(self, token: str) -> Calls:
        """Calls of another caller over the same connection."""
        return Calls(self.address, self.channel, token, self.timeout)

    def one(
        self, method: grpc.UnaryUnaryMultiCallable[RequestT, ResponseT]
    ) -> Callable[[RequestT], ResponseT]:
        """A method with one answer."""

        def call(request: RequestT) -> ResponseT:
            try:
                return method(request, timeout=self.timeout, metadata=self.metadata)
            except grpc.RpcError as error:
                raise told(self.address, error) from None

        return call

    def keyed(
        self, method: grpc.UnaryUnaryMultiCallable[KeyedT, ResponseT]
    ) -> Callable[[KeyedT], ResponseT]:
        """A method that changes something, and is repeated safely because of a key."""
        call = self.one(method)
        return lambda request: call(with_key(request))

    def many(
        self,
        method: grpc.UnaryStreamMultiCallable[RequestT, ResponseT],
        *,
        endless: bool = False,
    ) -> Callable[[RequestT], Generator[ResponseT, None, None]]:
        """A method with answers that come one by one; to an endless one, no timeout applies."""

        def call(request: RequestT) -> Generator[ResponseT, None, None]:
            timeout = None if endless else self.timeout
            answers = method(request, timeout=timeout, metadata=self.metadata)
            try:
                yield from answers
            except grpc.RpcError as error:
                raise told(self.address, error) from None
            finally:
                answers.cancel()

        return call
