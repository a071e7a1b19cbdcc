"""What an implementation would gain by supporting more; the text stays within two screens."""

from __future__ import annotations

import pytest

from conformance.expectations import judged, known_failures
from conformance.results import CRASHED, FAIL, PASS, UNSUPPORTED, Result
from conformance.supporting import MOST_TOGETHER, Support, support
from tests.conformance.runs import COMBAT, SPY, WALL, divergence, report, result
from truthsayer.reports.conform_text import MOST_LINES, conform_text


def lacks(case: str, *things: str, rules: tuple[str, ...] = (WALL,)) -> Result:
    """A case for which these things are lacking."""
    return result(case, UNSUPPORTED, lacks=things, rules=rules)


def says(case: str, what: str) -> Result:
    """A case of which the adapter said that it does not support something."""
    return result(case, UNSUPPORTED, detail=what, rules=(SPY,))


def test_what_is_lacking_most_is_told_first_with_the_rules_that_are_new() -> None:
    results = [
        result("good", PASS, rules=(COMBAT,)),
        lacks("a", "begin", rules=(COMBAT, WALL)),
        lacks("b", "position", rules=(WALL,)),
        lacks("c", "position", rules=(WALL, SPY)),
        lacks("d", "begin", "position"),
        says("e", "retreat"),
        says("f", "retreat"),
        says("g", "retreat"),
    ]
    assert support(results, (COMBAT,)) == (
        Support((), "retreat", 3, (SPY,)),
        Support(("position",), "", 2, (WALL, SPY)),
        Support(("begin",), "", 1, (WALL,)),
        Support(("begin", "position"), "", 1, (WALL,)),
    )


def test_what_lacks_much_is_no_next_step() -> None:
    many = tuple(f"cards.{number}" for number in range(MOST_TOGETHER + 1))
    assert support([lacks("a", *many), lacks("b", *many[1:])], ()) == (
        Support(many[1:], "", 1, (WALL,)),
    )


def test_the_list_of_things_to_do_is_told() -> None:
    run = report(lacks("a", "spies"), says("b", "retreat"), result("good", PASS))
    text = conform_text(run, judged(run))
    assert "to be supported next:" in text
    assert "  support spies: + 1 case, + 1 rule" in text
    assert "  support what it calls `retreat`: + 1 case, + 1 rule" in text


LONG_SCENARIO = "\n".join(f"line {number}" for number in range(200))


@pytest.mark.parametrize("scenario", ["", "short\n" * 5, LONG_SCENARIO], ids=len)
@pytest.mark.parametrize("count", [1, 2, 10, 3000])
def test_the_text_stays_within_two_screens_whatever_happens(count: int, scenario: str) -> None:
    words = "\n".join(["all is lost"] * 100)
    failing = [
        result(f"f.{number}", FAIL, detail=words, divergence=divergence(scenario=scenario))
        for number in range(count)
    ]
    crashed = [result(f"c.{number}", CRASHED, detail=words) for number in range(count)]
    lacking = [lacks(f"l.{number}", f"cards.{number}") for number in range(count)]
    said = [says(f"s.{number}", f"this {number}\n" * 9) for number in range(count)]
    passing = [result(f"p.{number}") for number in range(count)]
    run = report(*failing, *crashed, *lacking, *said, *passing)
    known = [each.id for each in (*failing[: count // 2], *passing)]
    listed = known_failures("\n".join(known), "known.txt", known)
    lines = conform_text(run, judged(run, listed)).splitlines()
    assert len(lines) <= MOST_LINES
    assert any(line.startswith("✗ ") for line in lines)


def test_failures_are_whole_as_long_as_there_is_room_and_then_counted() -> None:
    few = report(*(result(f"f.{n}", FAIL) for n in range(2)))
    text = conform_text(few, judged(few))
    assert text.count("this scenario shows it") == 2
    assert "more case" not in text
    many = report(*(result(f"f.{n}", FAIL) for n in range(100)))
    text = conform_text(many, judged(many))
    whole, short = text.count("    case: "), text.count("✗ fail: f.")
    assert whole >= 1
    assert short >= 1
    assert f"… and {100 - whole - short} more cases that fail" in text


def test_a_scenario_for_which_there_is_no_room_is_in_the_other_reports() -> None:
    run = report(result("f", FAIL, divergence=divergence(scenario=LONG_SCENARIO)))
    text = conform_text(run, judged(run))
    assert "line 7" not in text
    assert "the other reports have a scenario that shows it" in text
