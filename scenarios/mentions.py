"""Which scenarios speak of something: a printed thing by its name, or a ruling."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

from scenarios.language.syntax import Scenario, unquoted

NOT_THINGS = ("NAME", "ICON", "AGENT_ICON")
"""Words that may look like the name of something printed: players and icons."""


def names(scenario: Scenario, name: str) -> bool:
    """Whether a scenario names something printed."""
    return any(_plain(word) == _plain(name) for word in _words(scenario))


def uses_ruling(scenario: Scenario, name: str) -> bool:
    """Whether a scenario states a ruling, shows it by a tag, or says that it depends on it."""
    depends = (each for each, _ in scenario.depends)
    return name in (*scenario.rulings, *scenario.tags, *depends)


def _words(scenario: Scenario) -> Iterator[str]:
    """Every name in the lines of a scenario, those from its table included."""
    for line in scenario.lines():
        for word in line.words.scan_values(lambda value: isinstance(value, Token)):
            if word.type == "STRING":
                yield unquoted(word)
            elif word.type not in NOT_THINGS:
                yield str(word)


def _plain(name: str) -> str:
    return " ".join(name.strip('"').lower().split())
