"""The report of `truthsayer conform` as JUnit XML."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from conformance.expectations import Verdict
from conformance.plain import plain, plain_value
from conformance.report import Report, home
from conformance.results import BAD, FAIL, GOOD, Result
from truthsayer.reports.conform import (
    NO_RULE,
    adapter_name,
    chapter_of,
    explained,
    first_line,
    name,
    point,
)
from truthsayer.reports.conform_text import failure_text
from truthsayer.reports.junit import add_properties, report_text, xml


def conform_junit(report: Report, verdict: Verdict) -> str:
    """A test suite for each chapter and a test case for each case.

    What fails as expected is skipped; a known failure that passes fails.
    """
    top = Element("testsuites", name=f"truthsayer conform: {xml(adapter_name(report))}")
    suites: dict[str, Element] = {}
    passing = {each.id for each in verdict.passing}
    for each in report.results:
        chapter = chapter_of(home(each)) if home(each) else NO_RULE
        if chapter not in suites:
            suites[chapter] = _suite(top, chapter, report)
        _add_case(suites[chapter], chapter, each, verdict, passing)
    for suite in suites.values():
        suite.set("skipped", str(len(list(suite.iter("skipped")))))
    return report_text(top)


def _suite(top: Element, chapter: str, report: Report) -> Element:
    suite = SubElement(top, "testsuite", name=xml(chapter))
    add_properties(suite, [("run", first_line(report)), ("product", name(report.product))])
    return suite


def _add_case(
    suite: Element, chapter: str, result: Result, verdict: Verdict, passing: set[str]
) -> None:
    case = SubElement(
        suite,
        "testcase",
        name=xml(name(result.id)),
        classname=xml(chapter),
        time=f"{result.seconds:.3f}",
    )
    if result.file:
        case.set("file", xml(name(result.file)))
        case.set("line", str(result.line))
    rules = [("rule", name(rule)) for rule in result.rules]
    add_properties(case, [("title", name(result.title)), *rules])
    if result.id in passing:
        SubElement(case, "failure", type="known failure", message="a known failure passes")
    elif result.id in verdict.expected:
        _add_skipped(case, f"fails as expected: {verdict.expected[result.id]}")
    elif explained(result):
        _add_skipped(case, f"follows {explained(result)}")
    elif result.outcome in BAD:
        _add_failure(case, result)
    elif result.outcome not in GOOD:
        _add_skipped(case, f"{result.outcome}: {result.detail}".removesuffix(": "))


def _add_skipped(case: Element, why: str) -> None:
    SubElement(case, "skipped", message=xml(plain(why)))


def _add_failure(case: Element, result: Result) -> None:
    tag = "failure" if result.outcome == FAIL else "error"
    element = SubElement(case, tag, type=result.outcome, message=xml(_message(result)))
    element.text = xml(failure_text(result))


def _message(result: Result) -> str:
    """What is wrong, in one line."""
    found = result.divergence
    if found is None:
        return plain(result.detail) or result.outcome
    expected, got = plain_value(found.expected), plain_value(found.got)
    return f"{point(found)}: expected {expected}, got {got}"
