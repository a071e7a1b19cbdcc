"""A `then` line looks at a position at rest, or says what it leaves open."""

from __future__ import annotations

import pytest

from scenarios import check
from scenarios.results import ScenarioResult

VISIT = """\
scenario "A visit"
cites UPR-BOARD-003
game uprising with John, Abby, Ned
conflict "Skirmish (Crysknife)"
given Abby has hand "Reconnaissance"
  and Abby has 3 troops in garrison
  and John controls Arrakeen
when Abby plays "Reconnaissance" to Arrakeen
"""
"""A troop and a card are due."""

LEVY = """\
scenario "A levy"
cites UPR-AGENT-009
game uprising with John, Abby, Ned
conflict "Skirmish (Crysknife)"
card "Levy" with city icon: agent "recruit 2 troops; gain 1 water"
given Abby has hand "Levy"
  and Abby has 0 water
  and Abby has 0 troops in garrison
when Abby plays "Levy" to Spice Refinery
 and Abby pays 0 spice
"""
"""What is due leaves nothing to decide, and happens by itself."""

SIEGE = """\
scenario "A siege"
cites UPR-COMBAT-010
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given John has 3 troops in conflict
when combat resolves
 and John resolves all effects
"""
"""Who has won which cards is not said, so that the run ends there."""


def run(text: str) -> ScenarioResult:
    (result,) = check("test.scenario", text)
    return result


def codes(text: str) -> list[str]:
    return [each.code for each in run(text).problems]


def test_what_an_effect_that_is_due_would_change_is_not_looked_at() -> None:
    assert codes(VISIT + "then Abby has 3 troops in garrison\n") == ["TS0130"]
    assert codes(VISIT + "then Abby has 4 troops in garrison\n") == ["TS0130"]


def test_what_it_would_not_change_can_be_looked_at() -> None:
    assert codes(VISIT + "then John gains 1 Solari\n") == []
    assert codes(VISIT + "then John gains 2 Solari\n") == ["TS0120"]


def test_a_block_that_says_what_is_due_may_look() -> None:
    due = ' and "recruit 1 troop", "draw 1 card" are due\n'
    assert codes(VISIT + "then Abby has 3 troops in garrison\n" + due) == []
    assert codes(VISIT + "then Abby has 4 troops in garrison\n" + due) == ["TS0120"]


@pytest.mark.parametrize(
    "said",
    ['"recruit 1 troop" is due', "nothing is due", '"recruit 1 troop", "draw 2 cards" are due'],
)
def test_all_that_is_due_is_said_or_the_line_fails(said: str) -> None:
    assert codes(f"{VISIT}then {said}\n") == ["TS0120"]


def test_at_least_does_not_say_what_is_left_open() -> None:
    least = ' and at least "recruit 1 troop" is due\n'
    assert codes(VISIT + "then Abby has 3 troops in garrison\n" + least) == ["TS0130"]


def test_while_chance_has_to_answer_nothing_is_looked_at() -> None:
    drawing = VISIT + ' and Abby resolves "draw 1 card"\n'
    assert codes(drawing + "then John gains 1 Solari\n") == ["TS0130"]
    chance = "then John gains 1 Solari\n and chance is asked\n"
    assert codes(drawing + chance) == ["TS0130"]
    assert codes(drawing + chance + ' and "recruit 1 troop" is due\n') == []


def test_the_position_for_all_values_is_at_rest_too() -> None:
    text = VISIT.replace("given", "for any t from 0 to 8\ngiven").replace("has 3", "has t")
    assert codes(text + "then John gains 1 Solari\n") == []
    assert codes(text + "then Abby has t troops in garrison\n") == ["TS0130"]


RESOLVES = (' and Abby resolves "gain 1 water"', " and Abby resolves all effects")


@pytest.mark.parametrize("line", RESOLVES)
def test_a_then_between_does_not_change_what_resolves_does(line: str) -> None:
    """Effects that commute happen at the end of a block, unless a later line resolves them."""
    after = "then Abby has 1 water\n and Abby has 2 troops in garrison\n"
    between = "then John has 1 water\nwhen" + line.removeprefix(" and") + "\n"
    assert codes(LEVY + after) == []
    assert codes(LEVY + line + "\n" + after) == []
    assert codes(LEVY + between + after) == []
    looks = "then Abby has 0 water\nwhen" + line.removeprefix(" and") + "\n"
    assert codes(LEVY + looks + after) == ["TS0130"]


def test_an_effect_of_another_turn_does_not_wait_for_a_later_line() -> None:
    again = """\
then Abby has 1 water
when Abby ends the turn
 and John resolves the effect "gain 1 water"
then John has 1 water
"""
    assert codes(LEVY.replace("Abby has 0 water", "Abby has 0 water\n  and John has 0 water")
                 + again) == []  # fmt: skip


def test_a_run_that_ended_early_is_an_error_and_no_failure() -> None:
    for amount in (2, 9):
        found = run(SIEGE + f"then John gains {amount} Solari\n")
        assert (found.verdict, [each.code for each in found.problems]) == ("error", ["TS0401"])
    assert codes(SIEGE + "then John wins the conflict\n") == []
    assert run(SIEGE + "then Abby wins the conflict\n").verdict == "failed"


CANNOT = """\
scenario "Cannot"
cites UPR-COMBAT-002
game uprising with John, Abby, Ned
first player John
conflict "Skirmish (Crysknife)"
given John has 2 troops in conflict
  and Abby has 1 troop in conflict
when combat begins
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Abby cannot pass", ["TS0132"]),
        ("Abby cannot pass because UPR-ROUND-003", ["TS0132"]),
        ("Abby cannot pass because UPR-COMBAT-002", []),
        ("John cannot resolve \"gain 1 water\"", ["TS0131"]),
        ("John cannot accept", ["TS0131"]),
        ("John cannot choose Fremen", ["TS0132"]),
        ("John cannot choose Fremen because UPR-COMBAT-001", ["TS0132"]),
        ("John cannot pass", ["TS0120"]),
    ],
)  # fmt: skip
def test_cannot_rests_on_a_rule_about_the_thing(line: str, expected: list[str]) -> None:
    found = codes(f"{CANNOT}then {line}\n")
    assert found == expected, run(f"{CANNOT}then {line}\n").problems


def test_cannot_can_be_asked_when_nobody_has_to_decide() -> None:
    over = CANNOT.replace("combat begins", "the makers phase begins")
    assert codes(over + "then John cannot reveal because UPR-ROUND-003\n") == []
    assert codes(over + "then John cannot reveal\n") == ["TS0132"]
    assert codes(over + "then John can reveal\n") == ["TS0120"]
