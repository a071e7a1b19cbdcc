"""Rules that no scenario can show yet, each with the product it waits for and why."""

from __future__ import annotations

import functools
from importlib import resources

import msgspec

from rules_engine.kernel.records import Record
from rules_engine.rulebook.index import cite


class Waiting(Record):
    """Rules that need another product, and why."""

    needs: str
    because: str
    rules: tuple[str, ...]


class _File(Record):
    waits: tuple[Waiting, ...]


@functools.cache
def waiting(product: str) -> dict[str, Waiting]:
    """What each rule of a product waits for that waits at all, by rule id."""
    file = resources.files("rules_engine.rulebook").joinpath(f"waits/{product}.toml")
    groups = msgspec.toml.decode(file.read_bytes(), type=_File).waits
    return {rule: group for group in groups for rule in cite(*group.rules)}
