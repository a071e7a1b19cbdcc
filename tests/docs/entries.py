"""Entries of the catalogue, the rule index and the rulings, read as the engine reads them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rules_engine.catalogue import load
from rules_engine.rulebook.index import Rule, cite, rules
from rules_engine.rulebook.rulings import Ruling, answers

PRODUCT = "uprising"
Entries = dict[str, list[dict[str, Any]]]

MISTAKES = (ValueError, LookupError, TypeError)
"""What reading a wrong entry raises, beside our own errors; those of msgspec and TOML are such."""


def read_toml(text: str) -> None:
    """Read entries of the catalogue or of the rulings with those that there are."""
    found: Entries = tomllib.loads(text)
    for each in msgspec.convert(found.pop("ruling", []), list[Ruling]):
        _free(each.id, set(answers()))
        cite(*each.rules)
    if found:
        _read_catalogue(found)


def read_rule(text: str) -> None:
    """Read a line of the rule index with those that there are."""
    _free(msgspec.json.decode(text, type=Rule).id, {each.id for each in rules()})


def _free(name: str, taken: set[str]) -> None:
    if name in taken:
        raise ValueError(f"the id `{name}` is taken")


def _read_catalogue(more: Entries) -> None:
    with _added(more) as unread:
        load.catalogue.__wrapped__(PRODUCT)
    if unread:
        raise ValueError(f"nothing reads `{unread.pop()}`")


@contextmanager
def _added(more: Entries) -> Iterator[set[str]]:
    """The catalogue's files have these entries, too; gives the kinds that no file has."""
    original = load._read
    unread = set(more)

    def read(product: str, name: str) -> Entries:
        there = original(product, name)
        for kind in there.keys() & more.keys():
            for entry in more[kind]:
                _free(entry["id"], {each["id"] for each in there[kind]})
            there[kind] += more[kind]
            unread.discard(kind)
        return there

    load._read = read
    try:
        yield unread
    finally:
        load._read = original
