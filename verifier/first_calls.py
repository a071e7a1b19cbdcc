"""Notes which functions run, at the cost of one call each.

A profiler is told of every call, and a proof makes millions. Here a function that has not run yet
has other code: its first call notes it, puts its own code back and calls it again.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any


def _first_call(*args: Any, **kwargs: Any) -> Any:
    what_to_do: Any = "what to do"
    return what_to_do(args, kwargs)


def functions_in(folders: tuple[Path, ...]) -> list[FunctionType]:
    """Every function there is whose file is in one of the folders; not those inside functions."""
    # What somebody froze would not be listed.
    gc.unfreeze()
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType)
        and each.__closure__ is None
        and Path(each.__code__.co_filename).parent in folders
    ]


@contextmanager
def noted(functions: list[FunctionType]) -> Iterator[set[CodeType]]:
    """Collect the code of those of the functions that run inside the block."""
    seen: set[CodeType] = set()
    own = [(each, each.__code__) for each in functions]
    for function, code in own:
        function.__code__ = _noting(function, code, seen)
    try:
        yield seen
    finally:
        for function, code in own:
            function.__code__ = code


def _noting(function: FunctionType, code: CodeType, seen: set[CodeType]) -> CodeType:
    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        seen.add(code)
        function.__code__ = code
        return function(*args, **kwargs)

    return _calling(call)


def _calling(call: Callable[..., Any]) -> CodeType:
    """Code that takes any arguments and hands them over."""
    code = _first_call.__code__
    consts = tuple(call if each == "what to do" else each for each in code.co_consts)
    return code.replace(co_consts=consts)
