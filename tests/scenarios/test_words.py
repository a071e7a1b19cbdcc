"""Everything that the engine says has words, and no words are left over."""

from __future__ import annotations

import ast
from pathlib import Path

import rules_engine
from scenarios.words import EVENTS, REASONS

ENGINE = Path(rules_engine.__file__).parent


def keys(kind: str) -> set[str]:
    """The keys of all events or reasons in the engine's source."""
    found = set()
    for file in [*ENGINE.glob("imperium/*.py"), ENGINE / "kernel" / "game.py"]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == kind:
                found |= {
                    each.value
                    for each in ast.walk(node.args[0])
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
                if isinstance(node.args[0], ast.Name):
                    found |= assigned(file, node.args[0].id)
    return found


def assigned(file: Path, name: str) -> set[str]:
    """The texts that a local name can have."""
    return {
        each.value
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Assign)
        and any(getattr(target, "id", "") == name for target in node.targets)
        for each in ast.walk(node.value)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def test_every_event_has_words() -> None:
    assert keys("Event") == set(EVENTS)


def test_every_reason_has_words() -> None:
    assert keys("Reason") == set(REASONS)
