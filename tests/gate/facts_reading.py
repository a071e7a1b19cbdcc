"""The second of the three readings: the collected facts, in `facts/`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rules_engine.catalogue.faces import TrainingSpace
from rules_engine.effects.parse import parse_all
from rules_engine.effects.tree import Effect
from tests.effects.wording import ours, split_trigger
from tests.gate.catalogue_reading import training_routes
from tests.gate.said import Fields, Reading, box, plain, routes, ways

FOLDER = Path(__file__).with_name("facts")
Entry = dict[str, Any]

COMPLETED_BY = {
    "board_space": "visit", "harvest": "harvest", "acquire_card": "acquire", "immediate": "taking",
}  # fmt: skip

TIMINGS = (
    (r"own reveal turn", "reveal_turn"),
    (r"when reaching 2 influence (\w+)", "reaches_two"),
    (r"(?:once per own turn, )?when sending an agent to a (.*) board space", "sends_agent"),
    (r"whenever another player sends an agent to a maker space you spy on", "opponent_harvests"),
    (r"passive", "always"),
)

IGNORES = "ignore influence requirements of the board space this turn"
OWN_CONTRACTS = "set aside both sardaukar contracts before shuffling (18 remain)"
TAKES_OWN_CONTRACT = (
    "special: whenever taking a contract may take a set-aside sardaukar contract instead of a "
    "face-up one"
)


def load(file: str) -> list[Entry]:
    """The entries of a file of facts."""
    entries: list[Entry] = json.loads((FOLDER / f"{file}.json").read_text("utf-8"))
    return entries


def waiting() -> dict[str, int]:
    """How many entries wait for another product."""
    contracts = [entry for entry in load("contracts") if entry["set"] != "standard"]
    posts = [entry for entry in load("observation_posts") if "only_with" in entry]
    return {"contract": len(contracts), "post": len(posts)}


def of_facts() -> Reading:
    """What the facts say, in the fields of the gate."""
    cards = {
        "starting": load("starting_deck"),
        "reserve": load("reserve"),
        "imperium": load("imperium_deck"),
    }
    return {
        **{f"card/{e['id']}": _card(e, pile) for pile, entries in cards.items() for e in entries},
        **{f"intrigue/{e['id']}": _intrigue(e) for e in load("intrigue")},
        **{f"space/{e['id']}": _space(e) for e in load("board_spaces")},
        **{
            f"post/{e['id']}": {
                "spaces": plain(e["connects"]),
                "icons": plain(e["agent_icons"]),
                "maker": plain(e["spies_on_maker"]),
            }
            for e in load("observation_posts")
            if "only_with" not in e
        },
        **{
            f"track/{e['faction']}": {
                "at_four": _box([e["at_4"]]),
                "unlocks": plain([e["unlocks"]] if "unlocks" in e else []),
                "spaces": plain(e["board_spaces"]),
            }
            for e in load("influence_tracks")
        },
        **{f"conflict/{e['id']}": _conflict(e) for e in load("conflicts")},
        **{
            f"objective/{e['id']}": {
                "icon": plain(e["battle_icon"]),
                "players": plain(e["player_counts"]),
                "first_player": plain(e.get("first_player", False)),
            }
            for e in load("objectives")
        },
        **{f"leader/{e['id']}": _leader(e) for e in _faces_of_leaders()},
        **{
            f"contract/{e['id']}": _contract(e) for e in load("contracts") if e["set"] == "standard"
        },
    }


def _effects(texts: list[str]) -> tuple[Effect, ...]:
    return parse_all([ours(text) for text in texts])


def _box(texts: list[str]) -> Any:
    return box(_effects(texts))


def _card(entry: Entry, pile: str) -> Fields:
    reveal = entry["reveal_box"]
    amounts = {"persuasion": reveal["persuasion"], "swords": reveal["swords"]}
    first = [f"{amount} {what}" for what, amount in amounts.items() if amount]
    triggered = [split_trigger(ours(text)) for text in entry.get("triggered", [])]
    modifier = entry.get("placement_modifier", [])
    assert modifier in ([], [IGNORES])
    return {
        "name": plain(entry["name"]),
        "group": plain("promo" if entry.get("promo") else pile),
        "copies": plain(entry.get("copies", entry.get("copies_per_player"))),
        "cost": plain(entry.get("persuasion_cost")),
        "factions": plain(entry.get("factions", [])),
        "agent_icons": plain(entry.get("agent_icons", [])),
        "agent": _box(entry.get("agent_box", [])),
        "reveal": _box([*first, *reveal["effects"]]),
        "acquire": _box(entry.get("acquire_box", [])),
        "when_trashed": _box([text for when, text in triggered if when == "trashed"]),
        "when_discarded": _box([text for when, text in triggered if when == "discarded"]),
        "ignores_influence": plain(bool(modifier)),
        "choam": plain(entry.get("choam_only", False)),
    }


def _intrigue(entry: Entry) -> Fields:
    options = entry["options"]
    assert {option["timing"] for option in options} == set(entry["types"])
    return {
        "name": plain(entry["name"]),
        "copies": plain(entry["copies"]),
        "choam": plain(entry.get("choam_only", False)),
        "ways": ways((option["timing"], _effects(option["effects"])) for option in options),
        "separate_lines": plain(any(option.get("separate_lines") for option in options)),
    }


def _space(entry: Entry) -> Fields:
    triggered = [split_trigger(ours(text)) for text in entry["effects"]]
    later = [text.removeprefix("if own_agent_here: ") for when, text in triggered if when]
    requirement = entry.get("requirement")
    bonus = entry.get("control_bonus")
    return {
        "name": plain(entry["name"]),
        "icon": plain(entry["agent_icon"]),
        "faction_space": plain(entry["faction_space"]),
        "combat": plain(entry["combat"]),
        "maker": plain(entry["maker"]),
        "base_spice": plain(entry.get("maker_base_spice")),
        "control": plain(entry["control_space"]),
        "control_bonus": _box([bonus] if bonus else []),
        "protected": plain(entry["conflict_shield_wall_protected"]),
        "cost": _box(entry["cost"]),
        "requirement": plain(None if requirement is None else ours(requirement)),
        "effects": box(parse_all([text for when, text in triggered if not when])),
        "reveal": box(parse_all(later)),
    }


def _conflict(entry: Entry) -> Fields:
    return {
        "name": plain(entry["name"]),
        "level": plain(len(entry["level"])),
        "icon": plain(entry["battle_icon"]),
        "location": plain(entry.get("location")),
        "control": plain([entry["control_reward"]] if "control_reward" in entry else []),
        "protected": plain(entry.get("shield_wall_protected", False)),
        **{place: _box(entry[place]) for place in ("first", "second", "third")},
    }


def _faces_of_leaders() -> list[Entry]:
    """Every Leader, and the other side of one as an entry of its own."""
    found = []
    for entry in load("leaders"):
        backs = entry.get("faces", [])
        found.append({**entry, "turns_into": backs[0]["id"] if backs else None})
        shared = {"house": entry.get("house"), "complexity": entry["complexity"]}
        found += [{**shared, **back, "back": True} for back in backs]
    return found


def _leader(entry: Entry) -> Fields:
    ability, signet, setup = entry["ability"], entry["signet"], entry.get("setup", [])
    at_once = [text for text in signet["effects"] if ours(text) == "forbid deployment"]
    removed = [re.findall(r"remove (\w+) from the starting deck", text) for text in setup]
    own = load("contracts") if OWN_CONTRACTS in setup else []
    track = tuple(
        TrainingSpace(e["id"], "", _effects(e["reward"]), tuple(e["next"]))
        for e in entry.get("training_track", [])
    )
    effects = [text for text in ability["effects"] if text != TAKES_OWN_CONTRACT]
    return {
        "name": plain(entry["name"]),
        "house": plain(entry.get("house")),
        "complexity": plain(entry["complexity"]),
        "ability_name": plain(ability["name"]),
        "when": plain(_when(ability["timing"])),
        "ability": _box(effects),
        "signet_name": plain(signet["name"]),
        "signet": _box([text for text in signet["effects"] if text not in at_once]),
        "on_signet": _box(at_once),
        "training": routes(training_routes(track)),
        "without": plain([card for cards in removed for card in cards]),
        "contracts": plain(e["id"] for e in own if e["condition"].get("target") == "sardaukar"),
        "turns_into": plain(entry.get("turns_into")),
        "back": plain(entry.get("back", False)),
        "choam": plain(entry.get("choam_only", False)),
    }


def _when(timing: str) -> list[str]:
    """When an ability applies: our word for it, and the Factions that it is about."""
    for pattern, when in TIMINGS:
        found = re.fullmatch(pattern, timing)
        if found:
            about = [word for words in found.groups() for word in words.split(" or ")]
            return [when, *about]
    raise ValueError(timing)


def _contract(entry: Entry) -> Fields:
    condition = entry["condition"]
    harvest = condition["kind"] == "harvest"
    return {
        "copies": plain(entry["copies"]),
        "completed_by": plain(COMPLETED_BY[condition["kind"]]),
        "target": plain(None if harvest else condition["target"]),
        "amount": plain(condition["amount"] or 0),
        "reward": _box(entry["reward"]),
    }
