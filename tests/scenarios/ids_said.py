"""The ids that a vector says: what stands where its format has an id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.kernel.decks import ANY

ONE = ("card", "space", "post", "faction", "contract", "conflict", "leader", "training", "icon")
"""Fields that hold an id."""

SEVERAL = (
    *("row", "hand", "discard", "in_play", "set_aside", "intrigues", "standing", "cards"),
    *("contract_row", "intrigue_discard", "leader_contracts", "objectives", "contracts"),
    *("trashed", "trashed_intrigues", "conflict_deck", "completed", "leaders", "modules"),
)
"""Fields that hold a list of them."""

OWN = ("cards", "conflicts", "intrigues", "contracts")
"""Where a setup has cards that exist in one vector only."""


def ids_said(vector: dict[str, Any]) -> set[str]:
    """All that are not of a card that the vector brings itself."""
    setup = vector["setup"]
    own = {each["id"] for kind in OWN for each in setup.get(kind, ())}
    rest = {**vector, "setup": {key: value for key, value in setup.items() if key not in OWN}}
    return set(_said(rest)) - own - {ANY}


def _said(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for field, inner in value.items():
            if field in ONE and isinstance(inner, str):
                yield inner
            elif field in SEVERAL and isinstance(inner, list):
                yield from (each for each in inner if isinstance(each, str))
            yield from _said(inner)
        if value.get("kind") in ("draw", "draw_intrigue", "row", "contract", "conflict"):
            yield from (each for each in [value.get("outcome")] if isinstance(each, str))
    elif isinstance(value, list):
        for inner in value:
            yield from _said(inner)
