"""An adapter that is a server: somebody else runs it, and the kit connects to it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence

import grpc

from conformance.faults import (
    CLOSED,
    GARBAGE,
    NOT_STARTED,
    SLOW,
    TOO_LONG,
    AdapterFault,
    matched,
)
from conformance.framing import UNREADABLE
from conformance.messages import AnyAnswer, AnyCall, Calls
from conformance.protobuf import answers_of, calls_message
from truthsayer.v1 import adapter_pb2, adapter_pb2_grpc

LEAVING_SECONDS = 1.0
"""How long the thread that listens may take to end."""

KINDS = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: TOO_LONG,
    grpc.StatusCode.INTERNAL: GARBAGE,
}
"""What a status of gRPC means for us; every other one means that the stream is closed."""

Came = adapter_pb2.PlayResponse | AdapterFault


class OverGrpc:
    """A stream of batches to the server at an address.

    It waits up to `start_seconds` for a server, and `seconds` for each batch of answers, of which
    none is longer than `most_bytes`. After a fault nothing more can be asked.
    """

    def __init__(
        self, address: str, *, seconds: float, start_seconds: float, most_bytes: int
    ) -> None:
        self._address = address
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._count = 0
        # Connections of its own: one that broke is not handed to whoever connects next.
        options = [
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.max_receive_message_length", most_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 1000),
        ]
        self._channel = grpc.insecure_channel(address, options)
        self._wait_for_server(start_seconds)
        self._batches: queue.SimpleQueue[adapter_pb2.PlayRequest | None] = queue.SimpleQueue()
        # One place alone: a server that floods waits until it is read.
        self._came: queue.Queue[Came] = queue.Queue(maxsize=1)
        self._left = threading.Event()
        self._call = adapter_pb2_grpc.AdapterServiceStub(self._channel).Play(self._said())
        self._listener = threading.Thread(
            target=self._listen, name=f"listens to {address}", daemon=True
        )
        self._listener.start()

    def _wait_for_server(self, seconds: float) -> None:
        ready = grpc.channel_ready_future(self._channel)
        try:
            ready.result(timeout=seconds)
        except grpc.FutureTimeoutError as error:
            self._channel.close()
            raise AdapterFault(
                NOT_STARTED, f"no gRPC server answers at `{self._address}` within {seconds:g} s"
            ) from error

    def _said(self) -> Iterator[adapter_pb2.PlayRequest]:
        while (batch := self._batches.get()) is not None:
            yield batch

    def _listen(self) -> None:
        """Pass on what comes, and at last why nothing more does."""
        try:
            for message in self._call:
                self._pass_on(message)
            end = AdapterFault(CLOSED, "it closed the stream")
        except grpc.RpcError as error:
            end = self._fault(error)
        self._pass_on(end)

    def _pass_on(self, came: Came) -> None:
        while not self._left.is_set():
            try:
                self._came.put(came, timeout=0.1)
            except queue.Full:
                continue
            return

    def _fault(self, error: grpc.RpcError) -> AdapterFault:
        status, details = error.code(), error.details()
        if status is grpc.StatusCode.UNIMPLEMENTED:
            return AdapterFault(CLOSED, "it does not serve `truthsayer.v1.AdapterService`")
        kind = KINDS.get(status, CLOSED)
        if kind == TOO_LONG:
            return AdapterFault(kind, f"an answer of more than {self._most_bytes} bytes: {details}")
        return AdapterFault(kind, f"the stream ended with {status.name}: {details}")

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Send a batch and wait for its answers."""
        if self._left.is_set():
            raise AdapterFault(CLOSED, "the kit has left it")
        try:
            return self._asked(calls, self._seconds if seconds is None else seconds)
        except AdapterFault:
            self.close()
            raise

    def _asked(self, calls: Sequence[AnyCall], seconds: float) -> list[AnyAnswer]:
        self._count += 1
        batch = Calls(self._count, tuple(calls))
        self._batches.put(calls_message(batch))
        try:
            came = self._came.get(timeout=seconds)
        except queue.Empty as error:
            raise AdapterFault(SLOW, f"no answer within {seconds:g} s") from error
        if isinstance(came, AdapterFault):
            raise came
        try:
            found = answers_of(came)
        except UNREADABLE as error:
            raise AdapterFault(GARBAGE, f"it sent an answer that is none: {error}") from error
        return matched(batch, found)

    def close(self) -> None:
        """Leave the server; whoever started it ends it."""
        if self._left.is_set():
            return
        self._left.set()
        self._batches.put(None)
        self._call.cancel()
        self._listener.join(LEAVING_SECONDS)
        self._channel.close()
