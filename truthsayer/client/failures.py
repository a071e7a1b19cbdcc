"""What a failed call says, in our terms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
from grpc_status import rpc_status

from truthsayer.errors import ServiceError
from truthsayer.v1 import common_pb2


def told(address: str, error: Any) -> ServiceError:
    """The error of a call: the problem that the service attached, or ours if there is none."""
    status: grpc.StatusCode = error.code()
    problem = _attached(error) or _own_problem(address, status, str(error.details()))
    return ServiceError(status.name, problem)


def own_error(code: str, message: str, help: str) -> ServiceError:
    """A mistake of the caller's, found before any call."""
    return ServiceError(
        "INVALID_ARGUMENT", common_pb2.Problem(code=code, message=message, help=help)
    )


def updates_ended(address: str) -> ServiceError:
    """The service ends a subscription again and again, and says nothing."""
    problem = common_pb2.Problem(
        code="TS0883",
        message=f"the service at `{address}` ends every subscription at once",
        help="it may be stopping: try again later, from the last revision that you saw",
    )
    return ServiceError("UNAVAILABLE", problem)


def _attached(error: Any) -> common_pb2.Problem | None:
    """The problem that the service attached."""
    found = common_pb2.Problem()
    status = _status_of(error)
    for detail in status.details if status is not None else ():
        if detail.Unpack(found):
            return found
    return None


def _own_problem(address: str, status: grpc.StatusCode, details: str) -> common_pb2.Problem:
    """A failure that gRPC tells of, not the service."""
    if status is grpc.StatusCode.UNAVAILABLE and "handshake" in details.lower():
        return common_pb2.Problem(
            code="TS0880",
            message=f"no encrypted connection to `{address}` comes about",
            help="see that it serves with TLS, that the authority given (--tls-ca) signed its "
            "certificate, and that the certificate is for this name",
        )
    if status is grpc.StatusCode.UNAVAILABLE:
        return common_pb2.Problem(
            code="TS0707",
            message=f"no service answers at `{address}`",
            help=f"start one: truthsayer serve --listen {address}; if there is one, see whether "
            "it wants encryption (--tls-ca) or a certificate of its callers",
        )
    if status is grpc.StatusCode.RESOURCE_EXHAUSTED:
        return common_pb2.Problem(
            code="TS0708",
            message=f"the message is too large: {details}",
            help="send fewer files at a time",
        )
    return common_pb2.Problem(
        code="TS0709",
        message=f"the call to `{address}` failed: {status.name}: {details}",
        help="see that a `truthsayer serve` of this version runs there",
    )


_status_of: Callable[[Any], Any] = rpc_status.from_call
