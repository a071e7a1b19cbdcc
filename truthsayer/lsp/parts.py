"""The parts of a scenario file: each scenario, with what stands before the first of them.

What stands before the first scenario is shared by all of the file, so it is a part of each. A part
that did not change need not be read again, wherever in the file it has moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scenarios.language.read import MOST_CHARACTERS

MOST_SHARED = 10 * MOST_CHARACTERS
"""A file is read whole if its shared lines, once for each scenario, come to more characters."""


class Part(NamedTuple):
    """The lines of one scenario, the lines that all share, and where the scenario begins."""

    shared: tuple[str, ...]
    own: tuple[str, ...]
    start: int
    """The number of its first line in the file, counted from 0."""

    @property
    def text(self) -> str:
        """The part as a file of its own."""
        return "\n".join((*self.shared, *self.own))

    @property
    def text_in_place(self) -> str:
        """The same, but every line has the number that it has in the file."""
        between = self.start - len(self.shared)
        return "\n".join((*self.shared, *[""] * between, *self.own))

    def in_file(self, line: int) -> int:
        """The number in the file of a line of `text`; both count from 1."""
        shared = len(self.shared)
        return line if line <= shared else line - shared + self.start

    def numbered(self) -> list[tuple[int, str]]:
        """The lines, shared ones first, with their numbers in the file counted from 0."""
        return [*enumerate(self.shared), *enumerate(self.own, self.start)]


def parts(lines: Sequence[str]) -> list[Part]:
    """The parts of a file; it is one part if it has no scenario or is too long for parts."""
    starts = scenario_starts(lines)
    shared = tuple(lines[: starts[0]]) if starts else ()
    if not starts or _size(lines) > MOST_CHARACTERS or _size(shared) * len(starts) > MOST_SHARED:
        return [Part((), tuple(lines), 0)]
    ends = [*starts[1:], len(lines)]
    return [
        Part(shared, tuple(lines[start:end]), start)
        for start, end in zip(starts, ends, strict=True)
    ]


def part_at(lines: Sequence[str], line: int) -> Part:
    """The part that a line is in; a shared line is taken to be in the first."""
    found = parts(lines)
    return next((part for part in reversed(found) if part.start <= line), found[0])


def scenario_starts(lines: Sequence[str]) -> list[int]:
    """The numbers of the lines that begin a scenario, counted from 0."""
    return [number for number, line in enumerate(lines) if _first_word(line) == ["scenario"]]


def _first_word(line: str) -> list[str]:
    return line.removeprefix("\ufeff").split(None, 1)[:1]


def _size(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)
