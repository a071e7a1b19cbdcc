"""What a vector leaves open is filled in, so that its position is one that a game can have."""

from __future__ import annotations

import copy
import functools
from typing import Any

from rules_engine.catalogue.load import catalogue
from rules_engine.effects.tree import Effect, Gain
from rules_engine.imperium.setup import CONFLICTS_BY_LEVEL
from rules_engine.kernel.decks import ANY

Json = dict[str, Any]

ROW, CONTRACTS = 5, 2
ROUNDS = sum(CONFLICTS_BY_LEVEL.values())
"""A game has at most so many: one for each Conflict card."""

NO_CONFLICT = ("game_begins", "round_begins", "makers_begin", "recall_begins")
"""What comes when the last Conflict is over, and the next one is not turned up."""
BEFORE_A_ROUND = NO_CONFLICT[:2]
"""What comes before the Conflict card of a round."""


class LeftOut(Exception):
    """A scenario that says too little to be played on an implementation."""


def completed(vector: Json) -> Json:
    """The position with something for all that is unknown: nothing depends on it."""
    position: Json = copy.deepcopy(vector["position"])
    open_ones = set(vector["unknown"])
    if "row" in open_ones:
        position["row"] = _taken(position["imperium_deck"], ROW)
    if "contract_row" in open_ones:
        position["contract_row"] = _taken(position["contract_deck"], CONTRACTS)
    if "conflict_deck" in open_ones:
        position["conflict_deck"] = []
    begun, product = _begun(vector), vector["setup"]["product"]
    if "conflict" in open_ones and begun not in NO_CONFLICT:
        position["conflict"] = _plain_conflict(product)
    for player in position["players"]:
        for field in ("hand", "won"):
            player.setdefault(field, [])
        for zone in ("hand", "discard", "intrigues"):
            _name_any(player, zone)
    told = _told_conflicts(vector)
    _lay_conflicts(position, product, told, is_between=begun in BEFORE_A_ROUND)
    position["reveal_order"] += _revealed_besides(position)
    if ANY in position["row"]:
        raise LeftOut("a card of the Row has no name")
    return position


def _revealed_besides(position: Json) -> list[int]:
    """The seats that have revealed nobody says when: as turns go round."""
    players, first = position["players"], position["first_player"]
    return [
        each["seat"]
        for each in (*players[first:], *players[:first])
        if each["revealed"] and each["seat"] not in position["reveal_order"]
    ]


def _begun(vector: Json) -> str | None:
    """What a vector begins with, if that is a phase."""
    first: Json = next((each for step in vector["steps"] for each in step["inputs"]), {})
    begun: str | None = first.get("begin")
    return begun


def _told_conflicts(vector: Json) -> list[str]:
    """The Conflict cards that a vector says will come."""
    inputs = (each for step in vector["steps"] for each in step["inputs"])
    chance = (told for each in inputs for told in each["chance"])
    return [told["outcome"] for told in chance if told["kind"] == "conflict"]


def _lay_conflicts(position: Json, product: str, told: list[str], *, is_between: bool) -> None:
    """The Conflict card on the table is not in the deck, which has one for each round to come.

    The round is the one that goes with the cards that are left, as far as those told can come.
    """
    deck = [part for part in position["conflict_deck"] if part["part"] == "pool"]
    conflict = position.setdefault("conflict", None)
    for part in deck:
        if conflict in part["cards"]:
            part["cards"].remove(conflict)
            part["count"] = max(part["count"] - 1, 0)
    printed = catalogue(product).conflicts
    won = sum(each["card"] in printed for owner in position["players"] for each in owner["won"])
    by_round = position["round"] - 1 if is_between else max(position["round"], 1)
    begun = max(by_round, won + bool(conflict))
    for part in deck:
        while _conflicts_left(position) + begun > ROUNDS and _turn_up(part, told):
            pass
    if position["conflict_deck"]:
        position["round"] = max(position["round"], ROUNDS - _conflicts_left(position))


def _turn_up(part: Json, told: list[str]) -> bool:
    """Take a Conflict card out of a part, if it has one that is not to come: its round is over."""
    free = [card for card in part["cards"] if card not in told]
    if part["count"] <= len(part["cards"]) - len(free) or not free:
        return False
    part["cards"].remove(free[0])
    part["count"] -= 1
    return True


def _conflicts_left(position: Json) -> int:
    return sum(part.get("count", 1) for part in position["conflict_deck"])


@functools.cache
def _plain_conflict(product: str) -> str | None:
    """A Conflict that is fought at no location, and whose rewards ask nobody anything."""
    return next(
        (
            face.id
            for face in catalogue(product).conflicts.values()
            if face.location is None
            and all(_is_one_gain(each) for each in (face.first, face.second, face.third))
        ),
        None,
    )


def _is_one_gain(reward: tuple[Effect, ...]) -> bool:
    return len(reward) == 1 and isinstance(reward[0], Gain)


def _taken(deck: list[Json], count: int) -> list[str]:
    """Cards taken from the pool of a deck."""
    taken: list[str] = []
    for part in deck:
        while part["part"] == "pool" and len(taken) < count and part["count"] > 0:
            taken.append(part["cards"].pop(0))
            part["count"] = min(part["count"], len(part["cards"]))
    return sorted(taken)


def _name_any(player: Json, zone: str) -> None:
    """A card that was never named becomes one of the player's deck."""
    while ANY in player[zone]:
        taken = _taken(player["deck"], 1) if zone != "intrigues" else []
        if not taken:
            raise LeftOut("a card that was never named could be any")
        player[zone].remove(ANY)
        player[zone] = sorted([*player[zone], *taken])
