"""The lines on which properties claim something, and whether any path gets to each of them.

A claim behind assumptions that contradict each other says nothing, and another claim before them
does not make up for it. A line that is reached in some case of a property is enough: a function may
claim more in one case than in another.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from verifier.sources import VERIFIER

PROPERTIES = VERIFIER / "properties"
CLAIM = "claim"

Site = tuple[types.CodeType, int]
"""Where something was claimed: a code, and the place of the call in it."""


class ClaimLine(NamedTuple):
    """A line of a function that claims something, known by its number among those.

    The function may be moved in its file without being another one.
    """

    file: str
    function: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.function}:{self.number}"


def reached(sites: Iterable[Site], seen: Iterable[types.CodeType]) -> set[str]:
    """The lines of the functions that ran on which something was claimed."""
    within = {inner: code for code in seen for inner in _with_inner(code)}
    found = set()
    for code, at in sites:
        outer = within.get(code)
        line = _line(code, at)
        if outer is not None and line in _lines(outer):
            found.add(str(_claim_line(outer, _lines(outer).index(line))))
    return found


def all_in(seen: Iterable[types.CodeType]) -> set[str]:
    """Every line of the functions that ran that claims something."""
    return {
        str(_claim_line(code, number))
        for code in seen
        if Path(code.co_filename).parent == PROPERTIES
        for number, _ in enumerate(_lines(code))
    }


def place_of(line: str, functions: Iterable[types.FunctionType]) -> str:
    """Where a line is now, as `file:line`."""
    for each in functions:
        code = each.__code__
        for number, at in enumerate(_lines(code)):
            if str(_claim_line(code, number)) == line:
                return f"{_file(code)}:{at}"
    return line


def _claim_line(code: types.CodeType, number: int) -> ClaimLine:
    return ClaimLine(_file(code), code.co_qualname, number)


def _file(code: types.CodeType) -> str:
    return "/".join(Path(code.co_filename).parts[-3:])


@functools.cache
def _lines(code: types.CodeType) -> list[int]:
    """The lines of a function, and of those inside it, on which something is claimed."""
    return sorted({line for inner in _with_inner(code) for line in _own_lines(inner)})


def _own_lines(code: types.CodeType) -> Iterator[int]:
    if CLAIM in code.co_names:
        for each in dis.get_instructions(code):
            if each.argval == CLAIM and each.positions is not None and each.positions.lineno:
                yield each.positions.lineno


def _with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _with_inner(each)


@functools.cache
def _line(code: types.CodeType, at: int) -> int:
    """The line of the call that is in progress at a place of a code."""
    places = [line for start, end, line in code.co_lines() if start <= at < end]
    return places[0] or 0
