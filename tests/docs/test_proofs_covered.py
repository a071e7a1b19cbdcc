"""The manual says what proofs cover as proofs said it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.docs.proofs_covered import BEGIN, END, NAMED, PAGE, section, with_section
from verifier.api import properties


def _property(name: str, kind: str, **covered: Any) -> dict[str, Any]:
    known = {
        "position": True,
        "players": [3],
        "acting_seats": [0],
        "first_players": [],
        "contenders": 0,
        "assumptions_about": [],
        "always_empty": ["Red.discard", "trashed"],
        "not_always_empty": [],
        "always_the_same": {"Red.leader": "none", "round": "1"},
        "frames_below": 0,
    }
    seats = {"acting_seats": [0], "first_players": []}
    three, six = {"players": [3], "cases": 2}, {"players": [6], "cases": 1}
    known["by_case"] = [{**seats, **three}, {**seats, **six}]
    cases = [{"params": "step Pass"}]
    return {"name": name, "kind": kind, "cases": cases, "covered": {**known, **covered}}


INVARIANT = "no_sandworm_enters_behind_a_standing_wall"

REPORT = {
    "proved": 1,
    "checked": 1,
    "obligations": {"solver": 4, "simplifying": 2, "nothing": 1, "unspecified": 0},
    "properties": [
        _property(INVARIANT, "theorem", players=[3, 6], not_always_empty=["Blue.discard"]),
        _property("other", "exhaustive check", position=False, assumptions_about=["amount"]),
    ],
}


def test_the_section_says_what_the_report_says() -> None:
    lines = section(REPORT).splitlines()
    assert lines[0] == "2 properties: 1 proved, 1 checked."
    assert "| exhaustive check | 1 |" in lines
    assert "Of 7 obligations 4 need a solver," in lines
    assert "- without a position: 1 properties" in lines
    assert "- players: 3/6* (1)" in lines, "setup refuses six"
    assert "- with assumptions about unknown numbers: 1 properties" in lines
    assert "- always empty: discard of Red (1), trashed (1)" in lines
    assert "- always the same: leader of a player none (1), round 1 (1)" in lines
    cells = "theorem | 3 (in 2), 6* (in 1) | 1 | not looked at | not looked at"
    assert f"| `{INVARIANT}` | {cells} | discard of Red, trashed |" in lines
    assert "| 3 | 1 | not looked at | 2 |" in lines


def test_there_are_the_properties_that_are_named() -> None:
    assert {*NAMED} <= {each.name for each in properties()}


def test_the_page_has_its_place() -> None:
    assert with_section(f"a{BEGIN}old{END}z", "new") == f"a{BEGIN}\nnew\n{END}z"
    with pytest.raises(ValueError, match="no place"):
        with_section("nothing", "new")


def test_the_page_counts_the_properties_that_there_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    said = page.partition(BEGIN)[2].split()[0]
    assert said == str(len(properties())), "python -m tests.docs.proofs_covered --write"
