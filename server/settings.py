"""The settings of a server: from a file, the environment and flags, or else these defaults."""

from __future__ import annotations

from typing import Literal

import platformdirs

from rules_engine.kernel.records import Record


class Tls(Record, forbid_unknown_fields=True):
    """Files for encryption. With `client_ca`, callers have to show a certificate, too."""

    certificate: str = ""
    key: str = ""
    client_ca: str = ""


class Limits(Record, forbid_unknown_fields=True):
    """How much a caller may ask for."""

    message_bytes: int = 4 * 1024 * 1024
    sessions: int = 10_000
    """Sessions that are kept at a time, in all."""

    sessions_per_caller: int = 1_000
    session_days: float = 30.0
    """A session in which nothing happens for so long is forgotten."""

    session_records: int = 20_000
    """Records in one session's log."""

    subscriptions: int = 1_000
    proof_seconds: float = 600.0
    """How long one call may prove."""

    requests_per_second: float = 200.0
    """For each caller, over time; a burst may be ten times as much. 0 for no limit."""


class Settings(Record, forbid_unknown_fields=True):
    """Everything that can be set."""

    listen: str = "127.0.0.1:50051"
    processes: int = 1
    """Server processes that share the port."""

    store: str = ""
    """A file, or postgresql://...; empty for a file in the user's data folder."""

    synchronous: Literal["full", "normal"] = "full"
    tokens: bool = False
    """Whether every call needs a token. Without it, only sessions need theirs."""

    tls: Tls = Tls()
    limits: Limits = Limits()
    log: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    metrics: str = ""
    """HOST:PORT on which Prometheus finds figures; empty for none."""

    traces: str = ""
    """The address of an OpenTelemetry collector; empty for none."""

    drain_seconds: float = 10.0
    """How long calls in progress may go on after the server is told to stop."""


def store_address(settings: Settings) -> str:
    """Where sessions and tokens are kept."""
    folder = platformdirs.user_data_path("truthsayer", False)
    return settings.store or str(folder / "sessions.sqlite")
