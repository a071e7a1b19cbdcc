"""`truthsayer card`: something printed, its sentences with their rules, and its scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from rules_engine.catalogue.things import Thing
from scenarios.finding import Found, naming, things_named
from truthsayer.cli.lookup import json_option, library_texts, product_option
from truthsayer.cli.show import counted
from truthsayer.text.faces import face_json, face_lines


@click.command()
@click.argument("name")
@product_option
@json_option
def card(name: str, product: str, as_json: bool) -> None:
    """Show a card, a board space or anything else that is printed, by its name or id.

    Effects are in the words of the effect language, each with the rules it stands on; the scenarios
    are those of the library that name it.

    \b
    Examples:
      truthsayer card "Seek Allies"
      truthsayer card arrakeen --json

    Exit code: 0, 2 if nothing of this name is printed or there is no such product.
    """
    found, library = things_named(product, name), library_texts(product)
    shown = [(thing, naming(library, thing)) for thing in found]
    if as_json:
        report = {"things": [_thing_json(thing, used) for thing, used in shown]}
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
        return
    click.echo("\n\n".join("\n".join(_thing_lines(thing, used)) for thing, used in shown))


# As text


def _thing_lines(thing: Thing, used: list[Found]) -> Iterator[str]:
    yield from face_lines(thing)
    yield f"  named by {counted(len(used), 'scenario')}"
    yield from (f"    {each.text()}" for each in used)


# As JSON


def _thing_json(thing: Thing, used: list[Found]) -> dict[str, Any]:
    return {
        "kind": thing.kind,
        "id": thing.id,
        "name": thing.name,
        **face_json(thing.face),
        "scenarios": [each._asdict() for each in used],
    }
