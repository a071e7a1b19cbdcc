"""Where a scenario depends on a ruling, `what changes with ruling` never says that nothing does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scenarios import ask
from scenarios.results import AskResult
from tests.scenarios.test_asking_moves_nothing import LIBRARY, scenarios_of

DEPENDS = re.compile(r"^depends on ruling (\w+)", flags=re.MULTILINE)


def depending() -> list[tuple[str, str]]:
    """Every ruling that a scenario of the library depends on, with the scenario."""
    files: list[Path] = sorted(LIBRARY.rglob("*.scenario"))
    texts = [text for file in files for text in scenarios_of(file)]
    return [(name, text) for text in texts for name in DEPENDS.findall(text)]


ALL = depending()


def test_the_library_has_them() -> None:
    assert len({name for name, _ in ALL}) >= 30


@pytest.mark.parametrize(("name", "text"), ALL, ids=[name for name, _ in ALL])
def test_what_a_scenario_depends_on_changes_something(name: str, text: str) -> None:
    question = f"ask what changes with ruling {name}\n"
    asked = re.sub(r"^(?=then )", question, text, flags=re.MULTILINE)
    found = [each for each in ask("test.scenario", asked) if isinstance(each, AskResult)]
    assert "yes" in [each.verdict for each in found]
