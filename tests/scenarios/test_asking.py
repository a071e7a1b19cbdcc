"""Questions are answered in words with the deciding rules, never with an error for the unknown."""

from __future__ import annotations

import pytest

from scenarios import ask
from scenarios.results import AskResult, Problem

POSITION = """\
scenario "At the wall"
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given Abby has maker hooks
  and {given}
"""


def answers(given: str, *questions: str) -> tuple[AskResult | Problem, ...]:
    lines = "".join(f"ask {question}\n" for question in questions)
    return ask("test.scenario", POSITION.format(given=given) + lines)


def test_no_with_the_rule_and_its_source() -> None:
    (found,) = answers("the shield wall stands", "can Abby summon a sandworm")
    assert isinstance(found, AskResult)
    assert found.answer.startswith("No.")
    assert found.rules[0].id == "UPR-WALL-003"
    assert found.rules[0].source == ("Uprising rulebook, Critical Locations and the Shield Wall")


def test_yes_once_the_wall_is_gone() -> None:
    (found,) = answers("the shield wall is gone", "can Abby summon a sandworm")
    assert isinstance(found, AskResult)
    assert found.answer == "Yes."


def test_what_is_unknown_is_named_and_no_error() -> None:
    (found,) = answers("the shield wall stands", "what can Abby do")
    assert isinstance(found, AskResult)
    assert "Abby's hand" in found.answer


def test_what_can_be_done_is_listed_in_the_words_of_the_language() -> None:
    (found,) = answers('Abby has hand "Reconnaissance"', "what can Abby do")
    assert isinstance(found, AskResult)
    assert 'Abby plays "Reconnaissance" to Arrakeen' in found.answer
    assert "Abby reveals" in found.answer


def test_why_not() -> None:
    (found,) = answers("the shield wall stands", "why cannot Abby deploy 3 troops")
    assert isinstance(found, AskResult)
    assert [rule.id for rule in found.rules[:2]] == ["UPR-UNIT-008", "UPR-UNIT-015"]
    assert "Combat space" in found.answer


def test_who_wins_now() -> None:
    (found,) = answers("Ned has 3 victory points", "who wins")
    assert isinstance(found, AskResult)
    assert "Ned" in found.answer


def test_a_mistake_in_a_question_has_its_place() -> None:
    (found,) = answers("the shield wall stands", "can Abbey summon a sandworm")
    assert isinstance(found, Problem)
    assert (found.code, found.line, found.column) == ("TS0102", 6, 9)


VISIT = """\
scenario "A visit"
game uprising with John, Abby, Ned
conflict "Secure Imperial Basin"
given John has 0 spice
  and John has hand "Dune, the Desert Planet"
when John plays "Dune, the Desert Planet" to Imperial Basin
"""


def asked(text: str, *questions: str) -> list[AskResult]:
    lines = "".join(f"ask {question}\n" for question in questions)
    found = ask("test.scenario", text + lines)
    assert [each for each in found if isinstance(each, Problem)] == []
    return [each for each in found if isinstance(each, AskResult)]


def test_what_somebody_gains_and_loses() -> None:
    (found,) = asked(VISIT, "what does John gain")
    assert found.answer == "John gains 1 spice. John loses 1 agent and 1 card in hand."
    assert found.items == ("1 spice",)
    assert "UPR-BOARD-014" in [rule.id for rule in found.rules]
    (nothing,) = asked(VISIT, "what does Abby gain")
    assert nothing.answer == "Abby gains nothing."


def test_what_happens() -> None:
    (found,) = asked(VISIT, "what happens")
    assert "John gains 1 spice" in found.items
    assert "UPR-AGENT-001" in [rule.id for rule in found.rules]


def test_yes_names_the_rules_of_what_would_happen() -> None:
    (found,) = asked(VISIT, "can John deploy 2 troops")
    assert (found.answer, found.verdict) == ("Yes.", "yes")
    assert found.rules


def test_no_and_why_not_have_the_same_reasons() -> None:
    no, why = asked(VISIT, "can John deploy 3 troops", "why cannot John deploy 3 troops")
    assert (no.verdict, why.verdict) == ("no", "no")
    assert no.answer == f"No. {why.answer}"
    assert no.rules == why.rules
    assert no.rules[0].statement.startswith("On that turn, beyond this turn's recruits")


TIE = """\
scenario "A tie"
game uprising with John, Abby, Ned
given strength of John is {}, Abby is 5, Ned is 2
when combat resolves
"""


def test_who_wins_the_conflict() -> None:
    (john,) = asked(TIE.format(6), "who wins the conflict")
    assert john.items == ("John",)
    (nobody,) = asked(TIE.format(5), "who wins the conflict")
    assert nobody.items == ()
    assert nobody.answer.startswith("Nobody wins the Conflict.")
    assert "UPR-COMBAT-017" in [rule.id for rule in nobody.rules]
    (unresolved,) = asked(VISIT, "who wins the conflict")
    assert "combat resolves" in unresolved.answer


RULING = """\
scenario "A worm at the wall"
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
card "Trial" with city icon: agent "choose: gain 2 spice | summon 1 sandworm"
given Abby has hand "Trial"
  and Abby has maker hooks
  and the shield wall stands
when Abby plays "Trial" to Arrakeen
 and Abby resolves "choose: gain 2 spice | summon 1 sandworm" first
"""


def test_what_changes_with_a_ruling() -> None:
    text = RULING
    allowed, other = asked(
        text,
        "what changes with ruling sandworm_choice_when_protected",
        "what changes if ruling alliance_loss_tie is kept",
    )
    assert allowed.verdict == "yes"
    assert any("summon 1 sandworm" in each for each in allowed.items)
    assert (other.verdict, other.items) == ("no", ())
    assert "Nothing changes" in other.answer


def test_an_unknown_ruling_in_a_question_has_its_place() -> None:
    (found,) = ask("test.scenario", VISIT + "ask what changes with ruling alliance_los_tie\n")
    assert isinstance(found, Problem)
    assert (found.code, found.line, found.column) == ("TS0202", 7, 30)


def test_a_question_is_asked_in_every_row_of_a_table() -> None:
    table = (
        TIE.replace("{}", "<john>")
        + "ask who wins the conflict\nexamples\n | john |\n | 5 |\n | 6 |\n"
    )
    found = [each for each in ask("test.scenario", table) if isinstance(each, AskResult)]
    assert [each.items for each in found] == [(), ("John",)]
    assert [each.question for each in found] == [
        "who wins the conflict (5)",
        "who wins the conflict (6)",
    ]


BOUGHT = """\
scenario "A card is acquired"
game uprising with John, Abby, Ned
given John has hand nothing
  and John has 9 persuasion
  and the row is "Maula Pistol", "Truthtrance", "Strike Fleet", "Public Spectacle", "Leadership"
when John reveals
ask can John acquire "The Spice Must Flow"
when John acquires "The Spice Must Flow"
ask can John acquire "The Spice Must Flow"
 and what does John gain
"""


def test_a_question_is_about_the_position_where_it_stands() -> None:
    before, after, gained = ask("test.scenario", BOUGHT)
    assert isinstance(before, AskResult)
    assert isinstance(after, AskResult)
    assert isinstance(gained, AskResult)
    assert (before.verdict, after.verdict) == ("yes", "no")
    assert "1 victory point" in gained.answer


def test_what_is_asked_before_a_mistaken_step_is_answered() -> None:
    answered, problem = ask("test.scenario", BOUGHT.replace("when John acq", "when Abby acq"))
    assert isinstance(answered, AskResult)
    assert isinstance(problem, Problem)
    assert problem.line == 8


ROWS = """\
scenario "The first moment for a Plot card"
game uprising with John, Abby, Ned
given Abby has intrigue "Mercenaries"
  and Abby has <solari> Solari
  and Abby has hand nothing
  and it is the turn of Abby
ask what changes with ruling plot_window
when Abby reveals
ask what changes with ruling plot_window

examples
  | solari |
  | 0      |
  | 3      |
"""


def test_what_a_ruling_changes_is_told_of_each_row_and_of_the_steps_so_far() -> None:
    found = ask("test.scenario", ROWS)
    verdicts = [each.verdict for each in found if isinstance(each, AskResult)]
    assert verdicts == ["no", "no", "yes", "no"]


def test_a_question_about_all_values_is_one_mistake() -> None:
    text = POSITION.format(given="John has n spice").replace("given", "for any n from 0\ngiven")
    (problem,) = ask("test.scenario", text + "ask who wins\n")
    assert isinstance(problem, Problem)
    assert (problem.code, problem.line) == ("TS0106", 7)


COMBAT = """\
scenario "In Combat"
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given John has 2 troops in conflict
  and Ned has 1 troop in conflict
when combat begins
"""


def test_who_may_decide_in_combat_is_told_by_the_rules_of_combat() -> None:
    found = ask("test.scenario", COMBAT + "".join(f"ask what can {x} do\n" for x in PLAYERS))
    rules = [each.rules[0].id for each in found if isinstance(each, AskResult)]
    assert rules == ["UPR-COMBAT-002", "UPR-COMBAT-003", "UPR-COMBAT-002"]


PLAYERS = ("John", "Abby", "Ned")


def test_what_is_too_late_has_its_rule() -> None:
    (found,) = asked(
        VISIT.replace(
            "  and John has hand", "  and John has a spy at Imperial Basin\n  and John has hand"
        )
        + " and John declines\n",
        "can John recall the spy at Imperial Basin to gather intelligence",
    )
    assert found.verdict == "no"
    assert "UPR-SPY-016" in [rule.id for rule in found.rules]


INFILTRATE = """\
scenario "A Spy on the post"
game uprising with John, Abby, Ned
given Abby has hand "Reconnaissance"
  and John has an agent at Arrakeen
  and Abby has a spy at Arrakeen
  and it is the turn of Abby
"""


def test_every_completion_of_a_decision_is_looked_at() -> None:
    (found,) = asked(INFILTRATE, 'can Abby play "Reconnaissance" to Arrakeen')
    assert found.verdict == "yes"
    assert found.items == ("if Abby recalls the Spy at Refinery and Arrakeen post",)
    assert found.rules[0].id == "UPR-SPY-011"


def test_what_infiltrating_does_not_help_is_still_no() -> None:
    there = INFILTRATE.replace("given", "given Abby has an agent at Arrakeen\n  and")
    (found,) = asked(there, 'can Abby play "Reconnaissance" to Arrakeen')
    assert (found.verdict, found.rules[0].id) == ("no", "UPR-SPY-013")


def test_another_s_turn_is_not_yet_unless_it_would_be_forbidden_then_too() -> None:
    later, never = asked(INFILTRATE + "", "can John reveal", "can John deploy 1 troop")
    assert (later.verdict, never.verdict) == ("not_yet", "no")
    assert never.rules[0].id == "UPR-UNIT-008"


def test_a_reading_that_decides_is_told_unasked_with_the_answer_under_it() -> None:
    (found,) = asked(ROWS.replace("<solari>", "3").split("ask")[0], 'can Abby play "Mercenaries"')
    (point,) = found.open_points
    assert (point.ruling, point.value, point.authority) == (
        "plot_window",
        "whole_turn",
        "convention",
    )
    (other,) = point.others
    assert (other.value, other.verdict) == ("after_card", "not_yet")


def test_a_reading_that_decides_nothing_is_not_told() -> None:
    (found,) = asked(ROWS.replace("<solari>", "0").split("ask")[0], 'can Abby play "Mercenaries"')
    assert (found.verdict, found.open_points) == ("no", ())


TRASHED = """\
scenario "A trashed Intrigue card"
game uprising with John, Abby, Ned
given John has intrigue "Mercenaries"
when John resolves the effect "trash 1 intrigue"
 and John trashes intrigue "Mercenaries"
"""


def test_a_ruling_that_changes_only_a_pile_changes_something() -> None:
    (found,) = asked(TRASHED, "what changes with ruling trashed_intrigue_zone")
    assert found.verdict == "yes"
    assert "as discard_pile: the Intrigue discard pile: Mercenaries" in found.items


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ('why did "Abby flies to Caladan" not happen', "TS0104"),
        ('why did Abby not complete "Harvest 33"', "TS0103"),
        ('can Abby trash "Daggger"', "TS0103"),
    ],
)
def test_a_wrong_name_in_a_question_is_a_mistake_with_a_help(question: str, code: str) -> None:
    (found,) = ask("test.scenario", INFILTRATE + f"ask {question}\n")
    assert isinstance(found, Problem)
    assert (found.code, found.line) == (code, 7)
    assert found.help
