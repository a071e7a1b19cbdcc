"""`truthsayer coverage`: which rules of a product the scenarios of the library show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import rule as rule_of
from scenarios.coverage import (
    ENGINE,
    MOST_RULES,
    PREFIXES,
    Observed,
    RuleCoverage,
    RuleFunction,
    chapter,
    coverage_of,
    named_rules,
    observe,
    overloaded,
    rule_functions,
    rules_to_cover,
)
from truthsayer.cli.lookup import json_option, library_texts, product_option
from truthsayer.cli.progress import clear_progress, show_progress
from truthsayer.cli.show import counted


@click.command()
@product_option
@click.option("--rule", "only", metavar="ID", help="Show one rule, with every scenario citing it.")
@json_option
@click.pass_context
def coverage(ctx: click.Context, product: str, only: str | None, as_json: bool) -> None:
    """Run the scenarios of the library and say which rules of a product they cover.

    A rule is covered by a scenario that cites it, holds, and ran a function or data that names it:
    the docstring of a function of the engine, or an event or a refusal. Rules that wait for another
    product are listed with the reason. A function that names more than five rules is reported.

    \b
    Examples:
      truthsayer coverage --product uprising
      truthsayer coverage --rule UPR-WALL-003

    Exit code: 0 if all are covered, 1 if not, 2 if there is no such product or rule.
    """
    _check_names(product, only)
    functions = rule_functions()
    texts = [(file, text) for file, text in library_texts(product) if only is None or only in text]
    observed = list(_with_progress(observe(texts, functions)))
    found = coverage_of(product, observed, named_rules(product, functions))
    if only is not None:
        found = tuple(each for each in found if each.rule.id == only)
    crowded = overloaded(functions) if only is None else []
    if as_json:
        click.echo(json.dumps(_report_json(product, found, crowded), indent=2, ensure_ascii=False))
    elif only is not None:
        click.echo("\n".join(_one_rule_lines(found[0])))
    else:
        click.echo("\n".join(_report_lines(found, crowded)))
    ctx.exit(1 if crowded or any(each.state == "uncovered" for each in found) else 0)


def _check_names(product: str, only: str | None) -> None:
    """The product has rules of its own, and the rule is one that scenarios can show."""
    if product not in PREFIXES:
        raise TruthsayerError(
            "TS0203", f"no product `{product}`", help="known: " + ", ".join(PREFIXES)
        )
    if only is not None and rule_of(only) not in rules_to_cover(product):
        raise TruthsayerError(
            "TS0715",
            f"`{only}` is not among the rules that scenarios have to cover",
            help="the rule is settled otherwise, or is of another product",
        )


def _with_progress(observed: Iterator[Observed]) -> Iterator[Observed]:
    for number, each in enumerate(observed, 1):
        show_progress(f"{number} scenarios run")
        yield each
    clear_progress()


# As text


def _report_lines(found: tuple[RuleCoverage, ...], crowded: list[RuleFunction]) -> Iterator[str]:
    yield _summary(found)
    for name, of_chapter in _chapters(found).items():
        yield f"  {name:<8} {_summary(of_chapter)}"
    lacking = [each for each in found if each.state == "uncovered"]
    yield from _listed("not covered:", [_with(each, "; ".join(each.lacks)) for each in lacking])
    waiting = [
        _with(each, f"for {each.waits.needs}: {each.waits.because}")
        for each in found
        if each.waits is not None
    ]
    yield from _listed("waiting:", waiting)
    shown = [f"{_place(each)}: {each.name} names {len(each.rules)}" for each in crowded]
    yield from _listed(f"functions that name more than {MOST_RULES} rules:", shown)


def _listed(head: str, lines: list[str]) -> Iterator[str]:
    """A list below its heading; without anything to list, no heading."""
    if lines:
        yield head
        yield from (f"  {line}" for line in lines)


def _with(found: RuleCoverage, why: str) -> str:
    return f"{found.rule.id}  {found.rule.title}: {why}"


def _summary(found: tuple[RuleCoverage, ...]) -> str:
    states = [each.state for each in found]
    waits = states.count("waiting")
    covered = f"{states.count('covered')} of {counted(len(found) - waits, 'rule')} covered"
    return f"{covered}, {waits} {'waits' if waits == 1 else 'wait'}" if waits else covered


def _chapters(found: tuple[RuleCoverage, ...]) -> dict[str, tuple[RuleCoverage, ...]]:
    names = dict.fromkeys(chapter(each.rule) for each in found)
    return {name: tuple(each for each in found if chapter(each.rule) == name) for name in names}


def _one_rule_lines(found: RuleCoverage) -> Iterator[str]:
    yield f"{found.rule.id}  {found.rule.title}: {found.state}"
    if found.waits is not None:
        yield f"  waits for {found.waits.needs}: {found.waits.because}"
    yield from (f"  {each}" for each in found.lacks)
    for each in found.cited_by:
        yield f"  {_how(each, found.rule.id)}: {each.id} ({each.file}:{each.line})"


def _how(scenario: Observed, rule: str) -> str:
    """What a scenario that cites a rule does for it."""
    if not scenario.holds:
        return "does not hold"
    return "covered by" if rule in scenario.ran else "cites it only"


def _place(function: RuleFunction) -> str:
    return f"{Path(function.file).relative_to(ENGINE.parent).as_posix()}:{function.line}"


# As JSON


def _report_json(
    product: str, found: tuple[RuleCoverage, ...], crowded: list[RuleFunction]
) -> dict[str, Any]:
    return {
        "product": product,
        **_counts(found),
        "chapters": {name: _counts(each) for name, each in _chapters(found).items()},
        "results": [_rule_json(each) for each in found],
        "overloaded": [
            {"place": _place(each), "name": each.name, "rules": list(each.rules)}
            for each in crowded
        ],
    }


def _counts(found: tuple[RuleCoverage, ...]) -> dict[str, int]:
    states = [each.state for each in found]
    return {state: states.count(state) for state in ("covered", "uncovered", "waiting")}


def _rule_json(found: RuleCoverage) -> dict[str, Any]:
    return {
        "id": found.rule.id,
        "title": found.rule.title,
        "state": found.state,
        "missing": list(found.lacks),
        "waits_for": found.waits.needs if found.waits else None,
        "covered_by": [each.id for each in found.covered_by],
        "cited_by": [each.id for each in found.cited_by],
    }
