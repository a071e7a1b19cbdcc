"""The file of a soak: which games are done and what became of them, so that a run can go on.

A line is an object with a checksum, which covers the line before too, and what the line says. The
first says which run it is; every other one reports some games. A last line without an end is what
a crash leaves, and is left out.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.records import Record
from rules_engine.kernel.soak import Report


class _Line(Record):
    check: str
    says: msgspec.Raw


class SoakFile:
    """A file that is there, or is begun; `add` returns when the report is on disk."""

    def __init__(self, path: Path, run: Any) -> None:
        """The file of a run. One of another run, or a damaged one, is refused."""
        self._path = path
        self._check = ""
        self.reports: list[Report] = []
        try:
            lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        except OSError as problem:
            _cannot(path, problem)
        if lines and not lines[-1].endswith(b"\n"):
            lines.pop()
        if lines:
            self._read(lines, run)
        try:
            self._file = path.open("ab")
            self._file.truncate(sum(map(len, lines)))
        except OSError as problem:
            _cannot(path, problem)
        if not lines:
            self._append(run)

    def _read(self, lines: list[bytes], run: Any) -> None:
        if self._said(lines[0], 1, msgspec.Raw) != encoded(run):
            raise TruthsayerError(
                "TS0609",
                f"`{self._path}` is of another run",
                place=Place(str(self._path), 1),
                help="continue it with the options, the seed and the version it was begun with, "
                "or name another file",
            )
        done: set[int] = set()
        for number, line in enumerate(lines[1:], start=2):
            report: Report = self._said(line, number, Report)
            if done & set(report.numbers):
                _damaged(self._path, number)
            done.update(report.numbers)
            self.reports.append(report)

    def _said(self, text: bytes, number: int, kind: Any) -> Any:
        """What a line says, if it is the one that was written there."""
        try:
            line = msgspec.json.decode(text, type=_Line)
            said = msgspec.json.decode(bytes(line.says), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            _damaged(self._path, number)
        if line.check != self._checksum(bytes(line.says)):
            _damaged(self._path, number)
        self._check = line.check
        return bytes(said) if kind is msgspec.Raw else said

    def _checksum(self, payload: bytes) -> str:
        return f"{zlib.crc32(payload, zlib.crc32(self._check.encode())):08x}"

    def _append(self, says: Any) -> None:
        payload = encoded(says)
        self._check = self._checksum(payload)
        try:
            self._file.write(encoded(_Line(self._check, msgspec.Raw(payload))) + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as problem:
            _cannot(self._path, problem)

    def add(self, report: Report) -> None:
        """Write down what became of some more games."""
        self.reports.append(report)
        self._append(report)

    def close(self) -> None:
        """Nothing more will be written."""
        self._file.close()


def _cannot(path: Path, problem: OSError) -> NoReturn:
    raise TruthsayerError(
        "TS0601",
        f"cannot use `{path}`: {(problem.strerror or str(problem)).lower()}",
        help="check that the folder exists, that the path names a file and that you may use it",
    ) from None


def _damaged(path: Path, number: int) -> NoReturn:
    raise TruthsayerError(
        "TS0608",
        f"line {number} of `{path}` is not what a soak wrote there",
        place=Place(str(path), number),
        help="take the file from a copy, or name a new one and start over",
    ) from None
