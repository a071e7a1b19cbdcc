"""A case: a position, what is done in it, and what is claimed. Counterexamples are cases."""

from __future__ import annotations

from typing import Any

from rules_engine.kernel.records import Record


class Case(Record):
    """A position of a game, the inputs given in it (chance included) and a claim about the end."""

    game: str
    title: str
    position: Any
    inputs: tuple[Any, ...]
    claim: str
    rules: tuple[str, ...]
