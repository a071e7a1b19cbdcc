"""What the commands that look things up share: the product, and scenarios of the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from server.answers.limits import MOST_FOUND
from truthsayer.cli.files import library, read_source, scenario_files

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def product_option(function: FunctionT) -> FunctionT:
    """The option `--product` of a command."""
    option = click.option(
        "--product", default="uprising", show_default=True, help="The game that is meant."
    )
    return option(function)


def search_options(function: FunctionT) -> FunctionT:
    """The options `--product` and `--most` of a command that searches."""
    product = click.option(
        "--product",
        default="",
        metavar="NAME",
        help="Search the rules of this game alone; else all, and uprising counts most.",
    )
    most = click.option(
        "--most",
        type=click.IntRange(1, MOST_FOUND),
        metavar="N",
        help="Show at most so many of a kind.",
    )
    return product(most(function))


def json_option(function: FunctionT) -> FunctionT:
    """The option `--json` of a command."""
    return click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")(function)


def library_texts(product: str) -> list[tuple[str, str]]:
    """The files of a product's scenarios, with their names."""
    sources = map(read_source, scenario_files([library() / product]))
    return [(source.name, source.text) for source in sources]
