"""Coverage by rule as one page for a browser, which needs nothing but itself.

Elements are built and not written as text, so that nothing in a name can be taken for HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rules_engine.rulebook.index import Rule
from scenarios.coverage import Coverage, Observed, ProofOnly, RuleCoverage, by_chapter
from scenarios.naming import ENGINE, Names, property_place
from truthsayer.cli.show import counted
from truthsayer.reports.coverage_text import how

LONGEST_LIST = 5
"""A longer list is folded."""

STATES = {"covered": "covered", "uncovered": "not covered", "waiting": "waiting"}
"""The states of a rule, and how they are shown."""

COLUMNS = ("Chapter", "Rules", *map(str.capitalize, STATES.values()), "With a property")


def coverage_page(report: Coverage) -> str:
    """The page: a table of the chapters, then every rule with all that cites or names it."""
    template = resources.files("truthsayer.reports").joinpath("coverage_page.html")
    sections = [_chapter(name, rules) for name, rules in by_chapter(report.rules).items()]
    if report.proof_only:
        sections.append(_proof_only(report.proof_only))
    return Template(template.read_text(encoding="utf-8")).substitute(
        title=escape(f"Coverage by rule: {report.product.capitalize()}"),
        table=_html(_table(report.rules)),
        sections="\n".join(map(_html, sections)),
    )


def _html(element: Element) -> str:
    indent(element, space="")
    return tostring(element, encoding="unicode", method="html")


def _add(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """A new element with a text; `kind` is its class."""
    if "kind" in attributes:
        attributes["class"] = attributes.pop("kind")
    element = SubElement(parent, tag, attributes)
    element.text = text
    return element


# The table


def _table(found: Sequence[RuleCoverage]) -> Element:
    table = Element("table")
    _add(table, "caption", "Rules by chapter")
    heads = _add(_add(table, "thead"), "tr")
    for column in COLUMNS:
        _add(heads, "th", column, scope="col")
    body = _add(table, "tbody")
    for name, rules in by_chapter(found).items():
        row = _add(body, "tr")
        _add(_add(row, "th", scope="row"), "a", name, href=f"#{_anchor(name)}")
        _add_counts(row, rules)
    total = _add(_add(table, "tfoot"), "tr")
    _add(total, "th", "All", scope="row")
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
        _add(row, "td", str(count), kind=kind if count else "zero")


def _anchor(chapter: str) -> str:
    return f"chapter-{chapter}"


# The rules


def _chapter(name: str, found: Sequence[RuleCoverage]) -> Element:
    section = _section(name, _anchor(name), len(found))
    for each in found:
        article = _add_article(section, each.rule, each.state, STATES[each.state], each.names)
        for why in _why(each):
            _add(article, "p", why, kind="why")
        lists = _add(article, "dl")
        _add_list(lists, "Scenarios", [_scenario(one, each.rule.id) for one in each.cited_by])
        _add_names(lists, each.names)
    return section


def _proof_only(found: Sequence[ProofOnly]) -> Element:
    section = _section("Settled by proof only", "proof-only", len(found))
    for each in found:
        article = _add_article(section, each.rule, "proof", "by proof only", each.names)
        _add_names(_add(article, "dl"), each.names)
    return section


def _section(head: str, anchor: str, rules: int) -> Element:
    section = Element("section")
    _add(_add(section, "h2", f"{head} ", id=anchor), "small", counted(rules, "rule"))
    return section


def _add_article(parent: Element, rule: Rule, state: str, shown: str, names: Names) -> Element:
    """A rule with its state and its statement."""
    classes = f"rule {state}" if names.properties else f"rule {state} no-property"
    article = _add(parent, "article", id=rule.id, kind=classes)
    head = _add(article, "h3")
    _add(head, "a", rule.id, href=f"#{rule.id}")
    _add(head, "span", rule.title)
    _add(head, "span", shown, kind="state")
    _add(article, "p", rule.statement)
    _add(article, "p", rule.source(), kind="source")
    return article


def _why(found: RuleCoverage) -> tuple[str, ...]:
    """Why a rule is not covered."""
    if found.waits is not None:
        return (f"waits for {found.waits.needs}: {found.waits.because}",)
    return found.lacks


def _add_names(lists: Element, names: Names) -> None:
    _add_list(lists, "Functions", [(each.name, each.place) for each in names.functions])
    if names.printed:
        _add_list(lists, "Printed", [(each.name, each.kind) for each in names.printed])
    _add_list(lists, "Properties", [(each.name, property_place(each)) for each in names.properties])


def _scenario(scenario: Observed, rule: str) -> tuple[str, str]:
    """A scenario and its place; one that does not cover the rule says so."""
    file = Path(scenario.file)
    # As seen from where the library lies, wherever the command is run.
    shown = file.relative_to(ENGINE.parent) if file.is_relative_to(ENGINE.parent) else file
    name = scenario.id if scenario.covers(rule) else f"{scenario.id} ({how(scenario, rule)})"
    return name, f"{shown.as_posix()}:{scenario.line}"


def _add_list(lists: Element, head: str, items: Sequence[tuple[str, str]]) -> None:
    """Names, each with its place, under a heading; a long list can be unfolded."""
    group = _add(lists, "div")
    _add(group, "dt", head)
    holder = _add(group, "dd")
    if not items:
        _add(holder, "span", "none", kind="none")
        return
    if len(items) > LONGEST_LIST:
        holder = _add(holder, "details")
        _add(holder, "summary", f"{len(items)} {head.lower()}")
    entries = _add(holder, "ul")
    for name, place in items:
        entry = _add(entries, "li")
        _add(entry, "span", name)
        _add(entry, "code", place)
