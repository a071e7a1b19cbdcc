"""The reports of a conformance run say all that failed, whatever the texts are."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from conformance.expectations import Known, Verdict, compared, judged
from conformance.plain import TOO_DEEP
from conformance.report import Followed, Report
from conformance.results import FAIL, NOTHING, PASS, SKIPPED, UNSUPPORTED
from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.records import change
from tests.conformance.runs import (
    COMBAT,
    HOSTILE,
    LONG,
    SPY,
    UNSEEN,
    WALL,
    by_ruling,
    divergence,
    hostile,
    one_of_each,
    report,
    result,
)
from tests.truthsayer.sarif_schema import SARIF
from truthsayer.codes import CODES
from truthsayer.reports.conform import chapter_of, first_line, percent
from truthsayer.reports.conform_badge import BAD, FAIR, GOOD, GREY, conform_badge
from truthsayer.reports.conform_diff_text import conform_diff_text
from truthsayer.reports.conform_json import SCHEMA, conform_json, read_report
from truthsayer.reports.conform_junit import conform_junit
from truthsayer.reports.conform_page import conform_page
from truthsayer.reports.conform_sarif import conform_sarif
from truthsayer.reports.conform_text import conform_text

RULE = "UPR-COMBAT-001: Intrigue first, then resolution (Uprising rulebook, Combat Intrigue Cards)"
KNOWN = Known("good", "", Place("known.txt", 4, 3))


@pytest.fixture
def run() -> Report:
    """A run in which a case ends in every way."""
    return report(*one_of_each(), followed=(Followed("ties", "shared", 1),))


def sarif_of(found: Report, verdict: Verdict) -> Any:
    """The run of the report, once it is known to be SARIF."""
    written = json.loads(conform_sarif(found, verdict, "1.2.3"))
    jsonschema.Draft202012Validator(SARIF).validate(written)
    (only,) = written["runs"]
    return only


def cases_of(text: str) -> dict[str | None, ElementTree.Element]:
    """The test cases of a JUnit report."""
    top = ElementTree.fromstring(text.encode())
    return {case.get("name"): case for case in top.iter("testcase")}


# The terminal


def test_the_first_line_says_who_and_how_much_was_reached(run: Report) -> None:
    assert conform_text(run, judged(run)).splitlines()[:2] == [
        "sand 1.2: 2 of 3 rules reached (66 %), 0 hold; 1 not without position",
        "6 cases: 1 pass, 2 fail, 1 crashed, 1 timed out, 1 unsupported",
    ]


def test_what_could_not_be_reached_is_told_by_its_cause() -> None:
    lacking = result("a", UNSUPPORTED, rules=(WALL, COMBAT), lacks=("views", "position"))
    reachable = result("b", UNSUPPORTED, rules=(COMBAT,), lacks=("undo",))
    some = report(lacking, reachable, result("c"), result("d", SKIPPED, rules=(SPY,)))
    assert first_line(some) == (
        "sand 1.2: 1 of 3 rules reached (33 %), 1 hold; 1 not without position, views; "
        "1 compared in no case"
    )
    whole = report(result("c", rules=(COMBAT, WALL, SPY)))
    assert first_line(whole) == "sand 1.2: 3 of 3 rules reached (100 %), 3 hold"
    assert first_line(report(rules=())) == "sand 1.2: 0 of 0 rules reached (0 %), 0 hold"


def test_a_failure_has_everything_to_act_on(run: Report) -> None:
    (told,) = [each for each in conform_text(run, judged(run)).split("\n✗ ") if "case: bad" in each]
    assert told.splitlines()[:10] == [
        "fail: Title of bad",
        "    case: bad (uprising/combat.scenario:7)",
        "    after input 2, field `players.0.water`:",
        '      input:    Abby passes  {"do": {"action": "pass", "by": 0}}',
        "      expected: 3",
        "      got:      2",
        f"    rule: {RULE}",
        "    also: UPR-WALL-003",
        "    this scenario shows it:",
        "",
    ]
    assert 'scenario "Abby has 3 water"' in told


def test_the_rules_that_are_most_likely_broken_are_told_first(run: Report) -> None:
    head, suspected = conform_text(run, judged(run)).split("\n\n")[:2]
    assert len(head.splitlines()) == 2
    title, *lines = suspected.splitlines()
    assert title == "most likely broken:"
    assert [line.strip().partition(": ")[0] for line in lines] == [e.rule for e in run.suspects]
    assert re.search(r": \d of \d cases? about it fails?$", lines[0])
    assert title in conform_page(run, judged(run))


def test_one_failure_speaks_for_itself(run: Report) -> None:
    one = change(run, results=tuple(each for each in run.results if each.id in ("good", "bad")))
    assert len(one.failures) == 1
    assert "most likely" not in conform_text(one, judged(one))


def test_a_crash_is_told_with_what_is_known(run: Report) -> None:
    text = conform_text(run, judged(run))
    assert "✗ crashed: Title of dead\n    case: dead\n    it ended with code 3\n" in text
    assert "✗ timed out: Title of slow\n    case: slow\n    no answer in 5 s\n" in text


def test_what_a_ruling_explains_is_no_failure(run: Report) -> None:
    text = conform_text(run, judged(run))
    assert text.endswith("rulings:\n  follows ties = shared (explains 1 case)")
    assert "Title of other" not in text


def test_what_is_expected_is_told_in_a_line(run: Report) -> None:
    known = [Known("bad", "our ties", Place("known.txt", 1)), KNOWN]
    text = conform_text(run, judged(run, known))
    assert "fail as expected:\n  bad: our ties\n" in text
    assert "to be taken off their list:\n  known.txt:4:3: good\n" in text
    assert "Title of bad" not in text


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("accepted", "at the start, whether it is allowed:"),
        ("chance", "at the start, what chance brought:"),
        ("view of seat 1", "at the start, view of seat 1 `players.0.hand`:"),
    ],
)
def test_whatever_was_compared_is_named(kind: str, said: str) -> None:
    path = "players.0.hand" if kind.startswith("view") else ""
    found = report(result("a", FAIL, divergence=divergence(kind=kind, move=0, given={}, path=path)))
    assert said in conform_text(found, judged(found))


def test_a_share_is_never_rounded_up() -> None:
    assert [percent(*each) for each in ((999, 1000), (0, 3), (3, 3), (0, 0))] == [
        "99 %", "0 %", "100 %", "0 %",
    ]  # fmt: skip


def test_a_chapter_is_named_as_the_library_names_it() -> None:
    named = [chapter_of(each) for each in ("UPR-AGENT-001", "UPR-MODE-1", "<b>", "")]
    assert named == ["agent turn", "mode", "no rule", "no rule"]


# JSON


def test_json_is_the_whole_report(run: Report) -> None:
    text = conform_json(run)
    assert read_report(text.encode(), "old.json") == run
    told = json.loads(text)
    assert told["schema"] == SCHEMA
    assert told["summary"] == {
        "cases": 6,
        "played": 5,
        "holding": 2,
        "rules": 3,
        "rules_reached": 2,
        "rules_held": 0,
        "outcomes": {"pass": 1, "fail": 2, "crashed": 1, "timed out": 1, "unsupported": 1},
        "support": [{"lacks": ["position"], "said": "", "cases": 1, "rules": [WALL]}],
        "most_likely_broken": [each.rule for each in run.suspects],
    }


@pytest.mark.parametrize("text", [HOSTILE, "\x00\x1b\u202e\ufffe\r\n", LONG])
def test_json_keeps_every_text(text: str) -> None:
    found = hostile(text)
    assert read_report(conform_json(found).encode(), "old.json") == found


def test_json_leaves_out_what_is_nested_absurdly_deep() -> None:
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    found = report(result("a", FAIL, divergence=divergence(got=deep)))
    (kept,) = read_report(conform_json(found).encode(), "old.json").results
    assert kept.divergence is not None
    assert kept.divergence.got == TOO_DEEP


def damaged(**fields: Any) -> bytes:
    """A good report with something changed."""
    return json.dumps({**json.loads(conform_json(report(result("a")))), **fields}).encode()


TWICE = json.loads(conform_json(report(result("a"), result("a"))))["report"]
ENDS_ODDLY = json.loads(conform_json(report(result("a", "fine"))))["report"]
PASSES_ODDLY = json.loads(conform_json(report(result("a", PASS, divergence=divergence()))))
NAMELESS = {**TWICE, "results": [{"outcome": "pass"}]}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "truncated"),
        (b"\xff\xfe", ""),
        (b"null", "Expected `object`"),
        (b"{}", "`schema`"),
        (b'{"deep": ' + b"[" * 100_000, "recursion"),
        (conform_json(report(result("a"))).encode()[:-20], "truncated"),
        (damaged(schema=2), "version 2"),
        (damaged(schema="1"), "Expected `int`"),
        (damaged(report={}), "`adapter`"),
        (damaged(report=TWICE), "`a` twice"),
        (damaged(report=ENDS_ODDLY), "no case ends with `fine`"),
        (damaged(report=PASSES_ODDLY["report"]), "does not fail"),
        (damaged(report=NAMELESS), "`id`"),
    ],
)
def test_what_is_no_report_is_an_error_for_people(data: bytes, why: str) -> None:
    with pytest.raises(TruthsayerError) as found:
        read_report(data, "old.json")
    assert (found.value.code, str(found.value.place)) == ("TS0924", "old.json:1:1")
    assert why in found.value.message
    assert found.value.help


# JUnit


def test_junit_has_a_suite_for_each_chapter_and_all_its_numbers(run: Report) -> None:
    top = ElementTree.fromstring(conform_junit(run, judged(run)).encode())
    assert top.get("name") == "truthsayer conform: sand 1.2"
    numbers = {
        suite.get("name"): [suite.get(each) for each in ("tests", "failures", "errors", "skipped")]
        for suite in top
    }
    assert numbers == {
        "combat": ["3", "1", "0", "1"],
        "spies": ["1", "0", "1", "0"],
        "no rule": ["1", "0", "1", "0"],
        "shield wall": ["1", "0", "0", "1"],
    }


def test_junit_tells_a_failure_and_why_others_were_skipped(run: Report) -> None:
    cases = cases_of(conform_junit(run, judged(run)))
    failure = cases["bad"].find("failure")
    assert failure is not None
    assert failure.get("message") == "after input 2, field `players.0.water`: expected 3, got 2"
    assert f"rule: {RULE}" in (failure.text or "")
    assert [cases["bad"].get(each) for each in ("file", "line", "time")] == [
        "uprising/combat.scenario", "7", "0.250",
    ]  # fmt: skip
    error = cases["dead"].find("error")
    assert error is not None
    assert (error.get("type"), error.get("message")) == ("crashed", "it ended with code 3")
    said = {name: case.find("skipped") for name, case in cases.items()}
    assert {name: each.get("message") for name, each in said.items() if each is not None} == {
        "deaf": "unsupported: it needs position",
        "other": "follows ties = shared",
    }
    assert [each.tag for each in cases["good"]] == ["properties"]


def test_junit_is_red_where_the_verdict_is(run: Report) -> None:
    known = [Known(each, "why", Place("known.txt", 1)) for each in ("bad", "dead", "slow")]
    expected = conform_junit(run, judged(run, known))
    assert "<failure" not in expected
    assert "<error" not in expected
    assert 'message="fails as expected: why"' in expected
    passing = cases_of(conform_junit(run, judged(run, [*known, KNOWN])))
    assert [name for name, case in passing.items() if case.find("failure") is not None] == ["good"]


# SARIF


def test_sarif_marks_every_unexpected_failure(run: Report) -> None:
    found = sarif_of(run, judged(run, [KNOWN]))
    told = [(each["ruleId"], each["properties"]["case"]) for each in found["results"]]
    assert told == [
        ("TS0931", "bad"),
        ("TS0932", "dead"),
        ("TS0933", "slow"),
        ("TS0934", "good"),
    ]
    first, *_, last = (each["locations"][0]["physicalLocation"] for each in found["results"])
    assert first["artifactLocation"]["uri"] == "uprising/combat.scenario"
    assert first["region"] == {"startLine": 7, "startColumn": 1}
    assert last["artifactLocation"]["uri"] == "known.txt"
    assert last["region"] == {"startLine": 4, "startColumn": 3}
    assert found["results"][0]["properties"]["rules"] == [COMBAT, WALL]
    assert "got:      2" in found["results"][0]["message"]["text"]
    assert {each["id"] for each in found["tool"]["driver"]["rules"]} <= CODES.keys()


def test_sarif_of_what_is_expected_is_empty(run: Report) -> None:
    assert sarif_of(run, judged(run, baseline=run))["results"] == []


# The badge


@pytest.mark.parametrize(
    ("good", "bad", "value", "colour"),
    [(10, 0, "100 %", GOOD), (999, 1, "99 %", FAIR), (1, 2, "33 %", BAD), (0, 0, "no cases", GREY)],
)
def test_the_badge_shows_the_share_that_holds(good: int, bad: int, value: str, colour: str) -> None:
    results = [result(f"g{each}") for each in range(good)]
    results += [result(f"b{each}", FAIL) for each in range(bad)]
    top = ElementTree.fromstring(conform_badge(report(*results, result("u", UNSUPPORTED))))
    texts = [each.text for each in top if each.tag.endswith("text")]
    assert texts == ["conformance", value]
    assert [each.get("fill") for each in top if each.tag.endswith("rect")][1] == colour
    assert top.get("aria-label") == f"conformance: {value}"


@pytest.mark.parametrize(("good", "value"), [(0, "nothing compared"), (2, "100 %")])
def test_the_badge_is_grey_where_mostly_nothing_was_compared(good: int, value: str) -> None:
    results = [result(f"g{each}") for each in range(good)]
    results += [result(f"n{each}", NOTHING, detail="it shows nothing") for each in range(3)]
    badge = conform_badge(report(*results))
    assert GREY in badge
    assert f"conformance: {value}" in badge
    assert "in 3 cases nothing" in badge


def test_nothing_compared_is_counted_apart_and_no_pass() -> None:
    run = report(result("a"), result("n", NOTHING, detail="it shows nothing", rules=(WALL,)))
    text = conform_text(run, judged(run))
    assert text.splitlines()[:2] == [
        "sand 1.2: 1 of 3 rules reached (33 %), 1 hold; 2 compared in no case",
        "2 cases: 1 pass, 1 nothing compared",
    ]
    junit = conform_junit(run, judged(run))
    assert 'message="nothing compared: it shows nothing"' in junit
    assert json.loads(conform_json(run))["summary"]["outcomes"] == {"pass": 1, NOTHING: 1}
    alone = report(result("n", NOTHING))
    assert judged(alone).why == "no case was played"
    assert not compared(alone, report(result("n"))).newly_failing


def test_rules_are_counted_alike_everywhere() -> None:
    run = report(result("a"), result("b", FAIL, rules=(WALL,)), result("c", PASS, rules=(SPY,)))
    assert (len(run.rules), run.reached, run.held) == (3, (COMBAT, SPY), (SPY,))
    summary = json.loads(conform_json(run))["summary"]
    assert (summary["rules"], summary["rules_reached"], summary["rules_held"]) == (3, 2, 1)
    page = conform_page(run, judged(run))
    total = re.search(r"<tfoot>(.*?)</tfoot>", page, re.DOTALL)
    assert total is not None
    assert re.findall(r"<td[^>]*>(\d+)</td>", total[1]) == ["3", "1", "1", "1", "1"]


def test_a_case_that_follows_a_ruling_holds_in_the_badge() -> None:
    assert "100 %" in conform_badge(report(result("a"), by_ruling("b")))


# Two reports


def test_the_difference_of_two_reports_is_told() -> None:
    old = report(result("a"), result("b", FAIL), followed=(Followed("ties", "shared", 2),))
    new = report(result("a", FAIL), by_ruling("b"), result("c"))
    assert conform_diff_text(old, new, compared(old, new)).splitlines() == [
        "sand 1.2 → sand 1.2",
        "1 newly failing, 1 newly passing, 0 still failing, 0 no longer played, 1 new, 0 gone",
        "",
        "newly failing: 1 case",
        "  a: pass → fail",
        f"    rule: {RULE}",
        "",
        "newly passing: 1 case",
        "  b: fail → follows ties = shared",
        "",
        "new: 1 case",
        "  c: not there → pass",
        "",
        "rulings:",
        "  ties: shared → not followed",
    ]


# Hostile texts


@pytest.mark.parametrize("text", [HOSTILE, UNSEEN, LONG], ids=["hostile", "unseen", "long"])
def test_whatever_is_in_a_text_the_reports_can_be_read(text: str) -> None:
    found = hostile(text)
    known = [Known(text, text, Place(text, 1))]
    for verdict in (judged(found), judged(found, known)):
        shown = conform_text(found, verdict)
        assert all(each.isprintable() for each in shown.split("\n"))
        shown.encode()
        ElementTree.fromstring(conform_junit(found, verdict).encode())
        sarif_of(found, verdict)
        assert len(shown) < 100_000
    ElementTree.fromstring(conform_badge(found).encode())
    assert conform_diff_text(found, found, compared(found, found)).replace("\n", "").isprintable()
