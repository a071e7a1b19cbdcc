"""What a case needs of an adapter, and what an adapter lacks: capabilities, and things of the game.

A capability goes by its name, a thing by its kind and its id (`cards.dagger`); where the adapter
has nothing of a kind, the kind alone says it (`contracts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.cases import Case
from conformance.messages import Described
from rules_engine.catalogue.load import catalogue
from scenarios.imperium.features import (
    FEATURES,
    named_by_chance,
    named_by_decision,
    named_by_setup,
    named_on_table,
)

Json = dict[str, Any]
Named = tuple[str, str]
"""A kind of thing, and the id of one."""


def things_of(kind: str, products: Iterable[str]) -> list[str]:
    """Everything of a kind that there is in some products."""
    printed = map(catalogue, products)
    return list(dict.fromkeys(each for one in printed for each in FEATURES[kind].known(one)))


class Features:
    """What there is of the game in an implementation."""

    def __init__(self, declared: Mapping[str, Iterable[str]]) -> None:
        self._has = {kind: frozenset(ids) for kind, ids in declared.items()}

    def __eq__(self, other: object) -> bool:
        """Whether both have the same."""
        return isinstance(other, Features) and self._has == other._has

    def __hash__(self) -> int:
        """As what is equal has the same."""
        return hash(frozenset(self._has.items()))

    @property
    def all(self) -> bool:
        """Whether nothing is missing."""
        return not self._has

    def missing(self, named: Iterable[Named]) -> Iterator[str]:
        """What it lacks of the things that are named."""
        for kind, id in named:
            has = self._has.get(kind)
            if has is not None and id not in has:
                yield f"{kind}.{id}" if has else kind

    def has(self, named: Iterable[Named]) -> bool:
        """Whether it has all things that are named."""
        return next(self.missing(named), None) is None


def lacking(case: Case, adapter: Described) -> tuple[str, ...]:
    """What an adapter lacks that a case needs."""
    lacks = set(case.needs - frozenset(adapter.capabilities))
    if adapter.features:
        lacks.update(Features(adapter.features).missing(_named(case)))
    return tuple(sorted(lacks))


def _named(case: Case) -> Iterator[Named]:
    """Every thing that a case names."""
    product = case.setup["product"]
    yield from named_by_setup(case.setup)
    if case.position is not None:
        yield from named_on_table(product, case.position)
    for brought in case.chance:
        yield from named_by_chance(product, brought)
    for move in case.moves:
        if "do" in move.given:
            yield from named_by_decision(product, move.given["do"])
        for brought in move.chance:
            yield from named_by_chance(product, brought)
