"""Nothing but the named functions moves cards, Agents, Spies, points, sandworms and the Wall."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rules_engine.imperium
from rules_engine.imperium.cards import move_card
from rules_engine.imperium.spies import move_spy
from rules_engine.imperium.state import Player, State
from tests.imperium.conservation import BY_NAME, WRITERS, wrong_writes
from tests.imperium.positions import bare, giving

ENGINE = Path(rules_engine.imperium.__path__[0])


def test_only_the_named_functions_write_the_guarded_fields() -> None:
    assert wrong_writes(ENGINE) == []


def test_the_guarded_fields_and_the_named_functions_exist() -> None:
    fields = {*Player.__struct_fields__, *State.__struct_fields__}
    assert set(WRITERS) <= fields
    for function in (*BY_NAME, *(name for names in WRITERS.values() for name in names)):
        module, name = function.split(".")
        source = (ENGINE / f"{module}.py").read_text(encoding="utf-8")
        assert f"\ndef {name}(" in source, function


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("change(owner, hand=())", "hand"),
        ("change(owner, spice=1, deck=())", "deck"),
        ("change(owner, discard=())", "discard"),
        ("change(owner, in_play=())", "in_play"),
        ("change(owner, intrigues=())", "intrigues"),
        ("change(owner, agents=owner.agents + 1)", "agents"),
        ("change(state, agents=())", "agents"),
        ("change(state, spies=())", "spies"),
        ("change(owner, victory_points=10)", "victory_points"),
        ("change(owner, sandworms=1)", "sandworms"),
        ("change(state, shield_wall=False)", "shield_wall"),
        ("records.change(state, shield_wall=False)", "shield_wall"),
        ("msgspec.structs.replace(owner, hand=())", "hand"),
        ("change(owner, **{'hand': ()})", "hand"),
        ("change(owner, **{zone: ()})", "**"),
        ("change(owner, **fields)", "**"),
        ("State(agents=())", "agents"),
        ("Player(0, 'Ada')", "fields by position"),
        ("msgspec.structs.force_setattr(owner, 'hand', ())", "force_setattr"),
        ("object.__setattr__(owner, 'hand', ())", "__setattr__"),
        ("[change(each, hand=()) for each in state.players]", "hand"),
    ],
)
def test_a_planted_write_is_found(line: str, field: str, tmp_path: Path) -> None:
    engine = tmp_path / "imperium"
    shutil.copytree(ENGINE, engine, ignore=shutil.ignore_patterns("__pycache__"))
    with (engine / "makers.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef planted(state, owner, zone, fields):\n    return {line}\n")
    assert [(each.file, each.function, each.field) for each in wrong_writes(engine)] == [
        ("makers.py", "planted", field)
    ]


def test_a_write_outside_any_function_is_found(tmp_path: Path) -> None:
    (tmp_path / "points.py").write_text("STATE = change(STATE, hand=())\n", encoding="utf-8")
    assert [each.function for each in wrong_writes(tmp_path)] == ["the module"]


def test_moving_a_card_keeps_all_cards() -> None:
    state = giving(bare(), 0, hand=("dagger", "diplomacy"), discard=("dagger",))
    moved = move_card(state, 0, "dagger", "hand", "discard").players[0]
    assert (moved.hand, moved.discard) == (("diplomacy",), ("dagger", "dagger"))


def test_moving_a_spy_keeps_all_spies() -> None:
    state = bare()
    placed = move_spy(state, 0, start=None, end="post_spacing_guild")
    moved = move_spy(placed, 0, start="post_spacing_guild", end="post_fremen")
    assert [spy.post for spy in moved.spies] == ["post_fremen"]
    assert moved.players[0].spies == 2
    assert move_spy(moved, 0, start="post_fremen", end=None) == state
