"""Records that are watched at the read: what a proof does not cover cannot be looked at unnoticed.

A slot of a watched record may hold, instead of a value,

- `Poison(path)`: reading it ends the proof as unsupported, naming the field;
- `Unknown(path)`: reading it says that the answer depends on what the position leaves open;
- `Lazy(path, options)`: the first read forks the run over the options;
- `AnyNumber(path, low, high)`: the first read makes a symbolic number of it.

`change(record, ...)` copies slots without reading them, so records stay watched.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.records import Record
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import ruling
from verifier.current import Unsupported, choose, quantity, reject
from verifier.verdicts import RULING


class PoisonRead(Unsupported):
    """A rule looked at a field that the property does not cover."""

    def __init__(self, path: str) -> None:
        super().__init__(f"a rule reads {path}, which the property does not cover")
        self.path = path


class Slot:
    """What a watched record holds in place of a value."""

    def read(self) -> Any:
        """What a reader gets."""
        raise NotImplementedError


@dataclass(frozen=True)
class Poison(Slot):
    """A field that must not be read."""

    path: str

    def read(self) -> Any:
        """Refuse."""
        raise reject(PoisonRead(self.path))


@dataclass(frozen=True)
class Unknown(Slot):
    """A field that a position leaves unknown."""

    path: str

    def read(self) -> Any:
        """Say that the answer depends on it."""
        raise UnknownRead(self.path)


@dataclass(frozen=True)
class Lazy(Slot):
    """A field with one of several values, the same along a path for the same name."""

    path: str
    options: tuple[Any, ...]

    def read(self) -> Any:
        """Fork over the options at the first read."""
        return choose(self.path, self.options)


@dataclass(frozen=True)
class AnyNumber(Slot):
    """A field with any whole number from low to high."""

    path: str
    low: int = 0
    high: int | None = None

    def read(self) -> Any:
        """Make it a symbolic number."""
        return quantity(self.path, self.low, self.high)


RecordT = TypeVar("RecordT", bound=Record)


@functools.cache
def watched_type(kind: type[RecordT]) -> type[RecordT]:
    """The watched subclass of a record type."""
    made: Any = msgspec.defstruct(
        f"Watched{kind.__name__}",
        [],
        bases=(kind,),
        namespace={"__getattribute__": _read},
        module=__name__,
        frozen=True,
    )
    watched_kind: type[RecordT] = made
    return watched_kind


def _read(record: Any, name: str) -> Any:
    value = object.__getattribute__(record, name)
    return value.read() if isinstance(value, Slot) else value


def raw(record: Any, name: str) -> Any:
    """What a slot holds, without reading it."""
    return object.__getattribute__(record, name)


def watched(record: RecordT, **slots: Any) -> RecordT:
    """A watched copy of a record with some of its slots replaced, values or `Slot`s."""
    kind: type[Record] = type(record)
    if not kind.__name__.startswith("Watched"):
        kind = watched_type(kind)
    fields = {name: raw(record, name) for name in record.__struct_fields__}
    unknown = slots.keys() - fields.keys()
    if unknown:
        raise AttributeError(f"{kind.__name__} has no field {', '.join(sorted(unknown))}")
    made: Any = kind(**{**fields, **slots})
    copy: RecordT = made
    return copy


class LazyRulings(Rulings, frozen=True):
    """Rulings that are all still open: the first read of one forks over its values."""

    def value(self, name: str, default: str) -> str:
        """One of the ruling's values, the same along a path."""
        del default
        return choose(RULING + name, ruling(name).values)
