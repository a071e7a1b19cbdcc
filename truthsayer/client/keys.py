"""Keys by which the service knows a request that is repeated."""

from __future__ import annotations

import uuid
from typing import TypeVar

from truthsayer.v1 import session_pb2

KeyedT = TypeVar(
    "KeyedT",
    session_pb2.CreateSessionRequest,
    session_pb2.SendInputRequest,
    session_pb2.UndoRequest,
)


def with_key(request: KeyedT) -> KeyedT:
    """The request with a key of its own, if it has none, so that repeating it does no harm."""
    if request.idempotency_key:
        return request
    keyed = type(request)()
    keyed.CopyFrom(request)
    keyed.idempotency_key = uuid.uuid4().hex
    return keyed
