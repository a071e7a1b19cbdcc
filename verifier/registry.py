"""The table of properties: each is a sentence, a claim, its rules, its cases and its twins."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.kernel.records import Record
from rules_engine.rulebook.index import cite

# What a property may say that it is. Whether it is a theorem, nobody can say before it is proved.

CLAIM = "claim"
"""Something holds on every path of the rule functions."""
DATA_CHECK = "data check"
"""A table of the catalogue says what the rule says. Nothing is proved by looking at a table."""
ORDER = "order"
"""Something comes before something else: a claim with a history that only the verifier keeps."""

# What it turns out to be, by what was explored.

THEOREM = "theorem"
"""A claim that depends on unknown numbers, and holds for all of them."""
EXHAUSTIVE = "exhaustive check"
"""No claim depends on an unknown number: every case of finitely many was gone through."""
ORDER_CHECK = "order check"
"""An order that was found by going through finitely many cases."""

THEOREMS = (THEOREM, ORDER)
"""What is proved; the others are checked."""


def kind_of(declared: str, *, depends: bool, unknowns: bool) -> str:
    """What a property is, whatever it says that it is.

    `depends`: some claim depends on an unknown number; `unknowns`: there was any unknown at all.
    """
    if declared == ORDER:
        return ORDER if depends else ORDER_CHECK
    if depends:
        return THEOREM
    return DATA_CHECK if declared == DATA_CHECK and not unknowns else EXHAUSTIVE


class Twin(Record):
    """One edit of a rule that a person could make, and that must make the property fail.

    `where` is a module (`rules_engine.imperium.combat`) or a data file
    (`rules_engine/catalogue/uprising/spaces.toml`).
    """

    where: str
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self._named()}: `{old}` becomes `{new}`"

    @property
    def file(self) -> str:
        """The file to edit, from the folder that holds the engine."""
        return self.where if self._is_data() else self.where.replace(".", "/") + ".py"

    def _is_data(self) -> bool:
        return "/" in self.where

    def _named(self) -> str:
        return self.where.rpartition("/" if self._is_data() else ".")[2]


Params = Mapping[str, Any]
Twins = Mapping[str, Twin]
"""For each rule that a property settles, a change of that rule which the property must notice."""


@dataclass(frozen=True)
class Family:
    """Properties that make their claims about the same runs, so that one exploration does.

    `run` gets the names of those that are asked for, and the parameters of a case. `granted` gets
    the parameters and says what the case takes for granted because all others leave it so.
    """

    name: str
    run: Callable[..., None]
    granted: Callable[..., tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Property:
    """A claim about the engine's functions, and how it is run."""

    name: str
    file: str
    """The engine's file whose rules it is about."""
    claim: str
    kind: str
    """What it says that it is."""
    cases: tuple[Params, ...]
    twins: Twins
    run: Callable[..., None]
    family: Family | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it settles."""
        return tuple(self.twins)

    @functools.cached_property
    def case(self) -> Mapping[str, Params]:
        """Its cases by their names, the parameters in words."""
        return {in_words(each): each for each in self.cases}


def in_words(params: Params) -> str:
    """The parameters of a case in words."""
    return ", ".join(f"{name} {value}" for name, value in params.items())


_table: dict[str, Property] = {}


def proves(
    twins: Twins,
    *,
    cases: tuple[Params, ...] = ({},),
    kind: str = CLAIM,
    family: Family | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a property: its name is the sentence, its docstring the claim."""

    def register(run: Callable[..., None]) -> Callable[..., None]:
        name = run.__name__
        if name in _table:
            raise ValueError(f"two properties are called {name}")
        if not (twins and cases):
            raise ValueError(f"{name} needs a twin for each of its rules, and cases")
        if len({in_words(each) for each in cases}) < len(cases):
            raise ValueError(f"two cases of {name} have the same parameters")
        cite(*twins)
        file = run.__module__.rpartition(".")[2]
        claim = inspect.getdoc(run) or ""
        _table[name] = Property(name, file, claim, kind, cases, twins, run, family)
        return run

    return register


def registered() -> dict[str, Property]:
    """Every property by its name, in the order of the files."""
    return _table
