"""How messages lie in a stream of bytes: a line of JSON each, or protobuf with its length first."""

from __future__ import annotations

from typing import Protocol

import msgspec
from google.protobuf.message import DecodeError

from conformance.messages import Answers, Calls
from conformance.protobuf import answers_of, calls_message
from truthsayer.v1 import adapter_pb2

UNREADABLE = (DecodeError, msgspec.DecodeError, RecursionError)
"""What is raised for bytes that are no message; the last for a nest of lists without end."""


class Garbage(Exception):
    """Bytes that are no message."""


class Framing(Protocol):
    """One way to lay messages out."""

    def encode(self, calls: Calls) -> bytes:
        """The bytes of a batch."""
        ...

    def take(self, buffer: bytearray) -> Answers | None:
        """Take one batch of answers from the front of what has come; nothing if more has to."""
        ...


class JsonLines:
    """A message is a line."""

    def __init__(self) -> None:
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Answers)
        self._searched = 0

    def encode(self, calls: Calls) -> bytes:
        """One line."""
        return self._encoder.encode(calls) + b"\n"

    def take(self, buffer: bytearray) -> Answers | None:
        """The first line, if it has come to its end."""
        end = buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(buffer)
            if not b"{".startswith(buffer.lstrip()[:1]):
                raise Garbage(f"a line that is no answer: {shown(bytes(buffer))}")
            return None
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        self._searched = 0
        try:
            return self._decoder.decode(line)
        except UNREADABLE as error:
            raise Garbage(f"a line that is no answer: {error}: {shown(line)}") from error


FIRST_BYTES = (0x08, 0x12)
"""An answer begins with the mark of one of its two fields: what does not is not waited for."""


class Delimited:
    """A message is its length, as a varint, and as many bytes of protobuf."""

    def encode(self, calls: Calls) -> bytes:
        """The length and the message."""
        said = calls_message(calls).SerializeToString()
        return varint(len(said)) + said

    def take(self, buffer: bytearray) -> Answers | None:
        """The first message, if it has come to its end."""
        length, start = _length(buffer)
        if start and buffer[start:] and buffer[start] not in FIRST_BYTES:
            raise Garbage(f"bytes that are no answer: {shown(bytes(buffer))}")
        if start == 0 or len(buffer) < start + length:
            return None
        said = bytes(buffer[start : start + length])
        del buffer[: start + length]
        try:
            return answers_of(adapter_pb2.PlayResponse.FromString(said))
        except UNREADABLE as error:
            raise Garbage(f"bytes that are no answer: {error}: {shown(said)}") from error


LONGEST_VARINT = 5
"""Bytes of a length: no message is longer than they can say."""


def varint(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def _length(buffer: bytearray) -> tuple[int, int]:
    """The length that a message begins with, and where it starts; 0 if it has not come yet."""
    length = 0
    for place, byte in enumerate(buffer[:LONGEST_VARINT]):
        length |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return length, place + 1
    if len(buffer) >= LONGEST_VARINT:
        raise Garbage(f"a message without a length: {shown(bytes(buffer[:40]))}")
    return 0, 0


def shown(said: bytes) -> str:
    """The beginning of some bytes, as people can read it."""
    return repr(said[:80].decode("utf-8", "backslashreplace"))
