"""The files of the engine and the verifier as they were when they were imported.

A proof is about the code in memory. Whoever keeps one has to be sure that the files still say what
that code was made of: they are read once, when the verifier is imported, and afterwards it is only
asked whether one of them was touched since the process began.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import rules_engine
import verifier

ENGINE = Path(rules_engine.__file__).parent
VERIFIER = Path(verifier.__file__).parent

A_MINUTE = 60.0
"""Where the system does not say when a process began: no import takes longer."""


class Stamp(NamedTuple):
    """What changes when a file is written or put in the place of another."""

    modified: int
    changed: int
    size: int
    number: int


class Compiled(NamedTuple):
    """A text, and the compiled file that Python takes in its place, with the code that is in it."""

    text_file: Path
    text: bytes
    file: Path
    code: bytes


class Sources:
    """The files below some folders, read at once."""

    def __init__(self, folders: Iterable[Path], began: float) -> None:
        self.began = began
        """When the process began: what was written later may not be what was imported."""
        files = sorted({path for root in folders for path in _files_below(root)})
        # A file that is written in between has another stamp afterwards.
        self.stamps = {path: stamp(path) for path in files}
        self.content = {path: path.read_bytes() for path in files}
        self.compiled = tuple(
            Compiled(path, text, *taken)
            for path, text in self.content.items()
            if path.suffix == ".py" and (taken := _taken_for(path, text))
        )
        """What Python takes in the place of texts."""

    def are_as_imported(self) -> bool:
        """Whether no file was touched since the process began."""
        return all(
            was is not None and _last_touched(was) < self.began and stamp(path) == was
            for path, was in self.stamps.items()
        )


def _files_below(folder: Path, within: frozenset[str] = frozenset()) -> Iterator[Path]:
    """The files below a folder, also where one of its folders is only a link to another.

    `within` has the folders that it is in: a link to one of them leads around in a circle.
    """
    real = os.path.realpath(folder)
    if real in within or folder.name == "__pycache__":
        return
    for path in folder.iterdir():
        if path.is_dir():
            yield from _files_below(path, within | {real})
        elif path.is_file():
            yield path


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file; nothing if it is gone."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def _last_touched(was: Stamp) -> float:
    return max(was.modified, was.changed) / 1e9


def _taken_for(path: Path, text: bytes) -> tuple[Path, bytes] | None:
    """The compiled file that Python takes for a text's, and the code in it; nothing if it has none.

    It goes by the second and the size of the text, or, if the file says so, by a digest of the text
    or by nothing at all. None of these says that the code is that of the text.
    """
    compiled = Path(importlib.util.cache_from_source(path))
    try:
        content, found = compiled.read_bytes(), path.stat()
    except OSError:
        return None
    magic, how, mark = content[:4], content[4:8], content[8:_HEAD]
    dated = int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF
    marks = {
        _BY_DATE: b"".join(each.to_bytes(4, "little") for each in dated),
        _BY_DIGEST: importlib.util.source_hash(text),
        _UNCHECKED: mark,
    }
    taken = magic == importlib.util.MAGIC_NUMBER and marks.get(how) == mark
    return (compiled, content[_HEAD:]) if taken else None


_HEAD = 16
"""A compiled file begins with a magic number, flags, and eight bytes about its text (PEP 552)."""
_BY_DATE, _UNCHECKED, _BY_DIGEST = (each.to_bytes(4, "little") for each in (0, 1, 3))


def process_began() -> float:
    """When this process began, to the clock's tick; a minute ago if the system does not say."""
    try:
        # The fields after the name, which is in brackets and may hold anything.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        ticks = os.sysconf("SC_CLK_TCK")
        since_boot = (int(fields[19]) + 1) / ticks
        # One clock right after the other: what lies between them is taken off.
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + since_boot
    except (OSError, ValueError, IndexError, AttributeError):
        return time.time() - A_MINUTE


@functools.cache
def imported() -> Sources:
    """The files of the engine and the verifier, read when the verifier is imported."""
    return Sources((ENGINE, VERIFIER), process_began())


imported()
