"""Records that are watched at the read: what a proof does not cover cannot be looked at unnoticed.

A slot of a watched record may hold, instead of a value,

- `Poison(path)`: reading it ends the proof as unsupported, naming the field;
- `Unknown(path)`: reading it says that the answer depends on what the position leaves open;
- `Lazy(path, options)`: the first read forks the run over the options;
- `AnyNumber(path, low, high)`: the first read makes a symbolic number of it.

`change(record, ...)` copies slots without reading them, so records stay watched.

During a run two watched records are equal if their fields are, so comparing and hashing one reads
its fields, and its text is refused. Outside of a run slots are compared as they are. What msgspec
does in C (`asdict`, `astuple`, encoding) sees the slots themselves and cannot be watched, so it is
refused to rules while a proof runs (`refused_calls`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.records import Record
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import Ruling, ruling
from verifier.current import Unsupported, choose, choose_in_column, in_progress, quantity, reject
from verifier.numbers import SymBool, all_of
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
    """A field with one of several values, the same along a path for the same name.

    Fields of one name are the columns of one table: a read of any of them chooses the row.
    """

    path: str
    options: tuple[Any, ...]

    def read(self) -> Any:
        """Fork over the options at the first read."""
        return choose_in_column(self.path, self.options)


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
        namespace={
            "__getattribute__": _read,
            "__eq__": _equals,
            "__ne__": _differs,
            "__hash__": _hash,
            "__repr__": _text,
            "__reduce__": _pickled,
        },
        module=__name__,
        frozen=True,
    )
    watched_kind: type[RecordT] = made
    return watched_kind


def _read(record: Any, name: str) -> Any:
    if name == "__class__":
        return _plain_kind(record)
    value = object.__getattribute__(record, name)
    # Records and symbols answer for `__class__` themselves, so `isinstance` would cost a read.
    return value.read() if issubclass(type(value), Slot) else value


def _equals(record: Any, other: Any) -> Any:
    """Whether all fields are equal; fields that can be compared without reading come first."""
    if record is other:
        return True
    if not in_progress():
        return msgspec.Struct.__eq__(record, other)
    if _plain_kind(record) is not _plain_kind(other):
        return NotImplemented
    names = record.__struct_fields__
    slots = [each for each in names if _is_slot(record, each) or _is_slot(other, each)]
    rest = [each for each in names if each not in slots]
    unclear = [each for each in slots if not _same_slot(raw(record, each), raw(other, each))]
    open_conditions = []
    for name in (*rest, *unclear):
        same = getattr(record, name) == getattr(other, name)
        if isinstance(same, SymBool):
            open_conditions.append(same)
        elif not same:
            return False
    return bool(all_of(*open_conditions))


def _differs(record: Any, other: Any) -> Any:
    same = _equals(record, other)
    return same if same is NotImplemented else not same


def _is_slot(record: Any, name: str) -> bool:
    return isinstance(raw(record, name), Slot)


def _same_slot(one: Any, other: Any) -> bool:
    """Whether two slots hold the same, whatever that is.

    A poisoned path may stand for several things, so it does not say that they are the same.
    """
    return isinstance(one, Slot) and one == other and not isinstance(one, Poison)


def _plain_kind(record: Any) -> type:
    """The type of a record, without the watching."""
    kind = type(record)
    return kind.__bases__[0] if kind.__name__.startswith("Watched") else kind


def _hash(record: Any) -> int:
    """During a run the hash of the plain record, so that whatever is a key was read."""
    if not in_progress():
        return msgspec.Struct.__hash__(record)
    fields = {name: getattr(record, name) for name in record.__struct_fields__}
    return hash(_plain_kind(record)(**fields))


def _text(record: Any) -> str:
    if in_progress():
        raise reject(Unsupported(f"text of a {_plain_kind(record).__name__} that a proof watches"))
    return msgspec.Struct.__repr__(record)


def _pickled(record: Any) -> Any:
    if in_progress():
        raise reject(Unsupported(f"pickling a {_plain_kind(record).__name__} that a proof watches"))
    return msgspec.Struct.__reduce__(record)


def raw(record: Any, name: str) -> Any:
    """What a slot holds, without reading it."""
    return object.__getattribute__(record, name)


def watched(record: RecordT, **slots: Any) -> RecordT:
    """A watched copy of a record with some of its slots replaced, values or `Slot`s."""
    kind: type[Record] = type(record)
    if not kind.__name__.startswith("Watched"):
        kind = watched_type(kind)
    # What msgspec does in C sees the slots themselves.
    fields = msgspec.structs.asdict(record)
    unknown = slots.keys() - fields.keys()
    if unknown:
        raise AttributeError(f"{kind.__name__} has no field {', '.join(sorted(unknown))}")
    made: Any = kind(**{**fields, **slots})
    copy: RecordT = made
    return copy


NOT_BY_NAME = "a rule reads the rulings of a game other than by asking for one by its name"
"""Why it ends: what a proof holds in their place is no list of what was chosen."""


class LazyRulings(Rulings, frozen=True):
    """Rulings that are all still open: the first read of one forks over its values."""

    def value(self, name: str, default: str) -> str:
        """One of the ruling's values, the same along a path."""
        return choose(RULING + name, _with_its_default(name, default).values)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return Rulings
        if name == "chosen" and in_progress():
            raise reject(Unsupported(NOT_BY_NAME))
        return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        """Whether the same are open; which others are chosen nobody knows during a run."""
        same = type(other) is type(self) and msgspec.Struct.__eq__(self, other)
        if in_progress() and not same:
            raise reject(Unsupported(NOT_BY_NAME))
        return bool(same)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        if in_progress():
            raise reject(Unsupported(NOT_BY_NAME))
        return msgspec.Struct.__hash__(self)

    def __repr__(self) -> str:
        return _text(self)


class SomeRulings(LazyRulings, frozen=True):
    """Rulings of which only some are open; the others are at their defaults."""

    still_open: tuple[str, ...] = ()

    def value(self, name: str, default: str) -> str:
        """One of the values of an open ruling, the same along a path; of others the default."""
        if name in self.still_open:
            return super().value(name, default)
        # A choice of one thing, so that the verdict names it.
        return choose(RULING + name, (_with_its_default(name, default).default,))


def _with_its_default(name: str, default: str) -> Ruling:
    """The ruling; with another default a rule would follow what no game does."""
    known = ruling(name)
    if default != known.default:
        raise reject(Unsupported(f"{name} is asked for with another default than its own"))
    return known
