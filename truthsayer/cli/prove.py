"""`truthsayer prove`: settle properties for every position."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import click

from truthsayer.cli.progress import clear_progress, show_progress
from truthsayer.cli.service import server_option, service_at
from truthsayer.cli.show import counted, kind_word, verdict_word
from truthsayer.v1 import common_pb2, verifier_pb2

MARGIN = "    "
GOOD = (common_pb2.VERDICT_PROVED, common_pb2.VERDICT_CHECKED)


@click.command()
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
@click.option("--no-times", is_flag=True, help="Leave out what differs from run to run.")
@click.option("--list", "only_list", is_flag=True, help="Prove nothing; list what can be proved.")
@server_option
@click.pass_context
def prove(
    ctx: click.Context,
    names: tuple[str, ...],
    as_json: bool,
    no_times: bool,
    only_list: bool,
    server: str | None,
) -> None:
    """Prove properties of the rule functions, for every position; without NAMES, all of them.

    The functions proved are the very ones that scenarios and games run. A property that does not
    hold is shown with a scenario that breaks it: save it and `truthsayer check` it.

    \b
    Examples:
      truthsayer prove --list
      truthsayer prove
      truthsayer prove --json --no-times

    Exit code: 0 if all are proved, 1 if one is not, 2 if there is no such property.
    """
    if only_list:
        if names or as_json:
            raise click.UsageError("--list takes neither NAMES nor --json")
        _list(server)
        return
    verdicts = []
    with service_at(server) as service:
        for answer in service.prove(verifier_pb2.ProveRequest(names=names)):
            clear_progress()
            if answer.HasField("progress"):
                step = answer.progress
                show_progress(f"{step.number} of {step.total}: {step.name}")
                continue
            verdict = answer.verdict
            if no_times:
                verdict.seconds = 0
            verdicts.append(verdict)
            if not as_json:
                click.echo(_verdict_text(verdict, no_times))
    if as_json:
        report = {"properties": [_verdict_json(verdict) for verdict in verdicts]}
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        click.echo(_summary_text(verdicts))
    ctx.exit(0 if all(verdict.verdict in GOOD for verdict in verdicts) else 1)


def _list(server: str | None) -> None:
    """Say what can be proved."""
    with service_at(server) as service:
        properties = service.list_properties(verifier_pb2.ListPropertiesRequest()).properties
    for each in properties:
        click.echo(each.name)
        click.echo(_wrapped(each.doc))
        click.echo(_wrapped(f"covers: {each.bounds}"))
        click.echo(_wrapped(f"rules: {', '.join(rule.id for rule in each.rules)}"))
        click.echo(_wrapped(f"kind: {kind_word(each.kind)}"))
        for twin in each.twins:
            click.echo(_wrapped(f"{twin.rule.id} must fail if {twin.change}"))
    number = len(properties)
    click.echo("1 property" if number == 1 else f"{number} properties")


def _verdict_text(verdict: verifier_pb2.PropertyVerdict, no_times: bool) -> str:
    """A verdict with what it covers and, if it is not good, why."""
    time = "" if no_times else f", {verdict.seconds:.2f} s"
    mark = "✓" if verdict.verdict in GOOD else "✗"
    paths = counted(verdict.paths, "path")
    lines = [f"{mark} {verdict_word(verdict.verdict)}: {verdict.name} ({paths}{time})"]
    lines.append(_wrapped(f"covers: {verdict.bounds}"))
    lines.append(_wrapped(f"rules: {', '.join(rule.id for rule in verdict.rules)}"))
    lines += [_wrapped(_ruling_text(ruling)) for ruling in verdict.rulings]
    lines += [f"{MARGIN}{line}" for line in verdict.detail.splitlines()]
    if verdict.scenario:
        lines.append(f"{MARGIN}this scenario shows it:")
        lines.append("")
        lines.append(verdict.scenario.rstrip("\n"))
        lines.append("")
    return "\n".join(lines)


def _ruling_text(ruling: verifier_pb2.RulingRead) -> str:
    """A ruling that the verdict depends on, and how."""
    tried = f"ruling {ruling.name}: tried as {', '.join(ruling.values)}"
    return f"{tried}; fails as {', '.join(ruling.fails_under)}" if ruling.fails_under else tried


def _summary_text(verdicts: list[verifier_pb2.PropertyVerdict]) -> str:
    """How many of each verdict."""
    words = [verdict_word(verdict.verdict) for verdict in verdicts]
    counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(["proved", *words]))
    return f"{'1 property' if len(words) == 1 else f'{len(words)} properties'}: {counts}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 100, initial_indent=MARGIN, subsequent_indent=MARGIN + "  ")


def _verdict_json(verdict: verifier_pb2.PropertyVerdict) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "rules": [rule.id for rule in verdict.rules],
        "verdict": verdict_word(verdict.verdict),
        "bounds": verdict.bounds,
        "paths": verdict.paths,
        "seconds": round(verdict.seconds, 3),
        "kind": kind_word(verdict.kind),
        "rulings": [
            {
                "name": ruling.name,
                "values": list(ruling.values),
                "fails_under": list(ruling.fails_under),
            }
            for ruling in verdict.rulings
        ],
        "detail": verdict.detail,
        "scenario": verdict.scenario,
    }
