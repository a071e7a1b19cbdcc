"""What the modules hold in memory, and whether somebody put something else there.

Functions, tables and classes can be replaced while a process runs: a test does it to plant a fault.
What is proved then is not what the files say. What was replaced before anybody looked is noticed,
too: functions are compared with the text of their files.
"""

from __future__ import annotations

import functools
import gc
import sys
import types
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from verifier.texts import is_of_the_text, text_of


class _Names(NamedTuple):
    """The names of a module or a class, and what they stood for."""

    now: Mapping[str, Any]
    names: tuple[str, ...]
    before: list[Any]


class _Table(NamedTuple):
    """A table, and what was in it."""

    now: Any
    before: Any


class Memory:
    """What the names in some packages stand for, and what their functions and tables hold."""

    def __init__(self, packages: Iterable[str], *, tables_of: str) -> None:
        self._names: list[_Names] = []
        self._tables: list[_Table] = []
        self._packages = frozenset(packages)
        for name, module in list(sys.modules.items()):
            if _package(name) in self._packages:
                self._remember(module, tables=_package(name) == tables_of)
        self._functions = _functions_of(self._packages)
        self._made_of = [*map(_made_of, self._functions)]

    def _remember(self, module: types.ModuleType, *, tables: bool) -> None:
        own = [
            each
            for each in vars(module).values()
            if isinstance(each, type) and each.__module__ == module.__name__
        ]
        for holder in (module, *own):
            now = vars(holder)
            self._names.append(_Names(now, tuple(now), [*now.values()]))
        if tables:
            self._tables += (
                _Table(each, each.copy())
                for name, each in vars(module).items()
                if isinstance(each, dict | list | set) and not name.startswith("__")
            )

    def is_as_it_was(self) -> bool:
        """Whether every name, function and table is what it was."""
        # A package gets a name for each of its modules that is imported later.
        # Lists are compared item by item, and an item with itself at once.
        return (
            all([*map(now.get, names)] == before for now, names, before in self._names)
            and all(len(now) == len(names) or "__path__" in now for now, names, _ in self._names)
            and all(each.now == each.before for each in self._tables)
            and [*map(_made_of, self._functions)] == self._made_of
        )

    @functools.cached_property
    def was_of_the_text(self) -> bool:
        """Whether what it was is what the files say: every function, and what is called like one.

        Looked at once, while all is as it was.
        """
        modules = [
            module for name, module in sys.modules.items() if _package(name) in self._packages
        ]
        return all(map(_is_of_its_text, self._functions)) and all(map(_has_its_own, modules))


_made_of = attrgetter("__code__", "__defaults__", "__kwdefaults__", "__closure__")


def _package(name: str) -> str:
    return name.partition(".")[0]


def _functions_of(packages: frozenset[str]) -> list[types.FunctionType]:
    """Every function there is of some packages, also those in tables and inside others."""
    # What somebody froze would not be listed.
    gc.unfreeze()
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, types.FunctionType) and _package(each.__module__ or "") in packages
    ]


def _is_of_its_text(function: types.FunctionType) -> bool:
    """Whether a function does what is written where its name is; what Python made has no text.

    One that stands for another has that one's name: only what it does itself is looked at.
    """
    code = function.__code__
    file = _file(sys.modules.get(function.__module__))
    if function.__qualname__ not in text_of(file).functions:
        return code.co_filename != file or is_of_the_text(code)
    if hasattr(function, "__wrapped__"):
        return not text_of(code.co_filename).functions or is_of_the_text(code)
    return (code.co_filename, code.co_qualname) == (
        file,
        function.__qualname__,
    ) and is_of_the_text(code)


def _has_its_own(module: types.ModuleType) -> bool:
    """Whether a name in a module that a function of its text has stands for no other function."""
    named = ((name, vars(module).get(name)) for name in text_of(_file(module)).functions)
    return all(
        (each.__module__, each.__qualname__) == (module.__name__, name)
        for name, each in named
        if isinstance(each, types.FunctionType) and not hasattr(each, "__wrapped__")
    )


def _file(module: types.ModuleType | None) -> str:
    return getattr(module, "__file__", None) or ""
