"""A lint: cards, Agents, Spies, points, sandworms and the Wall change hands in few named functions.

Conservation is proved of those functions; this shows that nothing else writes the fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SETUP = ("setup.new_player", "setup.starting_state")

WRITERS: dict[str, tuple[str, ...]] = {
    "hand": ("cards._draw", "looking._draw", "acquire._put"),
    "deck": ("cards._draw", "looking._look", "acquire._put"),
    "discard": ("cards._draw", "looking._discard", "acquire._put"),
    "in_play": (),
    "row": ("acquire._fill", "acquire._taken", "acquire._set_aside"),
    "set_aside": ("acquire._taken", "acquire._set_aside", "acquire.end_of_reveal"),
    "imperium_deck": ("acquire._fill",),
    "reserve": ("acquire._taken", "trashing.out_of_game"),
    "trashed": ("trashing.out_of_game", "acquire.end_of_reveal"),
    "intrigues": ("cards._draw_intrigue", "held_intrigue.take_from_hand", "held_intrigue._steal"),
    "intrigue_deck": ("cards._draw_intrigue",),
    "intrigue_discard": (
        "cards._draw_intrigue",
        "held_intrigue.to_discard_pile",
        "acquire.end_of_reveal",
    ),
    "standing": ("intrigue.play", "acquire.end_of_reveal"),
    "trashed_intrigues": ("held_intrigue.give_up",),
    "agents": (
        "agents.move_agent_to",
        "agents.take_agent_from",
        "council.take_swordmaster",
        "recall.agents_home",
    ),
    "memories": ("leaders.memorise", "leaders.flip"),
    "contracts": ("contracts.take", "contracts.complete"),
    "completed": ("contracts.complete",),
    "contract_row": ("contracts.take", "contracts._fill"),
    "contract_deck": ("contracts._fill",),
    "leader_contracts": ("contracts.take",),
    "spies": ("spies.move_spy",),
    "victory_points": ("points.score",),
    "sandworms": ("sandworms.summon", "combat._end"),
    "shield_wall": ("shield_wall.remove",),
}
"""For each field, the functions that may write it, besides setup."""

BY_NAME = ("cards.move_card", "trashing.trash", "resources.gain", "resources.pay")
"""The functions that may write a field whose name they are given."""

MAKERS = {"change", "replace", "Player", "State"}
"""What makes a record, or a changed copy of one."""

BACK_DOORS = {"force_setattr", "setattr", "__setattr__", "__replace__"}


class Write(NamedTuple):
    """A field that is written where it should not be."""

    file: str
    line: int
    function: str
    field: str


def wrong_writes(folder: Path) -> list[Write]:
    """Every write of a guarded field outside the functions that may do it."""
    return [
        Write(path.name, line, function, field)
        for path in sorted(folder.glob("*.py"))
        for function, line, field in _writes(ast.parse(path.read_text(encoding="utf-8")))
        if not _may_write(f"{path.stem}.{function}", field)
    ]


def _may_write(function: str, field: str) -> bool:
    if function in SETUP:
        return True
    if field == "**":
        return function in BY_NAME
    return function in WRITERS.get(field, ())


def _writes(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """The function, line and field of every write in a file; `**` is a field named elsewhere."""
    for top in tree.body:
        name = top.name if isinstance(top, ast.FunctionDef) else "the module"
        for node in ast.walk(top):
            if isinstance(node, ast.Call):
                yield from ((name, node.lineno, field) for field in _written(node))


def _written(call: ast.Call) -> Iterator[str]:
    called = call.func.attr if isinstance(call.func, ast.Attribute) else _name(call.func)
    if called in BACK_DOORS:
        yield called
    if called not in MAKERS:
        return
    if called in ("Player", "State") and call.args:
        yield "fields by position"
    for keyword in call.keywords:
        if keyword.arg is None:
            yield from _unpacked(keyword.value)
        elif keyword.arg in WRITERS:
            yield keyword.arg


def _unpacked(value: ast.expr) -> Iterator[str]:
    """The fields of a `**{...}`: those it spells out, or `**` for one named elsewhere."""
    keys = value.keys if isinstance(value, ast.Dict) else [None]
    for key in keys:
        if not isinstance(key, ast.Constant):
            yield "**"
        elif key.value in WRITERS:
            yield str(key.value)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""
