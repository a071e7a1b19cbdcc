"""Coverage by rule as one page for a browser, which needs nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from rules_engine.rulebook.index import Rule
from scenarios.coverage import Coverage, Observed, ProofCoverage, RuleCoverage, by_chapter
from scenarios.naming import ENGINE, Names, property_place
from truthsayer.cli.show import counted
from truthsayer.reports.coverage_text import how, why_no_property
from truthsayer.reports.page import add, add_list, article, page, section

STATES = {"covered": "covered", "uncovered": "not covered", "waiting": "waiting"}
"""The states of a rule, and how they are shown."""

COLUMNS = ("Chapter", "Rules", *map(str.capitalize, STATES.values()), "With a property")


def coverage_page(report: Coverage) -> str:
    """The page: a table of the chapters, then every rule with all that cites or names it."""
    proofs = {each.rule.id: each for each in report.provable}
    chapters = by_chapter(report.rules).items()
    sections = [_chapter(name, rules, proofs) for name, rules in chapters]
    by_proof_only = [each for each in report.provable if each.only]
    if by_proof_only:
        sections.append(_proof_only(by_proof_only))
    return page(
        "coverage_page",
        f"Coverage by rule: {report.product.capitalize()}",
        table=[_table(report.rules)],
        sections=sections,
    )


# The table


def _table(found: Sequence[RuleCoverage]) -> Element:
    table = Element("table")
    add(table, "caption", "Rules by chapter")
    heads = add(add(table, "thead"), "tr")
    for column in COLUMNS:
        add(heads, "th", column, scope="col")
    body = add(table, "tbody")
    for name, rules in by_chapter(found).items():
        row = add(body, "tr")
        add(add(row, "th", scope="row"), "a", name, href=f"#{_anchor(name)}")
        _add_counts(row, rules)
    total = add(add(table, "tfoot"), "tr")
    add(total, "th", "All", scope="row")
    _add_counts(total, found)
    return table


def _add_counts(row: Element, found: Sequence[RuleCoverage]) -> None:
    states = [each.state for each in found]
    proved = sum(bool(each.names.properties) for each in found)
    counts = {
        "all": len(found),
        **{state: states.count(state) for state in STATES},
        "proved": proved,
    }
    for kind, count in counts.items():
        add(row, "td", str(count), kind=kind if count else "zero")


def _anchor(chapter: str) -> str:
    return f"chapter-{chapter}"


# The rules


def _chapter(name: str, found: Sequence[RuleCoverage], proofs: dict[str, ProofCoverage]) -> Element:
    made = section(name, _anchor(name), counted(len(found), "rule"))
    for each in found:
        shown = _add_rule(made, each.rule, each.state, STATES[each.state], each.names)
        proof = proofs.get(each.rule.id)
        for why in (*_why(each), *(why_no_property(proof) if proof is not None else ())):
            add(shown, "p", why, kind="why")
        lists = add(shown, "dl")
        add_list(lists, "Scenarios", [_scenario(one, each.rule.id) for one in each.cited_by])
        _add_names(lists, each.names)
    return made


def _proof_only(found: Sequence[ProofCoverage]) -> Element:
    made = section("Settled by proof only", "proof-only", counted(len(found), "rule"))
    for each in found:
        shown = _add_rule(made, each.rule, "proof", "by proof only", each.names)
        for why in why_no_property(each):
            add(shown, "p", why, kind="why")
        _add_names(add(shown, "dl"), each.names)
    return made


def _add_rule(parent: Element, rule: Rule, state: str, shown: str, names: Names) -> Element:
    """A rule with its state and its statement."""
    classes = f"rule {state}" if names.properties else f"rule {state} no-property"
    made = article(parent, rule.id, classes, rule.title, shown)
    add(made, "p", rule.statement)
    add(made, "p", rule.source(), kind="source")
    return made


def _why(found: RuleCoverage) -> tuple[str, ...]:
    """Why a rule is not covered."""
    if found.waits is not None:
        return (f"waits for {found.waits.needs}: {found.waits.because}",)
    return found.lacks


def _add_names(lists: Element, names: Names) -> None:
    add_list(lists, "Functions", [(each.name, each.place) for each in names.functions])
    if names.printed:
        add_list(lists, "Printed", [(each.name, each.kind) for each in names.printed])
    properties = [(f"{each.name} ({each.kind})", property_place(each)) for each in names.properties]
    add_list(lists, "Properties", properties)


def _scenario(scenario: Observed, rule: str) -> tuple[str, str]:
    """A scenario and its place; one that does not cover the rule says so."""
    file = Path(scenario.file)
    # As seen from where the library lies, wherever the command is run.
    shown = file.relative_to(ENGINE.parent) if file.is_relative_to(ENGINE.parent) else file
    name = scenario.id if scenario.covers(rule) else f"{scenario.id} ({how(scenario, rule)})"
    return name, f"{shown.as_posix()}:{scenario.line}"
