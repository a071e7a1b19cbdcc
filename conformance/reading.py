"""Reads the JSON of starts and inputs as what the engine takes."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from rules_engine.catalogue.faces import CardFace, ConflictFace, ContractFace, IntrigueFace, Way
from rules_engine.effects.parse import parse
from rules_engine.effects.text import say
from rules_engine.effects.tree import Arrow, Effect, Pay
from rules_engine.imperium import frames
from rules_engine.imperium.actions import AnyInput
from rules_engine.imperium.faces import intrigue_face
from rules_engine.imperium.frames import Item
from rules_engine.imperium.setup import DEALING, new_game
from rules_engine.imperium.state import Config, State, ThisTurn
from rules_engine.imperium.strength import strength
from rules_engine.kernel.game import Action, push
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import chosen

Json = dict[str, Any]


def effects(sentences: list[str]) -> tuple[Effect, ...]:
    """The effects that some sentences say."""
    return tuple(effect for each in sentences for effect in parse(each))


# Where a game starts


def from_setup(setup: Json) -> State:
    """The game set up, with nothing dealt yet."""
    leaders = tuple(setup["leaders"])
    return new_game(
        setup["product"],
        tuple(setup["players"]),
        chosen(setup["rulings"]),
        choam="choam" in setup["modules"],
        promos="promos" in setup["modules"],
        leaders=leaders if any(leaders) else None,
    )


def from_position(setup: Json, position: Json, to_move: int | None) -> State:
    """A position; the rest of the round is below the turn of who is to move."""
    table = position | {"config": {"product": "", "players": 0}, "turn": None, "pending": []}
    state = msgspec.convert({**table, "first_reward": []}, State)
    state = change(state, config=config(setup), first_reward=effects(position["first_reward"]))
    if to_move is None:
        return state
    turns = (frames.PlayerTurns((to_move + 1) % len(state.players)), frames.Turn(to_move))
    rest = (frames.Recall(), frames.Makers(), frames.Combat(), *turns)
    return change(state, turn=ThisTurn(to_move), pending=rest)


def config(setup: Json) -> Config:
    """What is fixed before the game."""
    return Config(
        product=setup["product"],
        players=len(setup["players"]),
        rulings=Rulings(tuple(setup["rulings"].items())),
        cards=tuple(CardFace(**_boxes(each)) for each in setup["cards"]),
        conflicts=tuple(ConflictFace(**_boxes(each)) for each in setup["conflicts"]),
        intrigues=tuple(map(_intrigue, setup["intrigues"])),
        contracts=tuple(
            ContractFace(copies=1, **_boxes(each)) for each in setup.get("contracts", ())
        ),
        choam="choam" in setup["modules"],
        promos="promos" in setup["modules"],
    )


BOXES = ("agent", "reveal", "acquire", "when_trashed", "when_discarded",
         "first", "second", "third", "reward")  # fmt: skip


def _boxes(face: Json) -> Json:
    """A card of the case's own, its effects read from their sentences."""
    read = {box: effects(face[box]) for box in BOXES if box in face}
    return {key: tuple(v) if isinstance(v, list) else v for key, v in face.items()} | read


def _intrigue(face: Json) -> IntrigueFace:
    ways = (Way(w["timing"], effects(w["effects"]), effects(w["lines"])) for w in face["ways"])
    return IntrigueFace(face["id"], face["name"], 1, tuple(ways))


# What happens besides decisions


PHASES: dict[str, tuple[frames.AnyFrame, ...]] = {
    "game_begins": DEALING,
    "round_begins": (frames.RoundStart(),),
    "combat_begins": (frames.Combat(),),
    "combat_resolves": (frames.ResolveCombat(),),
    "makers_begin": (frames.Makers(),),
    "recall_begins": (frames.Recall(),),
}


def begun(state: State, phase: str) -> State:
    """A phase begins. Combat comes after all Reveal turns: every marker shows units and swords."""
    state = change(state, pending=PHASES[phase], turn=None)
    if not phase.startswith("combat"):
        return state
    players = (
        each if each.revealed else change(each, revealed=True, strength=strength(each))
        for each in state.players
    )
    return change(state, players=tuple(players))


def told(state: State, effect: Json) -> State:
    """A player is told to resolve effects now."""
    items = [Item(each, "scenario") for each in effects(effect["effects"])]
    return push(state, *(frames.Run(effect["player"], each) for each in reversed(items)))


# Decisions


def action(state: State, said: Json) -> Action | None:
    """The engine's input for a decision; nothing if what it names is not there."""
    said = dict(said)
    top: Any = state.pending[-1] if state.pending else None
    match said["action"]:
        case "resolve":
            said["index"] = _place(top, said)
        case "choose":
            said["option"] = _option(top, said["effect"])
        case "pay":
            return _payment(state, top, said)
        case "play_intrigue":
            said["way"] = _way(state, said)
        case "recall_spy":
            if said.pop("gather") and not isinstance(top, frames.GatherIntelligence):
                return None
    if None in (said.get("index", 0), said.get("option", 0), said.get("way", 0)):
        return None
    found: Action = msgspec.convert(said, _INPUTS.get(said["action"], AnyInput))
    return found


_INPUTS = {each.__struct_config__.tag: each for each in get_args(AnyInput)}
"""What an input is by its name; to try the whole union takes most of the time of reading."""


def _place(top: Any, said: Json) -> int | None:
    for number, item in enumerate(getattr(top, "items", ())):
        same = say(item.effect) == said["effect"]
        if same and (item.source, item.copy) == (
            said.get("source", item.source),
            said.get("copy", item.copy),
        ):
            return number
    return None


def _option(top: Any, effect: str) -> int | None:
    for number, option in enumerate(getattr(top, "options", ())):
        offered = option.cost if isinstance(top, frames.PickCost) else option
        if say(offered) == effect:
            return number
    return None


def _payment(state: State, top: Any, said: Json) -> Action | None:
    """Whatever has this cost now: an option of a space, or an effect that has to be paid."""
    cost = Pay(said["amount"], said["what"])
    choice = {"action": "choose", "by": said["by"], "effect": say(cost)}
    if isinstance(top, frames.PickCost):
        return action(state, choice)
    for item in getattr(top, "items", ()):
        if isinstance(item.effect, Arrow) and item.effect.cost == cost:
            return action(state, {**choice, "action": "resolve", "effect": say(item.effect)})
    return None


def _way(state: State, said: Json) -> int | None:
    ways = intrigue_face(state, said["card"]).ways
    shown = [(way.timing, [say(e) for e in (*way.effects, *way.lines)]) for way in ways]
    wanted = (said["timing"], said["effects"])
    return shown.index(wanted) if wanted in shown else None
