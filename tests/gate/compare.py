"""Where the three readings differ, and which differences are resolved."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from rules_engine.catalogue.faces import Catalogue
from tests.gate.catalogue_reading import of_catalogue
from tests.gate.facts_reading import of_facts
from tests.gate.said import Reading, Said
from tests.gate.second_reading import of_second

RESOLVED = Path(__file__).with_name("resolved.toml")
READINGS = ("catalogue", "facts", "second")
ABSENT = "not there"


class Difference(NamedTuple):
    """A field in which the readings that have it do not all say the same."""

    entry: str
    field: str
    says: dict[str, str]
    """What each reading says; one that does not show the field is not in it."""

    def __str__(self) -> str:
        said = "\n".join(f"    {reading}: {words}" for reading, words in self.says.items())
        return f"{self.entry}, {self.field}\n{said}"


class Resolved(NamedTuple):
    """A difference that somebody looked into: which reading we follow, and by what authority."""

    entry: str
    field: str
    says: dict[str, str]
    follows: str
    reason: str
    source: str


def readings(printed: Catalogue) -> dict[str, Reading]:
    """The three readings, with this catalogue as the first."""
    return {"catalogue": of_catalogue(printed), "facts": of_facts(), "second": of_second()}


def differences(all_readings: dict[str, Reading]) -> list[Difference]:
    """Every difference between the readings."""
    entries = dict.fromkeys(key for reading in all_readings.values() for key in reading)
    found = []
    for entry in entries:
        lacking = [name for name in ("catalogue", "facts") if entry not in all_readings[name]]
        if lacking:
            there = {n: ABSENT if entry not in r else "there" for n, r in all_readings.items()}
            found.append(Difference(entry, "entry", there))
        else:
            found += _of_entry(entry, all_readings)
    return found


def _of_entry(entry: str, all_readings: dict[str, Reading]) -> list[Difference]:
    shown = {name: reading[entry] for name, reading in all_readings.items() if entry in reading}
    names = dict.fromkeys(field for fields in shown.values() for field in fields)
    found = []
    for field in names:
        said: dict[str, Said] = {n: fields[field] for n, fields in shown.items() if field in fields}
        if len(set(said.values())) > 1:
            found.append(Difference(entry, field, {n: each.shown for n, each in said.items()}))
    return found


def single_source(all_readings: dict[str, Reading]) -> list[str]:
    """The entries that rest on one reading besides our own."""
    facts, second = all_readings["facts"], all_readings["second"]
    return [entry for entry in all_readings["catalogue"] if (entry in facts) != (entry in second)]


def resolved() -> list[Resolved]:
    """The differences that are resolved."""
    entries = tomllib.loads(RESOLVED.read_text("utf-8"))["difference"]
    return [
        Resolved(
            e["entry"],
            e["field"],
            {reading: e[reading] for reading in READINGS if reading in e},
            e["follows"],
            e["reason"],
            e["source"],
        )
        for e in entries
    ]


def open_problems(all_readings: dict[str, Reading], known: list[Resolved]) -> list[str]:
    """Differences that nobody resolved, and resolutions of what is no longer a difference."""
    found = differences(all_readings)
    answered = [(each.entry, each.field, each.says) for each in known]
    unresolved = [f"unresolved: {d}" for d in found if tuple(d) not in answered]
    stale = [
        f"no longer so: {each.entry}, {each.field}"
        for each in known
        if Difference(each.entry, each.field, each.says) not in found
    ]
    return unresolved + stale
