"""Everything printed for a product, whatever its kind: what it is called and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rules_engine.catalogue.faces import Catalogue
from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect
from rules_engine.kernel.records import Record


class Thing(NamedTuple):
    """A face of the catalogue; `kind` is the catalogue's word for its like."""

    kind: str
    id: str
    face: Record

    @property
    def name(self) -> str:
        """What it is called."""
        return str(getattr(self.face, "name", self.id))

    @property
    def names(self) -> tuple[str, ...]:
        """What it and its parts are called, such as the abilities of a Leader."""
        parts = (
            str(value)
            for record in records_in(self.face)
            for field, value in fields_of(record)
            if field.endswith("name")
        )
        return tuple(dict.fromkeys((self.name, *parts)))


class Sentence(NamedTuple):
    """An effect or a condition, and the fields that lead to it."""

    path: tuple[str, ...]
    says: Effect | Condition


def things(printed: Catalogue) -> tuple[Thing, ...]:
    """Everything in a catalogue."""
    return tuple(
        Thing(kind, id_, face)
        for kind, faces in fields_of(printed)
        if isinstance(faces, dict)
        for id_, face in faces.items()
        if isinstance(face, Record)
    )


def names(printed: Catalogue) -> dict[str, str]:
    """What everything in a catalogue is called, by its id."""
    return {thing.id: thing.name for thing in things(printed)}


def sentences(face: Record) -> tuple[Sentence, ...]:
    """Every effect and every condition printed on a face, in the order of its fields."""
    return tuple(_sentences(face, ()))


def effects(face: Record) -> tuple[Effect, ...]:
    """Every effect printed on a face."""
    return tuple(each.says for each in sentences(face) if isinstance(each.says, tree.Effect))


def fields_of(record: Record) -> tuple[tuple[str, Any], ...]:
    """The fields of a record with their values."""
    return tuple((name, getattr(record, name)) for name in record.__struct_fields__)


def records_in(value: Any) -> Iterator[Any]:
    """Every record in a value, outermost first, without those inside effects."""
    if _is_sentence(value):
        return
    if isinstance(value, Record):
        yield value
    for _, inner in _inside(value):
        yield from records_in(inner)


def kinds_in(value: Any) -> frozenset[type]:
    """The kinds of node in an effect or a condition, at any depth."""
    own = {type(value)} if isinstance(value, Record) else set()
    return frozenset(own).union(*(kinds_in(inner) for _, inner in _inside(value)))


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value, such as the ids of the rules behind it."""
    if isinstance(value, str):
        yield value
    for _, inner in _inside(value):
        yield from texts_in(inner)


def _sentences(value: Any, path: tuple[str, ...]) -> Iterator[Sentence]:
    if _is_sentence(value):
        yield Sentence(path, value)
        return
    for name, inner in _inside(value):
        yield from _sentences(inner, (*path, name) if name else path)


def _is_sentence(value: Any) -> bool:
    return isinstance(value, tree.Effect | tree.Condition)


def _inside(value: Any) -> Iterator[tuple[str, Any]]:
    """What is directly in a value, with its name; of several records, each has a number."""
    if isinstance(value, Record):
        yield from fields_of(value)
    elif isinstance(value, dict):
        yield from ((str(key), inner) for key, inner in value.items())
    elif isinstance(value, tuple):
        for number, inner in enumerate(value, 1):
            plain = _is_sentence(inner) or len(value) == 1
            yield "" if plain else str(number), inner
