"""`truthsayer card`: something printed, its sentences with their rules, and its scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Sentence, Thing, fields_of, sentences, things
from rules_engine.effects import tree
from rules_engine.effects.text import say, say_condition
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from scenarios.imperium.names import lower_snake
from scenarios.mentions import names
from truthsayer.cli.lookup import Found, json_option, near_misses, product_option, scenarios_where
from truthsayer.cli.show import counted
from truthsayer.text.faces import face_lines, rules_behind


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
    found = _named(product, name)
    shown = [(thing, _scenarios(product, thing)) for thing in found]
    if as_json:
        report = {"things": [_thing_json(thing, used) for thing, used in shown]}
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
        return
    click.echo("\n\n".join("\n".join(_thing_lines(thing, used)) for thing, used in shown))


def _named(product: str, name: str) -> list[Thing]:
    """Everything of this name or id."""
    everything = things(catalogue(product))
    wanted = lower_snake(name)
    found = [thing for thing in everything if wanted in map(lower_snake, (thing.id, *thing.names))]
    if not found:
        known = [each for thing in everything for each in (*thing.names, thing.id)]
        raise TruthsayerError(
            "TS0714", f"nothing called `{name}` is printed", help=near_misses(name, known)
        )
    return found


def _scenarios(product: str, thing: Thing) -> list[Found]:
    """The scenarios that name it. A name may be written with any blanks between its words."""
    first_word = thing.name.split()[0]
    return scenarios_where(product, first_word, lambda scenario: names(scenario, thing.name))


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
        "data": _plain(thing.face),
        "effects": [_sentence_json(each) for each in sentences(thing.face)],
        "scenarios": [each._asdict() for each in used],
    }


def _sentence_json(sentence: Sentence) -> dict[str, Any]:
    says = sentence.says
    shown = {"box": " ".join(sentence.path), "sentence": _plain(says)}
    return {**shown, "rules": list(rules_behind(says))} if isinstance(says, tree.Effect) else shown


def _plain(value: Any) -> Any:
    """A value as JSON has it, effects and conditions as their sentences."""
    if isinstance(value, tree.Effect):
        return say(value)
    if isinstance(value, tree.Condition):
        return say_condition(value)
    if isinstance(value, Record):
        return {name: _plain(inner) for name, inner in fields_of(value)}
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [_plain(inner) for inner in value]
    return value
