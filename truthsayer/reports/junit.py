"""The results of `truthsayer check` as JUnit XML, which most CI services show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from xml.etree import ElementTree

from truthsayer.cli.show import verdict_word
from truthsayer.reports.text import GOOD, result_text
from truthsayer.v1 import common_pb2, scenario_pb2


def junit_text(results: Iterable[scenario_pb2.ScenarioResult]) -> str:
    """A test suite for each file and a test case for each scenario."""
    top = ElementTree.Element("testsuites", name="truthsayer")
    for file, group in groupby(results, key=lambda result: result.file):
        suite = ElementTree.SubElement(top, "testsuite", name=xml(file))
        for result in group:
            _add_case(suite, result)
    return report_text(top)


def _add_case(suite: ElementTree.Element, result: scenario_pb2.ScenarioResult) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=xml(result.title or result.id),
        classname=xml(result.id),
        file=xml(result.file),
        line=str(result.line),
    )
    add_properties(case, [("rule", rule.id) for rule in result.rules])
    if result.verdict in GOOD:
        return
    word = verdict_word(result.verdict)
    tag = "error" if result.verdict == common_pb2.VERDICT_ERROR else "failure"
    first = result.problems[0].message if result.problems else result.detail
    element = ElementTree.SubElement(case, tag, type=word, message=xml(first or word))
    element.text = xml(result_text(result))


def report_text(top: ElementTree.Element) -> str:
    """The report as text, each suite with its numbers."""
    for suite in top:
        for kind, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            suite.set(kind, str(len(list(suite.iter(tag)))))
    ElementTree.indent(top)
    data: bytes = ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)
    return data.decode() + "\n"


def add_properties(case: ElementTree.Element, known: Sequence[tuple[str, str]]) -> None:
    """What else is known of a test case, as names with values."""
    if known:
        properties = ElementTree.SubElement(case, "properties")
        for name, value in known:
            ElementTree.SubElement(properties, "property", name=name, value=xml(value))


def xml(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return "".join(
        each
        for each in text
        if each in "\t\n" or "\x20" <= each <= "\ud7ff" or "\ue000" <= each not in "\ufffe\uffff"
    )
