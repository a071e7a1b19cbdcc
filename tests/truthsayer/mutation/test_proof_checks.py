"""A proof notices a mutant by a failure or a crash that plain numbers show, and by nothing else."""

from __future__ import annotations

import pytest

from rules_engine.imperium import combat
from truthsayer.mutation import in_process
from truthsayer.mutation.checks import CRASHES, FAILS
from truthsayer.mutation.mutants import RULES, all_mutants
from truthsayer.mutation.proof_checks import how_refuted, proof_checks
from verifier.current import assume, claim, quantity
from verifier.numbers import forget


@pytest.fixture(autouse=True)
def _terms() -> object:
    yield
    forget()


def test_a_claim_that_holds_notices_nothing() -> None:
    assert how_refuted(lambda: claim(quantity("a") + 1 > quantity("a"), "it grows")) == ""


def test_a_claim_that_fails_notices() -> None:
    assert how_refuted(lambda: claim(quantity("a") > 0, "there is one")) == FAILS


def test_a_claim_that_fails_for_few_values_notices() -> None:
    assert how_refuted(lambda: claim(quantity("a") != 1234, "it is another")) == FAILS


def test_a_claim_outside_its_assumptions_notices_nothing() -> None:
    def function() -> None:
        assume(quantity("a") > 0)
        claim(quantity("a") != 0, "there is one")

    assert how_refuted(function) == ""


def test_a_crash_notices() -> None:
    def function() -> None:
        if quantity("a") == 7:
            raise ZeroDivisionError

    assert how_refuted(function) == CRASHES


def test_a_construct_that_cannot_be_followed_notices_nothing() -> None:
    settle = next(iter(proof_checks())).run
    settle.function = lambda: claim(hash(quantity("a")) == 1, "hashed")  # type: ignore[attr-defined]
    assert settle() == ""


def test_a_wrong_ranking_is_noticed_by_a_property_that_holds_before() -> None:
    name = "combat_ranks_as_the_specification_says"
    check = next(each for each in proof_checks() if each.name.startswith(name))
    assert check.run() == ""
    mutant = next(
        each
        for each in all_mutants([RULES / "combat.py"])
        if each.function == "combat._above" and each.what == "`>=` for `>`"
    )
    code = combat._above.__code__
    try:
        in_process.change_function(mutant)
        assert check.run() == FAILS
    finally:
        combat._above.__code__ = code
    assert check.run() == ""
