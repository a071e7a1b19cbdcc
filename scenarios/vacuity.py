"""Whether every `then` line could fail: each is falsified where it stands, and must not hold then.

A line that holds whatever it says is worse than none: it looks like a check.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from lark import Tree

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from scenarios.for_any import proved
from scenarios.imperium import observing
from scenarios.imperium.falsifying import Falsified, falsified
from scenarios.imperium.table import Table
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.syntax import Line, Scenario, phrases
from scenarios.language.values import Environment
from scenarios.results import Problem
from scenarios.run import Run, said_open


class Tried(NamedTuple):
    """How many lines of a scenario were falsified, and those that held all the same."""

    lines: int
    problems: tuple[Problem, ...]


def tried(scenario: Scenario) -> Tried:
    """Falsify every `then` line of a scenario that holds, in every row of its table."""
    if scenario.variables:
        return _for_all_values(scenario)
    runs = [Falsifying(case) for case in scenario.cases]
    for run in runs:
        run.play()
    found = dict.fromkeys(problem for run in runs for problem in run.empty)
    return Tried(sum(run.lines for run in runs), tuple(found))


class Falsifying(Run):
    """A scenario in progress whose expectations are turned round."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario, Environment(), lambda *_: None)
        self.lines = 0
        self.empty: list[Problem] = []

    def look(self, line: Line) -> None:
        """Try the opposite of what a line says."""
        self.lines += 1
        for each in falsified(phrases(line.words)[0], self.table):
            if self._holds(line, each):
                self.empty.append(_empty(line, each))

    def _holds(self, line: Line, each: Falsified) -> bool:
        here = self.state
        self.state = change(here, **each.filled) if each.filled else here
        try:
            return bool(observing.look(self, line, each.words).holds)
        except TruthsayerError:
            # What cannot even be asked does not hold.
            return False
        finally:
            self.state = here


def _for_all_values(scenario: Scenario) -> Tried:
    """The same for variables: the falsified claim must not be provable."""
    table = Table(scenario)
    lines = [line for line in scenario.steps if line.section == "then"]
    problems = []
    for line in lines:
        for each in falsified(phrases(line.words)[0], table):
            if each.filled is None and proved(_instead(scenario, line, each)):
                problems.append(_empty(line, each))
    return Tried(len(lines), tuple(problems))


def _instead(scenario: Scenario, line: Line, each: Falsified) -> Scenario:
    """The scenario with a claim falsified; of the others, only what says what is left open."""
    other = dataclasses.replace(line, words=Tree(line.words.data, [each.words]))
    steps = [
        other if step is line else step
        for step in scenario.steps
        if step is line or step.section != "then" or said_open([step])
    ]
    return dataclasses.replace(scenario, steps=steps)


def _empty(line: Line, each: Falsified) -> Problem:
    error = ScenarioError(
        "TS0133",
        f"this says nothing: it holds {each.how} as well",
        help="leave the line out, or write an expectation that can fail",
    )
    return problem_of(error, line.place)
