"""Answers are printed as the golden texts say, and decide as was judged from the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios.results import AskResult
from tests.scenarios.answer_fixtures import Judged, answered, files, judged, printed

FILES = files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_printed(file: Path) -> None:
    assert printed(file) == file.with_suffix(".txt").read_text("utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_answer_has_the_verdict_and_the_rule_that_were_judged(file: Path) -> None:
    found = {question: _judged(answer) for question, answer in answered(file).items()}
    assert found == judged(file.stem)


def _judged(answer: object) -> object:
    if not isinstance(answer, AskResult):
        return answer
    rule = answer.rules[0].id if answer.rules else ""
    return Judged(answer.verdict, rule, tuple(point.ruling for point in answer.open_points))


def test_all_chapters_and_all_kinds_of_verdict_are_asked_about() -> None:
    every = [each for file in FILES for each in judged(file.stem).values()]
    assert len(every) >= 40
    assert {each.verdict for each in every} == {"", "yes", "no", "not_yet", "depends"}
    chapters = {each.rule.split("-")[1] for each in every}
    assert chapters >= {
        "UNIT", "WORM", "WALL", "CTRL", "SPY", "AGENT", "COST", "REVEAL", "ACQ", "COMBAT", "MAKER",
        "END", "CHOAM", "FACTION", "ROUND", "ICON", "CLAR", "BOARD",
    }  # fmt: skip
