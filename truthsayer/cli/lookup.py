"""What the commands that look things up share: the product, and scenarios of the library."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import click

from scenarios.check import read
from scenarios.language.errors import suggestion
from scenarios.language.syntax import Scenario
from truthsayer.cli.files import library, read_source, scenario_files

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

LONGEST_NAME = 80
"""What is longer resembles no name, and looking for one would take long."""


class Found(NamedTuple):
    """A scenario of the library and its place."""

    title: str
    file: str
    line: int

    def text(self) -> str:
        """A line for it."""
        return f"{self.title} ({self.file}:{self.line})"


def product_option(function: FunctionT) -> FunctionT:
    """The option `--product` of a command."""
    option = click.option(
        "--product", default="uprising", show_default=True, help="The game that is meant."
    )
    return option(function)


def json_option(function: FunctionT) -> FunctionT:
    """The option `--json` of a command."""
    return click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")(function)


def near_misses(name: str, known: Iterable[str]) -> str:
    """What was probably meant, or what there is."""
    return suggestion(name[:LONGEST_NAME], known)


def library_texts(product: str) -> list[tuple[str, str]]:
    """The files of a product's scenarios, with their names."""
    sources = map(read_source, scenario_files([library() / product]))
    return [(source.name, source.text) for source in sources]


def scenarios_where(product: str, word: str, fits: Callable[[Scenario], bool]) -> list[Found]:
    """The scenarios that fit; only files in which the word occurs are read."""
    return [
        Found(scenario.title, scenario.place.file, scenario.place.line)
        for file, text in library_texts(product)
        if word.lower() in text.lower()
        for scenario in read(file, text)[0]
        if fits(scenario)
    ]
