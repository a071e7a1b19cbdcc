"""What rules and properties leave behind from one call to the next.

A function that counts its calls, or remembers what it was asked, gives something else the next
time. A proof runs it many times, along one path after another, and would mix those up. So whatever
outlives a call has to be the same after a proof as before: what the modules' names stand for, the
lists and tables among it, defaults, attributes of functions and classes, and what closures hold.
"""

from __future__ import annotations

import functools
import gc
import itertools
import operator
import sys
import types
from collections import deque
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from verifier.current import Unsupported, reject

FOLDERS = ("rules_engine.", "verifier.properties")
"""The packages of rules, of what is around them, and of properties."""

_ENGINE = "rules_engine."
PLAY_GAMES = {"rules_engine.kernel.soak", "rules_engine.imperium.soak"}
"""What plays whole games remembers how, and no rule asks it."""
OF_PYTHON = "__"
"""How names begin that Python itself writes, such as the doc of a class."""


class _Held(NamedTuple):
    """Something that can change, where it is, and how to see what is in it."""

    where: str
    inside: Callable[[], list[Any]]
    before: list[Any]


class _Names(NamedTuple):
    """The names of a module or class, what they stood for, and how they are told."""

    now: Mapping[str, Any]
    names: list[str]
    before: list[Any]
    told: list[str]


class LeftBehind:
    """What outlives a call of a rule or property, as it is now."""

    def __init__(self) -> None:
        self._held: list[_Held] = []
        self._of_names: list[_Names] = []
        self._steps: list[str] = []
        self._caches: list[tuple[str, Any]] = []
        """What remembers answers, none of which may change afterwards."""
        self._fixed: dict[tuple[int, int], Any] = {}
        """What was found in them and cannot change, by its address and size."""
        self._bare: list[types.FunctionType] = []
        """Functions that hold nothing."""
        self._seen: dict[int, Any] = {}
        self._waiting: list[tuple[str, Any]] = [
            (name, module) for name, module in list(sys.modules.items()) if is_ours(name)
        ]
        while self._waiting:
            self._look(*self._waiting.pop())

    def changed(self) -> str:
        """The name of something that is not as it was; nothing if all is."""
        for names in self._of_names:
            now = [*map(names.now.get, names.names)]
            if not all(map(operator.is_, now, names.before)):
                different = map(_differ, now, names.before)
                if told := [*itertools.compress(names.told, different)]:
                    return told[0]
        for where, inside, before in self._held:
            now = inside()
            if len(now) == len(before) and all(map(operator.is_, now, before)):
                continue
            if len(now) != len(before) or any(map(_differ, now, before)):
                return where
        for where, cache in self._caches:
            if not all(map(self._is_fixed, gc.get_referents(cache))):
                return where
        if any(map(vars, self._bare)):
            (first, *_) = filter(vars, self._bare)
            return _qualified(first)
        return next(iter(self._steps), "")

    def _look(self, where: str, value: Any) -> None:
        if isinstance(value, _PLAIN) or id(value) in self._seen:
            return
        self._seen[id(value)] = value
        if any(value is each for each in _ASKING):
            self._steps.append(where)
        match value:
            case types.ModuleType() | type() if is_ours(_module_of(value)):
                self._names(value)
            case dict():
                self._holds(where, lambda: [*value.values()], [f"{where}[...]"] * len(value))
            case list() | deque() | set() | bytearray():
                self._holds(where, lambda: [*value], [f"{where}[...]"] * len(value))
            case tuple() | frozenset():
                self._waiting += ((f"{where}[...]", each) for each in value)
            case types.FunctionType() if is_ours(value.__module__ or ""):
                self._function(where, value)
            case functools.partial():
                parts = (value.func, value.args, value.keywords, vars(value))
                self._waiting += ((where, each) for each in parts)
            case BaseException():
                self._waiting += ((where, each) for each in (value.args, vars(value)))
            case classmethod() | staticmethod():
                self._waiting.append((where, value.__func__))
            case property():
                self._waiting.append((where, value.fget))
            case msgspec.Struct():
                names = value.__struct_fields__
                self._waiting += ((f"{where}.{each}", getattr(value, each)) for each in names)
            case functools._lru_cache_wrapper():
                if _is_of_rules(value.__module__ or ""):
                    self._caches.append((where, value))
                self._waiting.append((where, value.__wrapped__))
            case types.MethodType() if not _holds_nothing(value.__self__):
                self._waiting += ((where, each) for each in (value.__self__, value.__func__))
            case _ if hasattr(value, "__wrapped__"):
                self._waiting.append((where, value.__wrapped__))
            case _ if is_ours(type(value).__module__) and hasattr(value, "__dict__"):
                self._holds(where, lambda: [*vars(value).values()], [where] * len(vars(value)))
            case _ if is_ours(type(value).__module__) and (names := _slots(value)):
                self._holds(where, lambda: _in_slots(value, names), [where] * len(names))
            case _ if not _holds_nothing(value):
                self._steps.append(where)

    def _is_fixed(self, value: Any) -> bool:
        """Whether an answer that is remembered cannot change; tables are only read, says a lint."""
        size = len(value) if isinstance(value, dict) else 0
        if isinstance(value, _PLAIN) or (id(value), size) in self._fixed:
            return True
        match value:
            case dict():
                fixed = all(map(self._is_fixed, (*value.keys(), *value.values())))
            case tuple() | frozenset():
                fixed = all(map(self._is_fixed, value))
            case msgspec.Struct():
                fields = (getattr(value, each) for each in value.__struct_fields__)
                fixed = all(map(self._is_fixed, fields))
            case _:
                fixed = isinstance(value, Enum) or _holds_nothing(value)
        if fixed:
            self._fixed[id(value), size] = value
        return fixed

    def _holds(self, where: str, inside: Callable[[], list[Any]], names: list[str]) -> None:
        before = inside()
        self._held.append(_Held(where, inside, before))
        self._waiting += zip(names, before, strict=True)

    def _names(self, holder: Any) -> None:
        """Look at each name of a module or class by itself, so that it can be told."""
        now = vars(holder)
        names = [each for each in now if not each.startswith(OF_PYTHON)]
        # A package gets a name for each of its modules that is imported later.
        if not hasattr(holder, "__path__"):
            self._held.append(_Held(_told(holder), lambda: [len(now)], [len(now)]))
        before = [now[each] for each in names]
        told = [f"{_told(holder)}.{each}" for each in names]
        self._of_names.append(_Names(now, names, before, told))
        self._waiting += zip(told, before, strict=True)

    def _function(self, where: str, function: types.FunctionType) -> None:
        defaults = function.__defaults__ or function.__kwdefaults__
        if not (defaults or function.__closure__ or vars(function)):
            self._bare.append(function)
            return

        def inside() -> list[Any]:
            cells = (_content(each) for each in function.__closure__ or ())
            named = (function.__kwdefaults__ or {}).values()
            attributes = vars(function).values()
            return [*(function.__defaults__ or ()), *named, *attributes, *cells]

        self._holds(where, inside, [where] * len(inside()))


class Watch:
    """Sees that the runs of a function leave nothing behind."""

    def __init__(self, function: Callable[[], object]) -> None:
        self._function = function
        self._paths = 0
        self._looked_after = 0
        self._look_after = 1
        self._before = _as_it_is()

    def __call__(self) -> None:
        """Run the function, and look after the first run, the second, the sixteenth and so on.

        What changes back and forth might be as it was in the end.
        """
        try:
            self._function()
        finally:
            self._paths += 1
            if self._paths == self._look_after:
                self._look_after *= 2 if self._paths == 1 else 8
                if what := self.what():
                    reject(Unsupported(what))

    def what_at_last(self) -> str:
        """What was left behind since it was looked for, in words; nothing if nothing was."""
        return self.what() if self._paths > self._looked_after else ""

    def what(self) -> str:
        """What was left behind, in words; nothing if nothing was."""
        self._looked_after = self._paths
        changed = self._before.changed()
        return f"{changed} is not the same from one call to the next" if changed else ""


_last: list[LeftBehind] = []


def _as_it_is() -> LeftBehind:
    """What is there now, looked at anew only if it is not what it was at the last time."""
    if not _last or _last[0].changed():
        _last[:] = [LeftBehind()]
    return _last[0]


def _is_of_rules(module: str) -> bool:
    return module.startswith(_ENGINE) and module not in PLAY_GAMES


_ASKING = (type, getattr, hasattr)
"""What asks nobody if it was kept from before a proof."""
_HOLD_NOTHING = (
    *(type, types.FunctionType, types.ModuleType, types.UnionType, types.GenericAlias, range),
    *(types.MemberDescriptorType, types.GetSetDescriptorType),
)
_OF_OTHERS = {
    *("typing", "_abc", "_collections", "collections.abc", "functools", "__future__"),
    *("lark.lark", "msgspec.json", "multiprocessing.context", "re", "_thread", "verifier.registry"),
}
"""Where such classes are whose objects are made once, and only read or asked by what is trusted."""


def _holds_nothing(value: Any) -> bool:
    """Whether a value never changes, as far as one knows that; into others nobody can look."""
    if isinstance(value, types.BuiltinFunctionType):
        return isinstance(value.__self__, type | types.ModuleType)
    if isinstance(value, types.MethodType):
        return _holds_nothing(value.__self__)
    kind = type(value)
    return isinstance(value, _HOLD_NOTHING) or kind is object or kind.__module__ in _OF_OTHERS


_PLAIN = (str, int, float, bytes, type(None))


def _slots(value: object) -> tuple[str, ...]:
    """The names of what an object holds that has no dictionary."""
    several = (vars(kind).get("__slots__", ()) for kind in type(value).__mro__)
    return tuple(name for each in several for name in ((each,) if isinstance(each, str) else each))


def _in_slots(value: object, names: tuple[str, ...]) -> list[Any]:
    return [getattr(value, each, None) for each in names]


def is_ours(module: str) -> bool:
    """Whether a module is one of rules or properties."""
    return module.startswith(FOLDERS)


def _told(holder: Any) -> str:
    return holder.__name__ if isinstance(holder, types.ModuleType) else _qualified(holder)


def _qualified(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _module_of(holder: Any) -> str:
    if isinstance(holder, types.ModuleType):
        return holder.__name__
    return getattr(holder, "__module__", None) or ""


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # Nothing is in it yet.
        return None


def _differ(now: Any, before: Any) -> bool:
    """Whether a name stands for something else; equal numbers and texts are the same."""
    return now is not before and not (isinstance(now, _PLAIN) and now == before)
