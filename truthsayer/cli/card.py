"""`truthsayer card`: something printed, the rulings about it, its scenarios and its rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, names
from rules_engine.effects.plain import Names
from rules_engine.rulebook.rulings import answers_affecting
from scenarios.finding import Found, naming, things_named
from truthsayer.cli.lookup import json_option, library_texts, product_option
from truthsayer.cli.show import counted
from truthsayer.text.answers import lines_under_a_thing
from truthsayer.text.faces import face_json, face_lines, plain_lines, rules_line

MOST_TITLES = 12
"""So many scenarios are named: more of them nobody reads."""


@click.command()
@click.argument("name")
@product_option
@json_option
def card(name: str, product: str, as_json: bool) -> None:
    """Show a card, a space or anything else that is printed, by its name, a part of it, or its id.

    What it says is told in plain words, then the rulings about it, the scenarios of the library
    that name it and the rules that it stands on. With --json, each effect also comes in the words
    of the effect language, which scenarios use.

    \b
    Examples:
      truthsayer card "Seek Allies"
      truthsayer card arrakeen --json

    Exit code: 0, 2 if nothing of this name is printed or there is no such product.
    """
    found, library = things_named(product, name), library_texts(product)
    shown = [(thing, naming(library, thing)) for thing in found]
    called = names(catalogue(product))
    if as_json:
        report = {"things": [_thing_json(thing, used, called) for thing, used in shown]}
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
        return
    click.echo("\n\n".join("\n".join(_thing_lines(thing, used, called)) for thing, used in shown))


# As text


def _thing_lines(thing: Thing, used: list[Found], called: Names) -> Iterator[str]:
    yield from face_lines(thing, called)
    yield from lines_under_a_thing(thing.id)
    yield f"  named by {counted(len(used), 'scenario')}"
    yield from (f"    {title}" for title in _titles(thing, used))
    rules = rules_line(thing)
    if rules:
        yield rules


def _titles(thing: Thing, used: list[Found]) -> Iterator[str]:
    """The titles of scenarios, those that name the thing first."""
    titles = sorted((each.title for each in used), key=lambda title: thing.name not in title)
    yield from titles[:MOST_TITLES]
    if len(titles) > MOST_TITLES:
        yield f"and {len(titles) - MOST_TITLES} more, which --json lists"


# As JSON


def _thing_json(thing: Thing, used: list[Found], called: Names) -> dict[str, Any]:
    return {
        "kind": thing.kind,
        "id": thing.id,
        "name": thing.name,
        "plain": list(plain_lines(thing, called)),
        **face_json(thing.face, called),
        "rulings": [each.id for each in answers_affecting(thing.id)],
        "scenarios": [each._asdict() for each in used],
    }
