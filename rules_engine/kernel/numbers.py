"""Quantities and the few things rule functions do with them besides adding and comparing.

A quantity may be a symbolic number in a proof. A plain `if` on a comparison of quantities is fine
(the proof follows both ways); the helpers here pick a value *without* following both ways, so that
a proof meets one case instead of two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

Quantity = int
"""A number of things: resources, Influence, troops, points, strength, amounts chosen."""

Value = TypeVar("Value")


def pick(condition: bool, yes: Value, no: Value) -> Value:
    """`yes` if the condition holds, else `no`: one term in a proof, where both are quantities."""
    chooser: Any = getattr(condition, "pick", None)
    if chooser is not None:
        picked: Value = chooser(yes, no)
        return picked
    return yes if condition else no


def smaller(a: Quantity, b: Quantity) -> Quantity:
    """The smaller of two quantities."""
    return pick(a < b, a, b)


def larger(a: Quantity, b: Quantity) -> Quantity:
    """The larger of two quantities."""
    return pick(a < b, b, a)


def clamp(value: Quantity, low: Quantity, high: Quantity) -> Quantity:
    """The value, kept between low and high."""
    return larger(low, smaller(value, high))


def count_true(conditions: Iterable[bool]) -> Quantity:
    """How many of the conditions hold."""
    total: Quantity = 0
    for condition in conditions:
        total = total + pick(condition, 1, 0)
    return total


def most(values: Iterable[Quantity]) -> Quantity:
    """The largest of the quantities, or 0 if there is none."""
    top: Quantity = 0
    for value in values:
        top = larger(top, value)
    return top
