"""A value as bytes, and a digest: equal positions have equal fingerprints, on every machine."""

from __future__ import annotations

import functools
import hashlib
import threading
from typing import Any

import msgspec

_LEARNING = threading.Lock()
"""msgspec learns a kind of record once; two threads that come to that at once crash."""


def encoded(value: Any) -> bytes:
    """The canonical encoding of a record."""
    return msgspec.json.encode(value, order="deterministic")


@functools.cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Reads a value of this kind from its encoding; made once, for making it takes the longest."""
    with _LEARNING:
        return msgspec.json.Decoder(kind)


def fingerprint(state: Any) -> str:
    """A short digest of the position. It covers hidden cards, so no view or seat ever gets one."""
    return hashlib.blake2b(encoded(state), digest_size=16).hexdigest()
