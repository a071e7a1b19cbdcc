"""The service over gRPC. `serve` runs it; `server.answers` is what it answers, without gRPC."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.settings import Settings

__all__ = ["serve"]


def serve(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is told the address in use."""
    # Importing gRPC takes a while, and most commands do without.
    from server.processes import run_until_signal

    run_until_signal(settings, on_ready)
