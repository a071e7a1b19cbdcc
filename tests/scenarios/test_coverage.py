"""A rule counts as covered only if a scenario cites it, holds, and ran what names it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rules_engine.rulebook.index import rule, rules
from rules_engine.rulebook.waiting import waiting
from scenarios.coverage import (
    DOES_NOT_HOLD,
    NOT_CITED,
    NOT_NAMED,
    NOT_RUN,
    Observed,
    Recorder,
    RuleCoverage,
    RuleFunction,
    coverage_of,
    named_rules,
    observe,
    overloaded,
    rule_functions,
    rules_in,
    rules_to_cover,
)

SHOWS = """\
scenario "No worm at the wall"
cites UPR-WALL-003

game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"

given Abby has maker hooks
  and the shield wall stands

then Abby cannot summon a sandworm
"""
RULE = "UPR-WALL-003"
ALL_NAMED = frozenset(each.id for each in rules())


def seen(text: str, functions: tuple[RuleFunction, ...] = ()) -> Observed:
    (only,) = observe([("a.scenario", text)], functions)
    return only


def of_rule(id_: str, observed: list[Observed], named: frozenset[str] = ALL_NAMED) -> RuleCoverage:
    (only,) = [each for each in coverage_of("uprising", observed, named) if each.rule.id == id_]
    return only


# What is counted


def test_there_are_251_rules_for_scenarios_and_12_of_them_wait() -> None:
    to_cover = {each.id for each in rules_to_cover("uprising")}
    assert len(to_cover) == 251
    assert set(waiting("uprising")) <= to_cover
    assert len(waiting("uprising")) == 12


def test_a_rule_that_only_a_proof_settles_is_not_counted() -> None:
    assert rule("UPR-UNIT-003").check == "proof"
    assert rule("UPR-UNIT-003") not in rules_to_cover("uprising")


def test_a_rule_that_waits_says_for_what() -> None:
    found = of_rule("UPR-MAKER-002", [])
    assert found.state == "waiting"
    assert found.waits is not None
    assert found.waits.needs == "the six-player game"


# What covers


def test_a_scenario_that_cites_holds_and_runs_covers() -> None:
    found = of_rule(RULE, [seen(SHOWS)])
    assert (found.state, found.lacks) == ("covered", ())
    assert [each.file for each in found.covered_by] == ["a.scenario"]


def test_a_because_clause_cites_too() -> None:
    because = SHOWS.replace("cites UPR-WALL-003\n", "cites UPR-WORM-005\n")
    because = because.replace("a sandworm\n", "a sandworm because UPR-WALL-003\n")
    assert of_rule(RULE, [seen(because)]).state == "covered"


def test_a_planted_citation_of_a_rule_that_did_not_run_is_noticed() -> None:
    planted = seen(SHOWS.replace("cites UPR-WALL-003", "cites UPR-WALL-003, UPR-CTRL-004"))
    assert planted.holds
    assert of_rule(RULE, [planted]).state == "covered"
    found = of_rule("UPR-CTRL-004", [planted])
    assert (found.state, found.lacks) == ("uncovered", (NOT_RUN,))


def test_a_scenario_that_does_not_hold_covers_nothing() -> None:
    broken = seen(SHOWS.replace("cannot summon", "can summon"))
    assert not broken.holds
    assert RULE in broken.ran
    assert of_rule(RULE, [broken]).lacks == (DOES_NOT_HOLD,)


def test_a_scenario_that_cannot_be_read_covers_nothing() -> None:
    assert not seen(SHOWS.replace("shield wall stands", "shield wall standz")).holds


def test_a_rule_that_nobody_cites_or_names_lacks_both() -> None:
    assert of_rule(RULE, []).lacks == (NOT_CITED,)
    assert of_rule(RULE, [], frozenset()).lacks == (NOT_CITED, NOT_NAMED)
    planted = seen(SHOWS.replace("UPR-WALL-003", "UPR-CTRL-004"))
    assert of_rule("UPR-CTRL-004", [planted], frozenset()).lacks == (NOT_NAMED,)


def test_a_function_that_runs_counts_for_the_rules_in_its_docstring() -> None:
    place = observe.__code__
    planted = RuleFunction(place.co_filename, place.co_firstlineno, "observe", ("UPR-CTRL-004",))
    here = {(planted.file, planted.line): planted}
    recorder = Recorder()
    recorder.during(lambda: list(observe([], ())))
    assert recorder.rules(here) == {"UPR-CTRL-004"}
    recorder.during(lambda: None)
    assert recorder.rules(here) == frozenset()


def test_recording_ends_with_the_work_even_if_it_fails() -> None:
    before = sys.getprofile()
    with pytest.raises(ZeroDivisionError):
        Recorder().during(lambda: 1 / 0)
    assert sys.getprofile() is before


def test_functions_of_the_engine_are_found_where_python_says_they_are() -> None:
    functions = rule_functions()
    ran = seen(SHOWS, tuple(functions)).ran - seen(SHOWS).ran
    assert ran
    assert {RULE, "UPR-CTRL-004"} <= named_rules("uprising", functions)


def test_the_check_that_every_position_gets_covers_nothing() -> None:
    """An invariant asks whether the wall keeps a sandworm out; the scenario has none."""
    text = SHOWS.replace("cannot summon a sandworm", "has 0 spice")
    text = text.replace("given Abby has maker hooks\n  and", "given Abby has 0 spice\n  and")
    functions = rule_functions()
    asked = [each for each in functions if RULE in each.rules]
    assert asked
    planted = seen(text, tuple(functions))
    assert planted.holds
    assert of_rule(RULE, [planted]).lacks == (NOT_RUN,)


# What names rules


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Nothing is named.", ()),
        ("One. UPR-X-001", ("UPR-X-001",)),
        ("UPR-X-001, UPR-Y2-007", ("UPR-X-001", "UPR-Y2-007")),
        ("UPR-X-009 to UPR-X-011", ("UPR-X-009", "UPR-X-010", "UPR-X-011")),
        ("UPR-X-001 to -003, -007, UPR-Y-001", tuple(
            f"UPR-{each}" for each in ("X-001", "X-002", "X-003", "X-007", "Y-001")
        )),
        ("UPR-X-001, -004\n    to -005", ("UPR-X-001", "UPR-X-004", "UPR-X-005")),
        ("UPR-X-001 to UPR-X-002, UPR-X-002", ("UPR-X-001", "UPR-X-002")),
        ("from -100 to -200", ()),
    ],
)  # fmt: skip
def test_ids_and_ranges_are_read(text: str, named: tuple[str, ...]) -> None:
    assert rules_in(text) == named


def test_a_planted_function_with_six_rules_is_found(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(
        'def five():\n    """Fine. UPR-X-001 to UPR-X-005"""\n\n\n'
        '@cache\ndef six():\n    """Too many. UPR-X-001 to UPR-X-005, UPR-Y-001"""\n\n\n'
        'def none():\n    """UPR is no id."""\n',
        encoding="utf-8",
    )
    functions = rule_functions(tmp_path)
    assert [(each.name, each.line, len(each.rules)) for each in functions] == [
        ("five", 1, 5),
        ("six", 5, 6),
    ]
    assert [each.name for each in overloaded(functions)] == ["six"]
