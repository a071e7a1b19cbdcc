"""Several implementations as one page for a browser: rules in rows, implementations in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from conformance.plain import plain_value
from conformance.results import GOOD, Divergence, Result
from truthsayer.cli.show import counted
from truthsayer.reports.conform import (
    NO_RULE,
    adapter_name,
    first_line,
    given,
    name,
    point,
    rule_line,
    rule_named,
)
from truthsayer.reports.conform_matrix import FAILS, HOLDS, AgainstUs, Matrix, Row
from truthsayer.reports.conform_page import STATES, Told
from truthsayer.reports.page import add, page, section

AGAINST_US = "All differ from us"
PERHAPS_WE = (
    "Every implementation that was compared in these cases differs from the reference, and there "
    "is more than one: perhaps we are wrong."
)
NEVER = "In no case do all implementations that were compared differ from the reference."
ALIKE, EACH_OTHERWISE = "all alike", "each otherwise"


def conform_matrix_page(found: Matrix) -> str:
    """The page: where all are against us, the chapters in numbers, and every rule."""
    count = counted(len(found.reports), "implementation")
    return page(
        "conform_matrix",
        f"Conformance of {count}",
        lead=list(_lead(found)),
        against=[_against_us(found)],
        table=[_summary(found)],
        sections=[
            _section(number, chapter, rows, found)
            for number, (chapter, rows) in enumerate(found.chapters.items())
        ],
    )


def _lead(found: Matrix) -> Iterator[Element]:
    entries = Element("ul", {"class": "lead"})
    for each in found.reports:
        add(entries, "li", f"{first_line(each)} (Truthsayer {name(each.engine)})")
    yield entries


# Where all are against us


def _against_us(found: Matrix) -> Element:
    if not found.against_us:
        none = Element("p", {"class": "lead"})
        none.text = NEVER
        return none
    made = section(AGAINST_US, "against-us", counted(len(found.against_us), "case"))
    add(made, "p", PERHAPS_WE)
    for number, each in enumerate(found.against_us):
        _add_case(made, each, f"against-{number}", found)
    return made


def _add_case(parent: Element, each: AgainstUs, anchor: str, found: Matrix) -> None:
    shown = add(parent, "article", id=anchor, kind="rule against fails")
    title = add(shown, "h3")
    add(title, "a", name(each.title or each.case), href=f"#{anchor}")
    add(title, "span", ALIKE if each.alike else EACH_OTHERWISE, kind="state")
    add(shown, "p", name(each.case), kind="source")
    for rule in each.rules[:1]:
        add(shown, "p", rule_line(rule))
        known = rule_named(rule)
        if known is not None:
            add(shown, "p", known.statement)
    if each.rules[1:]:
        add(shown, "p", f"also: {', '.join(map(name, each.rules[1:]))}", kind="source")
    holder = add(shown, "div", kind="wide", role="region", tabindex="0")
    holder.set("aria-label", f"What they have in {name(each.case)}")
    table = add(holder, "table", kind="sides")
    add(table, "caption", "What each has, and what we expect")
    heads = add(add(table, "thead"), "tr")
    for head in ("Implementation", "Point", "Expected", "Got"):
        add(heads, "th", head, scope="col")
    body = add(table, "tbody")
    for report, result in zip(found.reports, each.results, strict=True):
        row = add(body, "tr")
        add(row, "th", adapter_name(report), scope="row")
        _add_sides(row, result)


def _add_sides(row: Element, result: Result | None) -> None:
    if result is None or result.divergence is None:
        add(row, "td", "not compared", colspan="3", kind="none")
        return
    divergence: Divergence = result.divergence
    told = [point(divergence), given(divergence)]
    add(row, "td", "\n".join(filter(None, told)))
    add(row, "td", plain_value(divergence.expected))
    add(row, "td", plain_value(divergence.got), kind="differs")


# The chapters in numbers


def _summary(found: Matrix) -> Element:
    table = Element("table")
    add(table, "caption", "Rules that hold, of those that were reached")
    _add_heads(table, "Chapter", found)
    body = add(table, "tbody")
    for number, (chapter, rows) in enumerate(found.chapters.items()):
        row = add(body, "tr")
        add(add(row, "th", scope="row"), "a", chapter, href=f"#{_anchor(number)}")
        _add_shares(row, rows, found)
    total = add(add(table, "tfoot"), "tr")
    add(total, "th", "All", scope="row")
    _add_shares(total, found.rows, found)
    return table


def _add_heads(table: Element, first: str, found: Matrix) -> None:
    heads = add(add(table, "thead"), "tr")
    for head in (first, *map(adapter_name, found.reports)):
        add(heads, "th", head, scope="col")


def _add_shares(row: Element, rows: Sequence[Row], found: Matrix) -> None:
    for column in range(len(found.reports)):
        states = [each.states[column] for each in rows]
        holds, fails = states.count(HOLDS), states.count(FAILS)
        kind = FAILS if fails else HOLDS if holds else "unreached"
        add(row, "td", f"{holds} of {holds + fails}" if holds + fails else "-", kind=kind)


def _anchor(number: int) -> str:
    return f"chapter-{number}"


# The rules


def _section(number: int, chapter: str, rows: Sequence[Row], found: Matrix) -> Element:
    made = section(chapter, _anchor(number), counted(len(rows), "rule"))
    holder = add(made, "div", kind="wide", role="region", tabindex="0")
    holder.set("aria-label", f"Rules: {chapter}")
    table = add(holder, "table", kind="cells")
    add(table, "caption", f"Rules: {chapter}")
    _add_heads(table, "Rule", found)
    body = add(table, "tbody")
    for place, row in enumerate(rows):
        _add_rule(body, row, f"other-{number}-{place}")
    return made


def _add_rule(body: Element, row: Row, otherwise: str) -> None:
    """A rule and how it fares; whatever is no rule of ours has another anchor."""
    rule = rule_named(row.rule)
    anchor, title = (otherwise, "") if rule is None else (rule.id, rule.title)
    line = add(body, "tr", id=anchor, kind=" ".join(("rule", *_marks(row))))
    head = add(line, "th", scope="row", title="" if rule is None else rule.statement)
    add(head, "a", name(row.rule) or NO_RULE, href=f"#{anchor}")
    add(head, "span", f" {title}")
    if row.all_fail:
        add(head, "strong", " all fail")
    for each in row.told:
        add(line, "td", _cell(each), kind=each.state)


def _marks(row: Row) -> Iterator[str]:
    """What the filter can ask of a rule."""
    yield from dict.fromkeys(row.states)
    if row.all_fail:
        yield "against"
    if row.some_fail:
        yield "differ"


def _cell(told: Told) -> str:
    """A state in words, with how many cases show it."""
    match told.state:
        case "fails":
            return f"{STATES[FAILS]} in {len(told.diverging)}"
        case "holds":
            held = sum(each.outcome in GOOD for each in told.cases)
            return f"{STATES[HOLDS]} in {held}"
    return STATES[told.state]
