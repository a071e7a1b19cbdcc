"""Symbolic numbers do what rule functions do with quantities, and refuse the rest loudly."""

import copy
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.kernel.numbers import clamp, count_true, larger, most, pick, smaller
from verifier.current import Misuse, Unsupported, assume, claim, quantity
from verifier.numbers import (
    SymBool,
    SymInt,
    all_of,
    any_of,
    implies,
    named,
    number,
    opposite,
    truth,
)
from verifier.verdicts import PROVED, UNSUPPORTED, settle


def unknown() -> Any:
    """A symbolic number outside any run."""
    return number(named("n"))


MISUSES: dict[str, Callable[[Any], object]] = {
    "hash": hash,
    "dictionary key": lambda n: {n: 1},
    "set member": lambda n: {n},
    "index": lambda n: [1, 2][n],
    "range": range,
    "int()": int,
    "float()": float,
    "complex()": complex,
    "str()": str,
    "f-string": lambda n: f"{n}",
    "format": lambda n: format(n, "d"),
    "percent format": lambda n: "%d" % n,  # noqa: UP031
    "len()": len,
    "iteration": list,
    "unpacking": lambda n: (*n,),
    "in": lambda n: 1 in n,
    "subscript": lambda n: n[0],
    "floor division": lambda n: n // 2,
    "reflected floor division": lambda n: 7 // n,
    "division": lambda n: n / 2,
    "modulo": lambda n: n % 2,
    "reflected modulo": lambda n: 7 % n,
    "divmod": lambda n: divmod(n, 2),
    "power": lambda n: n**2,
    "power of": lambda n: 2**n,
    "shift": lambda n: n << 1,
    "and": lambda n: n & 1,
    "or": lambda n: n | 1,
    "exclusive or": lambda n: n ^ 1,
    "complement": lambda n: ~n,
    "abs()": abs,
    "round()": round,
    "product": lambda n: n * n,
    "list repetition": lambda n: [0] * n,
    "truth as number": lambda n: n + (n > 1),
    "sum of truths": lambda n: (n > 1) + 1,
    "complement of a truth": lambda n: ~(n > 1),
    "a truth or a number": lambda n: pick(n > 1, True, 0),
    "a number or a truth": lambda n: pick(n > 1, n, n > 2),
    "order of truths": lambda n: (n > 1) < (n > 2),
    "hash of a truth": lambda n: hash(n > 1),
    "equal to a float": lambda n: n == 2.0,
    "unequal to a float": lambda n: n != 2.0,
    "float equal to": lambda n: operator.eq(2.0, n),
    "less than a float": lambda n: n < 2.5,
    "float at most": lambda n: operator.le(2.5, n),
    "sum with a float": lambda n: n + 1.0,
    "equal to a fraction": lambda n: n == Fraction(2),
    "equal to a complex number": lambda n: n == 2 + 0j,
    "truth equal to 1": lambda n: (n > 1) == 1,
    "truth unequal to 1": lambda n: (n > 1) != 1,
    "truth equal to a number": lambda n: (n > 1) == n,
    "number equal to a truth": lambda n: n == (n > 1),
    "truth equal to a float": lambda n: (n > 1) == 1.0,
}


@pytest.mark.parametrize("use", MISUSES)
def test_every_other_use_raises(use: str) -> None:
    with pytest.raises(Misuse) as raised:
        MISUSES[use](unknown())
    assert "test_numbers.py" in str(raised.value)


@pytest.mark.parametrize("use", MISUSES)
def test_a_misuse_makes_a_proof_unsupported(use: str) -> None:
    def function() -> None:
        MISUSES[use](quantity("n"))
        claim(True, "nothing")

    assert settle(function).verdict == UNSUPPORTED


def test_a_misuse_that_somebody_catches_is_still_noticed() -> None:
    def function() -> None:
        n = quantity("n")
        try:
            hash(n)
        except Unsupported:
            n = 1
        claim(n >= 0, "it is natural")

    assert settle(function).verdict == UNSUPPORTED


def test_copies_are_refused() -> None:
    with pytest.raises(Misuse):
        copy.copy(unknown())


def test_truth_outside_a_run_is_refused() -> None:
    with pytest.raises(Unsupported):
        bool(unknown() > 1)


def test_a_constant_becomes_a_plain_number() -> None:
    n = unknown()
    assert isinstance(n - n, int)
    assert not isinstance(n - n, SymInt)
    assert (n - n) == 0
    assert (n < n) is False
    assert (n == n) is True
    assert isinstance(n * 0, int)
    assert not isinstance(n * 0, SymInt)


def test_a_symbolic_number_is_taken_for_a_whole_number() -> None:
    n = unknown()
    assert isinstance(n, SymInt)
    assert isinstance(n, int)
    assert not isinstance(n, bool | str)
    assert isinstance(n > 1, SymBool)
    assert isinstance(n > 1, bool)
    assert n != "text"
    assert n != (1, 2)
    assert repr(n) == "<n>"


def same(symbolic: Callable[..., Any], low: int = -3, high: int = 3) -> None:
    """The symbolic function gives what plain Python gives, for all small numbers."""

    def function() -> None:
        a, b = quantity("a", low, high), quantity("b", low, high)
        result = symbolic(a, b)
        for x in range(low, high + 1):
            for y in range(low, high + 1):
                claim(
                    implies(all_of(a == x, b == y), result == symbolic(x, y)),
                    f"the same for {x} and {y}",
                )

    assert settle(function).verdict == PROVED


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: a + b,
        lambda a, b: 2 - a - b,
        lambda a, b: 3 * a - b * 2,
        lambda a, b: -a + +b,
        lambda a, b: a < b,
        lambda a, b: a <= b,
        lambda a, b: a > b,
        lambda a, _: operator.ge(1, a),
        lambda a, b: a == b,
        lambda a, b: a != b,
        lambda a, _: operator.ne(2, a),
        lambda a, b: smaller(a, b),
        lambda a, b: larger(a, b),
        lambda a, b: clamp(a, b, 2),
        lambda a, b: most((a, b)),
        lambda a, b: min(a, b) + max(a, 1),
        lambda a, b: sum((a, b, 1)),
        lambda a, b: count_true((a > 0, b > 0, a == b)),
        lambda a, b: (a > 0) & (b > 0) | (a == b),
        lambda a, b: pick(a > b, a == 1, b == 1),
        lambda a, b: pick(a > b, "more", "not more") == "more",
        lambda a, _: 1 if a else 0,
        lambda a, b: (a > 0) == (b > 0),
        lambda a, b: (a > 0) != (b > 0),
        lambda a, _: a + True,
        lambda a, _: a == True,  # noqa: E712
        lambda a, _: a != False,  # noqa: E712
        lambda a, _: a > True,
        lambda a, b: all_of(a != 0, b > 0),
        lambda a, b: any_of(a != 0, b < 0),
        lambda a, _: a == "text",
        lambda a, b: a in (b, 1),
    ],
)
def test_they_behave_like_plain_numbers(function: Callable[..., Any]) -> None:
    same(function)


def test_a_pick_of_quantities_does_not_fork() -> None:
    def function() -> None:
        n = quantity("n")
        claim(pick(n > 3, n, 3) >= 3, "it is at least 3")

    assert settle(function).paths == 1


def test_joined_conditions_do_not_fork() -> None:
    def function() -> None:
        n = quantity("n")
        assume(any_of(n == 1, n == 2))
        claim(all_of(n >= 1, n <= 2, opposite(n == 0)), "it is 1 or 2")

    assert settle(function).paths == 1


def test_settled_truths_are_plain() -> None:
    assert truth(named("n") == named("n")) is True
    assert all_of() is True
    assert any_of() is False
