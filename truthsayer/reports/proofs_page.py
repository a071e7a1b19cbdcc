"""The results of `truthsayer prove` as one page for a browser, which needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from truthsayer.cli.show import counted, kind_word, verdict_word
from truthsayer.reports.page import add, add_list, article, page, section
from truthsayer.reports.proofs import GOOD, Proofs, Verdicts, case_name, counts
from truthsayer.reports.proofs_text import covers, granted, ruling_tried
from truthsayer.v1 import common_pb2, verifier_pb2

MARKS = {
    common_pb2.VERDICT_PROVED: "✓",
    common_pb2.VERDICT_CHECKED: "✓",
    common_pb2.VERDICT_REFUTED: "✗",
    common_pb2.VERDICT_UNKNOWN: "?",
    common_pb2.VERDICT_UNSUPPORTED: "!",
}
"""How a cell of the matrix shows a verdict."""

NO_VERDICT = "no verdict"


def proofs_page(found: Proofs) -> str:
    """The page: a table of the chapters, a matrix for each family, then every property."""
    return page(
        "proofs_page",
        "Proofs",
        table=[_table(found)],
        matrices=list(_matrices(found)),
        sections=[_chapter(name, verdicts, found) for name, verdicts in found.by_chapter().items()],
    )


# The table


def _table(found: Proofs) -> Element:
    table = Element("table")
    add(table, "caption", "Properties by chapter")
    heads = add(add(table, "thead"), "tr")
    for column in ("Chapter", "Properties", *map(str.capitalize, counts(())), "Cases", "Paths"):
        add(heads, "th", column, scope="col")
    body = add(table, "tbody")
    for name, verdicts in found.by_chapter().items():
        row = add(body, "tr")
        add(add(row, "th", scope="row"), "a", name, href=f"#{_anchor(name)}")
        _add_counts(row, verdicts)
    total = add(add(table, "tfoot"), "tr")
    add(total, "th", "All", scope="row")
    _add_counts(total, found.verdicts)
    return table


def _add_counts(row: Element, verdicts: Verdicts) -> None:
    numbers = {
        "all": len(verdicts),
        **counts(verdicts),
        "cases": sum(len(each.cases) for each in verdicts),
        "paths": sum(each.paths for each in verdicts),
    }
    for kind, number in numbers.items():
        add(row, "td", str(number), kind=kind if number else "zero")


def _anchor(chapter: str) -> str:
    return f"chapter-{chapter}"


# The matrices


def _matrices(found: Proofs) -> Iterator[Element]:
    """A matrix for each family: its properties in rows, its cases in columns."""
    families: dict[str, list[verifier_pb2.PropertyVerdict]] = {}
    for each in found.verdicts:
        family = found.property_of(each).family
        if family:
            families.setdefault(family, []).append(each)
    for name, verdicts in families.items():
        holder = Element("div", {"class": "wide matrix", "role": "region", "tabindex": "0"})
        holder.set("aria-label", name)
        holder.append(_matrix(name, verdicts))
        yield holder


def _matrix(family: str, verdicts: Verdicts) -> Element:
    columns = list(dict.fromkeys(case_name(case) for each in verdicts for case in each.cases))
    table = Element("table")
    good = sum(case.verdict in GOOD for each in verdicts for case in each.cases)
    cells = counted(len(verdicts) * len(columns), "cell")
    add(table, "caption", f"{family}: {good} of {cells} proved or checked")
    heads = add(add(table, "thead"), "tr")
    add(heads, "th", "Property", scope="col")
    for column in columns:
        add(add(heads, "th", scope="col"), "span", column)
    body = add(table, "tbody")
    for each in verdicts:
        row = add(body, "tr")
        add(add(row, "th", scope="row", title=each.bounds), "a", each.name, href=f"#{each.name}")
        cases = {case_name(case): case for case in each.cases}
        for column in columns:
            _add_cell(row, cases.get(column))
    return table


def _add_cell(row: Element, case: verifier_pb2.CaseVerdict | None) -> None:
    if case is None:
        add(add(row, "td", kind="unknown"), "abbr", "-", title=NO_VERDICT)
        return
    cell = add(row, "td", kind=verdict_word(case.verdict))
    add(cell, "abbr", MARKS.get(case.verdict, "?"), title="; ".join(_told(case)))


def _told(case: verifier_pb2.CaseVerdict) -> Iterator[str]:
    """A case in words, with what its verdict rests on."""
    yield f"{case_name(case)}: {verdict_word(case.verdict)}, {counted(case.paths, 'path')}"
    if case.detail:
        yield case.detail
    if case.granted:
        yield f"takes for granted that {', '.join(case.granted)}"
    yield f"rests on {', '.join(case.rests_on) or 'no rule function'}"


# The properties


def _chapter(name: str, verdicts: Verdicts, found: Proofs) -> Element:
    number = len(verdicts)
    made = section(name, _anchor(name), "1 property" if number == 1 else f"{number} properties")
    for each in verdicts:
        _add_property(made, each, found.property_of(each))
    return made


def _add_property(
    parent: Element, verdict: verifier_pb2.PropertyVerdict, named: verifier_pb2.Property
) -> None:
    word, kind = verdict_word(verdict.verdict), kind_word(verdict.kind)
    classes = ["property", word, kind.replace(" ", "-")]
    if verdict.verdict not in GOOD:
        classes.append("bad")
    shown = article(parent, verdict.name, " ".join(classes), kind, _state(verdict))
    for paragraph in named.doc.split("\n\n"):
        add(shown, "p", " ".join(paragraph.split()))
    add(shown, "p", covers(verdict), kind="source")
    if verdict.granted_by:
        add(shown, "p", granted(verdict), kind="source")
    if verdict.detail:
        add(shown, "p", verdict.detail, kind="why")
    if verdict.scenario:
        add(shown, "pre", verdict.scenario)
    lists = add(shown, "dl")
    add_list(lists, "Place", [(f"{named.file}:{named.line}", "")])
    add_list(lists, "Rules", [(rule.id, rule.source) for rule in verdict.rules])
    for ruling in verdict.rulings:
        add_list(lists, "Ruling", [(ruling.name, ruling_tried(ruling))])
    add_list(lists, "Any number", [(each.name, _bounds(each)) for each in verdict.covered.numbers])
    add_list(lists, "Assumed", [(each, "not all values") for each in verdict.covered.left_out])
    add_list(lists, "Choices", [(each.name, _options(each)) for each in verdict.covered.choices])
    add_list(lists, "Always empty", [(place, "") for place in verdict.covered.empty])
    add_list(lists, "Cases", [(case_name(case), _outcome(case)) for case in verdict.cases])
    add_list(lists, "Rests on", [(function, "") for function in _rests_on(verdict.cases)])
    add_list(lists, "Must fail", [(twin.rule.id, f"if {twin.change}") for twin in named.twins])


def _state(verdict: verifier_pb2.PropertyVerdict) -> str:
    word = verdict_word(verdict.verdict)
    return f"{word}, confirmed" if verdict.confirmed else word


def _outcome(case: verifier_pb2.CaseVerdict) -> str:
    return f"{verdict_word(case.verdict)}, {counted(case.paths, 'path')}"


def _bounds(number: verifier_pb2.NumberCovered) -> str:
    return f"{number.low} to {number.high if number.HasField('high') else 'any'}"


def _options(choice: verifier_pb2.ChoiceCovered) -> str:
    return ", ".join(choice.options) or counted(choice.count, "option")


def _rests_on(cases: Sequence[verifier_pb2.CaseVerdict]) -> list[str]:
    return sorted({function for case in cases for function in case.rests_on})
