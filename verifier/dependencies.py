"""What a proof rests on: the functions that ran, with the values they look up, and all the rest.

A kept proof counts only as long as every part of this is as it was. Rules and properties count
function by function, so a change of one rule leaves the proofs that never ran it alone. Everything
else (the kernel, the effect language, the catalogue, the verifier itself) counts as a whole.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import importlib
import platform
import re
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import z3

import rules_engine
import verifier
from verifier.first_calls import functions_in, noted

ENGINE = Path(rules_engine.__file__).parent
VERIFIER = Path(verifier.__file__).parent

BY_FUNCTION = (ENGINE / "imperium", VERIFIER / "properties")
"""The folders of rules and properties."""

RULES = f"{rules_engine.__name__}."
"""How the keys of rule functions begin."""

Dependencies = dict[str, str]
"""The digest of each function that ran, by its module and name."""

NAMELESS = re.compile("[0-9a-f]{32}")
"""What a function is called in there that has no name."""


# Which functions run


@contextmanager
def traced() -> Iterator[set[types.CodeType]]:
    """Collect the code of every rule function and property that runs inside the block."""
    with noted(_rules_and_properties()) as seen:
        yield seen


@functools.cache
def _rules_and_properties() -> list[types.FunctionType]:
    return functions_in(BY_FUNCTION)


def dependencies(seen: set[types.CodeType]) -> Dependencies:
    """The functions among the rules and properties that ran, and their digests."""
    keys = [key for code in seen if (key := _key(code))]
    return {key: _now(key) for key in keys}


def by_key() -> dict[str, types.FunctionType]:
    """Every rule function and property by the key that dependencies have for it."""
    return {key: each for each in _rules_and_properties() if (key := _key(each.__code__))}


def _key(code: types.CodeType) -> str:
    """Module and name of a function; nothing for one that is neither a rule nor a property."""
    module = _modules().get(code.co_filename)
    if module is None:
        return ""
    name = code.co_qualname.partition(".<locals>")[0]
    # A lambda of a table has no name, so it is known by what it does.
    return f"{module}:{_digest(_code(code)) if name == '<lambda>' else name}"


def rule_functions(kept: Mapping[str, str]) -> tuple[str, ...]:
    """Those of the functions that are rules and have a name, each as `file.function`."""
    keys = (key.partition(":") for key in kept if key.startswith(f"{rules_engine.__name__}."))
    named = (
        f"{module.rpartition('.')[2]}.{name}"
        for module, _, name in keys
        if not NAMELESS.fullmatch(name)
    )
    return tuple(sorted(named))


def still_hold(kept: Mapping[str, str]) -> bool:
    """Whether every function is as it was."""
    return all(digest and _now(key) == digest for key, digest in kept.items())


def _now(key: str) -> str:
    """The digest of a function as it is now; nothing if there is none any more."""
    module, _, name = key.partition(":")
    return _current(module).get(name, "")


@functools.cache
def _modules() -> dict[str, str]:
    """The modules of rules and properties by their files."""
    return {
        file: name
        for name, module in list(sys.modules.items())
        if (file := getattr(module, "__file__", None)) and Path(file).parent in BY_FUNCTION
    }


@functools.cache
def _current(module: str) -> dict[str, str]:
    """The digest of every function of a module as it is now."""
    try:
        loaded = importlib.import_module(module)
    except ImportError:
        return {}
    code = compile(Path(loaded.__file__ or "").read_bytes(), loaded.__file__ or "", "exec")
    found: dict[str, str] = {}
    frame = _skeleton(code)
    for each in _functions(code):
        digest = _digest(frame, _code(each), *_looked_up(each, vars(loaded)))
        if each.co_name == "<lambda>":
            found.update((_digest(_code(part)), digest) for part in _with_inner(each))
        else:
            # Functions of one name (overloads) count together.
            found[each.co_qualname] = _digest(found.get(each.co_qualname, ""), digest)
    return found


def _skeleton(code: types.CodeType) -> str:
    """What a module does around its functions: constants, tables, defaults, decorators."""
    consts = [_around(each) for each in code.co_consts]
    return repr((code.co_code, consts, code.co_names))


def _around(const: Any) -> str:
    if not isinstance(const, types.CodeType):
        return described(const)
    return const.co_qualname if const.co_flags & _NEW_LOCALS else _skeleton(const)


def _functions(code: types.CodeType) -> Iterator[types.CodeType]:
    """Functions of a module and methods of its classes; what is inside a function is part of it."""
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            if const.co_flags & _NEW_LOCALS:
                yield const
            else:
                yield from _functions(const)


def _with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function and all that are defined in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _with_inner(const)


_NEW_LOCALS = 2
"""CO_NEWLOCALS: set for functions, not for the bodies of classes."""


# What a function is


def _code(code: types.CodeType) -> str:
    """What a function does, without where it stands and what its docstring says."""
    consts = [
        _code(each) if isinstance(each, types.CodeType) else described(each)
        for each in code.co_consts
    ]
    if code.co_flags & _NEW_LOCALS and consts and isinstance(code.co_consts[0], str):
        consts[0] = ""
    return repr((code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars))


def _looked_up(code: types.CodeType, known: Mapping[str, Any]) -> Iterator[str]:
    """The values of the names that a function looks up in its module."""
    for name in _names(code):
        if name in known:
            yield f"{name} = {described(known[name])}"


def _names(code: types.CodeType) -> list[str]:
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return sorted({*code.co_names, *(name for each in inner for name in _names(each))})


def described(value: Any) -> str:
    """A value in words that change if it does.

    Functions go by their names: those that run are looked at themselves.
    """
    match value:
        case types.ModuleType():
            return f"module {value.__name__}"
        case functools.partial():
            return f"partial {described((value.func, value.args, value.keywords))}"
        case enum.Enum():
            return f"{type(value).__qualname__}.{value.name}"
        case type():
            return f"type {value.__module__}.{value.__qualname__} {_fields(value)}"
        case dict():
            return str([(described(key), described(each)) for key, each in value.items()])
        case tuple() | list():
            return str([type(value).__name__, *map(described, value)])
        case set() | frozenset():
            return str(sorted(map(described, value)))
        case msgspec.Struct():
            parts = [described(getattr(value, name)) for name in value.__struct_fields__]
            return f"{type(value).__qualname__} {parts}"
        case _ if dataclasses.is_dataclass(value):
            parts = [described(getattr(value, each.name)) for each in dataclasses.fields(value)]
            return f"{type(value).__qualname__} {parts}"
        case _ if hasattr(value, "__qualname__"):
            return f"function {value.__module__}.{value.__qualname__}"
        case _:
            return repr(value)


def _fields(kind: type) -> str:
    """The fields and defaults of a record type."""
    names = getattr(kind, "__struct_fields__", ())
    defaults = getattr(kind, "__struct_defaults__", ())
    return f"{names} {[described(each) for each in defaults]}"


# Everything else


@functools.cache
def everything_else() -> str:
    """The digest of all that every proof rests on: files that count as a whole, and versions."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (z3.get_version_string(), platform.python_version(), msgspec.__version__):
        digest.update(part.encode())
    for file in _whole_files():
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    for function in _behind_caches():
        digest.update(function.encode())
    return digest.hexdigest()


def _whole_files() -> list[Path]:
    found = [path for root in (ENGINE, VERIFIER) for path in root.rglob("*")]
    return sorted(
        path
        for path in found
        if path.is_file() and path.suffix != ".pyc" and not _by_function(path)
    )


def _by_function(path: Path) -> bool:
    return path.suffix == ".py" and path.parent in BY_FUNCTION


def _behind_caches() -> list[str]:
    """The functions whose results are remembered, and what they call by name, with digests.

    A remembered result is not worked out again, so a later proof would not see them run.
    """
    waiting: list[Any] = [
        each
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in (rules_engine.__name__, verifier.__name__)
        for each in vars(module).values()
        if hasattr(each, "cache_info")
    ]
    found: dict[str, Any] = {}
    while waiting:
        function = _unwrapped(waiting.pop())
        name = f"{function.__module__}:{function.__qualname__}"
        if name in found:
            continue
        found[name] = function
        names = _names(function.__code__)
        called = [function.__globals__[each] for each in names if each in function.__globals__]
        waiting += [each for each in called if _is_ours(each)]
    ours = {*_modules().values()}
    return [f"{name} {_now(name)}" for name in sorted(found) if name.partition(":")[0] in ours]


def _unwrapped(function: Any) -> Any:
    return getattr(function, "__wrapped__", function)


def _is_ours(value: Any) -> bool:
    function = _unwrapped(value)
    if not isinstance(function, types.FunctionType):
        return False
    package = function.__module__.partition(".")[0]
    return package in (rules_engine.__name__, verifier.__name__)


def _digest(*parts: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()
