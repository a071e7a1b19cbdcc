"""Every id of a product with its printed name, for whoever has to find them in a client."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rules_engine.catalogue.faces import Catalogue
from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import things
from scenarios.imperium.names import BATTLE_ICONS, MODULES, lower_snake
from scenarios.vectors.inputs import Json

FORMAT = "truthsayer-ids"
VERSION = 1
"""Changes when a kind or a field changes its meaning or goes away."""


def ids_text(product: str, engine: str) -> str:
    """The table as JSON: for each kind, its things in the order of the catalogue."""
    about = {"format": FORMAT, "version": VERSION, "engine": engine, "product": product}
    return json.dumps({**about, "ids": ids_of(product)}, indent=1, ensure_ascii=False) + "\n"


def ids_of(product: str) -> dict[str, list[Json]]:
    """For each kind of thing, every id with its name."""
    printed = catalogue(product)
    found: dict[str, list[Json]] = {}
    for thing in things(printed):
        found.setdefault(thing.kind, []).append({"id": thing.id, "name": thing.name})
    found["training"] = list(_training(printed))
    for kind, names in (("icons", BATTLE_ICONS), ("modules", MODULES)):
        found[kind] = [{"id": lower_snake(name), "name": name} for name in names]
    return found


def _training(printed: Catalogue) -> Iterator[Json]:
    for leader in printed.leaders.values():
        for space in leader.training:
            yield {"id": space.id, "name": space.name, "leader": leader.id}
