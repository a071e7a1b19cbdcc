"""Reads the catalogue of a product: TOML files whose effects are in the effect language."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any

from rules_engine.catalogue.faces import (
    Ability,
    CardFace,
    Catalogue,
    ConflictFace,
    ContractFace,
    IntrigueFace,
    LeaderFace,
    ObjectiveFace,
    PostFace,
    SpaceFace,
    TrackFace,
    TrainingSpace,
    Way,
)
from rules_engine.effects import tree
from rules_engine.effects.parse import parse, parse_all, parse_condition
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import cite

Entry = dict[str, Any]


@functools.cache
def catalogue(product: str) -> Catalogue:
    """The catalogue of a product."""
    spaces = _read(product, "spaces")
    cards = _read(product, "cards")
    intrigue = _read(product, "intrigue")
    conflicts = _read(product, "conflicts")
    leaders = _read(product, "leaders")
    contracts = _read(product, "contracts")
    return Catalogue(
        product=product,
        cards={e["id"]: _card(e) for e in cards["card"]},
        intrigue={e["id"]: _intrigue(e) for e in intrigue["intrigue"]},
        spaces={e["id"]: _space(e) for e in spaces["space"]},
        posts={e["id"]: PostFace(e["id"], e["name"], tuple(e["spaces"])) for e in spaces["post"]},
        tracks={
            e["faction"]: TrackFace(e["faction"], e["name"], parse_all(e["at_four"]))
            for e in spaces["track"]
        },
        conflicts={e["id"]: _conflict(e) for e in conflicts["conflict"]},
        objectives={e["id"]: _objective(e) for e in conflicts["objective"]},
        leaders={e["id"]: _leader(e) for e in leaders["leader"]},
        contracts={e["id"]: _contract(e) for e in contracts["contract"]},
    )


def products() -> list[str]:
    """The products that have a catalogue."""
    folders = resources.files("rules_engine.catalogue").iterdir()
    return sorted(each.name for each in folders if each.joinpath("spaces.toml").is_file())


def _read(product: str, name: str) -> dict[str, list[Entry]]:
    if product not in products():
        raise TruthsayerError(
            "TS0203", f"no product `{product}`", help="known: " + ", ".join(products())
        )
    file = resources.files(f"rules_engine.catalogue.{product}").joinpath(f"{name}.toml")
    return tomllib.loads(file.read_text("utf-8"))


def _card(entry: Entry) -> CardFace:
    fields = dict(entry)
    for box in ("agent", "reveal", "acquire", "when_trashed", "when_discarded"):
        fields[box] = parse_all(entry.get(box, []))
    for listed in ("agent_icons", "factions"):
        fields[listed] = tuple(entry.get(listed, ()))
    return CardFace(**fields)


def _intrigue(entry: Entry) -> IntrigueFace:
    ways = tuple(
        Way(way["timing"], parse_all(way.get("effects", [])), parse_all(way.get("lines", [])))
        for way in entry["way"]
    )
    choam = entry.get("choam", False)
    return IntrigueFace(entry["id"], entry["name"], entry["copies"], ways, choam)


def _space(entry: Entry) -> SpaceFace:
    fields = dict(entry)
    fields["rules"] = cite(*entry["rules"])
    fields["control_rules"] = cite(*entry.get("control_rules", []))
    fields["effects"] = parse_all(entry["effects"])
    fields["control_bonus"] = parse_all(entry.get("control_bonus", []))
    if "requirement" in entry:
        fields["requirement"] = parse_condition(entry["requirement"])
    fields["reveal"] = parse_all(entry.get("reveal", []))
    for price in ("cost", "later_cost"):
        if price in entry:
            (cost,) = parse(entry[price])
            assert isinstance(cost, tree.Pay)
            fields[price] = cost
    return SpaceFace(**fields)


def _conflict(entry: Entry) -> ConflictFace:
    rewards = {place: parse_all(entry[place]) for place in ("first", "second", "third")}
    return ConflictFace(**{**entry, **rewards})


def _objective(entry: Entry) -> ObjectiveFace:
    return ObjectiveFace(**{**entry, "players": tuple(entry["players"])})


def _leader(entry: Entry) -> LeaderFace:
    fields = dict(entry)
    fields["ability"] = _ability(entry["ability"])
    for box in ("signet", "on_signet"):
        fields[box] = parse_all(entry.get(box, []))
    for listed in ("without", "contracts"):
        fields[listed] = tuple(entry.get(listed, ()))
    fields["rules"] = cite(*entry.get("rules", []))
    fields["training"] = tuple(
        TrainingSpace(e["id"], e["name"], parse_all(e["reward"]), tuple(e["next"]))
        for e in entry.get("training", [])
    )
    return LeaderFace(**fields)


def _ability(entry: Entry) -> Ability:
    fields = dict(entry)
    fields["effects"] = parse_all(entry.get("effects", []))
    fields["icons"] = tuple(entry.get("icons", ()))
    return Ability(**fields)


def _contract(entry: Entry) -> ContractFace:
    return ContractFace(**{**entry, "reward": parse_all(entry["reward"])})
