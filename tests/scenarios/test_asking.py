"""Questions are answered in words with the deciding rules, never with an error for the unknown."""

from __future__ import annotations

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
    assert [rule.id for rule in found.rules] == ["UPR-UNIT-008", "UPR-UNIT-015"]
    assert "Combat space" in found.answer


def test_who_wins_now() -> None:
    (found,) = answers("Ned has 3 victory points", "who wins")
    assert isinstance(found, AskResult)
    assert "Ned" in found.answer


def test_a_mistake_in_a_question_has_its_place() -> None:
    (found,) = answers("the shield wall stands", "can Abbey summon a sandworm")
    assert isinstance(found, Problem)
    assert (found.code, found.line, found.column) == ("TS0102", 6, 9)
