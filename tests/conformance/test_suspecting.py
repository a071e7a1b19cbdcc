"""Which rules a report gives as most likely broken."""

from __future__ import annotations

import pytest

from conformance.results import CRASHED, FAIL, PASS, SKIPPED, Divergence, Result
from conformance.suspecting import MOST, Suspect, suspects
from rules_engine.kernel.records import change

BROKEN, NEAR, OTHER = "UPR-WALL-003", "UPR-WORM-001", "UPR-UNIT-001"


def case(outcome: str, *rules: str, named: tuple[str, ...] = (), ruling: str = "") -> Result:
    """A case about some rules, and the rules that its divergence names."""
    found = Divergence("field", 1, {}, "round", 1, 2, named, ruling=ruling) if named else None
    held = rules if outcome == PASS else ()
    return Result(f"case.{outcome}", "a case", outcome, rules, divergence=found, held=held)


def test_nobody_is_suspected_if_nothing_fails() -> None:
    assert suspects([case(PASS, BROKEN), case(SKIPPED, BROKEN)]) == ()


def test_a_rule_that_holds_elsewhere_is_suspected_less() -> None:
    results = [
        case(FAIL, BROKEN, named=(NEAR, BROKEN)),
        case(FAIL, BROKEN, NEAR, named=(NEAR, BROKEN)),
        *[case(PASS, NEAR)] * 9,
        case(PASS, BROKEN),
    ]
    first, second = suspects(results)
    assert first == Suspect(BROKEN, failed=2, played=3)
    assert second == Suspect(NEAR, failed=1, played=10)


def test_what_is_named_first_is_suspected_more() -> None:
    found = suspects([case(FAIL, OTHER, NEAR, BROKEN, named=(BROKEN, NEAR, OTHER))])
    assert [each.rule for each in found] == [BROKEN, NEAR, OTHER]


def test_a_rule_is_not_suspected_if_no_case_about_it_fails() -> None:
    found = suspects([case(FAIL, BROKEN, named=(OTHER, BROKEN)), case(PASS, OTHER)])
    assert found == (Suspect(BROKEN, failed=1, played=1),)


def test_what_fails_after_the_case_says_nothing_of_what_the_case_is_about() -> None:
    beyond = case(FAIL, NEAR, named=(BROKEN, NEAR))
    assert beyond.divergence is not None
    beyond = change(beyond, divergence=change(beyond.divergence, is_beyond=True))
    assert suspects([beyond]) == ()
    (found,) = suspects([beyond, case(FAIL, BROKEN, named=(BROKEN,))])
    assert found == Suspect(BROKEN, failed=1, played=1)


@pytest.mark.parametrize("outcome", [FAIL, CRASHED])
def test_what_a_case_is_about_is_suspected_without_a_divergence(outcome: str) -> None:
    assert suspects([case(outcome, BROKEN)]) == (Suspect(BROKEN, failed=1, played=1),)


def test_what_a_reading_explains_speaks_against_no_rule() -> None:
    explained = case(FAIL, BROKEN, named=(BROKEN,), ruling="a = b")
    assert suspects([explained]) == ()


def test_only_a_few_are_told() -> None:
    named = tuple(f"UPR-UNIT-{number:03}" for number in range(1, 10))
    assert len(suspects([case(FAIL, *named, named=named)])) == MOST
