"""Cases are selected by rule, tag and name; what selects nothing is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from conformance.selection import selected
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from tests.conformance.in_process import small_case

WALL, WORM = "UPR-WALL-003", "UPR-WORM-005"
CASE = small_case()
CASES = (
    change(CASE, id="wall", rules=(WALL,), tags=("slow",)),
    change(CASE, id="worm", rules=(WORM,), tags=("slow", "new")),
    change(CASE, id="both#1", rules=(WALL, WORM)),
)


def ids(
    rules: Sequence[str] = (), tags: Sequence[str] = (), names: Sequence[str] = ()
) -> list[str]:
    """The cases that are selected."""
    return [case.id for case in selected(iter(CASES), rules, tags, names)]


def refused(
    rules: Sequence[str] = (), tags: Sequence[str] = (), names: Sequence[str] = ()
) -> TruthsayerError:
    """Why nothing is selected."""
    with pytest.raises(TruthsayerError) as raised:
        ids(rules, tags, names)
    assert raised.value.help
    return raised.value


def test_without_a_wish_all_cases_are_played() -> None:
    assert ids() == ["wall", "worm", "both#1"]


def test_one_of_the_rules_is_enough() -> None:
    assert ids([WALL]) == ["wall", "both#1"]
    assert ids([WALL, WORM]) == ["wall", "worm", "both#1"]


def test_tags_and_names_select_as_well() -> None:
    assert ids(tags=["new"]) == ["worm"]
    assert ids(tags=["new", "slow"]) == ["wall", "worm"]
    assert ids(names=["both#1", "wall"]) == ["wall", "both#1"]


def test_all_that_is_asked_for_has_to_hold() -> None:
    assert ids([WALL], ["slow"]) == ["wall"]
    assert ids([WALL], names=["both#1"]) == ["both#1"]


@pytest.mark.parametrize(
    ("asked", "code", "help"),
    [
        ({"rules": ["UPR-WALL-03"]}, "TS0902", "did you mean `UPR-WALL-003`?"),
        ({"rules": ["x" * 100_000]}, "TS0902", "see that the rule is right"),
        ({"tags": ["slowly"]}, "TS0903", "did you mean `slow`?"),
        ({"names": ["both"]}, "TS0905", "did you mean `both#1`?"),
        ({"rules": ["UPR-COMBAT-001"]}, "TS0903", "ask for less at once"),
        ({"rules": [WORM], "names": ["wall"]}, "TS0903", "ask for less at once"),
    ],
)
def test_what_selects_nothing_is_told(asked: dict[str, list[str]], code: str, help: str) -> None:
    error = refused(**asked)
    assert (error.code, error.help) == (code, help)
    assert len(error.message) < 300
