"""Every phrase of the vocabulary can be given, done or seen, and nothing else is left over."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from scenarios.imperium.doing import ACTIONS, EVENTS, SPECIAL
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
