"""`truthsayer coverage`: which rules of a product scenarios show and properties settle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import rule as rule_of
from scenarios.coverage import (
    PREFIXES,
    Observed,
    full_coverage,
    observe,
    rules_to_cover,
    rules_to_prove,
)
from scenarios.naming import rule_functions
from truthsayer.cli.files import write_text
from truthsayer.cli.lookup import json_option, library_texts, product_option
from truthsayer.cli.progress import clear_progress, show_progress
from truthsayer.reports.coverage_json import coverage_json
from truthsayer.reports.coverage_page import coverage_page
from truthsayer.reports.coverage_text import coverage_text, rule_text


@click.command()
@product_option
@click.option("--rule", "only", metavar="ID", help="Show one rule, with every scenario citing it.")
@json_option
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write everything as one page for a browser, too.",
)
@click.pass_context
def coverage(
    ctx: click.Context, product: str, only: str | None, as_json: bool, html: Path | None
) -> None:
    """Run the scenarios of the library and say which rules of a product they cover.

    Each rule that a proof can settle is listed with its theorem, data check or order property, or
    with the reason why it can have none; `truthsayer prove` proves them.

    A rule is covered by a scenario that cites it, holds, and ran a function or data that names it:
    the docstring of a function of the engine, or an event or a refusal. Rules that wait for another
    product are listed with the reason. A function that names more than five rules is reported. The
    functions, the printed things and the properties that name a rule are shown with it.

    \b
    Examples:
      truthsayer coverage --product uprising
      truthsayer coverage --rule UPR-WALL-003
      truthsayer coverage --html coverage.html

    Exit code: 0 if all are covered and every rule that a proof can settle has a property or a
    reason, 1 if not, 2 if there is no such product or rule.
    """
    if only is not None and html is not None:
        raise click.UsageError("give --rule or --html, not both")
    _check_names(product, only)
    functions = rule_functions()
    texts = [(file, text) for file, text in library_texts(product) if only is None or only in text]
    observed = list(_with_progress(observe(texts, functions)))
    report = full_coverage(product, observed, functions)
    if only is not None:
        report = report.of_rule(only)
    if as_json:
        click.echo(coverage_json(report))
    else:
        click.echo(coverage_text(report) if only is None else rule_text(report))
    if html is not None:
        write_text(html, coverage_page(report))
    ctx.exit(0 if report.complete else 1)


def _check_names(product: str, only: str | None) -> None:
    """The product has rules of its own, and the rule is one that can be settled."""
    if product not in PREFIXES:
        raise TruthsayerError(
            "TS0203", f"no product `{product}`", help="known: " + ", ".join(PREFIXES)
        )
    if only is None:
        return
    if rule_of(only) not in (*rules_to_cover(product), *rules_to_prove(product)):
        raise TruthsayerError(
            "TS0715",
            f"`{only}` is not among the rules that scenarios or proofs have to cover",
            help="nothing can settle the rule, or it is of another product",
        )


def _with_progress(observed: Iterator[Observed]) -> Iterator[Observed]:
    for number, each in enumerate(observed, 1):
        show_progress(f"{number} scenarios run")
        yield each
    clear_progress()
