"""A stated strength is one that the stated units and swords make, or leaves them open."""

from __future__ import annotations

import pytest

from scenarios.check import check

TEXT = """scenario "Strengths"
game uprising with John, Abby, Ned
given {}
then {}
"""


def verdict(given: str, then: str = "it is round 1") -> str:
    """How a scenario ends, and the code of its mistake."""
    (result,) = check("test.scenario", TEXT.format(given.replace(", and ", "\n  and "), then))
    return " ".join((result.verdict, *(each.code for each in result.problems)))


@pytest.mark.parametrize(
    "given",
    [
        "strength of John is 0",
        "strength of John is 2",
        "strength of John is 3",
        "strength of John is 25",
        "strength of John is 4, and John has 2 troops in conflict",
        "strength of John is 9, and John has 2 troops in conflict",
        "strength of John is 9, and John has 2 troops in conflict, and John has 5 swords",
        "strength of John is 3, and John has 1 sandworm in conflict, and John has 0 swords",
        "strength of John is 3, and John has 1 sword",
        "strength of John is 3, and John has 0 swords",
        "strength of John is 0, and John has 0 troops in conflict, and John has 2 swords",
        "strength of John is 0, and John has not revealed",
        "strength of John is 4, and John has revealed",
    ],
)
def test_what_units_and_swords_make_can_be_stated(given: str) -> None:
    assert verdict(given) == "passed"


@pytest.mark.parametrize(
    "given",
    [
        "strength of John is 1",
        "strength of John is 9, and John has 0 troops in conflict",
        "strength of John is 2, and John has 3 swords",
        "strength of John is 3, and John has 3 swords",
        "strength of John is 0, and John has 1 troop in conflict",
        "strength of John is 3, and John has 2 troops in conflict",
        "strength of John is 5, and John has 2 troops in conflict, and John has 0 swords",
        "strength of John is 4, and John has 1 sandworm in conflict, and John has 0 swords",
        "strength of John is 1, and John has 0 swords",
        "strength of John is 4, and John has not revealed",
        "strength of John is 4, and it is the turn of John",
    ],
)
def test_what_nothing_makes_is_refused(given: str) -> None:
    assert verdict(given, "John can reveal") == "error TS0110"


def test_a_sandworm_is_behind_no_marker_that_the_wall_shelters() -> None:
    text = TEXT.format("strength of John is 3\n  and John has 0 swords", "it is round 1")
    sheltered, outside = (
        text.replace("given", f'conflict "{name}"\ngiven', 1)
        for name in ("Siege of Arrakeen", "Skirmish (Crysknife)")
    )
    assert [each.code for each in check("test.scenario", sheltered)[0].problems] == ["TS0110"]
    assert check("test.scenario", outside)[0].verdict == "passed"


def test_swords_that_are_not_stated_make_up_the_rest() -> None:
    given = "strength of John is 9, and John has 2 troops in conflict"
    assert verdict(given, "John has 5 swords") == "passed"
    assert verdict(given, "John has 0 sandworms in conflict") == "passed"
    assert verdict(given, "John has 7 troops in supply") == "passed"


def test_a_strength_alone_leaves_the_units_open() -> None:
    for what in (
        "2 troops in conflict",
        "0 swords",
        "0 sandworms in conflict",
        "7 troops in supply",
    ):
        assert verdict("strength of John is 4", f"John has {what}") == "error TS0401"
    assert verdict("strength of John is 0", "John has 0 troops in conflict") == "passed"


def test_every_natural_strength_is_one_of_any() -> None:
    text = TEXT.format("strength of John is s", "strength of John is s")
    (result,) = check("test.scenario", text.replace("given", "for any s from 0\ngiven", 1))
    assert result.verdict == "proved"


def test_any_strength_has_to_fit_stated_units() -> None:
    lines = "strength of John is s\n  and John has 2 troops in conflict"
    text = TEXT.format(lines, "it is round 1")
    below, fits = (text.replace("given", f"for any s from {low}\ngiven", 1) for low in (3, 4))
    assert [each.code for each in check("test.scenario", below)[0].problems] == ["TS0110"]
    assert check("test.scenario", fits)[0].verdict == "proved"
