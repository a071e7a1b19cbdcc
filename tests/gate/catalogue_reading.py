"""The first of the three readings: our catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from rules_engine.catalogue.faces import (
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
)
from rules_engine.catalogue.things import Thing, things
from rules_engine.effects import tree
from rules_engine.effects.text import say_condition
from rules_engine.effects.tree import Effect, walk
from tests.gate.said import Fields, Reading, box, plain, routes, ways


def of_catalogue(printed: Catalogue) -> Reading:
    """What a catalogue says, in the fields of the gate."""
    return {key(thing): of_thing(thing, printed) for thing in things(printed)}


def key(thing: Thing) -> str:
    """What the gate calls an entry."""
    return f"{KINDS[thing.kind][0]}/{thing.id}"


def of_thing(thing: Thing, printed: Catalogue) -> Fields:
    """What one face of a catalogue says."""
    return KINDS[thing.kind][1](thing.face, printed)


def group(card: CardFace) -> str:
    """Which pile a card is from."""
    if card.starting:
        return "starting"
    if card.reserve:
        return "reserve"
    return "promo" if card.promo else "imperium"


def _card(face: CardFace, _: Catalogue) -> Fields:
    return {
        "name": plain(face.name),
        "group": plain(group(face)),
        "copies": plain(face.starting + face.reserve + face.copies),
        "cost": plain(face.cost),
        "factions": plain(face.factions),
        "agent_icons": plain(face.agent_icons),
        "agent": box(face.agent),
        "reveal": box(face.reveal),
        "acquire": box(face.acquire),
        "when_trashed": box(face.when_trashed),
        "when_discarded": box(face.when_discarded),
        "ignores_influence": plain(face.ignores_influence),
        "choam": plain(face.choam),
    }


def _intrigue(face: IntrigueFace, _: Catalogue) -> Fields:
    return {
        "name": plain(face.name),
        "copies": plain(face.copies),
        "choam": plain(face.choam),
        "ways": ways((way.timing, (*way.effects, *way.lines)) for way in face.ways),
        "separate_lines": plain(any(way.lines for way in face.ways)),
    }


def _space(face: SpaceFace, printed: Catalogue) -> Fields:
    requirement = face.requirement
    locations = {conflict.location for conflict in printed.conflicts.values()}
    return {
        "name": plain(face.name),
        "icon": plain(face.icon),
        "faction_space": plain(face.icon in printed.tracks),
        "combat": plain(face.combat),
        "maker": plain(face.maker),
        "base_spice": plain(_base_spice(face)),
        "control": plain(bool(face.control_bonus)),
        "control_bonus": box(face.control_bonus),
        "protected": plain(face.id in locations),
        "cost": box(_cost(face)),
        "requirement": plain(None if requirement is None else say_condition(requirement)),
        "effects": box(face.effects),
        "reveal": box(face.reveal),
    }


def _base_spice(face: SpaceFace) -> int | None:
    """The spice that a Maker space gives besides what has gathered on it."""
    inside = (node for effect in face.effects for node in walk(effect))
    gains = (node for node in inside if isinstance(node, tree.Gain) and node.what == "spice")
    return sum(int(node.amount) for node in gains) if face.maker else None


def _cost(face: SpaceFace) -> tuple[Effect, ...]:
    """All that a space may cost."""
    for effect in face.effects:
        if isinstance(effect, tree.AtPlacement):
            return (tree.Choose(tuple(option.cost for option in effect.options)),)
    if face.cost is None:
        return ()
    if face.later_cost is None:
        return (face.cost,)
    return (tree.If(tree.Is("swordmaster_taken"), face.later_cost, face.cost),)


def _post(face: PostFace, printed: Catalogue) -> Fields:
    linked = [printed.spaces[space] for space in face.spaces]
    return {
        "spaces": plain(face.spaces),
        "icons": plain({space.icon for space in linked}),
        "maker": plain(any(space.maker for space in linked)),
    }


def _track(face: TrackFace, printed: Catalogue) -> Fields:
    spaces = printed.spaces.values()
    unlocked = [
        space.id for space in spaces if space.requirement == tree.InfluenceAtLeast(face.faction, 2)
    ]
    return {
        "at_four": box(face.at_four),
        "unlocks": plain(unlocked),
        "spaces": plain(space.id for space in spaces if space.icon == face.faction),
    }


def printed_name(name: str) -> str:
    """A name without what is added to tell three cards of one name apart."""
    return re.sub(r" \(.*\)$", "", name)


def _conflict(face: ConflictFace, _: Catalogue) -> Fields:
    control = [each.space for each in face.first if isinstance(each, tree.TakeControl)]
    return {
        "name": plain(printed_name(face.name)),
        "level": plain(face.level),
        "icon": plain(face.icon),
        "location": plain(face.location),
        "control": plain(control),
        "protected": plain(face.location is not None),
        "first": box(face.first),
        "second": box(face.second),
        "third": box(face.third),
    }


def _objective(face: ObjectiveFace, _: Catalogue) -> Fields:
    return {
        "icon": plain(face.icon),
        "players": plain(face.players),
        "first_player": plain(face.first_player),
    }


def _leader(face: LeaderFace, _: Catalogue) -> Fields:
    ability = face.ability
    when = (ability.when, *([ability.faction] if ability.faction else []), *ability.icons)
    return {
        "name": plain(face.name),
        "ability_name": plain(ability.name),
        "when": plain(when),
        "ability": box(ability.effects),
        "signet_name": plain(face.signet_name),
        "signet": box(face.signet),
        "on_signet": box(face.on_signet),
        "training": routes(training_routes(face.training)),
        "without": plain(face.without),
        "contracts": plain(face.contracts),
        "turns_into": plain(face.turns_into),
        "back": plain(face.back),
        "choam": plain(face.choam),
    }


Route = tuple[tuple[Effect, ...], ...]


def training_routes(track: tuple[TrainingSpace, ...]) -> list[Route]:
    """Every way along a training track, from its first space to an end."""
    return list(_onward(track[0].id, {space.id: space for space in track})) if track else []


def _onward(at: str, track: dict[str, TrainingSpace]) -> Iterator[Route]:
    space = track[at]
    if not space.next:
        yield (space.reward,)
    for after in space.next:
        yield from ((space.reward, *rest) for rest in _onward(after, track))


def _contract(face: ContractFace, printed: Catalogue) -> Fields:
    target = printed.spaces.get(face.target or "")
    icons = {"harvest": {"spice_trade"}}.get(face.completed_by, {target.icon} if target else set())
    return {
        "copies": plain(face.copies),
        "completed_by": plain(face.completed_by),
        "target": plain(face.target),
        "amount": plain(face.amount),
        "icons": plain(icons),
        "reward": box(face.reward),
    }


KINDS: dict[str, tuple[str, Callable[[Any, Catalogue], Fields]]] = {
    "cards": ("card", _card),
    "intrigue": ("intrigue", _intrigue),
    "spaces": ("space", _space),
    "posts": ("post", _post),
    "tracks": ("track", _track),
    "conflicts": ("conflict", _conflict),
    "objectives": ("objective", _objective),
    "leaders": ("leader", _leader),
    "contracts": ("contract", _contract),
}
"""For every kind of thing in a catalogue: the gate's word for it, and how it is read."""
