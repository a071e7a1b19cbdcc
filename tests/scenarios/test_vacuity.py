"""Every `then` line is falsified, and a line that holds all the same is found."""

from __future__ import annotations

from typing import Any

import pytest

from scenarios import check_files
from scenarios.imperium import observing
from scenarios.imperium.falsifying import EMPTY_DECKS, FALSIFY
from scenarios.imperium.observing import LOOKS
from scenarios.imperium.seen.look import Seen
from scenarios.results import ScenarioResult
from tests.scenarios.test_outcomes import CASES

CLAIMS = {"has", "gains", "loses", "keeps", "can", "cannot", "property"}
"""Claims of the frame of the language."""


def checked(text: str) -> ScenarioResult:
    (result,) = check_files([("test.scenario", text)], vacuity=True)
    return result


def test_every_kind_of_claim_is_falsified() -> None:
    assert {*FALSIFY, *EMPTY_DECKS} == {*LOOKS, *CLAIMS}


EACH = [(kind, f"{story}then {so}\n") for kind, story, so, _ in CASES]
each_outcome = pytest.mark.parametrize(("kind", "text"), EACH, ids=[kind for kind, _ in EACH])


@each_outcome
def test_an_outcome_that_holds_is_no_longer_so_when_it_is_turned_round(
    kind: str, text: str
) -> None:
    found = checked(text)
    assert (found.verdict, found.lines_tried) == ("passed", 1), (kind, found.problems)


@each_outcome
def test_an_outcome_that_would_hold_always_is_found(
    kind: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = observing.look

    def always(*arguments: Any) -> Seen:
        return plain(*arguments)._replace(holds=True)

    monkeypatch.setattr(observing, "look", always)
    found = checked(text)
    assert {each.code for each in found.problems} == {"TS0133"}, kind
    assert found.verdict == "error"


ALL_VALUES = """\
scenario "All values"
cites UPR-UNIT-005
game uprising with John, Abby, Ned
for any n from 0 to 8
given John has n troops in garrison
  and it is the turn of John
then John has 12 - n troops in supply
 and John has n troops in garrison
"""


def test_claims_for_all_values_are_falsified_by_proof() -> None:
    found = checked(ALL_VALUES)
    assert (found.verdict, found.lines_tried) == ("proved", 2)


def test_a_claim_that_would_hold_always_for_all_values_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = observing.look
    monkeypatch.setattr(observing, "look", lambda *given: plain(*given)._replace(holds=True))
    assert [each.code for each in checked(ALL_VALUES).problems] == ["TS0133", "TS0133"]


def test_a_scenario_that_does_not_hold_is_not_turned_round() -> None:
    found = checked(ALL_VALUES.replace("12 - n", "11 - n"))
    assert (found.verdict, found.lines_tried) == ("refuted", 0)


def test_every_row_of_a_table_is_turned_round() -> None:
    text = ALL_VALUES.replace("for any n from 0 to 8\n", "").replace(" n troops", " <n> troops")
    text = (
        text.replace("12 - n", "<left>") + "examples\n  | n | left |\n  | 2 | 10 |\n  | 5 | 7 |\n"
    )
    found = checked(text)
    assert (found.verdict, found.lines_tried) == ("passed", 4)
