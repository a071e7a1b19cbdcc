"""The third of the three readings: made from the printed faces, without sight of the facts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rules_engine.effects.parse import parse
from rules_engine.effects.tree import Effect
from tests.gate.catalogue_reading import printed_name
from tests.gate.said import Fields, Reading, Said, box, plain, routes, ways
from tests.gate.wording import CONTRACTS, TRAINING, id_of, ours

FILE = Path(__file__).with_name("second_reading.json")
Entry = dict[str, Any]

GROUPS = {
    "imperium": "imperium", "imperium_extra": "promo", "reserve": "reserve", "starting": "starting",
}  # fmt: skip
WAITING = ("commander_starting_6p", "contract_ix")
"""Kinds of entry that wait for another product."""

IGNORES = "ignore influence requirements on board spaces when sending an agent this turn"
LOCATIONS = ("Arrakeen", "Imperial Basin", "Spice Refinery")
"""A Conflict's title tells its location. UPR-CTRL-001"""

AT_ONCE = "units can't be deployed to the conflict this turn"
"""What holds from the moment the Signet Ring is played."""

ABILITIES = (
    (r"reveal turn: (?P<effect>.*)", "reveal_turn"),
    (r"when you reach 2 influence (?P<about>\w+): (?P<effect>.*)", "reaches_two"),
    (r"(?:once during each turn, )?when you send an agent to a (?P<about>.*) board space, "
     r"(?P<effect>.*)", "sends_agent"),
    (r"(?:Limited Allies: start the game without (?P<without>\w+) in your deck\. Smuggle Spice: )?"
     r"whenever another player sends an agent to a Maker board space you are spying on: "
     r"(?P<effect>.*)", "opponent_harvests"),
    (r"(?P<contracts>set aside both Sardaukar contracts); only you can acquire them during the "
     r"game", "always"),
)  # fmt: skip

CONDITIONS = (
    (r"send agent to (?P<target>.*)", "visit"),
    (r"harvest (?P<amount>\d) or more spice", "harvest"),
    (r"acquire (?P<target>.*)", "acquire"),
    (r"immediately", "taking"),
)


def load() -> list[Entry]:
    """Every entry of the second reading."""
    entries: list[Entry] = json.loads(FILE.read_text("utf-8"))
    return entries


def waiting() -> dict[str, int]:
    """How many entries wait for another product."""
    kinds = [entry["kind"] for entry in load()]
    return {kind: kinds.count(kind) for kind in WAITING}


def of_second() -> Reading:
    """What the second reading says, in the fields of the gate."""
    found: Reading = {}
    for entry in load():
        if entry["kind"] not in WAITING:
            key, fields = _entry(entry)
            assert key not in found, key
            found[key] = fields
    return found


def _entry(entry: Entry) -> tuple[str, Fields]:
    kind, name = entry["kind"], entry["name"]
    if kind in GROUPS:
        return f"card/{id_of(name)}", _card(entry)
    if kind == "contract":
        return f"contract/{CONTRACTS[name]}", _contract(entry)
    read = {"intrigue": _intrigue, "conflict": _conflict, "leader": _leader}[kind]
    return f"{kind}/{id_of(name)}", read(entry)


def _effects(text: str | None) -> tuple[Effect, ...]:
    translated = ours(text or "")
    return parse(translated) if translated else ()


def _box(text: str | None) -> Said:
    return box(_effects(text))


def _card(entry: Entry) -> Fields:
    trigger, _, triggered = (entry.get("other") or "").partition(": ")
    return {
        "name": plain(entry["name"]),
        "group": plain(GROUPS[entry["kind"]]),
        "cost": plain(entry["cost"]),
        "factions": plain(entry["factions"]),
        "agent_icons": plain(entry["agent_icons"]),
        "agent": _box(entry["agent"]),
        "reveal": _box(entry["reveal"]),
        "acquire": _box(entry["acquire"]),
        "when_trashed": _box(triggered if trigger == "when this card is trashed" else ""),
        "when_discarded": _box(triggered if trigger == "when this card is discarded" else ""),
        "ignores_influence": plain(entry["agent"] == IGNORES),
        "choam": plain(entry.get("choam_module_mark", False)),
    }


def _intrigue(entry: Entry) -> Fields:
    text, types = entry["ability"], entry["type"].split("/")
    options = text.removeprefix("choose: ").split(" | ") if text.startswith("choose: ") else [text]
    marked = [re.fullmatch(r"(?:\[(\w+)\] )?(.*)", option) for option in options]
    timed = [(found[1] or types[0], found[2]) for found in marked if found]
    assert sorted({timing for timing, _ in timed}) == sorted(types)
    fields = {
        "name": plain(entry["name"]),
        "choam": plain(entry.get("choam_module_mark", False)),
        "ways": ways((timing, _effects(option)) for timing, option in timed),
    }
    if "(separate line" in text:
        fields["separate_lines"] = plain(True)
    return fields


def _conflict(entry: Entry) -> Fields:
    location = next((id_of(each) for each in LOCATIONS if each in entry["name"]), None)
    control = f"take control {location}"
    first = "; ".join(control if p == "control" else p for p in entry["first"].split("; "))
    return {
        "name": plain(printed_name(entry["name"])),
        "level": plain(entry["level"]),
        "icon": plain(entry["battle_icon"]),
        "location": plain(location),
        "control": plain([location] if control in first else []),
        "protected": plain(entry["no_sandworm_if_shield_wall"]),
        "first": _box(first),
        "second": _box(entry["second"]),
        "third": _box(entry["third"]),
    }


def _leader(entry: Entry) -> Fields:
    found, when = _first_match(ABILITIES, entry["ability"])
    about, without = found.get("about"), found.get("without")
    own = [e["name"] for e in load() if e.get("condition") == "send agent to Sardaukar"]
    ability_name = entry["ability_name"].split(" / ")[-1]
    fields = {
        "name": plain(entry["name"]),
        "house": plain(entry["house"].casefold() if entry["house"] else None),
        "complexity": plain(entry["difficulty"]),
        "ability_name": plain(ability_name),
        "when": plain([when, *(about.split(" or ") if about else [])]),
        "ability": _box(found.get("effect")),
        "signet_name": plain(entry["signet_name"]),
        "without": plain([id_of(without)] if without else []),
        "contracts": plain(CONTRACTS[name] for name in own if found.get("contracts")),
        "choam": plain(entry.get("choam_module_mark", False)),
    }
    return {**fields, **_signet(entry["signet"])}


def _signet(text: str) -> Fields:
    if text in TRAINING:
        ways_along = [((), *(parse(space) for space in way)) for way in TRAINING[text]]
        return {
            "signet": box(parse("train")),
            "on_signet": box(()),
            "training": routes(ways_along),
        }
    before, forbids, rest = text.rpartition(f"{AT_ONCE}; ")
    assert not before
    return {
        "signet": _box(rest),
        "on_signet": _box(AT_ONCE if forbids else ""),
        "training": routes([]),
    }


def _contract(entry: Entry) -> Fields:
    found, completed_by = _first_match(CONDITIONS, entry["condition"])
    target = found.get("target")
    return {
        "copies": plain(entry["copies_in_photo"]),
        "completed_by": plain(completed_by),
        "target": plain(id_of(target) if target else None),
        "amount": plain(int(found.get("amount") or 0)),
        "icons": plain(entry["agent_icons"]),
        "reward": _box(entry["ability"]),
    }


def _first_match(
    patterns: tuple[tuple[str, str], ...], text: str
) -> tuple[dict[str, str | None], str]:
    """The parts of a text by the first pattern that it has, and the word for that."""
    for pattern, word in patterns:
        found = re.fullmatch(pattern, text)
        if found:
            return found.groupdict(), word
    raise ValueError(text)
