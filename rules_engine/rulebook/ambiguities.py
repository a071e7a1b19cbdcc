"""Rules whose wording leaves something open, each with the ruling that answers it."""

from __future__ import annotations

import functools
from importlib import resources

import msgspec

from rules_engine.kernel.records import Record
from rules_engine.rulebook.index import cite
from rules_engine.rulebook.waiting import Waiting


class Ambiguity(Record):
    """What a rule leaves open, and the name of the ruling that answers it."""

    rule: str
    open: str
    ruling: str


class _File(Record):
    ambiguity: tuple[Ambiguity, ...]
    waits: tuple[Waiting, ...]


def ambiguities(product: str) -> tuple[Ambiguity, ...]:
    """What the rules of a product leave open."""
    return _read(product).ambiguity


def waiting_for_a_ruling(product: str) -> dict[str, Waiting]:
    """Rules that leave something open which another product will answer, by rule id."""
    return {rule: group for group in _read(product).waits for rule in group.rules}


@functools.cache
def _read(product: str) -> _File:
    file = resources.files("rules_engine.rulebook").joinpath(f"ambiguous/{product}.toml")
    found = msgspec.toml.decode(file.read_bytes(), type=_File)
    cite(*(each.rule for each in found.ambiguity))
    cite(*(rule for group in found.waits for rule in group.rules))
    return found
