"""A question moves nothing: asked anywhere, it changes no later answer and no expectation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules_engine.kernel.records import change
from scenarios import ask, check
from scenarios.asking import possible
from scenarios.asking.completing import Question, Tried, tried
from scenarios.results import AskResult, Problem

LIBRARY = Path(__file__).parents[2] / "scenarios/library"
EVERY = 23
"""Of so many scenarios of the library, one is tried."""

LAST = (
    "what happens",
    "who wins",
    "what can {0} do",
    "what does {0} gain",
    "why did {0} not gain 3 water",
    "what changes with ruling agent_turn_end",
)
"""Asked at the end, with and without the others."""

BETWEEN = (
    "can {1} reveal",
    "can {0} end the turn",
    'can {0} play "Dagger" to Assembly Hall',
    "what can {1} do",
    "what happens",
    "why did {0} not gain 2 spice",
    "what changes with ruling plot_window",
)
"""Asked before every `when` and every `then`."""


def scenarios_of(file: Path) -> Iterator[str]:
    """The text of each scenario that can be asked, with what all of its file share."""
    text = file.read_text("utf-8")
    first, *others = re.split(r"^(?=scenario )", text, flags=re.MULTILINE)
    shared = first if "background" in first else ""
    for part in others:
        if not re.search(r"^for any|^examples|^ask ", part, flags=re.MULTILINE):
            yield shared + part.rstrip() + "\n"


def library() -> list[str]:
    every = [text for file in sorted(LIBRARY.rglob("*.scenario")) for text in scenarios_of(file)]
    return every[::EVERY]


def asks(questions: tuple[str, ...], players: list[str]) -> str:
    return "".join(f"ask {question.format(*players)}\n" for question in questions)


def players_of(text: str) -> list[str]:
    found = re.search(r"^game \w+ with (.+)$", text, flags=re.MULTILINE)
    assert found is not None
    return found[1].split(", ")


def answers(text: str) -> list[AskResult | Problem]:
    """The answers to the last questions, wherever they stand in the file."""
    return [change(each, line=0) for each in ask("test.scenario", text)[-len(LAST) :]]


def with_questions(text: str, between: tuple[str, ...]) -> str:
    players = players_of(text)
    asked = re.sub(r"^(?=when |then )", asks(between, players), text, flags=re.MULTILINE)
    return asked + asks(LAST, players)


TEXTS = library()


def test_a_good_part_of_the_library_is_tried() -> None:
    assert len(TEXTS) >= 40


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_questions_change_no_later_answer_and_no_expectation(text: str) -> None:
    asked = with_questions(text, BETWEEN)
    assert answers(asked) == answers(with_questions(text, ()))
    ends = [[each.verdict for each in check("test.scenario", each)] for each in (asked, text)]
    assert ends[0] == ends[1]


ONLY_ASKED = """\
scenario "Whose turn it is, nobody says"
game uprising with John, Abby, Ned
given John has hand "Dagger"
  and Abby has hand "Dagger"
"""


def test_where_nobody_has_the_turn_each_question_is_about_the_own_turn() -> None:
    alone = answers(ONLY_ASKED + asks(LAST, ["Abby"]))
    after = answers(ONLY_ASKED + asks(BETWEEN, ["John", "Ned"]) + asks(LAST, ["Abby"]))
    assert alone == after


def test_a_question_that_moves_the_game_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ONLY_ASKED + 'when Abby plays "Dagger" to Assembly Hall\n'
    quiet = answers(with_questions(text, ()))

    def moves(question: Question) -> Tried:
        run = question.run
        first, *others = run.state.players
        scored = change(first, victory_points=first.victory_points + 1)
        run.state = change(run.state, players=(scored, *others))
        return tried(question)

    monkeypatch.setattr(possible, "tried", moves)
    assert answers(with_questions(text, BETWEEN)) != quiet
