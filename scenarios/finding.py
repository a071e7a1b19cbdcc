"""Looking things up: what is printed under a name, and the library's scenarios about something."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, NoReturn

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

MOST_NAMED = 12
"""Of more names that fit, these many are told."""

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
    """Everything printed that has this name or id, or the one thing with words like it in its name.

    The words of a part may be cut short: `rebel sup` is Rebel Supplier.
    """
    everything = things(catalogue(product))
    wanted = lower_snake(name)
    exact = [thing for thing in everything if wanted in map(lower_snake, (thing.id, *thing.names))]
    if exact:
        return exact
    partly = [thing for thing in everything if wanted and _has_part(thing, wanted)]
    if not partly:
        _nothing_called(name, everything)
    if len(partly) > 1:
        raise TruthsayerError(
            "TS0737",
            f"{len(partly)} printed things have `{name}` in their names",
            help=f"say which: {_some(thing.name for thing in partly)}",
        )
    return partly


def _has_part(thing: Thing, part: str) -> bool:
    """Whether a name has the part in it, from the beginning of a word on."""
    return any(f"_{part}" in f"_{lower_snake(name)}" for name in thing.names)


def _nothing_called(name: str, everything: Iterable[Thing]) -> NoReturn:
    known = [each for thing in everything for each in (*thing.names, thing.id)]
    raise TruthsayerError(
        "TS0714", f"nothing called `{name}` is printed", help=near_misses(name, known)
    )


def _some(names: Iterable[str]) -> str:
    """The names, or the first of many."""
    known = sorted(set(names))
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return ", ".join(f"`{each}`" for each in known[:MOST_NAMED]) + more


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
