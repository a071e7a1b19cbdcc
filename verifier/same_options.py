"""Two choices of one name are one choice, so they must be among the same options."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import msgspec

from verifier.current import Unsupported, reject
from verifier.numbers import SettledInt

PLAIN_NUMBERS = (int, SettledInt)
"""A symbolic one is another type, whatever it says itself."""


def two_unknowns(name: str) -> Unsupported:
    """The error of a name that stands for two things."""
    return reject(Unsupported(f"{name} is asked for as two different unknowns"))


def require_same_options(name: str, before: Sequence[Any], now: Sequence[Any]) -> None:
    """Refuse options of which one is not what it was when the name was asked for first."""
    if now is not before and not _all_same(before, now):
        raise two_unknowns(name)


def _all_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(map(_same, one, other))


def _same(one: Any, other: Any) -> bool:
    """Whether two options are the same, without looking at what a proof leaves open in them."""
    if one is other:
        return True
    if type(one) in PLAIN_NUMBERS and type(other) in PLAIN_NUMBERS:
        return bool(int.__eq__(one, other))
    if type(one) is not type(other):
        return False
    match one:
        case str() | bool() | bytes() | float() | frozenset() | set():
            return bool(one == other)
        case tuple() | list():
            return _all_same(one, other)
        case dict():
            return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
        case functools.partial():
            return _all_same(_parts(one), _parts(other))
        case msgspec.Struct():
            names = one.__struct_fields__
            return all(_same(_raw(one, name), _raw(other, name)) for name in names)
        case _ if dataclasses.is_dataclass(one):
            names = tuple(each.name for each in dataclasses.fields(one))
            return all(_same(_raw(one, name), _raw(other, name)) for name in names)
        case _:
            # A symbolic value is the same object wherever it has the same term.
            return False


def _parts(made: functools.partial[Any]) -> tuple[Any, ...]:
    return made.func, made.args, made.keywords


def _raw(record: Any, name: str) -> Any:
    return object.__getattribute__(record, name)
