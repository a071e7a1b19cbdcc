"""The table of properties: each is a sentence, a claim, its rules, its bounds and its twin."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.kernel.records import Record
from rules_engine.rulebook.index import cite


class Twin(Record):
    """One edit of a rule that a person could make, and that must make the property fail."""

    module: str
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.module.rpartition('.')[2]}: `{old}` becomes `{new}`"


Params = Mapping[str, Any]


@dataclass(frozen=True)
class Property:
    """A claim about the engine's functions, and how it is run."""

    name: str
    file: str
    """The engine's file whose rules it is about."""
    claim: str
    rules: tuple[str, ...]
    bounds: str
    cases: tuple[Params, ...]
    twin: Twin
    run: Callable[..., None]


_table: dict[str, Property] = {}


def proves(
    *rules: str, bounds: str, cases: tuple[Params, ...], twin: Twin
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a property: its name is the sentence, its docstring the claim."""

    def register(run: Callable[..., None]) -> Callable[..., None]:
        name = run.__name__
        if name in _table:
            raise ValueError(f"two properties are called {name}")
        file = run.__module__.rpartition(".")[2]
        claim = inspect.getdoc(run) or ""
        _table[name] = Property(name, file, claim, cite(*rules), bounds, cases, twin, run)
        return run

    return register


def registered() -> dict[str, Property]:
    """Every property by its name, in the order of the files."""
    return _table
