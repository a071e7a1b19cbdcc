"""The other ends that `conformance.py` talks to: `python -m tests.bench.conformance_peers NAME`.

`echo` sends every message back as it came, and `nothing` answers every call that it was done. Both
are there over pipes, as lines and as protobuf, and over gRPC, where the port is printed first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from conformance.adapters.loop import over_lines, over_protobuf
from conformance.adapters.serving import serve
from conformance.messages import AnyAnswer, AnyCall, Done

PLAY = "/truthsayer.v1.AdapterService/Play"


class Nothing:
    """An adapter without a game."""

    def answer(self, call: AnyCall) -> AnyAnswer:  # noqa: ARG002  whatever it is
        """Say that it was done."""
        return Done()


def echo_lines() -> None:
    """Send lines back."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def echo_grpc() -> None:
    """Send messages back, which nobody reads on the way."""
    handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(_echo)
    server = grpc.server(ThreadPoolExecutor(1), options=[("grpc.max_receive_message_length", -1)])
    service, method = PLAY[1:].split("/")
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {method: handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    _until_closed(port)


def _echo(messages: Iterator[bytes], _: grpc.ServicerContext) -> Iterator[bytes]:
    yield from messages


def nothing_lines() -> None:
    """Answer lines."""
    over_lines(Nothing(), sys.stdin.buffer, sys.stdout.buffer)


def nothing_protobuf() -> None:
    """Answer protobuf."""
    over_protobuf(Nothing(), sys.stdin.buffer, sys.stdout.buffer)


def nothing_grpc() -> None:
    """Answer over gRPC."""
    _, port = serve(Nothing)
    _until_closed(port)


def _until_closed(port: int) -> None:
    print(port, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
