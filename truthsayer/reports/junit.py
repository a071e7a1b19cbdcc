"""The results of `truthsayer check` as JUnit XML, which most CI services show."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from xml.etree import ElementTree

from truthsayer.cli.show import verdict_word
from truthsayer.reports.text import GOOD, result_text
from truthsayer.v1 import common_pb2, scenario_pb2


def junit_text(results: Iterable[scenario_pb2.ScenarioResult]) -> str:
    """A test suite for each file and a test case for each scenario."""
    top = ElementTree.Element("testsuites", name="truthsayer")
    for file, group in groupby(results, key=lambda result: result.file):
        suite = ElementTree.SubElement(top, "testsuite", name=_xml(file))
        for result in group:
            _add_case(suite, result)
        for kind, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            suite.set(kind, str(len(list(suite.iter(tag)))))
    ElementTree.indent(top)
    data: bytes = ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)
    return data.decode() + "\n"


def _add_case(suite: ElementTree.Element, result: scenario_pb2.ScenarioResult) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=_xml(result.title or result.id),
        classname=_xml(result.id),
        file=_xml(result.file),
        line=str(result.line),
    )
    if result.rules:
        properties = ElementTree.SubElement(case, "properties")
        for rule in result.rules:
            ElementTree.SubElement(properties, "property", name="rule", value=_xml(rule.id))
    if result.verdict in GOOD:
        return
    word = verdict_word(result.verdict)
    tag = "error" if result.verdict == common_pb2.VERDICT_ERROR else "failure"
    first = result.problems[0].message if result.problems else result.detail
    element = ElementTree.SubElement(case, tag, type=word, message=_xml(first or word))
    element.text = _xml(result_text(result))


def _xml(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return "".join(
        each
        for each in text
        if each in "\t\n" or "\x20" <= each <= "\ud7ff" or "\ue000" <= each not in "\ufffe\uffff"
    )
