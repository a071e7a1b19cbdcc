"""The report of `truthsayer conform` as one page for a browser, which needs nothing but itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from conformance.expectations import Verdict
from conformance.plain import plain, plain_value
from conformance.report import Report, home
from conformance.results import BAD, Divergence, Result
from truthsayer.cli.show import counted
from truthsayer.reports.conform import (
    NO_RULE,
    adapter_name,
    all_rules,
    chapter_of,
    explained,
    first_line,
    given,
    name,
    place,
    point,
    rule_named,
    scenario,
    summary,
    suspected,
)
from truthsayer.reports.conform_text import profile
from truthsayer.reports.page import add, add_list, article, page, section

MOST_ROWS = 200
"""Of a longer list, so many items are shown."""

STATES = {"holds": "holds", "fails": "fails", "unreached": "not reached"}
"""The states of a rule, and how they are shown."""


class Told(NamedTuple):
    """A rule with the cases about it, and those whose divergence it decides."""

    rule: str
    cases: Sequence[Result]
    diverging: Sequence[Result]

    @property
    def state(self) -> str:
        """Whether the implementation keeps the rule, as far as it was compared."""
        if any(_is_failure(each) for each in self.diverging):
            return "fails"
        return "holds" if any(self.rule in each.held for each in self.cases) else "unreached"


def conform_page(report: Report, verdict: Verdict) -> str:
    """The page: the numbers, a table of the chapters, then every rule with its divergences."""
    chapters = by_chapter(report)
    return page(
        "conform_page",
        f"Conformance: {adapter_name(report)}",
        lead=list(_lead(report, verdict)),
        table=[_table(chapters, frozenset(report.rules))],
        sections=[
            _section(number, chapter, rules, report, verdict)
            for number, (chapter, rules) in enumerate(chapters.items())
        ],
    )


def _is_failure(result: Result) -> bool:
    return result.outcome in BAD and not explained(result)


def by_chapter(report: Report) -> dict[str, list[Told]]:
    """The rules by chapter, in the order of the report; cases without a rule come last."""
    about: dict[str, list[Result]] = {}
    diverging: dict[str, list[Result]] = {}
    for each in report.results:
        for rule in dict.fromkeys(each.rules or (home(each),)):
            about.setdefault(rule, []).append(each)
        if each.outcome in BAD:
            diverging.setdefault(home(each), []).append(each)
    chapters: dict[str, list[Told]] = {}
    for rule in all_rules(report):
        told = Told(rule, about.get(rule, ()), diverging.get(rule, ()))
        chapters.setdefault(chapter_of(rule), []).append(told)
    if "" in about or "" in diverging:
        told = Told("", about.get("", ()), diverging.get("", ()))
        chapters.setdefault(NO_RULE, []).append(told)
    return chapters


# The head


def _lead(report: Report, verdict: Verdict) -> Iterator[Element]:
    for text in (first_line(report), summary(report), f"verdict: {verdict.why}"):
        line = Element("p", {"class": "lead"})
        line.text = text
        yield line
    for head, found in (("", profile(report)), ("most likely broken:", suspected(report))):
        yield from _list(head, found)


def _list(head: str, lines: Sequence[str]) -> Iterator[Element]:
    if not lines:
        return
    if head:
        named = Element("p")
        named.text = head
        yield named
    entries = Element("ul")
    for each in lines:
        add(entries, "li", each)
    yield entries


def _table(chapters: Mapping[str, Sequence[Told]], rules: Collection[str]) -> Element:
    table = Element("table")
    add(table, "caption", "Rules by chapter")
    heads = add(add(table, "thead"), "tr")
    for column in ("Chapter", "Rules", "Hold", "Fail", "Not reached", "Divergences"):
        add(heads, "th", column, scope="col")
    body = add(table, "tbody")
    for number, (chapter, told) in enumerate(chapters.items()):
        row = add(body, "tr")
        add(add(row, "th", scope="row"), "a", chapter, href=f"#{_anchor(number)}")
        _add_counts(row, told, rules)
    total = add(add(table, "tfoot"), "tr")
    add(total, "th", "All", scope="row")
    _add_counts(total, [each for told in chapters.values() for each in told], rules)
    return table


def _add_counts(row: Element, told: Sequence[Told], rules: Collection[str]) -> None:
    """The numbers of a chapter. Only the rules of the product are counted, as everywhere."""
    states = [each.state for each in told if each.rule in rules]
    counts = {
        "all": len(states),
        **{state: states.count(state) for state in STATES},
        "divergences": sum(len(each.diverging) for each in told),
    }
    for kind, count in counts.items():
        add(row, "td", str(count), kind=kind if count else "zero")


def _anchor(number: int) -> str:
    return f"chapter-{number}"


# The rules


def _section(
    number: int, chapter: str, rules: Sequence[Told], report: Report, verdict: Verdict
) -> Element:
    made = section(chapter, _anchor(number), counted(len(rules), "rule"))
    numbers = {each.id: number for number, each in enumerate(report.results)}
    for place_in_chapter, told in enumerate(rules):
        shown = _add_rule(made, told, f"other-{number}-{place_in_chapter}")
        add_list(add(shown, "dl"), "Cases", [_case(each, told.rule) for each in told.cases])
        for each in told.diverging:
            _add_divergence(shown, each, f"case-{numbers[each.id]}", verdict)
    return made


def _add_rule(parent: Element, told: Told, otherwise: str) -> Element:
    """A rule with its state and its statement; whatever is no rule of ours has another anchor."""
    classes, state = f"rule {told.state}", STATES[told.state]
    rule = rule_named(told.rule)
    if rule is None:
        return article(parent, otherwise, classes, name(told.rule) or NO_RULE, state)
    made = article(parent, rule.id, classes, rule.title, state)
    add(made, "p", rule.statement)
    add(made, "p", rule.source(), kind="source")
    return made


def _case(result: Result, rule: str) -> tuple[str, str]:
    """A case and how it ended; one that is told under another rule says so."""
    elsewhere = result.outcome in BAD and home(result) != rule
    told = f"{result.outcome}, see {name(home(result))}" if elsewhere else result.outcome
    return name(result.id), name(told)


# The divergences


def _add_divergence(parent: Element, result: Result, anchor: str, verdict: Verdict) -> None:
    shown = add(parent, "div", kind="divergence", id=anchor)
    title = f"{name(result.outcome)}: {name(result.title or result.id)}"
    add(add(shown, "h4"), "a", title, href=f"#{anchor}")
    where = f"{name(result.id)} {place(result)}".rstrip()
    add(shown, "p", where, kind="source")
    for why in _excuses(result, verdict):
        add(shown, "p", why, kind="source")
    if result.detail:
        add(shown, "pre", plain(result.detail, lines=True))
    if result.divergence is not None:
        _add_sides(shown, result.divergence)


def _excuses(result: Result, verdict: Verdict) -> Iterator[str]:
    """Why it is not counted against the implementation."""
    if explained(result):
        yield f"follows {explained(result)}"
    if result.id in verdict.expected:
        yield f"fails as expected: {plain(verdict.expected[result.id])}"


def _add_sides(parent: Element, divergence: Divergence) -> None:
    told = given(divergence)
    if told:
        add(add(parent, "p", "Input: "), "code", told)
    table = add(parent, "table", kind="sides")
    add(table, "caption", point(divergence))
    heads = add(add(table, "thead"), "tr")
    for side in ("Expected", "Got"):
        add(heads, "th", side, scope="col")
    body = add(table, "tbody")
    for left, right in side_by_side(divergence.expected, divergence.got):
        row = add(body, "tr")
        kind = {} if left == right else {"kind": "differs"}
        add(row, "td", left, **kind)
        add(row, "td", right, **kind)
    also = divergence.rules[1:]
    if also:
        add(parent, "p", f"also: {', '.join(map(name, also))}", kind="source")
    if divergence.scenario:
        folded = add(parent, "details")
        add(folded, "summary", "The scenario that shows it")
        add(folded, "pre", scenario(divergence))


def side_by_side(expected: Any, got: Any) -> list[tuple[str, str]]:
    """Two values in rows: of lists item by item, of tables key by key, what differs first."""
    if isinstance(expected, list) and isinstance(got, list):
        rows = list(_items(expected, got))
    elif isinstance(expected, dict) and isinstance(got, dict):
        keys = dict.fromkeys((*expected, *got))
        rows = [(_entry(expected, key), _entry(got, key)) for key in keys]
    else:
        return [(plain_value(expected), plain_value(got))]
    rows.sort(key=lambda row: row[0] == row[1])
    left = len(rows) - MOST_ROWS
    more = f"… ({left} more)"
    return [*rows[:MOST_ROWS], (more, more)] if left > 0 else rows


def _items(expected: list[Any], got: list[Any]) -> Iterator[tuple[str, str]]:
    """The items of two lists, equal ones beside each other: their order means nothing."""
    left, right = Counter(map(plain_value, expected)), Counter(map(plain_value, got))
    for item in sorted(left | right):
        both = min(left[item], right[item])
        yield from [(item, item)] * both
        yield from [(item, "")] * (left[item] - both)
        yield from [("", item)] * (right[item] - both)


def _entry(table: dict[str, Any], key: str) -> str:
    return f"{name(key)}: {plain_value(table[key])}" if key in table else ""
