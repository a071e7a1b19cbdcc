"""Notes which functions run, at the cost of one call each.

A profiler is told of every call, and a proof makes millions. Here a function that has not run yet
has other code: its first call notes it, puts its own code back and calls it again.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, MutableSet
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any


def _first_call(*args: Any, **kwargs: Any) -> Any:
    what_to_do: Any = "what to do"
    return what_to_do(args, kwargs)


class Codes(MutableSet[CodeType]):
    """Codes, each with its file: of two files they may be equal, and still be two functions."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, CodeType], None] = {}

    def add(self, value: CodeType) -> None:
        """Take a code in."""
        self._codes[value.co_filename, value] = None

    def discard(self, value: CodeType) -> None:
        """Take a code out, if it is there."""
        self._codes.pop((value.co_filename, value), None)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, CodeType) and (value.co_filename, value) in self._codes

    def __iter__(self) -> Iterator[CodeType]:
        return (code for _, code in self._codes)

    def __len__(self) -> int:
        return len(self._codes)


def functions_in(folders: tuple[Path, ...]) -> list[FunctionType]:
    """Every function there is whose file is in one of the folders."""
    # What somebody froze would not be listed.
    gc.unfreeze()
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType) and Path(each.__code__.co_filename).parent in folders
    ]


@contextmanager
def noted(
    functions: list[FunctionType], seen: MutableSet[CodeType] | None = None
) -> Iterator[MutableSet[CodeType]]:
    """Collect the code of those of the functions that run inside the block, in `seen` if given."""
    _seen.append(Codes() if seen is None else seen)
    own = [(each, each.__code__) for each in functions]
    for function, code in own:
        function.__code__ = _noting(function, code)
    try:
        yield _seen[-1]
    finally:
        for function, code in own:
            function.__code__ = code
        _seen.pop()


_seen: list[MutableSet[CodeType]] = []
"""What has run so far, of the block in progress."""
_made: dict[FunctionType, tuple[CodeType, CodeType]] = {}
"""The code that notes a function's first call, beside the function's own that it was made for."""


def _noting(function: FunctionType, code: CodeType) -> CodeType:
    own, noting = _made.get(function, (None, code))
    if own is code:
        return noting

    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        _seen[-1].add(code)
        function.__code__ = code
        return function(*args, **kwargs)

    noting = _calling(call, code.co_freevars)
    _made[function] = code, noting
    return noting


def _calling(call: Callable[..., Any], free: tuple[str, ...]) -> CodeType:
    """Code that takes any arguments and hands them over; a function keeps what it closes over."""
    code = _first_call.__code__
    consts = tuple(call if each == "what to do" else each for each in code.co_consts)
    return code.replace(co_consts=consts, co_freevars=free)
