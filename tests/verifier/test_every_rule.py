"""Every rule that a proof can settle has a property, or a declared reason why it has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import Rule, rules
from rules_engine.rulebook.waiting import waiting
from verifier import unprovable
from verifier.api import properties
from verifier.registry import CLAIM, DATA_CHECK, ORDER

PROVABLE = {
    rule.id: rule
    for rule in rules()
    if rule.id.startswith("UPR-") and rule.check in ("proof", "both")
}
SETTLED = {rule for each in properties() for rule in each.rules}
WAITING = waiting("uprising")


def wrongly_declared(reasons: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a list of rules that are declared unprovable."""
    if len(reasons) > unprovable.MOST:
        yield f"more than {unprovable.MOST} rules"
    for rule, why in reasons.items():
        if rule not in PROVABLE:
            yield f"{rule}: no proof could settle it anyway"
        if rule in SETTLED:
            yield f"{rule}: it has a property"
        if len(why.split()) < 3:
            yield f"{rule}: no reason"


def test_there_are_186_rules_to_prove_and_one_of_them_waits() -> None:
    assert len(PROVABLE) == 186
    assert PROVABLE.keys() & WAITING.keys() == {"UPR-CHOAM-019"}


@pytest.mark.parametrize("rule", PROVABLE.values(), ids=list(PROVABLE))
def test_it_has_a_property_or_a_reason(rule: Rule) -> None:
    known = SETTLED | unprovable.reasons().keys() | WAITING.keys()
    assert rule.id in known, f"no property settles it: {rule.statement}"


def test_every_property_is_of_a_kind_that_the_reports_know() -> None:
    assert {each.kind for each in properties()} <= {CLAIM, DATA_CHECK, ORDER}


def test_only_what_has_no_property_is_declared_with_a_reason() -> None:
    assert list(wrongly_declared(unprovable.reasons())) == []


def test_a_wrong_declaration_is_noticed() -> None:
    settled = next(rule for rule in PROVABLE if rule in SETTLED)
    scenario_only = next(rule.id for rule in rules() if rule.check == "scenario")
    because = "it says nothing about positions"
    assert list(wrongly_declared({settled: because})) == [f"{settled}: it has a property"]
    found = list(wrongly_declared({scenario_only: because}))
    assert f"{scenario_only}: no proof could settle it anyway" in found
    assert list(wrongly_declared({"UPR-CHOAM-019": ""})) == ["UPR-CHOAM-019: no reason"]
    many = dict.fromkeys(list(PROVABLE)[: unprovable.MOST + 1], because)
    assert f"more than {unprovable.MOST} rules" in list(wrongly_declared(many))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [('UPR-WALL-03 = "a misspelt id"', "UPR-WALL-03"), ("UPR-WALL-003 = 1", "Expected `str`")],
)
def test_a_mistake_in_the_file_is_an_error(text: str, wrong: str) -> None:
    with pytest.raises((TruthsayerError, ValueError), match=wrong):
        unprovable.read(text.encode())
