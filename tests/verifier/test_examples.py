"""One example of each path: the smallest values that take it, nothing where no path ends."""

from __future__ import annotations

from verifier.current import assume, claim, quantity
from verifier.verdicts import examples


def test_each_path_has_its_smallest_values() -> None:
    def three_ways() -> None:
        x, y = quantity("x", 0, None), quantity("y", 1, None)
        assume(x <= 1_000_010)
        if x > 1_000_000:
            claim(True, "far away")
        elif x > y:
            claim(True, "above")
        else:
            claim(True, "below")

    assert examples(three_ways) == (
        {"x": 0, "y": 1},
        {"x": 2, "y": 1},
        {"x": 1_000_001, "y": 1},
    )


def test_a_path_that_ends_at_an_assumption_has_none() -> None:
    def never() -> None:
        x = quantity("x", 0, None)
        assume(x > 3)
        assume(x < 3)

    assert examples(never) == ()
