"""The terms that explorations build are those of Z3's own library."""

from __future__ import annotations

import pytest
import z3

from verifier import terms
from verifier.current import Term

A, B = z3.Ints("a b")
P, Q, R = z3.Bools("p q r")

BUILT = {
    "total": (terms.total(A, B), A + B),
    "difference": (terms.difference(A, B), A - B),
    "number where": (terms.number_where(P, A, B), z3.If(P, A, B)),
    "less": (terms.less(A, B), A < B),
    "at most": (terms.at_most(A, B), A <= B),
    "same numbers": (terms.same(A, B), A == B),
    "same truth": (terms.same(P, Q), P == Q),
    "negated": (terms.negated(P), z3.Not(P)),
    "conjunction": (terms.conjunction([P, Q, R]), z3.And(P, Q, R)),
    "disjunction": (terms.disjunction([P, Q, R]), z3.Or(P, Q, R)),
    "truth where": (terms.truth_where(P, Q, R), z3.If(P, Q, R)),
    "of one": (terms.conjunction([P]), P),
    "any of one": (terms.disjunction([P]), P),
    "all of nothing": (terms.conjunction([]), z3.BoolVal(True)),
    "any of nothing": (terms.disjunction([]), z3.BoolVal(False)),
}


@pytest.mark.parametrize("name", BUILT)
def test_a_term_is_the_one_of_the_library(name: str) -> None:
    ours, theirs = BUILT[name]
    assert ours.eq(theirs)


@pytest.mark.parametrize("value", [0, -7, 10**30])
def test_a_number_with_one_value_is_plain(value: int) -> None:
    assert terms.plain_number(A - A + value) == value


def test_a_number_with_many_values_is_simplified() -> None:
    simple = terms.plain_number(A + 1 - 1)
    assert not isinstance(simple, int)
    assert simple.eq(A)


@pytest.mark.parametrize(("term", "value"), [(z3.Or(P, True), True), (z3.And(P, False), False)])
def test_a_settled_truth_value_is_plain(term: Term, value: bool) -> None:
    assert terms.plain_truth(term) is value


def test_an_open_truth_value_is_simplified() -> None:
    simple = terms.plain_truth(z3.And(P, True))
    assert not isinstance(simple, bool)
    assert simple.eq(P)


def test_a_solver_answers_with_what_it_was_told() -> None:
    solver = z3.SimpleSolver()
    terms.tell(solver, A > 3)
    assert terms.asked(solver, A < 3) == z3.unsat
    assert terms.asked(solver, A < 5) == z3.sat
    assert terms.holds_in(solver.model(), A == 4)
    assert not terms.holds_in(solver.model(), A == 5)
