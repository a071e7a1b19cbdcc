"""The results of `truthsayer prove` as JUnit XML."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from truthsayer.cli.show import kind_word, verdict_word
from truthsayer.reports.junit import add_properties, report_text, xml
from truthsayer.reports.proofs import GOOD, Proofs
from truthsayer.reports.proofs_text import covers_word, verdict_text
from truthsayer.v1 import common_pb2, verifier_pb2


def proofs_junit(found: Proofs) -> str:
    """A test suite for each chapter and a test case for each property."""
    top = Element("testsuites", name="truthsayer prove")
    for chapter, verdicts in found.by_chapter().items():
        suite = SubElement(top, "testsuite", name=xml(chapter))
        for each in verdicts:
            _add_case(suite, chapter, each, found.property_of(each))
    return report_text(top)


def _add_case(
    suite: Element,
    chapter: str,
    verdict: verifier_pb2.PropertyVerdict,
    named: verifier_pb2.Property,
) -> None:
    case = SubElement(
        suite,
        "testcase",
        name=xml(verdict.name),
        classname=xml(chapter),
        file=xml(named.file),
        line=str(named.line),
        time=f"{0 if verdict.from_kept else verdict.seconds:.3f}",
    )
    known = [
        ("kind", kind_word(verdict.kind)),
        (covers_word(verdict), verdict.bounds),
        ("confirmed", str(verdict.confirmed).lower()),
    ]
    known += [("takes for granted", each) for each in verdict.granted_by]
    add_properties(case, [*known, *(("rule", rule.id) for rule in verdict.rules)])
    if verdict.verdict in GOOD:
        return
    word = verdict_word(verdict.verdict)
    tag = "failure" if verdict.verdict == common_pb2.VERDICT_REFUTED else "error"
    element = SubElement(case, tag, type=word, message=xml(verdict.detail or word))
    element.text = xml(verdict_text(verdict))
