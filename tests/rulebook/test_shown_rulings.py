"""Every settled ruling is shown by a scenario of the library that names it in its tags."""

from __future__ import annotations

from pathlib import Path

import scenarios
from rules_engine.rulebook.rulings import answers, settled
from scenarios.check import read

LIBRARY = Path(scenarios.__file__).parent / "library" / "uprising"


def tags() -> set[str]:
    """Every tag of the library's scenarios."""
    return {
        tag
        for file in sorted(LIBRARY.rglob("*.scenario"))
        for scenario in read(file.name, file.read_text("utf-8"))[0]
        for tag in scenario.tags
    }


def test_every_tag_of_the_library_is_a_ruling() -> None:
    assert tags() - set(answers()) == set()


def test_every_settled_ruling_is_shown_by_a_scenario() -> None:
    shown = tags()
    unshown = [each.id for each in settled().values() if not each.waits and each.id not in shown]
    assert unshown == []
