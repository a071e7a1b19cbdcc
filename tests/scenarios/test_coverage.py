"""A rule counts as covered only if a scenario cites it, holds, and ran what names it."""

from __future__ import annotations

import sys

import pytest

from rules_engine.rulebook.index import rule, rules
from rules_engine.rulebook.waiting import waiting
from scenarios.coverage import (
    DOES_NOT_HOLD,
    NOT_CITED,
    NOT_NAMED,
    NOT_RUN,
    Coverage,
    Observed,
    Recorder,
    RuleCoverage,
    by_chapter,
    coverage_of,
    full_coverage,
    observe,
    proofs_of,
    rules_to_cover,
)
from scenarios.naming import RuleFunction, named_rules, rule_functions
from tests.samples import NO_WORM

RULE = "UPR-WALL-003"
ALL_NAMED = frozenset(each.id for each in rules())


def seen(text: str, functions: tuple[RuleFunction, ...] = ()) -> Observed:
    (only,) = observe([("a.scenario", text)], functions)
    return only


def of_rule(id_: str, observed: list[Observed], named: frozenset[str] = ALL_NAMED) -> RuleCoverage:
    found = coverage_of("uprising", observed, named, {})
    (only,) = [each for each in found if each.rule.id == id_]
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


def test_rules_that_a_proof_settles_are_told_with_their_properties() -> None:
    report = full_coverage("uprising", [], [])
    assert len(report.provable) == 186
    assert {each.rule.check for each in report.provable} == {"proof", "both"}
    assert {each.rule.check for each in report.provable if each.only} == {"proof"}
    assert all(each.rule.id.startswith("UPR-") for each in report.provable)
    found = {each.rule.id: each for each in report.provable}
    assert found["UPR-WALL-005"].state == "property"
    names = [each.name for each in found["UPR-WALL-005"].names.properties]
    assert "a_removed_wall_never_comes_back" in names
    assert found["UPR-CHOAM-019"].state == "waiting"


def test_a_provable_rule_needs_a_property_or_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    reasons = {"UPR-WALL-005": "nothing is known of it"}
    monkeypatch.setattr("scenarios.coverage.reasons", lambda: reasons)
    found = {each.rule.id: each for each in proofs_of("uprising", {})}
    assert found["UPR-WALL-003"].state == "missing"
    assert found["UPR-WALL-005"].state == "unprovable"
    report = Coverage("uprising", (), (found["UPR-WALL-005"], found["UPR-CHOAM-019"]), ())
    assert report.complete
    assert not report._replace(provable=(found["UPR-WALL-003"],)).complete


# What covers


def test_a_scenario_that_cites_holds_and_runs_covers() -> None:
    found = of_rule(RULE, [seen(NO_WORM)])
    assert (found.state, found.lacks) == ("covered", ())
    assert [each.file for each in found.covered_by] == ["a.scenario"]


def test_a_because_clause_cites_too() -> None:
    because = NO_WORM.replace("cites UPR-WALL-003\n", "cites UPR-WORM-005\n")
    because = because.replace("a sandworm\n", "a sandworm because UPR-WALL-003\n")
    assert of_rule(RULE, [seen(because)]).state == "covered"


def test_a_planted_citation_of_a_rule_that_did_not_run_is_noticed() -> None:
    planted = seen(NO_WORM.replace("cites UPR-WALL-003", "cites UPR-WALL-003, UPR-CTRL-004"))
    assert planted.holds
    assert of_rule(RULE, [planted]).state == "covered"
    found = of_rule("UPR-CTRL-004", [planted])
    assert (found.state, found.lacks) == ("uncovered", (NOT_RUN,))


def test_a_scenario_that_does_not_hold_covers_nothing() -> None:
    broken = seen(NO_WORM.replace("cannot summon", "can summon"))
    assert not broken.holds
    assert RULE in broken.ran
    assert of_rule(RULE, [broken]).lacks == (DOES_NOT_HOLD,)


def test_a_scenario_that_cannot_be_read_covers_nothing() -> None:
    assert not seen(NO_WORM.replace("shield wall stands", "shield wall standz")).holds


def test_a_rule_that_nobody_cites_or_names_lacks_both() -> None:
    assert of_rule(RULE, []).lacks == (NOT_CITED,)
    assert of_rule(RULE, [], frozenset()).lacks == (NOT_CITED, NOT_NAMED)
    planted = seen(NO_WORM.replace("UPR-WALL-003", "UPR-CTRL-004"))
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
    ran = seen(NO_WORM, tuple(functions)).ran - seen(NO_WORM).ran
    assert ran
    assert {RULE, "UPR-CTRL-004"} <= named_rules("uprising", functions)


def test_the_check_that_every_position_gets_covers_nothing() -> None:
    """An invariant asks whether the wall keeps a sandworm out; the scenario has none."""
    text = NO_WORM.replace("cannot summon a sandworm", "has 0 spice")
    text = text.replace("given Abby has maker hooks\n  and", "given Abby has 0 spice\n  and")
    functions = rule_functions()
    asked = [each for each in functions if RULE in each.rules]
    assert asked
    planted = seen(text, tuple(functions))
    assert planted.holds
    assert of_rule(RULE, [planted]).lacks == (NOT_RUN,)


# What is left to do


def test_all_is_done_only_if_every_rule_is_covered_or_waits() -> None:
    report = full_coverage("uprising", [seen(NO_WORM)], rule_functions())
    assert not report.complete
    assert report.of_rule(RULE).complete
    assert report.of_rule("UPR-MAKER-002").complete
    assert not report.of_rule("UPR-CTRL-004").complete
    six = RuleFunction("planted.py", 1, "six", tuple(f"UPR-UNIT-00{each}" for each in range(6)))
    assert not report.of_rule(RULE)._replace(overloaded=(six,)).complete


def test_chapters_are_in_the_order_of_the_index() -> None:
    found = full_coverage("uprising", [], []).rules
    chapters = by_chapter(found)
    assert list(chapters)[:3] == ["UNIT", "WORM", "WALL"]
    assert sum(map(len, chapters.values())) == len(found)
    assert {each.rule.id.split("-")[1] for each in chapters["WALL"]} == {"WALL"}
