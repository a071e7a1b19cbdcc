"""A background is part of every scenario of its file, and a mistake in it is told once."""

from __future__ import annotations

import pytest

from scenarios import check
from scenarios.results import ScenarioResult

FILE = """\
background
game uprising with John, Abby, Ned
conflict "Secure Imperial Basin"
given John has 3 troops in garrison
  and John has 0 spice

scenario "one"
cites UPR-BOARD-014
given John has hand "Dune, the Desert Planet"
when John plays "Dune, the Desert Planet" to Imperial Basin
then John has 1 spice

scenario "two"
cites UPR-UNIT-013
given John has hand "Dune, the Desert Planet"
when John plays "Dune, the Desert Planet" to Imperial Basin
then John cannot deploy 3 troops because UPR-UNIT-013
"""


def verdicts(text: str) -> list[str]:
    return [each.verdict for each in check("test.scenario", text)]


def told(results: tuple[ScenarioResult, ...]) -> list[tuple[str, int]]:
    return [(problem.code, problem.line) for each in results for problem in each.problems]


def test_both_scenarios_have_it() -> None:
    assert verdicts(FILE) == ["passed", "passed"]
    assert verdicts(FILE.replace("John has 0 spice", "John has 1 spice")) == ["failed", "passed"]


@pytest.mark.parametrize(
    ("good", "bad", "code", "line"),
    [
        ("conflict", "conflickt", "TS0101", 3),
        ("Secure", "Secre", "TS0103", 3),
        ("3 troops", "3 trops", "TS0101", 4),
        ("John has 0", "Jon has 0", "TS0102", 5),
        ("3 troops", "13 troops", "TS0110", 4),
        ("background\n", "background\nid A\n", "TS0105", 2),
        ("  and John has 0 spice\n", "  and John has 0 spice\nwhen John reveals\n", "TS0105", 6),
        ("  and John has 0 spice\n", "  and John has 0 spice\nexamples\n", "TS0105", 6),
        ("background\n", "background of all\n", "TS0101", 1),
    ],
)  # fmt: skip
def test_a_mistake_in_it_is_told_once(good: str, bad: str, code: str, line: int) -> None:
    assert told(check("test.scenario", FILE.replace(good, bad, 1))) == [(code, line)]


def test_scenarios_that_share_a_mistake_are_errors_with_the_reason() -> None:
    results = check("test.scenario", FILE.replace("3 troops", "3 trops", 1))
    assert [(each.title, each.verdict) for each in results] == [
        ("", "error"),
        ("one", "error"),
        ("two", "error"),
    ]
    assert all("background" in each.detail for each in results[1:])


def test_the_same_thing_stated_again_is_a_mistake() -> None:
    again = FILE.replace("given John has hand", "given John has 2 spice\n  and John has hand", 1)
    assert told(check("test.scenario", again)) == [("TS0105", 9)]


def test_it_comes_first_and_once() -> None:
    assert told(check("test.scenario", FILE + "\nbackground\n")) == [("TS0105", 19)]


def test_a_background_alone_is_no_scenario() -> None:
    assert told(check("test.scenario", FILE.split("\nscenario")[0])) == [("TS0106", 1)]


# Tables

TABLE = """\
scenario "A table"
cites UPR-BOARD-014
game uprising with John, Abby, Ned
conflict "Secure Imperial Basin"
given <who> has hand "<card>"
when <who> plays "<card>" to <space>
then <who> <what>
examples
  | who  | card                    | space          | what                              |
  | John | Dune, the Desert Planet | Imperial Basin | gains 1 spice                     |
  | Abby | Reconnaissance          | Arrakeen       | cannot deploy 9 troops            |
"""


def test_any_words_can_stand_in_a_table() -> None:
    assert verdicts(TABLE) == ["passed"]
    (failed,) = check("test.scenario", TABLE.replace("gains 1 spice", "gains 2 spice"))
    assert [(each.code, each.line) for each in failed.problems] == [("TS0120", 10)]


@pytest.mark.parametrize(
    ("good", "bad", "code", "line", "column"),
    [
        ("Arrakeen ", "Arakeen  ", "TS0104", 11, 38),
        ("Reconnaissance ", "Reconaissance  ", "TS0103", 11, 12),
        ("| Abby", "| Abbi", "TS0102", 11, 5),
        ("cannot deploy 9 troops", "cannot depoy 9 troops ", "TS0101", 11, 62),
        ("plays", "plyas", "TS0101", 6, 12),
        ("to <space>", "to <spice>", "TS0109", 6, 30),
        ("UPR-BOARD-014", "UPR-BORD-014", "TS0201", 2, 7),
    ],
)
def test_a_mistake_is_told_once_where_it_stands(
    good: str, bad: str, code: str, line: int, column: int
) -> None:
    (result,) = check("test.scenario", TABLE.replace(good, bad, 1))
    found = [(each.code, each.line, each.column) for each in result.problems]
    assert found == [(code, line, column)]


def test_a_title_is_free_text() -> None:
    text = TABLE.replace('scenario "A table"', 'scenario "A <table> for <who>"')
    (result,) = check("test.scenario", text)
    assert (result.verdict, result.title) == ("passed", "A <table> for <who>")
