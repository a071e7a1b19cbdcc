"""What is printed, in plain words and as data: every field of a face, effects with their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rules_engine.catalogue import faces
from rules_engine.catalogue.things import Sentence, Thing, effects, fields_of, sentences
from rules_engine.effects import plain, tree
from rules_engine.effects.plain import Names, name_of
from rules_engine.effects.text import say, say_condition
from rules_engine.imperium.effects import rules_of
from rules_engine.kernel.records import Record
from truthsayer.text.answers import wrapped

Lines = Iterator[str]


def face_lines(thing: Thing, names: Names) -> Lines:
    """Something printed, as a player would tell it: what it is, then all that it says."""
    for line in plain_lines(thing, names):
        text = line.lstrip()
        yield wrapped(text, " " * (len(line) - len(text)))


def plain_lines(thing: Thing, names: Names) -> Lines:
    """The same lines, however long they are."""
    first, *rest = _FACES[type(thing.face)](thing.face, names)
    yield f"{thing.name}: {first}"
    yield from (f"  {line}" for line in rest)


def notation_lines(thing: Thing) -> Lines:
    """The effects in the words of the effect language, as scenarios write them."""
    found = dict.fromkeys(map(say, effects(thing.face)))
    if found:
        yield "  as scenarios write it:"
    yield from (f"    {text}" for text in found)


def rules_line(thing: Thing) -> str:
    """The rules behind everything printed on a face, in one line; empty if there are none."""
    own = [text for name, value in fields_of(thing.face) if name in _RULES for text in value]
    behind = [rule for effect in effects(thing.face) for rule in rules_behind(effect)]
    found = dict.fromkeys((*own, *behind))
    return wrapped(f"rules: {', '.join(found)}", "  ") if found else ""


_RULES = ("rules", "control_rules")
"""Fields of a face that hold ids of rules."""


def rules_behind(effect: tree.Effect) -> tuple[str, ...]:
    """The rules that an effect and everything inside it stand on."""
    return tuple(dict.fromkeys(rule for part in tree.walk(effect) for rule in rules_of(part)))


# Parts of faces


def _box(title: str, found: Sequence[tree.Effect], names: Names) -> Lines:
    """A line for several effects, if there are any."""
    if found:
        yield f"{title}: {plain.sentences(found, names)}"


def _flag(text: str, holds: bool) -> Lines:
    if holds:
        yield text


def _named(title: str, ids: Sequence[str], names: Names) -> Lines:
    if ids:
        yield f"{title}: {', '.join(name_of(each, names) for each in ids)}"


def _copies(number: int) -> str:
    return "1 copy" if number == 1 else f"{number} copies"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _pay(cost: tree.Pay, names: Names) -> str:
    """What is paid, without its verb."""
    return plain.sentence(cost, names).removeprefix("Pay ").removesuffix(".")


# Faces, by their kind


def _card(face: faces.CardFace, names: Names) -> Lines:
    yield from _kind_of_card(face)
    yield from _flag(f"costs {face.cost} Persuasion", face.cost is not None)
    yield from _named("belongs to", face.factions, names)
    if face.agent_icons:
        yield from _named("Agent icons", face.agent_icons, names)
    else:
        yield "no Agent icon: it sends no Agent"
    yield from _flag(
        "its Agent may go where the space asks for Influence that you lack", face.ignores_influence
    )
    yield from _box("Agent turn", face.agent, names)
    yield from _box("Reveal", face.reveal, names)
    yield from _box("When acquired", face.acquire, names)
    yield from _box("When trashed", face.when_trashed, names)
    yield from _box("When discarded", face.when_discarded, names)
    yield from _flag(_WITH_CHOAM, face.choam)
    yield from _flag("promotional card, only if the game is set up with it", face.promo)


def _kind_of_card(face: faces.CardFace) -> Lines:
    if face.starting:
        yield f"starting card, {_copies(face.starting)} for each player"
    elif face.reserve:
        yield f"Reserve card, {_copies(face.reserve)}"
    else:
        yield f"card of the Imperium Deck, {_copies(face.copies)}"


_WITH_CHOAM = "only with the CHOAM module"


def _intrigue(face: faces.IntrigueFace, names: Names) -> Lines:
    yield f"Intrigue card, {_copies(face.copies)}"
    several = len(face.ways) > 1
    yield from _flag("played in one of these ways:", several)
    for way in face.ways:
        yield ("  " if several else "") + f"{way.timing.capitalize()}: {_way(way, names)}"
    yield from _flag(_WITH_CHOAM, face.choam)


def _way(way: faces.Way, names: Names) -> str:
    said = [plain.sentences(way.effects, names, chosen=True)] if way.effects else []
    if way.lines:
        lines = (plain.sentences((line,), names, chosen=True) for line in way.lines)
        said += ["Any of these:", *(f"({number}) {line}" for number, line in enumerate(lines, 1))]
    return " ".join(said)


def _space(face: faces.SpaceFace, names: Names) -> Lines:
    yield "board space"
    yield f"Agent icon: {name_of(face.icon, names)}"
    yield from _flag("Combat space", face.combat)
    yield from _flag("Maker space: a round without an Agent here adds bonus spice", face.maker)
    if face.requirement is not None:
        yield f"open to you only if {plain.condition_words(face.requirement, names)}"
    if face.cost is not None:
        yield f"costs {_pay(face.cost, names)}{_later(face.later_cost, names)}"
    yield from _box("Visit", face.effects, names)
    yield from _box("On your Reveal turn, while your Agent is here", face.reveal, names)
    yield from _box("For its controller, whenever an Agent is sent here", face.control_bonus, names)


def _later(cost: tree.Pay | None, names: Names) -> str:
    return "" if cost is None else f", or {_pay(cost, names)} once any player has what it gives"


def _post(face: faces.PostFace, names: Names) -> Lines:
    yield "observation post"
    yield from _named("linked to", face.spaces, names)


def _track(face: faces.TrackFace, names: Names) -> Lines:
    yield "Faction with an Influence track"
    yield from _box("When you reach 4 Influence", face.at_four, names)


def _conflict(face: faces.ConflictFace, names: Names) -> Lines:
    yield f"Conflict card of level {face.level}" if face.level else "Conflict card"
    if face.icon is not None:
        yield f"battle icon: {name_of(face.icon, names)}"
    if face.location is not None:
        place = name_of(face.location, names)
        yield f"fought at {place}, which the Shield Wall protects while it stands"
    yield from _box("First reward", face.first, names)
    yield from _box("Second reward", face.second, names)
    yield from _box("Third reward", face.third, names)


def _objective(face: faces.ObjectiveFace, names: Names) -> Lines:
    yield "Objective card"
    yield f"battle icon: {name_of(face.icon, names)}"
    yield f"used with {_listed([str(number) for number in face.players])} players"
    yield from _flag("whoever gets it is First Player", face.first_player)


def _leader(face: faces.LeaderFace, names: Names) -> Lines:
    yield "other side of a Leader: nobody starts with it" if face.back else "Leader"
    yield _ability(face, names)
    yield from _box(f"Signet Ring, {face.signet_name}", face.signet, names)
    yield from _box("As soon as Signet Ring sends an Agent", face.on_signet, names)
    yield from _flag("Training track:", bool(face.training))
    steps = {step.id: step.name for step in face.training}
    yield from (f"  {_training(step, steps, names)}" for step in face.training)
    yield from _named("starts without", face.without, names)
    yield from _named("can turn into", () if face.turns_into is None else (face.turns_into,), names)
    yield from _flag(_WITH_CHOAM, face.choam)


def _ability(face: faces.LeaderFace, names: Names) -> str:
    ability = face.ability
    boxes = [
        *_box("", ability.effects, names),
        *_named("You may take one that is set aside for you alone", face.contracts, names),
    ]
    said = " ".join(box.removeprefix(": ") for box in boxes)
    return f"{ability.name}, {_WHENS[ability.when](ability, names)}: {said}"


_WHENS: dict[str, Callable[[faces.Ability, Names], str]] = {
    "reveal_turn": lambda _ability, _names: "on your Reveal turn",
    "reaches_two": lambda ability, names: (
        f"when you reach 2 Influence with the {name_of(str(ability.faction), names)}"
    ),
    "sends_agent": lambda ability, names: (
        f"when you send an Agent to a {_listed([name_of(i, names) for i in ability.icons])} space"
    ),
    "opponent_harvests": lambda _ability, _names: (
        "when another player sends an Agent to a Maker space that you spy on"
    ),
    "always": lambda _ability, _names: "whenever you take a contract",
}
"""When a Leader's ability applies."""


def _training(step: faces.TrainingSpace, steps: Names, names: Names) -> str:
    gives = f": {plain.sentences(step.reward, names)}" if step.reward else "."
    after = _listed([steps[each] for each in step.next]) if step.next else ""
    return f"{step.name}{gives}" + (f" Then {after}." if after else "")


def _contract(face: faces.ContractFace, names: Names) -> Lines:
    yield f"CHOAM contract, {_copies(face.copies)}"
    yield f"completed {_COMPLETIONS[face.completed_by](face, names)}"
    yield from _box("Reward", face.reward, names)


_COMPLETIONS: dict[str, Callable[[faces.ContractFace, Names], str]] = {
    "visit": lambda face, names: f"by sending an Agent to {name_of(str(face.target), names)}",
    "harvest": lambda face, _names: (
        f"by gaining {face.amount} or more spice in a turn in which you send an Agent to a Maker "
        "space"
    ),
    "acquire": lambda face, names: f"by acquiring {name_of(str(face.target), names)}",
    "taking": lambda _face, _names: "as soon as it is taken",
}
"""What completes a contract."""


_FACES: dict[type, Callable[[Any, Names], Lines]] = {
    faces.CardFace: _card,
    faces.IntrigueFace: _intrigue,
    faces.SpaceFace: _space,
    faces.PostFace: _post,
    faces.TrackFace: _track,
    faces.ConflictFace: _conflict,
    faces.ObjectiveFace: _objective,
    faces.LeaderFace: _leader,
    faces.ContractFace: _contract,
}


# As data


def face_json(face: Record, names: Names) -> dict[str, Any]:
    """Everything on a face, and its sentences once more with the rules that they stand on."""
    return {
        "data": _data(face),
        "effects": [_sentence_json(each, names) for each in sentences(face)],
    }


def _sentence_json(sentence: Sentence, names: Names) -> dict[str, Any]:
    says = sentence.says
    shown = {"box": " ".join(sentence.path), "sentence": _data(says)}
    if isinstance(says, tree.Effect):
        told = plain.sentence(says, names)
        return {**shown, "plain": told, "rules": list(rules_behind(says))}
    return {**shown, "plain": plain.condition_words(says, names)}


def _data(value: Any) -> Any:
    """A value as JSON has it, effects and conditions as their canonical sentences."""
    if isinstance(value, tree.Effect):
        return say(value)
    if isinstance(value, tree.Condition):
        return say_condition(value)
    if isinstance(value, Record):
        return {name: _data(inner) for name, inner in fields_of(value)}
    if isinstance(value, dict):
        return {str(key): _data(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [_data(inner) for inner in value]
    return value
