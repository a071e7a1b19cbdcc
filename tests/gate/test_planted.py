"""Errors planted into a copy of the catalogue: the gate reports each, where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules_engine.catalogue.faces import Catalogue
from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, fields_of, things
from rules_engine.effects import tree
from rules_engine.effects.parse import parse
from rules_engine.kernel.records import Record, change
from tests.gate.catalogue_reading import key, of_thing
from tests.gate.compare import open_problems, readings, resolved

PRINTED = catalogue("uprising")


def _with(kind: str, id_: str, **changed: Any) -> Catalogue:
    """The catalogue with something else on one face."""
    faces = getattr(PRINTED, kind)
    return change(PRINTED, **{kind: {**faces, id_: change(faces[id_], **changed)}})


def _with_way(id_: str, text: str) -> Catalogue:
    """The catalogue with another effect on an Intrigue card."""
    (way,) = PRINTED.intrigue[id_].ways
    return _with("intrigue", id_, ways=(change(way, effects=parse(text)),))


PLANTED: dict[str, tuple[Callable[[], Catalogue], str]] = {
    "cost": (lambda: _with("cards", "maula_pistol", cost=4), "card/maula_pistol, cost"),
    "icon": (
        lambda: _with("cards", "undercover_asset", agent_icons=("landsraad", "city", "spy")),
        "card/undercover_asset, agent_icons",
    ),
    "number": (
        lambda: _with("spaces", "sardaukar", effects=parse(
            "gain 1 influence emperor; draw 1 intrigue; recruit 3 troops")),
        "space/sardaukar, effects",
    ),
    "condition": (
        lambda: _with_way("shaddams_favor", "recruit 1 troop; if alliance emperor: gain 3 solari"),
        "intrigue/shaddams_favor, ways",
    ),
    "target": (
        lambda: _with("leaders", "lady_margot_fenring", signet=parse(
            "place 1 spy on bene_gesserit post")),
        "leader/lady_margot_fenring, signet",
    ),
    "optional or mandatory": (
        lambda: _with("cards", "weirding_woman", agent=parse(
            "if another bene_gesserit card in play: may return self")),
        "card/weirding_woman, agent",
    ),
    "copies": (lambda: _with("intrigue", "distraction", copies=1), "intrigue/distraction, copies"),
    "Faction": (
        lambda: _with("cards", "maker_keeper", factions=("bene_gesserit", "emperor")),
        "card/maker_keeper, factions",
    ),
    "missing effect": (
        lambda: _with("conflicts", "trade_dispute", third=parse("gain 1 water")),
        "conflict/trade_dispute, third",
    ),
    "extra effect": (
        lambda: _with("contracts", "contract_heighliner_troops", reward=parse(
            "recruit 2 troops; gain 1 solari")),
        "contract/contract_heighliner_troops, reward",
    ),
}  # fmt: skip
"""By kind of error: the catalogue with it, and the entry and field that have to be reported."""


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_error_is_reported_and_nothing_else(kind: str) -> None:
    make, place = PLANTED[kind]
    (problem,) = open_problems(readings(make()), resolved())
    assert problem.startswith(f"unresolved: {place}\n")


# Every effect of the catalogue


@pytest.mark.parametrize("thing", things(PRINTED), ids=key)
def test_every_missing_and_every_doubled_effect_is_another_reading(thing: Thing) -> None:
    read = of_thing(thing, PRINTED)
    for wrong in _variants(thing.face):
        assert of_thing(thing._replace(face=wrong), PRINTED) != read, wrong


def _variants(value: Any) -> Iterator[Any]:
    """A face with one of its effects left out or said twice, for every effect."""
    if isinstance(value, tree.Effect | tree.Condition):
        return
    if isinstance(value, Record):
        for name, inner in fields_of(value):
            yield from (change(value, **{name: other}) for other in _variants(inner))
    elif isinstance(value, tuple):
        for at, inner in enumerate(value):
            before, after = value[:at], value[at + 1 :]
            if isinstance(inner, tree.Effect):
                yield (*before, *after)
                yield (*before, inner, inner, *after)
            else:
                yield from ((*before, other, *after) for other in _variants(inner))
