"""A name with a slip in it gets the right name as its help, whatever kind of name it is."""

from __future__ import annotations

import pytest

from rules_engine.catalogue.load import catalogue
from rules_engine.rulebook.index import rules
from rules_engine.rulebook.rulings import rulings
from scenarios import check
from scenarios.imperium.names import Names

PRINTED = catalogue("uprising")
KNOWN = Names(PRINTED).known

LINES = {
    "card": ('given John has hand "{}"', KNOWN("card")),
    "intrigue": ('given John has intrigue "{}"', KNOWN("intrigue")),
    "conflict": ('conflict "{}"', KNOWN("conflict")),
    "leader": ('given John is led by "{}"', KNOWN("leader")),
    "contract": ('given John has contract "{}"', KNOWN("contract")),
    "objective": ('given John has objective "{}"', KNOWN("objective")),
    "training": ('given John has trained to "{}"', KNOWN("training")),
    "space": ("given John has an agent at {}", tuple(s.name for s in PRINTED.spaces.values())),
    "post": ("given John has a spy at {}", tuple(p.name for p in PRINTED.posts.values())),
    "faction": (
        "given John has 1 influence with the {}",
        tuple(track.name for track in PRINTED.tracks.values()),
    ),
    "ruling": ("depends on ruling {}", tuple(rulings())),
    "rule": (
        "cites {}",
        tuple({each.id.rsplit("-", 1)[0]: each.id for each in rules()}.values()),
    ),
    "player": ("given {} has 1 spice", ("John", "Abby", "Ned", "Theodora")),
    "module": ("module {}", ("choam", "promos")),
    "keyword": ("{} John has 1 spice", ("given", "then")),
    "verb": (
        'when John {} "Dagger"',
        ("plays", "acquires", "discards", "draws"),
    ),
    "resource": ("given John has 1 {}", ("Solari", "spice", "water", "persuasion")),
}
"""A line for each kind of name, and the names of that kind."""


def letter_dropped(name: str) -> str:
    """The name without the letter in the middle of its longest word."""
    start = name.index(longest(name)) + len(longest(name)) // 2
    return name[:start] + name[start + 1 :]


def letters_swapped(name: str) -> str:
    """The name with two different neighbours in its longest word in each other's place."""
    word = longest(name)
    at = next((i for i in range(1, len(word) - 1) if word[i] != word[i + 1]), 0)
    return name.replace(word, word[:at] + word[at + 1] + word[at] + word[at + 2 :], 1)


def longest(name: str) -> str:
    """The longest word of a name; of a rule's id, that of its chapter."""
    words = "".join(each if each.isalpha() else " " for each in name).split()
    return max(words, key=len)


def help_for(line: str) -> str:
    """The help of the one mistake in a scenario with this line."""
    game = "game uprising with John, Abby, Ned, Theodora"
    text = f'scenario "T"\n{game}\n{line}\nthen John has 0 water\n'
    return " ".join(each.help for result in check("t.scenario", text) for each in result.problems)


@pytest.mark.parametrize("slip", [letter_dropped, letters_swapped], ids=lambda slip: slip.__name__)
@pytest.mark.parametrize("kind", LINES)
def test_the_name_that_was_meant_is_suggested(kind: str, slip: object) -> None:
    assert callable(slip)
    line, names = LINES[kind]
    wrong = {}
    for name in names:
        if len(longest(name)) > 2:
            told = help_for(line.format(slip(name)))
            if f"did you mean `{name}`?" not in told:
                wrong[slip(name)] = told
    assert not wrong


@pytest.mark.parametrize(
    "quotes", ["''", "\u201c\u201d", "\u201e\u201c", "\u2018\u2019", "\u00ab\u00bb"]
)
@pytest.mark.parametrize("name", ["Dagger", "Smuggler's Harvester"])
def test_other_quotation_marks_are_told_as_such(quotes: str, name: str) -> None:
    text = f"""\
scenario "Quotes"
game uprising with John, Abby, Ned
given John has hand {quotes[0]}{name}{quotes[1]}
then John has 1 card in hand
"""
    (result,) = check("quotes.scenario", text)
    (problem,) = result.problems
    assert (problem.line, problem.help) == (3, f'write `"{name}"`')
