"""TLS: the files that the settings name, read and checked, as gRPC takes them."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc

from rules_engine.kernel.errors import TruthsayerError
from server.settings import Tls


def credentials(tls: Tls) -> grpc.ServerCredentials | None:
    """What the server shows to callers and asks of them; nothing if it does not encrypt."""
    read_tls(tls)
    if not tls.certificate:
        return None
    pair = (Path(tls.key).read_bytes(), Path(tls.certificate).read_bytes())
    authorities = Path(tls.client_ca).read_bytes() if tls.client_ca else None
    return grpc.ssl_server_credentials(
        [pair], root_certificates=authorities, require_client_auth=authorities is not None
    )


def read_tls(tls: Tls) -> None:
    """See that the files can be read and fit together. Without a certificate there are none."""
    if not (tls.certificate or tls.key or tls.client_ca):
        return
    if not (tls.certificate and tls.key):
        missing = "key" if tls.certificate else "certificate"
        raise _unfit(f"`tls.{missing}` is missing", "set both, or neither")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        # Without a password of ours, OpenSSL would ask for one on the terminal.
        context.load_cert_chain(tls.certificate, tls.key, password=lambda: b"")
    except ssl.SSLError as error:
        help = "both are PEM files, the key without a password, and belong together"
        raise _unfit(f"certificate and key cannot be used: {_reason(error)}", help) from error
    except OSError as error:
        help = "see that both files are there and that the server may read them"
        raise _unfit(f"certificate or key cannot be read: {_reason(error)}", help) from error
    if tls.client_ca:
        try:
            context.load_verify_locations(tls.client_ca)
        except (ssl.SSLError, OSError) as error:
            help = "it is a PEM file with certificates of authorities"
            raise _unfit(f"`tls.client_ca` cannot be used: {_reason(error)}", help) from error


def _unfit(message: str, help: str) -> TruthsayerError:
    return TruthsayerError("TS0863", message, help=help)


def _reason(error: OSError) -> str:
    """What the system says, without the file."""
    named = error.reason if isinstance(error, ssl.SSLError) else error.strerror
    return str(named or "no PEM file").replace("_", " ").lower()
