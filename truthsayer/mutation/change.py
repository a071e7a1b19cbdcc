"""A change of a source file, and the kinds of mistakes that a change can be."""

from __future__ import annotations

from typing import NamedTuple

SLIP = "slip"
WRONG_PLAYER = "wrong-player"
STALE = "stale"
REPLACED = "replaced"
FORGOTTEN = "forgotten"
SWAPPED = "swapped-order"
SECRECY = "secrecy"
BOUND = "bound"
DELIVERY = "delivery"
RULING = "ruling"

KINDS = (
    SLIP,
    WRONG_PLAYER,
    STALE,
    REPLACED,
    FORGOTTEN,
    SWAPPED,
    SECRECY,
    BOUND,
    DELIVERY,
    RULING,
)
"""Every kind of mistake. A slip is one wrong character or word, of no kind in particular."""


class Change(NamedTuple):
    """Other text for a span of bytes of a file, in words what mistake it is, and its kind."""

    start: int
    end: int
    text: str
    what: str
    kind: str = SLIP

    def made_in(self, source: bytes) -> bytes:
        """The source with the change."""
        return source[: self.start] + self.text.encode() + source[self.end :]


class Span(NamedTuple):
    """Where something is in a file, in bytes."""

    start: int
    end: int
