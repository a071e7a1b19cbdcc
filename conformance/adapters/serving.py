"""Our own adapter as a gRPC server: `python -m conformance.adapters.serving --port 0`.

It prints the port on which it listens. Every stream has a game of its own.
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from conformance.adapters.loop import Answering, answered
from conformance.adapters.reference import Adapter
from conformance.protobuf import answers_message, calls_of
from truthsayer.v1 import adapter_pb2, adapter_pb2_grpc

STREAMS = 16
"""How many games can be played side by side."""


class Service(adapter_pb2_grpc.AdapterServiceServicer):
    """Serves an adapter, a new one for every stream."""

    def __init__(self, adapter: Callable[[], Answering]) -> None:
        self._adapter = adapter

    def Play(  # noqa: N802  gRPC names it
        self,
        request_iterator: Iterator[adapter_pb2.PlayRequest],
        context: grpc.ServicerContext,  # noqa: ARG002  it is gRPC's shape
    ) -> Iterator[adapter_pb2.PlayResponse]:
        """Answer batch after batch."""
        adapter = self._adapter()
        for request in request_iterator:
            yield answers_message(answered(adapter, calls_of(request)))


def serve(
    adapter: Callable[[], Answering], port: int = 0, host: str = "127.0.0.1"
) -> tuple[grpc.Server, int]:
    """Start to serve; the port is chosen if it is 0."""
    options = [("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", -1)]
    server = grpc.server(ThreadPoolExecutor(STREAMS), options=options)
    adapter_pb2_grpc.add_AdapterServiceServicer_to_server(Service(adapter), server)
    chosen = server.add_insecure_port(f"{host}:{port}")
    server.start()
    return server, chosen


def main() -> None:
    """Serve until the process is told to end."""
    options = argparse.ArgumentParser(description="The reference adapter over gRPC.")
    options.add_argument("--port", type=int, default=0, help="0 for any that is free")
    server, port = serve(Adapter, options.parse_args().port)
    signal.signal(signal.SIGTERM, lambda *_: server.stop(None))
    print(port, flush=True)
    try:
        server.wait_for_termination()
    except KeyboardInterrupt:
        server.stop(None)


if __name__ == "__main__":
    main()
