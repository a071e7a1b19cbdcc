"""How both clients reach the service: encryption, the caller's token, and what is tried again."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import grpc

from truthsayer.client.failures import own_error

TOKEN = re.compile(r"[!-~]+")
"""What metadata can carry: visible ASCII."""


@dataclass(frozen=True)
class Tls:
    """Files for an encrypted connection.

    `ca` has the authorities that are trusted; without it, those that gRPC knows are. A service that
    asks for a certificate of its callers is shown `certificate`, with its `key`.
    """

    ca: str | Path | None = None
    certificate: str | Path | None = None
    key: str | Path | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """What gRPC needs to connect."""
        if (self.certificate is None) != (self.key is None):
            raise own_error(
                "TS0881",
                "a certificate and its key are needed together",
                "name both files, or neither",
            )
        return grpc.ssl_channel_credentials(
            _content(self.ca), _content(self.key), _content(self.certificate)
        )


def _content(file: str | Path | None) -> bytes | None:
    if file is None:
        return None
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise own_error(
            "TS0881",
            f"cannot read `{file}`: {str(error.strerror).lower()}",
            "name a file in PEM format that you may read",
        ) from None


def metadata_of(token: str | None) -> tuple[tuple[str, str], ...]:
    """What goes along with each call, to say who calls."""
    if token is None:
        return ()
    if not TOKEN.fullmatch(token):
        raise own_error(
            "TS0882",
            "the token cannot be one: it is empty, or has spaces or other unusual characters",
            "give it as it was told, without quotes or line ends",
        )
    return (("authorization", f"Bearer {token}"),)


STATELESS = ("EngineService", "RuleService", "ScenarioService", "VerifierService")
"""Services that keep nothing, so that a call of any method can be repeated."""

REPEATED = (
    *("GetSession", "ListSessionActions", "Subscribe", "ReplaySession", "ListSessions"),
    *("CreateSession", "SendInput", "Undo"),
)
"""Methods of sessions that can be repeated: they change nothing, or they have a key.

The client gives every request a key that has a field for one.
"""

RETRY = {
    "maxAttempts": 5,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE"],
}


def channel_options() -> list[tuple[str, str]]:
    """What is tried again if the service is away for a moment; gRPC itself does it."""
    names = [{"service": f"truthsayer.v1.{service}"} for service in STATELESS]
    names += [{"service": "truthsayer.v1.SessionService", "method": each} for each in REPEATED]
    config = {"methodConfig": [{"name": names, "retryPolicy": RETRY}]}
    return [("grpc.service_config", json.dumps(config))]
