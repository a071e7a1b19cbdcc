"""`for any`: a scenario is not run on samples, the verifier settles it for all values."""

from __future__ import annotations

from typing import Any

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from scenarios.check import result
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.syntax import Line, Scenario, phrases
from scenarios.language.values import Environment, condition
from scenarios.results import Problem, ScenarioResult
from scenarios.run import Run
from verifier.current import assume, claim, quantity
from verifier.verdicts import PROVED, REFUTED, Settled, settle

REFUSED = ("TS0111", "TS0112")
"""A step that is refused for some values breaks the scenario for those values."""


def settled(scenario: Scenario) -> ScenarioResult:
    """The verdict on a scenario with variables, over all their values."""
    try:
        answer = settle(lambda: _run(scenario))
    except TruthsayerError as error:
        return result(scenario, [problem_of(error, scenario.place)])
    problems = [] if answer.verdict == PROVED else [_problem(scenario, answer)]
    found = result(scenario, problems, _detail(scenario, answer))
    return change(found, verdict=answer.verdict)


def _run(scenario: Scenario) -> None:
    """The whole scenario on symbolic numbers; every expectation is a claim."""
    variables = {name: quantity(name, low, high) for name, low, high in scenario.variables}
    environment = Environment(variables=variables)
    for line in scenario.where:
        (phrase,) = phrases(line.words)
        assume(condition(line, phrase, environment))
    try:
        Run(scenario, environment, _claim).play()
    except ScenarioError as error:
        if error.code not in REFUSED:
            raise
        claim(False, error.message)


def _claim(
    run: Run, line: Line, holds: Any, expected: str, actual: str, rules: tuple[str, ...], code: str
) -> None:
    del run, actual, rules, code
    claim(holds, f"{line.place.text.strip()} (line {line.place.line}: {expected})")


def _detail(scenario: Scenario, answer: Settled) -> str:
    bounds = ", ".join(
        f"{name} from {low}" + ("" if high is None else f" to {high}")
        for name, low, high in scenario.variables
    )
    covered = f"for any {bounds}; {answer.paths} paths"
    return f"{covered}; {answer.detail}" if answer.detail else covered


def _problem(scenario: Scenario, answer: Settled) -> Problem:
    values = ", ".join(f"{each.name} = {each.value}" for each in answer.values)
    message = f"{answer.verdict}: {answer.detail}"
    help_ = f"smallest values that break it: {values}" if values else "see the detail"
    code = "TS0120" if answer.verdict == REFUTED else "TS0123"
    error = ScenarioError(code, message, help=help_)
    return problem_of(error, scenario.place)
