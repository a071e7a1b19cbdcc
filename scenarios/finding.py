"""Looking things up: what is printed under a name, and the library's scenarios about something."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, things
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.rulings import Answer, answers
from scenarios.check import read
from scenarios.imperium.names import lower_snake
from scenarios.language.errors import suggestion
from scenarios.language.syntax import Scenario
from scenarios.mentions import names, uses_ruling
from scenarios.outcome import cited

LIBRARY = Path(__file__).parent / "library"

LONGEST_NAME = 80
"""What is longer resembles no name, and looking for one would take long."""

Files = Iterable[tuple[str, str]]
"""Scenario files by name and text."""


class Found(NamedTuple):
    """A scenario of the library and its place."""

    title: str
    file: str
    line: int

    def text(self) -> str:
        """A line for it."""
        return f"{self.title} ({self.file}:{self.line})"


def library_files(product: str = "") -> list[tuple[str, str]]:
    """The scenarios that come with Truthsayer, by their names below the library, and texts."""
    return [
        (file.relative_to(LIBRARY).as_posix(), file.read_text(encoding="utf-8"))
        for file in sorted((LIBRARY / product).rglob("*.scenario"))
    ]


def near_misses(name: str, known: Iterable[str]) -> str:
    """What was probably meant, or what there is."""
    return suggestion(name[:LONGEST_NAME], known)


def things_named(product: str, name: str) -> list[Thing]:
    """Everything printed that has this name or id."""
    everything = things(catalogue(product))
    wanted = lower_snake(name)
    found = [thing for thing in everything if wanted in map(lower_snake, (thing.id, *thing.names))]
    if not found:
        known = [each for thing in everything for each in (*thing.names, thing.id)]
        raise TruthsayerError(
            "TS0714", f"nothing called `{name}` is printed", help=near_misses(name, known)
        )
    return found


def ruling_named(name: str) -> Answer:
    """The ruling of this name, of whatever kind."""
    known = answers()
    if name not in known:
        raise TruthsayerError("TS0202", f"no ruling `{name}`", help=near_misses(name, known))
    return known[name]


def naming(files: Files, thing: Thing) -> list[Found]:
    """The scenarios that name something printed, with any blanks between the words of its name."""
    first_word = thing.name.split()[0]
    return _where(files, first_word, lambda scenario: names(scenario, thing.name))


def using(files: Files, ruling: str) -> list[Found]:
    """The scenarios that use a ruling."""
    return _where(files, ruling, lambda scenario: uses_ruling(scenario, ruling))


def citing(files: Files, rule: str) -> list[Found]:
    """The scenarios that cite a rule."""
    return _where(files, rule, lambda scenario: rule in cited(scenario))


def _where(files: Files, word: str, fits: Callable[[Scenario], bool]) -> list[Found]:
    """The scenarios that fit; only files in which the word occurs are read."""
    return [
        Found(scenario.title, scenario.place.file, scenario.place.line)
        for file, text in files
        if word.lower() in text.lower()
        for scenario in read(file, text)[0]
        if fits(scenario)
    ]
