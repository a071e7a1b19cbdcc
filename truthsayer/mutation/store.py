"""Results kept by content, so that a run resumes: one line for each, with a checksum.

A damaged line is left out, and what it said is found out anew. A line that comes later replaces
those before it about the same thing.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from rules_engine.kernel.errors import TruthsayerError

RecordT = TypeVar("RecordT")

OFTEN = 2
"""A file with so many times more lines than results is written anew."""


class Store(Generic[RecordT]):
    """The results in a file, by a key."""

    def __init__(self, path: Path, kind: type[RecordT]) -> None:
        self.path = path
        self.damaged = 0
        """Lines that were not as they had been written."""
        self._kind = kind
        self._kept: dict[str, RecordT] = {}
        self._read()

    def get(self, key: str) -> RecordT | None:
        """What is kept of a key."""
        return self._kept.get(key)

    def keep(self, key: str, value: RecordT) -> None:
        """Keep a result; it is in the file when this returns."""
        self._kept[key] = value
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(_line(key, value))
        except OSError as error:
            raise _cannot(self.path, error) from error

    def _read(self) -> None:
        try:
            lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        except OSError as error:
            raise _cannot(self.path, error) from error
        for line in lines:
            try:
                key, value = self._said(line)
            except (ValueError, msgspec.DecodeError):
                self.damaged += 1
            else:
                self._kept[key] = value
        if self.damaged or len(lines) > OFTEN * len(self._kept):
            self._write_anew()

    def _said(self, line: bytes) -> tuple[str, RecordT]:
        check, _, said = line.partition(b" ")
        if int(check, 16) != zlib.crc32(said):
            raise ValueError("the checksum is another")
        key, value = msgspec.json.decode(said, type=tuple[str, msgspec.Raw])
        return key, msgspec.json.decode(value, type=self._kind)

    def _write_anew(self) -> None:
        anew = self.path.with_suffix(f".{os.getpid()}")
        try:
            anew.write_bytes(b"".join(_line(*each) for each in self._kept.items()))
            anew.replace(self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                anew.unlink()
            raise _cannot(self.path, error) from error


def _line(key: str, value: Any) -> bytes:
    said = msgspec.json.encode((key, value))
    return b"%08x %s\n" % (zlib.crc32(said), said)


def _cannot(path: Path, error: OSError) -> TruthsayerError:
    return TruthsayerError(
        "TS0703",
        f"cannot keep results in `{path}`: {error.strerror}",
        help="name a folder that can be written to in TRUTHSAYER_CACHE_DIR",
    )
