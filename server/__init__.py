"""The service over gRPC. `serve` runs it; `server.answers` is what it answers, without gRPC."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["DEFAULT_ADDRESS", "serve"]

DEFAULT_ADDRESS = "127.0.0.1:50051"


def serve(listen: str, on_ready: Callable[[str], None]) -> None:
    """Serve on HOST:PORT until SIGINT or SIGTERM; `on_ready` is told the address in use."""
    # Importing gRPC takes a while, and most commands do without.
    from server.run import run_until_signal

    run_until_signal(listen, on_ready)
