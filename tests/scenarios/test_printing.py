"""A counterexample is printed as a scenario, whatever the engine does with it."""

from __future__ import annotations

import msgspec
import pytest

from scenarios import check, print_refutation
from verifier.api import property_named, prove
from verifier.verdicts import Verdict

PROPERTY = "at_most_one_player_takes_the_first_reward"


@pytest.fixture(scope="module")
def refuted() -> Verdict:
    """A property that a change of a rule refutes."""
    return prove(PROPERTY, twin_of=property_named(PROPERTY).rules[0])


def test_it_can_be_checked_as_it_is_and_holds_on_the_true_engine(refuted: Verdict) -> None:
    text = print_refutation(refuted)
    assert f"then property {PROPERTY} holds" in text
    assert [each.good for each in check("counterexample.scenario", text)] == [True]


def test_where_the_engine_fails_that_is_told(
    refuted: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError("a defect\nof a rule")

    monkeypatch.setattr("scenarios.printing.handle", broken)
    text = print_refutation(refuted)
    assert "# the engine fails: ZeroDivisionError: a defect of a rule" in text
    assert text.endswith(f"then property {PROPERTY} holds\n")


def test_what_came_to_no_position_has_no_scenario(refuted: Verdict) -> None:
    assert refuted.case is not None
    nowhere = msgspec.structs.replace(refuted.case, position=None)
    assert print_refutation(msgspec.structs.replace(refuted, case=nowhere)) == ""
    assert print_refutation(msgspec.structs.replace(refuted, case=None)) == ""
