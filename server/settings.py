"""The settings of a server: from a file, the environment and flags, or else these defaults."""

from __future__ import annotations

from typing import Annotated, Literal

import platformdirs
from msgspec import Meta

from rules_engine.kernel.records import Record

Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]


class Tls(Record, forbid_unknown_fields=True):
    """Files for encryption. With `client_ca`, callers have to show a certificate, too."""

    certificate: str = ""
    """A PEM file: the server's certificate, followed by those that lead to its authority."""

    key: str = ""
    """A PEM file: the certificate's private key, without a password."""

    client_ca: str = ""
    """A PEM file: the authorities whose certificates callers may show."""

    elsewhere: bool = False
    """Whether something in front of the server encrypts, so that tokens may come in plain."""


class Limits(Record, forbid_unknown_fields=True):
    """How much a caller may ask for."""

    message_bytes: Annotated[int, Meta(ge=65_536, le=1_073_741_824)] = 4 * 1024 * 1024
    """The size of one message to the server."""

    sessions: Count = 10_000
    """Sessions that are kept at a time, in all."""

    sessions_per_caller: Count = 1_000
    """Sessions that one caller may keep at a time."""

    session_days: Annotated[float, Meta(gt=0, le=36_500)] = 30.0
    """A session in which nothing happens for so long is forgotten."""

    session_records: Count = 20_000
    """Records in one session's log."""

    subscriptions: Count = 1_000
    """Calls of Subscribe that one process answers at a time; one caller may have a tenth."""

    proof_seconds: Seconds = 600.0
    """How long one call may prove."""

    requests_per_second: Annotated[float, Meta(ge=0)] = 200.0
    """For each caller, over time; a burst may be ten times as much. 0 for no limit."""


class Settings(Record, forbid_unknown_fields=True):
    """Everything that can be set."""

    listen: str = "127.0.0.1:50051"
    """HOST:PORT on which the server answers; port 0 takes any that is free."""

    processes: Annotated[int, Meta(ge=1, le=256)] = 1
    """Server processes that share the port."""

    store: str = ""
    """A file, or postgresql://...; empty for a file in the user's data folder."""

    synchronous: Literal["full", "normal"] = "full"
    """Whether what is kept survives a loss of power (full), or only the end of the server."""

    tokens: bool = False
    """Whether every call needs a token. Without it, only sessions need theirs."""

    tls: Tls = Tls()
    limits: Limits = Limits()
    log: LogFormat = "text"
    """How lines of the log are written."""

    log_level: LogLevel = "info"
    """The least that is logged."""

    metrics: str = ""
    """HOST:PORT on which Prometheus finds figures; empty for none. The n-th of several server
    processes takes the n-th port from there."""

    traces: str = ""
    """The address of an OpenTelemetry collector, such as http://127.0.0.1:4317; empty for none."""

    drain_seconds: Annotated[float, Meta(ge=0, le=3_600)] = 10.0
    """How long calls in progress may go on after the server is told to stop."""


def store_address(settings: Settings) -> str:
    """Where sessions and tokens are kept."""
    folder = platformdirs.user_data_path("truthsayer", False)
    return settings.store or str(folder / "sessions.sqlite")
