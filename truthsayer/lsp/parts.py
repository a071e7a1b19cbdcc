"""The parts of a scenario file: each scenario, with what stands before the first of them.

What stands before the first scenario is shared by all of the file, so it is a part of each. A part
that did not change need not be read again, wherever in the file it has moved.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from scenarios.language.statements import MOST_CHARACTERS, begins_scenario

MOST_SHARED = 10 * MOST_CHARACTERS
"""A file is read whole if its shared lines, once for each scenario, come to more characters."""


Numbered = tuple[int, str]
"""A line with its number in the file, counted from 0."""


class Part(NamedTuple):
    """The lines of one scenario, and the lines that all share, without blank ones and remarks."""

    shared: tuple[Numbered, ...]
    own: tuple[str, ...]
    start: int
    """The number of its first line in the file, counted from 0."""

    @property
    def text(self) -> str:
        """The part as a file of its own."""
        return "\n".join((*(line for _, line in self.shared), *self.own))

    @property
    def text_in_place(self) -> str:
        """The same, but every line has the number that it has in the file."""
        before = [""] * self.start
        for number, line in self.shared:
            before[number] = line
        return "\n".join((*before, *self.own))

    def in_file(self, line: int) -> int:
        """The number in the file of a line of `text`; both count from 1."""
        if line <= len(self.shared):
            return self.shared[line - 1][0] + 1
        return line - len(self.shared) + self.start

    def numbered(self) -> list[Numbered]:
        """The lines, shared ones first."""
        return [*self.shared, *enumerate(self.own, self.start)]


def parts(lines: Sequence[str]) -> list[Part]:
    """The parts of a file; it is one part if it has no scenario or is too long for parts."""
    starts = scenario_starts(lines)
    before = lines[: starts[0]] if starts else ()
    shared = tuple((number, line) for number, line in enumerate(before) if _says_something(line))
    size, shared_size = _size(lines), _size([line for _, line in shared])
    if not starts or size > MOST_CHARACTERS or shared_size * len(starts) > MOST_SHARED:
        return [Part((), tuple(lines), 0)]
    borders = itertools.pairwise((*starts, len(lines)))
    return [Part(shared, tuple(lines[start:end]), start) for start, end in borders]


def part_at(lines: Sequence[str], line: int) -> Part:
    """The part that a line is in; a shared line is taken to be in the first."""
    found = parts(lines)
    return next((part for part in reversed(found) if part.start <= line), found[0])


def scenario_starts(lines: Sequence[str]) -> list[int]:
    """The numbers of the lines that begin a scenario, counted from 0."""
    return [
        number
        for number, line in enumerate(lines)
        if _says_something(line) and begins_scenario(_first_word(line))
    ]


def _first_word(line: str) -> str:
    return line.removeprefix("\ufeff").split(None, 1)[0]


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _size(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)
