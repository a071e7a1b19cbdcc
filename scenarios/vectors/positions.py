"""The setup and the starting position of a scenario, as plain JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.catalogue.faces import CardFace, ConflictFace, ContractFace, IntrigueFace
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium.faces import printed
from rules_engine.imperium.frames import Turn
from rules_engine.imperium.state import State
from rules_engine.kernel.records import Record
from rules_engine.rulebook.rulings import rulings
from verifier.watched import Unknown, raw

Json = dict[str, Any]

ELSEWHERE = ("config", "pending", "turn")
"""Fields of the state that `setup` and `to_move` tell instead."""

CARD = ("id", "name", "agent_icons", "factions", "cost",
        "agent", "reveal", "acquire", "when_trashed", "when_discarded")  # fmt: skip
CONFLICT = ("id", "name", "icon", "location", "first", "second", "third")
INTRIGUE = ("id", "name", "ways")
CONTRACT = ("id", "name", "completed_by", "target", "amount", "reward")
"""What a card of the scenario's own has; whatever else a face has, it is as without it."""


def plain(value: Any) -> Any:
    """A value of the engine as JSON: effects are sentences, and what is unknown is left out."""
    if isinstance(value, Effect):
        return say(value)
    if isinstance(value, Record):
        tag = {str(value.__struct_config__.tag_field): value.__struct_config__.tag}
        known = {name: plain(raw(value, name)) for name in _known(value)}
        return {**tag, **known} if value.__struct_config__.tag else known
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def _known(record: Record) -> Iterator[str]:
    """The fields of a record that are known."""
    for field in record.__struct_fields__:
        if not _is_unknown(record, field):
            yield field


def _is_unknown(record: Record, field: str) -> bool:
    return isinstance(raw(record, field), Unknown)


def setup(state: State) -> Json:
    """What is fixed before the game: everything that a client would else have to know."""
    config = state.config
    modules = (("choam", config.choam), ("promos", config.promos))
    deals = [_face(each, CONTRACT) for each in config.contracts]
    return {
        **({"contracts": deals} if deals else {}),
        "product": config.product,
        "players": [each.name for each in state.players],
        "modules": [name for name, used in modules if used],
        "leaders": [_front(state, each.leader) for each in state.players],
        "rulings": {
            name: config.rulings.value(name, each.default) for name, each in rulings().items()
        },
        "cards": [_face(each, CARD) for each in config.cards],
        "conflicts": [_face(each, CONFLICT) for each in config.conflicts],
        "intrigues": [_face(each, INTRIGUE) for each in config.intrigues],
    }


def _front(state: State, leader: str | None) -> str | None:
    """The side of a Leader with which a player starts."""
    faces = printed(state).leaders.values()
    return next((each.id for each in faces if leader and each.turns_into == leader), leader)


def _face(
    face: CardFace | ConflictFace | ContractFace | IntrigueFace, fields: tuple[str, ...]
) -> Json:
    return {field: plain(getattr(face, field)) for field in fields}


def position(state: State) -> Json:
    """Everything on the table; what is unknown is left out."""
    return {field: plain(raw(state, field)) for field in _known(state) if field not in ELSEWHERE}


def unknown(state: State) -> list[str]:
    """The paths of what the position leaves unknown: nothing depends on it."""
    by_player = {f"players.{each.seat}.": each for each in state.players}
    records: dict[str, Record] = {"": state, **by_player}
    return [
        f"{path}{field}"
        for path, record in records.items()
        for field in record.__struct_fields__
        if _is_unknown(record, field)
    ]


def to_move(state: State) -> int | None:
    """Whose turn begins; nobody's if the scenario starts otherwise."""
    top = state.pending[-1] if state.pending else None
    return top.seat if isinstance(top, Turn) else None
