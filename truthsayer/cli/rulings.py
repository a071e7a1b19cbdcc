"""`truthsayer rulings`: what the rulebooks leave open or do not say outright, and the answers."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec

from rules_engine.catalogue.load import catalogue
from rules_engine.rulebook.rulings import Answer, Ruling, no_choices
from rules_engine.rulebook.rulings import rulings as all_rulings
from rules_engine.rulebook.rulings import settled as all_settled
from scenarios.finding import Found, ruling_named, using
from truthsayer.cli.lookup import json_option, library_texts, product_option
from truthsayer.cli.show import counted
from truthsayer.text.answers import answer_lines


@click.command()
@click.argument("name", required=False)
@click.option("--settled", is_flag=True, help="List what is settled or no choice instead.")
@product_option
@json_option
def rulings(name: str | None, settled: bool, product: str, as_json: bool) -> None:
    """List the points that the rulebooks leave open, each with its readings and the default.

    With `--settled`, list the questions that have one answer only. With a NAME, show one ruling of
    either kind with the scenarios that use it. A scenario picks a reading with
    `ruling NAME is VALUE`, says that its outcome depends on one with `depends on ruling NAME`, and
    that it shows a settled one with `tags NAME`.

    \b
    Examples:
      truthsayer rulings
      truthsayer rulings --settled
      truthsayer rulings alliance_loss_tie
      truthsayer rulings --json

    Exit code: 0, 2 if there is no such ruling or product.
    """
    if name is not None and settled:
        raise click.UsageError("give a NAME or --settled, not both")
    catalogue(product)
    if name is not None:
        answer = ruling_named(name)
        used = using(library_texts(product), name)
        click.echo(_json(_answer_json(answer, used)) if as_json else _in_full(answer, used))
        return
    listed = _settled_kinds() if settled else {"rulings": tuple(all_rulings().values())}
    if as_json:
        shown = {kind: [_answer_json(each) for each in found] for kind, found in listed.items()}
        click.echo(_json({"product": product, **shown}))
        return
    for found in listed.values():
        for each in found:
            click.echo("\n".join(answer_lines(each)))
    click.echo(_settled_count() if settled else counted(len(all_rulings()), "ruling"))


def _settled_kinds() -> dict[str, tuple[Answer, ...]]:
    return {"settled": tuple(all_settled().values()), "no_choice": tuple(no_choices().values())}


def _settled_count() -> str:
    open_points = counted(len(no_choices()), "open point")
    return f"{counted(len(all_settled()), 'settled ruling')}, {open_points} without a choice"


def _in_full(answer: Answer, used: list[Found]) -> str:
    """A ruling with the scenarios that use it."""
    head = f"  used by {counted(len(used), 'scenario')}"
    return "\n".join([*answer_lines(answer), head, *(f"    {each.text()}" for each in used)])


def _answer_json(answer: Answer, used: list[Found] | None = None) -> dict[str, Any]:
    """All that a ruling has; the scenarios only where they were looked for."""
    shown: dict[str, Any] = msgspec.to_builtins(answer)
    if isinstance(answer, Ruling):
        del shown["says"]
        shown["values"] = dict(zip(answer.values, answer.says, strict=True))
        shown["default"] = answer.default
    return shown if used is None else {**shown, "scenarios": [each._asdict() for each in used]}


def _json(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False)
