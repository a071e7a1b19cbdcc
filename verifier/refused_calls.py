"""What nobody could notice is refused to rule functions while a proof runs.

What msgspec does in C sees the slots of a watched record themselves, not what a reader would get.
`change` (`msgspec.structs.replace`) copies slots as they are, which is what it is for. A clock, a
die or a file is no part of a position. The built-in functions `type`, `getattr` and `hasattr` do
not ask a symbolic value, so the modules of the engine and of properties get some that do.
"""

from __future__ import annotations

import builtins
import functools
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

import rules_engine
import verifier
from rules_engine.kernel import numbers
from rules_engine.kernel.rulings import Rulings
from verifier.class_lint import KNOWN_NAMES
from verifier.current import Misuse, Unsupported, current, in_progress, reject
from verifier.left_behind import is_ours
from verifier.numbers import SymBool, SymInt
from verifier.one_of import OneOf
from verifier.pure_lint import OF_CACHES, PUTS_IN

ENGINE = str(Path(rules_engine.__file__).parent)
VERIFIER = str(Path(verifier.__file__).parent)

CHANGES = PUTS_IN | OF_CACHES | {"__init__"}
"""What nobody asks a value for by a name that is only known when it runs."""
OF_RECORDS = "of what a proof watches"
FROM_OUTSIDE = "gives what is no part of the position"
NOT_NAMED = "a ruling is asked for where none is open, so no verdict would name it"

REFUSED: tuple[tuple[Any, str, str], ...] = (
    (msgspec, "convert", OF_RECORDS),
    (msgspec, "to_builtins", OF_RECORDS),
    (msgspec.json, "encode", OF_RECORDS),
    (msgspec.json, "format", OF_RECORDS),
    (msgspec.json, "Encoder", OF_RECORDS),
    (msgspec.msgpack, "encode", OF_RECORDS),
    (msgspec.msgpack, "Encoder", OF_RECORDS),
    (msgspec.structs, "asdict", OF_RECORDS),
    (msgspec.structs, "astuple", OF_RECORDS),
    (msgspec.structs, "force_setattr", OF_RECORDS),
    (os, "getenv", FROM_OUTSIDE),
    (os, "urandom", FROM_OUTSIDE),
    (random, "random", FROM_OUTSIDE),
    (random, "randrange", FROM_OUTSIDE),
    (random, "randint", FROM_OUTSIDE),
    (random, "choice", FROM_OUTSIDE),
    (random, "shuffle", FROM_OUTSIDE),
    (random, "sample", FROM_OUTSIDE),
    (time, "time", FROM_OUTSIDE),
    (time, "time_ns", FROM_OUTSIDE),
    (time, "monotonic", FROM_OUTSIDE),
    (time, "perf_counter", FROM_OUTSIDE),
)


@contextmanager
def refused_calls() -> Iterator[None]:
    """Inside the block a rule function that calls one of these, in this thread, ends its path."""
    _install_the_hook()
    thread = threading.get_ident()
    own = [(holder, name, getattr(holder, name)) for holder, name, _ in REFUSED]
    for (holder, name, why), (_, _, function) in zip(REFUSED, own, strict=True):
        setattr(holder, name, _refusing(function, f"{holder.__name__}'s {name} {why}", thread))
    asking = _asking(thread)
    modules = [vars(module) for name, module in list(sys.modules.items()) if is_ours(name)]
    guarded = [(names, {*asking} - {*names} - _trusted(names)) for names in modules]
    for names, new in guarded:
        names.update((each, asking[each]) for each in new)
    _proving.append(thread)
    try:
        yield
    finally:
        _proving.remove(thread)
        for names, new in guarded:
            for each in new:
                del names[each]
        for holder, name, function in own:
            setattr(holder, name, function)


@contextmanager
def rulings_are_named() -> Iterator[None]:
    """Inside, whatever asks for a ruling has positions of which the verdict names the rulings.

    A scenario states its own; with those of a counterexample a game is played.
    """
    own = Rulings.value
    setattr(Rulings, "value", _naming(own, threading.get_ident()))  # noqa: B010
    try:
        yield
    finally:
        setattr(Rulings, "value", own)  # noqa: B010


@functools.cache
def _naming(own: Callable[..., str], thread: int) -> Callable[..., str]:
    """The same for every proof of a thread, so that the class looks as it did at the last."""

    def value(rulings: Rulings, name: str, default: str) -> str:
        if _is_proving(thread) and current().values is None:
            raise reject(Unsupported(NOT_NAMED))
        return own(rulings, name, default)

    return value


def _trusted(names: dict[str, Any]) -> set[str]:
    """What asks in a module by itself: `pick` asks whether a condition is symbolic."""
    return {"getattr"} if names is vars(numbers) else set()


def _refusing(function: Callable[..., Any], what: str, thread: int) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1)
        by_a_rule = caller.f_code.co_filename.startswith(ENGINE)
        if by_a_rule and in_progress() and threading.get_ident() == thread:
            where = f"{'/'.join(Path(caller.f_code.co_filename).parts[-3:])}:{caller.f_lineno}"
            raise reject(Unsupported(f"{what} at {where}"))
        return function(*args, **kwargs)

    return refuse


# Built-in functions that ask


def _is_symbolic(value: object, thread: int) -> bool:
    return builtins.type(value) in (SymInt, SymBool, OneOf) and _is_proving(thread)


def _is_proving(thread: int) -> bool:
    return in_progress() and threading.get_ident() == thread


def _asking_type(thread: int) -> Any:
    class Metatype(builtins.type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, builtins.type)

    class Asking(metaclass=Metatype):
        def __new__(cls, *given: Any, **named: Any) -> Any:
            if len(given) != 1:
                return builtins.type(*given, **named)
            if _is_symbolic(given[0], thread):
                raise reject(Misuse("type of a symbolic value"))
            if isinstance(given[0], builtins.type) and _is_proving(thread):
                raise reject(Unsupported("the type of a type asks nobody"))
            # A watched record is of the type that it stands for.
            return given[0].__class__

        def __class_getitem__(cls, kind: Any) -> Any:
            return builtins.type[kind]

    return Asking


def _asking_attribute(of: Callable[..., Any]) -> Callable[[int], Callable[..., Any]]:
    def make(thread: int) -> Callable[..., Any]:
        def asking(value: Any, name: str, *default: Any) -> Any:
            if _is_symbolic(value, thread):
                raise reject(Misuse(f"`{name}` of a symbolic value"))
            if name in CHANGES and not isinstance(value, msgspec.Struct) and _is_proving(thread):
                raise reject(Unsupported(f"`{name}` changes what may outlive the call"))
            if name.startswith("__") and name not in KNOWN_NAMES and _is_proving(thread):
                raise reject(Unsupported(f"`{name}` goes around what a value allows"))
            return of(value, name, *default)

        return asking

    return make


ASKING: dict[str, Callable[[int], Any]] = {
    "type": _asking_type,
    "getattr": _asking_attribute(getattr),
    "hasattr": _asking_attribute(hasattr),
}
"""What stands for a built-in function in the modules of the engine and of properties."""


@functools.cache
def _asking(thread: int) -> dict[str, Any]:
    """The same ones for every proof of a thread, so that modules look as they did at the last."""
    return {name: make(thread) for name, make in ASKING.items()}


# Files


_proving: list[int] = []
"""The threads that are proving something."""
_hooked: list[bool] = []


def _install_the_hook() -> None:
    """Python has no way to take it back, so it is there once, and idle outside of proofs."""
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_opened)


def _opened(event: str, args: tuple[Any, ...]) -> None:
    """The engine's own data and Python's modules are what a proof rests on; other files are not.

    What is written tells a proof nothing, and texts of modules are read to tell where an error is.
    """
    if event != "open" or not _proving or not in_progress():
        return
    file, _, flags = args
    if flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR) == os.O_WRONLY or str(file).endswith(".py"):
        return
    if threading.get_ident() in _proving and not str(file).startswith(KNOWN_FILES):
        raise reject(Unsupported(f"a file is opened that is no part of the engine: {file}"))


KNOWN_FILES = (ENGINE, VERIFIER, sys.prefix, sys.base_prefix)
