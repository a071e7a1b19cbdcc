"""The scenarios of a file, for the outline of an editor."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from truthsayer.lsp.parts import scenario_starts

TITLE = re.compile(r'\s*scenario\s+"([^"]*)"')


class Symbol(NamedTuple):
    """A scenario: its title, its first and its last line, counted from 0."""

    title: str
    first: int
    last: int


def symbols(lines: Sequence[str]) -> list[Symbol]:
    """Every scenario of a file in its order."""
    borders = itertools.pairwise((*scenario_starts(lines), len(lines)))
    return [Symbol(_title(lines[start]), start, end - 1) for start, end in borders]


def _title(line: str) -> str:
    """A title; an editor refuses a symbol without a name."""
    found = TITLE.match(line.removeprefix("\ufeff"))
    return (found[1].strip() if found else "") or "(no title)"
