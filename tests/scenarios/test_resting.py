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


PLOT = """\
scenario "A Plot card in a visit"
cites UPR-ROUND-004
game uprising with John, Abby, Ned
conflict "Skirmish (Crysknife)"
intrigue "Quick": plot "gain 1 spice; draw 1 card"
given John has hand "Reconnaissance"
  and John has intrigue "Quick"
when John plays "Reconnaissance" to Arrakeen
 and John plays "Quick"
"""
"""A troop is due in the turn below the effects of the Plot card."""

REWARDS = """\
scenario "Two rewards"
cites UPR-COMBAT-012
game uprising with John, Abby, Ned
conflict "Fight" with crysknife icon: first "gain 1 spice; draw 1 card", second "gain 3 water"
given John has 2 troops in conflict
  and Abby has 1 troop in conflict
  and everyone has won nothing
  and everyone has hand nothing
when combat resolves
"""
"""The winner is asked first, and the second reward waits."""

SPY = """\
scenario "A Spy and spice"
cites UPR-SPY-002
game uprising with John, Abby, Ned
given it is the turn of John
when John resolves the effect "place 1 spy & gain 3 spice"
"""
"""The spice waits behind a decision."""


@pytest.mark.parametrize(
    ("story", "claim"),
    [
        (PLOT, "John has 3 troops in garrison"),
        (PLOT, "John gains 0 troops in garrison"),
        (REWARDS, "Abby gains nothing"),
        (REWARDS, "Abby has 1 water"),
        (REWARDS, "John has 2 troops in conflict"),
        (SPY, "John gains 0 spice"),
    ],
)
def test_what_waits_below_is_open_too(story: str, claim: str) -> None:
    assert codes(f"{story}then {claim}\n") == ["TS0130"]


def test_who_is_asked_does_not_say_what_is_due_besides() -> None:
    assert codes(SPY + "then John gains 0 spice\n and John is asked\n") == ["TS0130"]
    both = 'then John gains 0 spice\n and John is asked\n and "gain 3 spice" is due\n'
    assert codes(SPY + both) == []
    assert codes(SPY + "then nothing is due\n and John is asked\n") == ["TS0120"]
    assert codes(REWARDS + "then nothing is due\n") == ["TS0120"]


ORDER = """\
scenario "An order"
cites UPR-AGENT-009
game uprising with John, Abby, Ned
conflict "Skirmish (Crysknife)"
intrigue "Test": plot "if influence fremen >= 1: gain 1 spice otherwise: gain 1 water"
card "Rec" with spice trade icon: agent "gain 1 influence fremen; gain 1 solari"
given John has hand "Rec"
  and John has intrigue "Test"
  and John has 0 spice
  and John has 0 water
when John plays "Rec" to Imperial Basin
"""


def test_a_plot_card_comes_after_what_happens_by_itself_with_a_then_between_or_without() -> None:
    after = "then John has 0 water\n and John has 2 spice\n"
    assert codes(ORDER + ' and John plays "Test"\n' + after) == []
    assert codes(ORDER + 'then Abby has 1 water\nwhen John plays "Test"\n' + after) == []


def test_a_plot_card_comes_before_what_a_later_line_resolves() -> None:
    before = ' and John plays "Test"\n and John resolves "gain 1 influence fremen"\n'
    assert codes(ORDER + before + "then John has 1 water\n and John has 1 spice\n") == []


@pytest.mark.parametrize("claim", ["nothing is due", "nobody is asked", "chance is asked"])
def test_where_the_run_ended_nothing_but_the_ranking_is_looked_at(claim: str) -> None:
    strengths = "given strength of John is 8, Abby is 5, Ned is 3\nwhen combat resolves\n"
    head = 'scenario "x"\ncites UPR-COMBAT-010\ngame uprising with John, Abby, Ned\n'
    found = run(f"{head}{strengths}then {claim}\n")
    assert (found.verdict, [each.code for each in found.problems]) == ("error", ["TS0401"])


def test_an_acquired_card_is_a_gain() -> None:
    row = '"Maula Pistol", "Truthtrance", "Strike Fleet", "Public Spectacle", "Leadership"'
    text = f"""\
scenario "A gift"
cites UPR-ACQ-008
game uprising with John, Abby, Ned
given the row is {row}
  and everyone has hand nothing
  and it is the turn of John
when John resolves the effect "acquire 1 card costing <= 3"
 and John acquires "Maula Pistol"
 and the row gets any card
"""
    assert codes(text + "then John gains nothing\n") == ["TS0120"]
    assert codes(text + "then Abby gains nothing\n") == []


def test_an_effect_that_comes_to_nothing_in_the_end_does_not_happen() -> None:
    head = 'scenario "x"\ncites UPR-ICON-003\ngame uprising with John, Abby, Ned\n'
    empty = "given John has hand nothing\n  and John has nothing in deck\n"
    can = 'then John can resolve the effect "draw 1 card"\n'
    assert codes(f"{head}{empty}  and it is the turn of John\n{can}") == ["TS0120"]
