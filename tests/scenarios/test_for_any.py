"""`for any` is settled for all values: proved, or refuted with the smallest that break it."""

from __future__ import annotations

from scenarios import check
from scenarios.results import ScenarioResult

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


def test_a_step_that_is_refused_for_some_values_refutes() -> None:
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
    assert result.verdict == "refuted"
    assert "n = 3" in result.problems[0].help
    (result,) = check("test.scenario", text.replace("to 3", "to 2"))
    assert result.verdict == "proved"
