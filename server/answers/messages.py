"""Our records as messages."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook import index
from truthsayer.v1 import common_pb2, verifier_pb2

AROUND = 100
"""Of a line, so many characters before the column go into a message, and so many from it on."""

LONGEST_PART = 500
"""The bytes of each text of an error. An error travels in a trailer, and 8 KB is its limit."""


def rule_refs(rule_ids: Iterable[str]) -> list[common_pb2.RuleRef]:
    """The rules with their sources, each once."""
    return [
        common_pb2.RuleRef(id=rule_id, source=_source(rule_id))
        for rule_id in dict.fromkeys(rule_ids)
    ]


def add_rules(
    refs: RepeatedCompositeFieldContainer[common_pb2.RuleRef], rule_ids: Iterable[str]
) -> None:
    """Add the rules with their sources to a message, each once. That is quicker than to copy."""
    for rule_id in dict.fromkeys(rule_ids):
        refs.add(id=rule_id, source=_source(rule_id))


@functools.cache
def _source(rule_id: str) -> str:
    return index.rule(rule_id).source()


def problem(error: TruthsayerError) -> common_pb2.Problem:
    """An error as the message that its reader gets; what is very long in it is cut."""
    place = error.place
    return common_pb2.Problem(
        code=error.code,
        message=_beginning(error.message),
        file=_end(place.file) if place else "",
        line=place.line if place else 0,
        column=place.column if place else 0,
        text=around(place.text, place.column) if place else "",
        help=_beginning(error.help),
        rules=rule_refs(error.rules),
    )


def around(line: str, column: int) -> str:
    """The part of a line around a column; where it begins follows from the column alone."""
    start = max(0, column - 1 - AROUND)
    return line[start : start + 2 * AROUND]


def _beginning(text: str) -> str:
    data = text.encode(errors="replace")
    if len(data) <= LONGEST_PART:
        return text
    return data[:LONGEST_PART].decode(errors="ignore") + "…"


def _end(text: str) -> str:
    data = text.encode(errors="replace")
    if len(data) <= LONGEST_PART:
        return text
    return "…" + data[-LONGEST_PART:].decode(errors="ignore")


def verdict(word: str) -> common_pb2.Verdict.ValueType:
    """The verdict that our records call by this word."""
    return common_pb2.Verdict.Value(f"VERDICT_{word.upper()}")


def property_kind(word: str) -> verifier_pb2.PropertyKind.ValueType:
    """The kind of property that our records call by this word."""
    return verifier_pb2.PropertyKind.Value(f"PROPERTY_KIND_{word.upper().replace(' ', '_')}")
