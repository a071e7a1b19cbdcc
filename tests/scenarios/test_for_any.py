"""`for any` is settled for all values: proved, or refuted with the smallest that break it."""

from __future__ import annotations

import functools

import pytest

from rules_engine.imperium import combat
from rules_engine.kernel.numbers import Quantity
from scenarios import check, for_any
from scenarios.results import ScenarioResult
from verifier.explorer import Budget
from verifier.verdicts import settle

TEMPLATE = """\
scenario "Strength decides"
cites UPR-COMBAT-011
game uprising with John, Abby, Ned
for any s, t from 0
where {where}
given strength of John is s, Abby is t, Ned is 0
when combat resolves
then {claim}
"""


def settled(where: str, claim: str) -> ScenarioResult:
    (result,) = check("test.scenario", TEMPLATE.format(where=where, claim=claim))
    return result


def test_a_true_claim_is_proved() -> None:
    result = settled("s > t", "John wins the conflict")
    assert result.verdict == "proved"
    assert "s from 0" in result.detail


def test_a_claim_that_is_false_only_above_a_million_is_refuted_with_that_value() -> None:
    result = settled("t = 1000000", "Abby wins the conflict")
    assert result.verdict == "refuted"
    assert "s = 1000000" in result.problems[0].help


def test_nothing_is_proved_of_contradictory_assumptions() -> None:
    result = settled("s > t and t > s", "Abby wins the conflict")
    assert result.verdict == "error"
    assert [(each.code, each.line) for each in result.problems] == [("TS0125", 5)]


def test_a_refutation_is_shown_at_the_line_that_does_not_hold() -> None:
    result = settled("s > t", "Abby wins the conflict")
    assert [(each.code, each.line) for each in result.problems] == [("TS0120", 8)]


def test_depends_on_a_ruling_is_checked_for_all_values_too() -> None:
    text = TEMPLATE.format(where="s > t", claim="John wins the conflict")
    (result,) = check(
        "test.scenario",
        'scenario "Strength decides"\n'
        "depends on ruling alliance_loss_tie\n" + text.split("\n", 1)[1],
    )
    assert [each.code for each in result.problems] == ["TS0122"]
    assert result.verdict == "failed"


def test_a_step_that_is_refused_for_some_values_is_an_error_with_the_smallest() -> None:
    text = """\
scenario "Deploying"
cites UPR-UNIT-013
game uprising with John, Abby, Ned
for any n from 1 to 3
given John has hand "Dune, the Desert Planet"
when John plays "Dune, the Desert Planet" to Imperial Basin
when John deploys n troops
then John has n troops in conflict
"""
    (result,) = check("test.scenario", text)
    assert (result.verdict, result.problems[0].code) == ("error", "TS0112")
    assert "n = 3" in result.problems[0].message
    (result,) = check("test.scenario", text.replace("to 3", "to 2"))
    assert result.verdict == "proved"


def test_values_without_a_position_are_an_error_with_the_smallest() -> None:
    text = """\
scenario "Troops"
cites UPR-UNIT-005
game uprising with John, Abby, Ned
for any n from 0 to 20
given John has n troops in garrison
  and it is the turn of John
then John has 12 - n troops in supply
"""
    (result,) = check("test.scenario", text)
    assert result.verdict == "error"
    assert [(each.code, each.line) for each in result.problems] == [("TS0110", 5)]
    assert "n = 13" in result.problems[0].message
    (result,) = check("test.scenario", text.replace("to 20", "to 12"))
    assert result.verdict == "proved"


def test_what_a_proof_cannot_follow_is_unsupported_with_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def counts(strengths: tuple[Quantity, ...], own: int, _: int) -> str:
        return "first" if len(range(strengths[own])) else "none"

    monkeypatch.setattr(combat, "reward_of", counts)
    result = settled("s > t", "John wins the conflict")
    assert result.verdict == "unsupported"
    assert [each.code for each in result.problems] == ["TS0123"]
    assert "test_for_any.py" in result.detail


def test_what_takes_too_much_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = functools.partial(settle, budget=Budget(paths=1))
    monkeypatch.setattr(for_any, "settle", hasty)
    result = settled("s > t", "John wins the conflict")
    assert result.verdict == "unknown"
    assert [each.code for each in result.problems] == ["TS0123"]


def test_no_numbers_at_all_are_a_mistake() -> None:
    text = TEMPLATE.format(where="s > t", claim="John wins the conflict")
    (result,) = check("test.scenario", text.replace("from 0", "from 5 to 3"))
    assert [(each.code, each.line, each.column) for each in result.problems] == [("TS0125", 4, 24)]
