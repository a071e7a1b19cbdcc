"""What is printed, as text and as data: every field of a face, effects with their rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rules_engine.catalogue.things import Sentence, Thing, fields_of, sentences
from rules_engine.effects import tree
from rules_engine.effects.text import say, say_condition
from rules_engine.imperium.effects import rules_of
from rules_engine.kernel.records import Record


def face_lines(thing: Thing) -> Iterator[str]:
    """Something printed: what it is, then a line for each field that says something."""
    yield f"{thing.name} ({thing.kind}: {thing.id})"
    yield from _field_lines(thing.face, "  ", ("id", "name"))


def rules_behind(effect: tree.Effect) -> tuple[str, ...]:
    """The rules that an effect and everything inside it stand on."""
    return tuple(dict.fromkeys(rule for part in tree.walk(effect) for rule in rules_of(part)))


def _field_lines(record: Record, indent: str, hidden: tuple[str, ...] = ()) -> Iterator[str]:
    """A line for each field that says something."""
    usual = {field.name: field.default for field in msgspec.structs.fields(type(record))}
    for name, value in fields_of(record):
        if name not in hidden and value != usual[name] and value not in (None, (), {}, ""):
            yield from _value_lines(name.replace("_", " "), value, indent)


def _value_lines(name: str, value: Any, indent: str) -> Iterator[str]:
    values = value if isinstance(value, tuple) else (value,)
    if isinstance(value, dict):
        yield f"{indent}{name}:"
        for key, inner in value.items():
            yield from _value_lines(str(key), inner, f"{indent}  ")
    elif not any(isinstance(each, Record) for each in values):
        yield f"{indent}{name}: {', '.join(map(str, values))}"
    else:
        yield f"{indent}{name}:"
        for each in values:
            yield from _record_lines(each, f"{indent}  ")


def _record_lines(record: Any, indent: str) -> Iterator[str]:
    """An effect with its rules, a condition, or a part with fields of its own."""
    if isinstance(record, tree.Effect):
        yield f"{indent}{say(record)}"
        yield f"{indent}  rules: {', '.join(rules_behind(record))}"
    elif isinstance(record, tree.Condition):
        yield f"{indent}{say_condition(record)}"
    elif isinstance(record, Record):
        for number, line in enumerate(_field_lines(record, "")):
            yield f"{indent}{'  ' if number else '- '}{line}"
    else:
        yield f"{indent}{record}"


# As data


def face_json(face: Record) -> dict[str, Any]:
    """Everything on a face, and its sentences once more with the rules that they stand on."""
    return {
        "data": _plain(face),
        "effects": [_sentence_json(each) for each in sentences(face)],
    }


def _sentence_json(sentence: Sentence) -> dict[str, Any]:
    says = sentence.says
    shown = {"box": " ".join(sentence.path), "sentence": _plain(says)}
    return {**shown, "rules": list(rules_behind(says))} if isinstance(says, tree.Effect) else shown


def _plain(value: Any) -> Any:
    """A value as JSON has it, effects and conditions as their sentences."""
    if isinstance(value, tree.Effect):
        return say(value)
    if isinstance(value, tree.Condition):
        return say_condition(value)
    if isinstance(value, Record):
        return {name: _plain(inner) for name, inner in fields_of(value)}
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value
