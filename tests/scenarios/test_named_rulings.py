"""Every ruling that a game may choose is played by scenarios in which its reading decides."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

import scenarios
from rules_engine.rulebook.rulings import rulings
from scenarios.check import checked, read
from scenarios.language.syntax import Scenario
from scenarios.outcome import under

LIBRARY = Path(scenarios.__file__).parent / "library" / "uprising"
READINGS = [(each.id, value) for each in rulings().values() for value in each.values]
PAIRS = [
    (each.id, own, other)
    for each in rulings().values()
    for own, other in permutations(each.values, 2)
]


@cache
def deciding() -> dict[tuple[str, str], list[Scenario]]:
    """The scenarios that say they depend on a ruling, by the ruling and the reading they follow."""
    found: dict[tuple[str, str], list[Scenario]] = {reading: [] for reading in READINGS}
    for file in sorted(LIBRARY.rglob("*.scenario")):
        for scenario in read(file.name, file.read_text("utf-8"))[0]:
            for name, _ in scenario.depends:
                followed = scenario.rulings.get(name, rulings()[name].default)
                found[name, followed].append(scenario)
    return found


@pytest.mark.parametrize(("name", "value"), READINGS, ids=[" is ".join(each) for each in READINGS])
def test_every_reading_is_played_by_a_scenario_that_depends_on_it(name: str, value: str) -> None:
    assert deciding()[name, value]


def holds_under(scenario: Scenario, name: str, value: str) -> bool:
    """Whether the same story ends the same way under another reading."""
    other = under(scenario, name, value)
    other.depends = []
    return checked(other).good


@pytest.mark.parametrize(("name", "own", "other"), PAIRS, ids=["-".join(each) for each in PAIRS])
def test_any_two_readings_end_differently_in_some_scenario(name: str, own: str, other: str) -> None:
    assert not all(holds_under(each, name, other) for each in deciding()[name, own])
