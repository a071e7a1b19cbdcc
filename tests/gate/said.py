"""What a reading says in one field: its meaning is compared, its words are shown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect


@dataclass(frozen=True)
class Said:
    """One reading of one field; two are equal if they mean the same."""

    meaning: str
    shown: str = field(compare=False)


Fields = dict[str, Said]
"""What a reading says about one entry; a field that it does not show is not in it."""

Reading = dict[str, Fields]
"""One reading of everything, by `kind/id`."""


def plain(value: Any) -> Said:
    """A name, a number, yes or no, nothing, or several words in any order."""
    if isinstance(value, str) or value is None:
        return Said(json.dumps(value), value or "none")
    if isinstance(value, Iterable):
        words = sorted(str(each) for each in value)
        return Said(json.dumps(words), ", ".join(words) or "none")
    return Said(json.dumps(value), json.dumps(value))


def box(effects: tuple[Effect, ...]) -> Said:
    """The effects of one box, in any order."""
    return Said(json.dumps(_meaning(effects)), _words(effects))


def ways(all_ways: Iterable[tuple[str, tuple[Effect, ...]]]) -> Said:
    """The ways to play an Intrigue card: when, and what it does then."""
    several = list(all_ways)
    meaning = sorted([timing, *_meaning(effects)] for timing, effects in several)
    shown = " / ".join(f"{timing}: {_words(effects)}" for timing, effects in several)
    return Said(json.dumps(meaning), shown)


def routes(all_routes: Iterable[tuple[tuple[Effect, ...], ...]]) -> Said:
    """The ways along a track: what each space of a way gives, in order."""
    several = list(all_routes)
    meaning = sorted([_meaning(space) for space in route] for route in several)
    shown = " / ".join(" > ".join(_words(space) for space in route) for route in several)
    return Said(json.dumps(meaning), shown)


def _words(effects: tuple[Effect, ...]) -> str:
    return "; ".join(say(effect) for effect in effects) or "none"


def _meaning(effects: tuple[Effect, ...]) -> list[str]:
    return sorted(
        json.dumps(_in_one_order(msgspec.to_builtins(part)), sort_keys=True)
        for effect in effects
        for part in _one_by_one(effect)
    )


def _one_by_one(effect: Effect) -> tuple[Effect, ...]:
    """A condition with an alternative says the same as two opposite conditions."""
    if isinstance(effect, tree.If) and effect.otherwise is not None:
        opposite = tree.If(tree.Not(effect.condition), effect.otherwise)
        return (tree.If(effect.condition, effect.effect), opposite)
    return (effect,)


def _in_one_order(value: Any) -> Any:
    """Parts of a node that stand side by side have no order of their own."""
    if isinstance(value, dict):
        return {key: _in_one_order(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        parts = [_in_one_order(inner) for inner in value]
        return sorted(parts, key=lambda part: json.dumps(part, sort_keys=True))
    return value
