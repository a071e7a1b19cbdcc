"""The names of a product: what people write, and the ids that the engine uses."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from rules_engine.catalogue.faces import (
    CardFace,
    Catalogue,
    ConflictFace,
    ContractFace,
    IntrigueFace,
)
from rules_engine.catalogue.load import catalogue
from scenarios.language.vocabulary import Vocabulary

PRODUCTS = ("uprising",)

AGENT_ICONS = (
    "emperor",
    "spacing guild",
    "bene gesserit",
    "fremen",
    "landsraad",
    "city",
    "spice trade",
    "spy",
)
MODULES = ("choam", "promos")
BATTLE_ICONS = ("crysknife", "desert mouse", "ornithopter", "wild")


@functools.cache
def vocabulary(product: str) -> Vocabulary:
    """The grammar of a product."""
    words = resources.files("scenarios.imperium").joinpath("words.lark").read_text("utf-8")
    printed = catalogue(product)
    return Vocabulary(
        words,
        (
            ("SPACE", tuple(face.name for face in printed.spaces.values())),
            ("POST", tuple(face.name for face in printed.posts.values())),
            ("FACTION", tuple(face.name for face in printed.tracks.values())),
            ("ICON", BATTLE_ICONS),
            ("AGENT_ICON", AGENT_ICONS),
            ("MODULE", MODULES),
        ),
    )


def lower_snake(name: str) -> str:
    """An id made of a name."""
    kept = "".join(letter if letter.isalnum() else " " for letter in name.lower())
    return "_".join(kept.split())


@dataclass
class Names:
    """The names of one scenario: the catalogue's and those it defines itself."""

    printed: Catalogue
    cards: tuple[CardFace, ...] = ()
    conflicts: tuple[ConflictFace, ...] = ()
    intrigues: tuple[IntrigueFace, ...] = ()
    contracts: tuple[ContractFace, ...] = ()
    _own: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._own = {
            "card": _by_name(self.cards),
            "intrigue": _by_name(self.intrigues),
            "conflict": _by_name(self.conflicts),
            "contract": _by_name(self.contracts),
        }

    def find(self, kind: str, name: str) -> str | None:
        """The id of what a person calls by this name."""
        name = " ".join(name.lower().split())
        return self._own.get(kind, {}).get(name) or _ids(self.printed.product)[kind].get(name)

    def known(self, kind: str) -> tuple[str, ...]:
        """All names of a kind, as they are written."""
        printed = self.printed
        faces: dict[str, tuple[Any, ...]] = {
            "card": (*printed.cards.values(), *self.cards),
            "intrigue": (*printed.intrigue.values(), *self.intrigues),
            "conflict": (*printed.conflicts.values(), *self.conflicts),
            "leader": tuple(printed.leaders.values()),
            "contract": (*printed.contracts.values(), *self.contracts),
            "objective": tuple(printed.objectives.values()),
            "space": tuple(printed.spaces.values()),
            "post": tuple(printed.posts.values()),
            "faction": tuple(printed.tracks.values()),
            "training": tuple(
                space for leader in printed.leaders.values() for space in leader.training
            ),
        }
        return tuple(face.name for face in faces[kind])


@functools.cache
def _ids(product: str) -> dict[str, dict[str, str]]:
    """The ids of everything printed, by kind and name."""
    printed = catalogue(product)
    return {
        "card": _by_name(printed.cards.values()),
        "intrigue": _by_name(printed.intrigue.values()),
        "conflict": _by_name(printed.conflicts.values()),
        "space": _by_name(printed.spaces.values()),
        "post": _by_name(printed.posts.values()),
        "leader": _by_name(printed.leaders.values()),
        "contract": _by_name(printed.contracts.values()),
        "objective": _by_name(printed.objectives.values()),
        "training": _by_name(
            space for leader in printed.leaders.values() for space in leader.training
        ),
        "faction": {face.name.lower(): face.faction for face in printed.tracks.values()},
    }


def _by_name(faces: Iterable[Any]) -> dict[str, str]:
    return {face.name.lower(): face.id for face in faces}
