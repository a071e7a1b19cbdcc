"""JUnit, SARIF and JSON of proofs say all that is not proved, whatever the texts are."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.truthsayer.proofs import (
    CHECKED,
    REFUTED,
    UNKNOWN,
    UNSUPPORTED,
    named,
    proofs,
    verdict,
)
from tests.truthsayer.sarif_schema import SARIF
from truthsayer.codes import CODES
from truthsayer.reports.proofs import Proofs
from truthsayer.reports.proofs_findings import proofs_findings
from truthsayer.reports.proofs_json import proofs_json
from truthsayer.reports.proofs_junit import proofs_junit
from truthsayer.reports.proofs_page import proofs_page
from truthsayer.reports.proofs_text import summary_text, verdict_text
from truthsayer.reports.sarif import sarif_text
from truthsayer.v1 import verifier_pb2

HOSTILE = "\x00\x1b[31m<![CDATA[ ]]> & </failure> \" ' \ufffe 沙丘\nnext line"


@pytest.fixture
def run() -> Proofs:
    """A run with every verdict."""
    return proofs(
        (verdict("first"), named("first")),
        (verdict("table", CHECKED, from_kept=True), named("table")),
        (
            verdict("agents", REFUTED, detail="n = 4", scenario='scenario "Refuted: agents"'),
            named("agents", "agents"),
        ),
        (verdict("deep", UNKNOWN, detail="more than 5 paths"), named("deep")),
        (verdict("mended", UNSUPPORTED, rules=[], cases=[], detail="cannot be loaded"), None),
    )


def sarif_of(found: Proofs) -> Any:
    """The run of the report, once it is known to be SARIF."""
    report = json.loads(sarif_text(list(proofs_findings(found)), "1.2.3"))
    jsonschema.Draft202012Validator(SARIF).validate(report)
    (only,) = report["runs"]
    return only


def test_junit_has_a_suite_for_each_chapter(run: Proofs) -> None:
    top = ElementTree.fromstring(proofs_junit(run).encode())
    suites = {suite.get("name"): suite for suite in top}
    assert list(suites) == ["combat", "agents", "mended"]
    numbers = [suites["combat"].get(name) for name in ("tests", "failures", "errors")]
    assert numbers == ["3", "0", "1"]
    assert suites["agents"].get("failures") == "1"
    (agents,) = suites["agents"]
    assert (agents.get("file"), agents.get("line")) == ("verifier/properties/agents.py", "12")
    failure = agents.find("failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("refuted", "n = 4")
    assert 'scenario "Refuted: agents"' in (failure.text or "")
    first, table, deep = suites["combat"]
    assert len(first.findall("properties/property")) == 4
    assert [each.get("time") for each in (first, table)] == ["1.500", "0.000"]
    assert deep.find("error") is not None


def test_sarif_marks_every_property_that_is_not_settled_well(run: Proofs) -> None:
    found = sarif_of(run)
    told = [(each["ruleId"], each["properties"]["property"]) for each in found["results"]]
    assert told == [("TS0504", "agents"), ("TS0505", "deep"), ("TS0506", "mended")]
    first = found["results"][0]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "verifier/properties/agents.py"
    assert place["region"]["startLine"] == 12
    assert first["properties"]["rules"] == ["UPR-WALL-003"]
    assert first["message"]["text"].startswith("refuted: agents\nn = 4\nrule: UPR-WALL-003 (")
    assert {each["id"] for each in found["tool"]["driver"]["rules"]} <= CODES.keys()


def test_a_run_in_which_all_is_proved_has_no_finding() -> None:
    assert sarif_of(proofs((verdict("first"), named("first"))))["results"] == []


def test_json_counts_and_tells_all(run: Proofs) -> None:
    told = json.loads(proofs_json(run.verdicts, damaged=2))
    words = ("proved", "checked", "refuted", "unknown", "unsupported", "from_kept", "damaged")
    assert [told[word] for word in words] == [1, 1, 1, 1, 1, 1, 2]
    assert [each["name"] for each in told["properties"]] == [each.name for each in run.verdicts]
    assert told["properties"][0]["cases"] == [
        {
            "params": "table 3",
            "verdict": "proved",
            "paths": 2,
            "needs": "solver",
            "obligation": "table 3",
            "detail": "",
        }
    ]


def test_the_summary_counts_in_good_english(run: Proofs) -> None:
    assert summary_text(run.verdicts[:1], 0).splitlines() == [
        "1 property: 1 proved",
        "1 obligation: 1 needs a solver",
    ]
    lines = summary_text(run.verdicts, 2).splitlines()
    counts = "1 proved, 1 checked, 1 refuted, 1 unknown, 1 unsupported"
    assert lines[0] == f"5 properties: {counts}"
    assert lines[1] == "1 obligation: 1 needs a solver", "what several share counts once"
    assert lines[2].startswith("1 of them kept from earlier runs; ")
    assert lines[3] == "2 kept proofs were damaged and made anew"


def test_a_file_that_cannot_be_loaded_is_told_without_rules(run: Proofs) -> None:
    assert verdict_text(run.verdicts[-1]).splitlines() == [
        "✗ unsupported: mended (theorem, 0 cases, 2 paths, 1.50 s)",
        "    looked at: all numbers",
        "    rules: none",
        "    cannot be loaded",
    ]


def test_whatever_is_in_a_text_the_reports_can_be_read() -> None:
    bad = verdict(HOSTILE, REFUTED, bounds=HOSTILE, detail=HOSTILE, scenario=HOSTILE)
    found = proofs((bad, named(HOSTILE)))
    ElementTree.fromstring(proofs_junit(found).encode())
    assert sarif_of(found)["results"][0]["properties"]["property"] == HOSTILE
    assert json.loads(proofs_json(found.verdicts, 0))["properties"][0]["detail"] == HOSTILE


RULINGS = {
    "ruling a: tried as x, y": verifier_pb2.RulingRead(name="a", values=("x", "y")),
    "ruling a: only as x": verifier_pb2.RulingRead(name="a", values=("x",), only_as="x"),
    "ruling a: tried as x, y, in some cases only as x": verifier_pb2.RulingRead(
        name="a", values=("x", "y"), only_as="x"
    ),
}


@pytest.mark.parametrize("text", RULINGS)
def test_it_is_told_under_which_readings_a_ruling_was_tried(text: str) -> None:
    read = verdict("first", rulings=[RULINGS[text]])
    assert f"\n    {text}\n" in f"{verdict_text(read)}\n"
    (told,) = json.loads(proofs_json([read], 0))["properties"]
    assert told["rulings"][0]["only_as"] == RULINGS[text].only_as
    assert text.partition(": ")[2] in proofs_page(proofs((read, named("first"))))
