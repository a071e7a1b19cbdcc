"""The places where properties claim something, and whether any path gets to each of them.

A claim behind assumptions that contradict each other says nothing, and another claim before them
does not make up for it. A place that is reached in some case of a property is enough: a function
may claim more in one case than in another.
"""

from __future__ import annotations

import dis
import functools
import os
import types
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from verifier.sources import VERIFIER

PROPERTIES = VERIFIER / "properties"
CLAIM = "claim"
HELPERS = ("claim_", "_claim_")
"""How functions are called that claim something for others."""

Site = tuple[types.CodeType, int]
"""Where something was claimed: a code, and the place of the call in it."""


Spot = tuple[int, int]
"""A line and a column: several claims may stand in one line."""


class ClaimLine(NamedTuple):
    """A place in a function that claims something, known by its number among those.

    The function may be moved in its file without being another one.
    """

    file: str
    function: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.function}:{self.number}"


def sites_of(frame: types.FrameType | None) -> Iterator[Site]:
    """Where a claim is made: in a property, or in what the property calls."""
    while frame is not None:
        if os.path.dirname(frame.f_code.co_filename) == str(PROPERTIES):
            yield frame.f_code, frame.f_lasti
        frame = frame.f_back


def reached(sites: Iterable[Site], seen: Iterable[types.CodeType]) -> set[str]:
    """The places in the functions that ran at which something was claimed."""
    within = {inner: code for code in seen for inner in _with_inner(code)}
    found = set()
    for code, at in sites:
        outer = within.get(code)
        spot = _spot(code, at)
        if outer is not None and spot in _spots(outer):
            found.add(str(_claim_line(outer, _spots(outer).index(spot))))
    return found


def all_in(seen: Iterable[types.CodeType]) -> set[str]:
    """Every place in the functions that ran that claims something."""
    return {
        str(_claim_line(code, number))
        for code in seen
        if Path(code.co_filename).parent == PROPERTIES
        for number, _ in enumerate(_spots(code))
    }


def place_of(line: str, functions: Iterable[types.FunctionType]) -> str:
    """Where a line is now, as `file:line`."""
    for each in functions:
        code = each.__code__
        for number, (at, _) in enumerate(_spots(code)):
            if str(_claim_line(code, number)) == line:
                return f"{_file(code)}:{at}"
    return line


def _claim_line(code: types.CodeType, number: int) -> ClaimLine:
    return ClaimLine(_file(code), code.co_qualname, number)


def _file(code: types.CodeType) -> str:
    return "/".join(Path(code.co_filename).parts[-3:])


@functools.cache
def _spots(code: types.CodeType) -> list[Spot]:
    """The places in a function, and in those inside it, at which something is claimed."""
    return sorted({spot for inner in _with_inner(code) for spot in _own_spots(inner)})


def _own_spots(code: types.CodeType) -> Iterator[Spot]:
    if any(map(_claims, code.co_names)):
        for each in dis.get_instructions(code):
            at = each.positions
            if _claims(each.argval) and at is not None and at.lineno:
                yield at.lineno, at.col_offset or 0


def _claims(name: object) -> bool:
    return isinstance(name, str) and (name == CLAIM or name.startswith(HELPERS))


def _with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _with_inner(each)


@functools.cache
def _spot(code: types.CodeType, at: int) -> Spot:
    """Where the call that is in progress at a place of a code begins."""
    line, _, column, _ = next(islice(code.co_positions(), at // 2, None))
    return line or 0, column or 0
