"""Every phrase of the vocabulary can be given, done or seen, and nothing else is left over."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module, resources
from types import ModuleType

import pytest

from scenarios.imperium import done, given, seen
from scenarios.imperium.doing import EVENTS, SPECIAL
from scenarios.imperium.done.decisions import ACTIONS
from scenarios.imperium.observing import LOOKS
from scenarios.imperium.position import FACTS

WORDS = resources.files("scenarios.imperium").joinpath("words.lark").read_text("utf-8")


def phrases(rule: str) -> set[str]:
    """The names of a rule's alternatives."""
    found = re.search(rf"^{rule}:(.*?)\n\n", WORDS, re.MULTILINE | re.DOTALL)
    assert found is not None
    return set(re.findall(r"-> (\w+)", found[1]))


@pytest.mark.parametrize(
    ("rules", "table"),
    [
        (("fact",), set(FACTS)),
        (("fact", "observed"), set(LOOKS)),
        (("action_of",), set(ACTIONS) | set(SPECIAL)),
        (("event_of",), set(EVENTS)),
    ],
    ids=["given", "then", "when a player", "when by itself"],
)
def test_every_phrase_has_its_meaning(rules: tuple[str, ...], table: set[str]) -> None:
    assert set().union(*(phrases(rule) for rule in rules)) == table


@pytest.mark.parametrize(
    ("package", "table"),
    [(given, "FACTS"), (seen, "LOOKS"), (done, "SPECIAL"), (done, "EVENTS")],
    ids=["given", "then", "when a player", "when by itself"],
)
def test_no_phrase_has_two_meanings(package: ModuleType, table: str) -> None:
    modules = (
        import_module(f"{package.__name__}.{each.name}")
        for each in pkgutil.iter_modules(package.__path__)
    )
    found = [phrase for module in modules for phrase in getattr(module, table, ())]
    assert found
    assert sorted(found) == sorted(set(found))
