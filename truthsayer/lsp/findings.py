"""What is wrong in a document: each part is read and run once, until it changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules_engine.kernel.errors import Place
from rules_engine.kernel.records import change
from scenarios.check import duplicate, read_each, told_together
from scenarios.language.errors import problem_of
from scenarios.language.syntax import Scenario
from scenarios.outcome import engine_failed
from scenarios.results import Problem
from truthsayer.lsp.parts import Part


class Reading(NamedTuple):
    """The scenarios of a part and its mistakes; lines are those of the part's text."""

    scenarios: list[Scenario]
    problems: list[Problem]

    @property
    def for_any(self) -> bool:
        """Whether it takes a proof."""
        return any(scenario.variables for scenario in self.scenarios)


Run = tuple[str, int]
"""What is run: the text, and where it stands if the result depends on that."""


class Findings:
    """What is known of the parts of one document."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._readings: dict[str, Reading] = {}
        self._results: dict[Run, tuple[Problem, ...]] = {}

    def read(self, parts: Sequence[Part]) -> Iterator[None]:
        """Read the parts that are new, with a pause after each, and forget those that are gone."""
        texts = dict.fromkeys(part.text for part in parts)
        for text in texts:
            if text not in self._readings:
                self._readings[text] = _read(self.file, text)
                yield
        self._readings = {text: self._readings[text] for text in texts}
        runs = {self._run(part) for part in parts}
        self._results = {run: found for run, found in self._results.items() if run in runs}

    def to_run(self, parts: Sequence[Part], *, proofs: bool) -> list[Part]:
        """The parts without a mistake whose result is not known; of those, proofs or the others."""
        return [
            part
            for part in parts
            if not self._readings[part.text].problems
            and self._readings[part.text].for_any == proofs
            and self._run(part) not in self._results
        ]

    def text_to_run(self, part: Part) -> str:
        """A verdict on `for any` names lines, so these must be those of the file."""
        return part.text_in_place if self._readings[part.text].for_any else part.text

    def ran(self, part: Part, problems: tuple[Problem, ...]) -> None:
        """Remember what running a part found, with lines of the text that was run."""
        self._results[self._run(part)] = problems

    def problems(self, parts: Sequence[Part]) -> list[Problem]:
        """Everything known to be wrong, with lines of the file, each once."""
        found: list[Problem] = []
        seen: dict[str, Place] = {}
        for part in parts:
            reading = self._readings[part.text]
            ran = self._results.get(self._run(part), ())
            starts = [part.in_file(scenario.place.line) for scenario in reading.scenarios]
            found += told_together([_moved(each, part) for each in reading.problems], starts)
            found += ran if reading.for_any else [_moved(problem, part) for problem in ran]
            for scenario, line in zip(reading.scenarios, starts, strict=True):
                moved = dataclasses.replace(scenario, place=change(scenario.place, line=line))
                found += duplicate(moved, seen)
        return list(dict.fromkeys(found))

    def _run(self, part: Part) -> Run:
        """The key of a part's result; a verdict on `for any` is good for one place only."""
        return part.text, part.start if self._readings[part.text].for_any else 0


def _read(file: str, text: str) -> Reading:
    try:
        return Reading(*read_each(file, text))
    except Exception as defect:
        return Reading([], [problem_of(engine_failed(defect), Place(file, 1))])


def _moved(problem: Problem, part: Part) -> Problem:
    return change(problem, line=part.in_file(problem.line))
