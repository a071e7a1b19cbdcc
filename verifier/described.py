"""Values in words that change if they do, the same in every process.

What can be found by its name goes by its name: its module is looked at, and a function that runs
is looked at itself. What a module holds is told in full, with defaults, the attributes of classes,
the values of enums, and what a function without a name of its own was made of.
"""

from __future__ import annotations

import dataclasses
import dis
import enum
import functools
import hashlib
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from verifier.sources import ENGINE, VERIFIER

OURS = {ENGINE.parent, VERIFIER.parent}
"""Where the files are that count; the engine of a twin is in a folder of its own."""

NEW_LOCALS = 2
"""CO_NEWLOCALS: set for functions, not for the bodies of classes."""

_OF_THE_CLASS = frozenset(
    {"__dict__", "__weakref__", "__doc__", "__module__", "__abstractmethods__", "_abc_impl"}
)
"""What Python puts into every class."""


def described(value: Any, around: frozenset[int] = frozenset()) -> str:
    """A value in words that change if it does.

    Functions and types go by their names, where a name says which they are. A value that holds
    itself is told once; `around` has what is being told.
    """
    if id(value) in around:
        return "itself"
    within = functools.partial(described, around=around | {id(value)})
    match value:
        case None | bool() | str() | bytes() if type(value) in _PLAIN:
            return repr(value)
        case types.ModuleType():
            return f"module {value.__name__}"
        case enum.Enum():
            return f"{type(value).__qualname__}.{value.name} = {within(value.value)}"
        case type():
            return (
                f"type {_named(value)} {'' if _found_by_name(value) else _held_by(value, within)}"
            )
        case functools.partial():
            return f"partial {within((value.func, value.args, value.keywords))}"
        case dict() | types.MappingProxyType():
            return str([(within(key), within(each)) for key, each in value.items()])
        case tuple() | list():
            return str([type(value).__name__, *map(within, value)])
        case set() | frozenset():
            return str(sorted(map(within, value)))
        case types.CodeType():
            return code_in_words(value)
        case types.FunctionType():
            return f"function {_named(value)} {_made_of(value, within)}"
        case types.MethodType():
            return f"method {within(value.__func__)} of {within(value.__self__)}"
        case classmethod() | staticmethod():
            return f"{type(value).__name__} {within(value.__func__)}"
        case property():
            return f"property {within((value.fget, value.fset, value.fdel))}"
        case functools.cached_property():
            return f"cached {within(value.func)}"
        case msgspec.Struct():
            parts = [within(getattr(value, name)) for name in value.__struct_fields__]
            return f"{type(value).__qualname__} {parts}"
        case _ if dataclasses.is_dataclass(value):
            parts = [within(getattr(value, each.name)) for each in dataclasses.fields(value)]
            return f"{type(value).__qualname__} {parts}"
        case _ if hasattr(value, "__wrapped__"):
            return f"{type(value).__qualname__} of {within(value.__wrapped__)}"
        case _ if hasattr(value, "__qualname__"):
            return f"{type(value).__qualname__} {_named(value)}"
        case _ if type(value).__repr__ is _NO_WORDS:
            return f"{_named(type(value))} {within(getattr(value, '__dict__', {}))}"
        case _:
            return repr(value)


_PLAIN = frozenset({type(None), bool, str, bytes})
_NO_WORDS: Any = object.__repr__
"""What shows a place in memory, which is another one in the next process."""


def held_by_module(module: types.ModuleType) -> str:
    """All that a module holds, the classes that are defined in it in full."""
    parts = (
        f"{name} = {in_full(each) if _is_defined_in(module, each) else described(each)}"
        for name, each in vars(module).items()
        if not (name.startswith("__") and name.endswith("__"))
        # A package gets a name for each of its modules, in the order in which they are imported.
        and sys.modules.get(f"{module.__name__}.{name}") is not each
    )
    return str([*parts])


def _is_defined_in(module: types.ModuleType, value: Any) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__


def in_full(kind: type) -> str:
    """A class with all that it holds, and the classes in it, too."""
    return f"type {_named(kind)} {_held_by(kind, functools.partial(_part_of, kind))}"


def _part_of(outer: type, value: Any) -> str:
    inside = isinstance(value, type) and value.__qualname__.startswith(f"{outer.__qualname__}.")
    return in_full(value) if inside else described(value, frozenset({id(outer)}))


def _held_by(kind: type, within: Callable[[Any], str]) -> str:
    """The fields, defaults and attributes of a class."""
    fields = [
        (each.name, within(each.default), within(each.default_factory))
        for each in (dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ())
    ]
    names = getattr(kind, "__struct_fields__", ())
    defaults = [within(each) for each in getattr(kind, "__struct_defaults__", ())]
    own = [(name, within(each)) for name, each in vars(kind).items() if _counts(name)]
    return str((fields, names, defaults, own))


def _counts(name: str) -> bool:
    """Whether an attribute of a class is its own; dataclasses have their fields twice."""
    return name not in _OF_THE_CLASS and not name.startswith("__dataclass")


def _named(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{value.__qualname__}"


def _found_by_name(value: Any) -> bool:
    """Whether somebody who looks for its name in its module finds it there."""
    found: Any = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


# Functions


def _made_of(function: types.FunctionType, within: Callable[[Any], str]) -> str:
    """The defaults of a function; also its code and what that closes over, if needed."""
    parts = [within(each) for each in (function.__defaults__, function.__kwdefaults__) if each]
    if _needs_its_code(function):
        cells = function.__closure__ or ()
        parts += [code_in_words(function.__code__), *map(within, _contents(cells))]
    return digest(*parts) if parts else ""


def _needs_its_code(function: types.FunctionType) -> bool:
    """Whether its name does not say which function it is, or nobody looks at its code."""
    return (
        function.__closure__ is not None
        or hasattr(function, "__wrapped__")
        or "<" in function.__qualname__
        or not any(map(Path(function.__code__.co_filename).is_relative_to, OURS))
    )


def _contents(cells: tuple[types.CellType, ...]) -> Iterator[Any]:
    for cell in cells:
        try:
            yield cell.cell_contents
        except ValueError:
            yield "nothing yet"


def code_in_words(code: types.CodeType) -> str:
    """What a function does, without where it stands and what its docstring says."""
    consts = [described(each) for each in code.co_consts]
    if _has_only_a_docstring_first(code):
        consts[0] = ""
    return repr((code.co_code, consts, how_it_runs(code)))


def how_it_runs(code: types.CodeType) -> tuple[object, ...]:
    """All else that decides what code does: what it takes, its names, what exceptions end."""
    return (
        code.co_qualname,
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags),
        (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars),
        code.co_exceptiontable,
    )


def _has_only_a_docstring_first(code: types.CodeType) -> bool:
    """Whether the first constant is a docstring that the code itself does not use.

    Python gives every function with a name of its own a first constant: its docstring or nothing.
    """
    named = not code.co_name.startswith("<")
    text = code.co_consts[:1] and isinstance(code.co_consts[0], str)
    return bool(code.co_flags & NEW_LOCALS and named and text) and not _uses_the_first(code)


def _uses_the_first(code: types.CodeType) -> bool:
    """Whether the code takes up its first constant; better once too often."""
    steps = zip(code.co_code[::2], code.co_code[1::2], strict=True)
    return any(step in _TAKES_CONSTANTS and which == 0 for step, which in steps)


_TAKES_CONSTANTS = frozenset(dis.hasconst)


def digest(*parts: str) -> str:
    """A short name for some text."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(part.encode())
        found.update(b"\0")
    return found.hexdigest()
