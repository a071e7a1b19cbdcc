"""A digest of a position: equal positions have equal fingerprints, on every machine."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec


def encoded(value: Any) -> bytes:
    """The canonical encoding of a record."""
    return msgspec.json.encode(value, order="deterministic")


def fingerprint(state: Any) -> str:
    """A short digest of the position. It covers hidden cards, so no view or seat ever gets one."""
    return hashlib.blake2b(encoded(state), digest_size=16).hexdigest()
