"""The explorer takes every feasible path once, and its certificate trusts none of its answers."""

from collections.abc import Callable
from typing import Any

import pytest
import z3

from rules_engine.kernel.errors import TruthsayerError
from verifier.current import Unsupported, assume, choose, claim, domain, quantity
from verifier.explorer import Budget, Explorer, Stopped, explore
from verifier.numbers import all_of, any_of, forget
from verifier.verdicts import PROVED, REFUTED, UNKNOWN, UNSUPPORTED, settle


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Any:
    yield
    forget()


def test_every_path_is_taken_once() -> None:
    seen = []

    def function() -> None:
        a, b = quantity("a"), quantity("b")
        seen.append((bool(a > b), bool(a == b), bool(a > 5)))

    found = explore(function)
    assert found.paths == 6
    assert len(set(seen)) == 6
    assert (True, False, False) in seen
    assert (False, True, True) in seen


def test_a_branch_against_an_assumption_is_not_taken() -> None:
    seen = []

    def function() -> None:
        n, m = quantity("n"), quantity("m", 0, 9)
        big = bool(m > 5)
        assume(n > m)
        seen.append((big, bool(n > 5), bool(m > 20)))

    assert explore(function).paths == 3
    assert sorted(seen) == [(False, False, False), (False, True, False), (True, True, False)]


def test_a_condition_decided_before_is_not_asked_again() -> None:
    def function() -> None:
        n = quantity("n")
        claim(bool(n > 3) == bool(n > 3), "it says the same twice")

    assert explore(function).paths == 2


def test_choices_are_enumerated() -> None:
    seen = []

    def function() -> None:
        one = choose("letter", "abc")
        again = choose("letter", "abc")
        assert one == again
        seen.append(one + choose("digit", "12"))

    assert explore(function).paths == 6
    assert seen == ["a1", "a2", "b1", "b2", "c1", "c2"]


def test_an_assumption_inside_one_choice_does_not_reach_the_next() -> None:
    def function() -> None:
        n = quantity("n")
        if choose("side", (True, False)):
            assume(n > 5)
        else:
            claim(n > 5, "it is more than 5")

    assert settle(function).verdict == REFUTED


def test_a_bug_above_a_million_is_found_with_its_smallest_value() -> None:
    def function() -> None:
        n, other = quantity("n"), quantity("other")
        spoilt = n if n <= 10**6 else n + 1
        claim(spoilt + other == n + other, "nothing is added")

    settled = settle(function)
    assert settled.verdict == REFUTED
    assert {each.name: each.value for each in settled.values} == {"n": 10**6 + 1, "other": 0}


def test_counterexamples_are_minimal_and_the_same_every_time() -> None:
    def function() -> None:
        a, b, c = quantity("a"), quantity("b", 2), quantity("c")
        if a > b:
            claim(c < a + b, "c is small")
        else:
            claim(a + b + c < 9, "the sum is small")

    found = [settle(function) for _ in range(3)]
    values = [{each.name: each.value for each in one.values} for one in found]
    assert values == [{"a": 0, "b": 2, "c": 7}] * 3


def test_an_exception_refutes() -> None:
    def function() -> None:
        n = quantity("n")
        if n == 7:
            raise KeyError("seven")
        claim(True, "fine")

    settled = settle(function)
    assert settled.verdict == REFUTED
    assert "KeyError" in settled.detail
    assert settled.values[0].value == 7


def test_an_error_for_people_is_raised() -> None:
    def function() -> None:
        if quantity("n") == 7:
            raise TruthsayerError("TS0000", "no sevens here")

    with pytest.raises(TruthsayerError, match="no sevens"):
        settle(function)


def test_contradictory_assumptions_prove_nothing() -> None:
    def function() -> None:
        n = quantity("n")
        assume(n > 5)
        assume(n < 3)
        claim(False, "anything")

    settled = settle(function)
    assert settled.verdict == UNKNOWN
    assert "nothing was claimed" in settled.detail


def test_a_function_without_claims_proves_nothing() -> None:
    assert settle(lambda: quantity("n")).verdict == UNKNOWN


def test_too_many_paths_are_no_verdict() -> None:
    def function() -> None:
        n = quantity("n")
        for bound in range(100):
            if n == bound:
                break
        claim(n >= 0, "it is natural")

    settled = settle(function, budget=Budget(paths=10))
    assert settled.verdict == UNKNOWN
    assert "10 paths" in settled.detail
    assert settle(function).verdict == PROVED


def test_too_little_work_is_no_verdict() -> None:
    def function() -> None:
        numbers = [quantity(f"n{at}", 0, 50) for at in range(8)]
        total: Any = 0
        for at, n in enumerate(numbers):
            total = total + n * (2 * at + 3)
        assume(total == 1001)
        claim(numbers[0] * 5 != numbers[1] * 7 + 1, "no such numbers")

    assert settle(function, budget=Budget(work=100)).verdict == UNKNOWN


def test_a_refutation_is_found_even_if_the_paths_run_out() -> None:
    def function() -> None:
        n = quantity("n")
        for bound in range(100):
            if n == bound:
                claim(bound != 3, "it is not 3")

    assert settle(function, budget=Budget(paths=10)).verdict == REFUTED


def test_stopping_gives_no_verdict() -> None:
    with pytest.raises(Stopped):
        settle(lambda: claim(quantity("n") >= 0, "natural"), stop=lambda: True)


def test_a_function_that_changes_between_runs_is_not_trusted() -> None:
    runs = []

    def function() -> None:
        runs.append(1)
        claim(quantity("n") > len(runs) or True, "anything")

    assert settle(function).verdict != PROVED


def test_a_second_run_that_decides_less_is_not_trusted() -> None:
    runs = []

    def function() -> None:
        n = quantity("n")
        runs.append(1)
        if len(runs) == 1 and n > 5:
            return
        claim(True, "anything")

    settled = settle(function)
    assert settled.verdict == UNSUPPORTED
    assert "does not do the same" in settled.detail


def test_a_second_run_that_differs_is_noticed_even_if_somebody_catches_it() -> None:
    runs = []

    def function() -> None:
        n = quantity("n")
        runs.append(1)
        try:
            if n > len(runs):
                claim(True, "more")
        except Unsupported:
            claim(True, "anything")

    settled = settle(function)
    assert settled.verdict == UNSUPPORTED
    assert "does not do the same" in settled.detail


@pytest.mark.parametrize(
    "second",
    [
        lambda: choose("c", (1, 2, 3)),
        lambda: choose("c", (1,)),
        lambda: quantity("c"),
    ],
)
def test_an_unknown_does_not_change_along_a_path(second: Callable[[], object]) -> None:
    def function() -> None:
        choose("c", (1, 2))
        second()
        claim(True, "anything")

    settled = settle(function)
    assert settled.verdict == UNSUPPORTED
    assert "c is asked for as two different unknowns" in settled.detail


def test_the_bounds_of_a_number_do_not_change_along_a_path() -> None:
    def function() -> None:
        quantity("n", 0, 5)
        claim(quantity("n", 0, 9) <= 5, "it is at most 5")

    assert settle(function).verdict == UNSUPPORTED


def test_the_bounds_of_a_number_may_differ_between_paths() -> None:
    def function() -> None:
        low = choose("low", (4, 1))
        claim(quantity("n", low) != 1, "it is not 1")

    settled = settle(function)
    assert settled.verdict == REFUTED
    assert {each.name: each.value for each in settled.values} == {"low": 1, "n": 1}


def test_a_number_without_values_is_an_error() -> None:
    def function() -> None:
        claim(quantity("n") != 3, "it is not 3")
        quantity("m", 5, 4)

    settled = settle(function)
    assert settled.verdict == UNSUPPORTED
    assert "the property itself fails" in settled.detail
    assert "no number from 5 to 4 for m" in settled.detail


# What an assumption does to the claims made before it


@pytest.mark.parametrize(
    "ending",
    [
        lambda n: assume(n > 5),
        lambda n: assume(bool(n > 5)),
        lambda n: assume(all([n > 5, n < 4])),
        lambda _: assume(False),
        lambda n: assume(n > choose("bound", (5, 0))),
    ],
)
def test_a_claim_counts_whatever_is_assumed_later(ending: Callable[[Any], object]) -> None:
    def function(forbidden: int) -> None:
        n = quantity("n")
        claim(n != forbidden, "it is another number")
        ending(n)

    settled = settle(lambda: function(3))
    assert settled.verdict == REFUTED
    assert settled.values[0].value == 3
    assert settled.failed == ("it is another number",)
    assert settle(lambda: function(-1)).verdict == PROVED


def test_a_claim_counts_where_a_later_assumption_cannot_hold() -> None:
    def function() -> None:
        n = quantity("n", 0, 4)
        claim(n != 3, "it is not 3")
        assume(n > 5)

    assert settle(function).verdict == REFUTED


def test_what_is_claimed_after_an_assumption_only_counts_within() -> None:
    def function() -> None:
        n = quantity("n")
        claim(n >= 0, "it is natural")
        assume(n > 5)
        claim(n != 3, "it is not 3")

    assert settle(function).verdict == PROVED


def test_numbers_and_choices_read_after_a_claim_keep_to_their_domain() -> None:
    def function() -> None:
        n = quantity("n", 2, 4)
        claim(all_of(n >= 2, n <= 4), "it is within its bounds")
        m = quantity("m", 7, 9)
        claim(all_of(m >= 7, m <= 9, m > n), "so is the other")
        claim(choose("c", (1, 2)) < 3, "and the choice")

    assert settle(function).verdict == PROVED


def test_values_outside_a_domain_do_not_exist() -> None:
    def function() -> None:
        a, b = quantity("a"), quantity("b")
        domain(a + b == 1)
        claim(any_of(a > 0, b > 0), "one of them is there")

    assert settle(function).verdict == PROVED


@pytest.mark.parametrize("plain", [False, True])
def test_a_domain_after_a_claim_about_the_same_numbers_is_refused(plain: bool) -> None:
    def function() -> None:
        n = quantity("n")
        claim(n != 7, "it is not 7")
        if plain and n == 7:
            domain(False)
        elif not plain:
            domain(n != 7)

    found = settle(function)
    assert found.verdict in (UNSUPPORTED, REFUTED)
    assert found.verdict == REFUTED or found.detail.startswith("a domain after a claim")


def test_a_failure_before_a_domain_is_shown_within_it() -> None:
    def function() -> None:
        a = quantity("a")
        claim(a != 3, "it is not 3")
        b = quantity("b", 2, 9)
        domain(b > 3)

    settled = settle(function)
    assert settled.verdict == REFUTED
    assert {each.name: each.value for each in settled.values} == {"a": 3, "b": 4}


def halves(claimed: Callable[[Any], bool]) -> Callable[[], None]:
    """A function with one branch whose second side makes a claim."""

    def function() -> None:
        n = quantity("n")
        if n < 10:
            claim(True, "small")
        else:
            claim(claimed(n), "large")

    return function


def wrongly_prune(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the explorer believe that no second side of a branch can be reached."""
    monkeypatch.setattr(Explorer, "feasible", lambda *_: None)


def test_a_wrongly_pruned_branch_is_caught_by_the_certificate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert settle(halves(lambda n: n >= 10)).verdict == PROVED
    wrongly_prune(monkeypatch)
    settled = settle(halves(lambda n: n >= 10))
    assert settled.verdict == UNKNOWN
    assert "certificate" in settled.detail


def test_a_failure_behind_a_wrongly_pruned_branch_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrongly_prune(monkeypatch)
    assert settle(halves(lambda n: n < 10)).verdict == REFUTED


def test_the_certificate_can_be_checked_by_another_solver() -> None:
    assert settle(halves(lambda n: n >= 10), confirm=True).confirmed
    exported: list[str] = []
    settle(halves(lambda n: n > 10), export=exported.append)
    solver = z3.Solver()
    solver.from_string(exported[0])
    assert solver.check() == z3.sat
