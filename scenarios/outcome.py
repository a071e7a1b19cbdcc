"""How a scenario ended, and what that depends on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from rules_engine.rulebook.index import UnknownRule, rule
from rules_engine.rulebook.rulings import ruling
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.syntax import Scenario, rules_named
from scenarios.results import Problem, ScenarioResult

ASKS_ONLY = "it asks and expects nothing"
"""The detail of a scenario that nothing can make fail."""


def result(scenario: Scenario, problems: list[Problem], detail: str = "") -> ScenarioResult:
    """How a scenario that was run ended."""
    failed = bool(problems) and all(problem.code in FAILURES for problem in problems)
    verdict = "failed" if failed else "error" if problems else "passed"
    if not problems and asks_only(scenario):
        detail = ASKS_ONLY
    return ScenarioResult(
        id=scenario.id,
        title=scenario.title,
        file=scenario.place.file,
        line=scenario.place.line,
        verdict=verdict,
        rules=cited(scenario),
        problems=tuple(problems),
        detail=detail,
    )


def asks_only(scenario: Scenario) -> bool:
    """Whether a scenario expects nothing."""
    return not any(line.section == "then" for line in scenario.steps)


FAILURES = ("TS0120", "TS0121", "TS0122")
"""Codes of expectations that do not hold; every other code is a mistake in the file."""


def cited(scenario: Scenario) -> tuple[str, ...]:
    """Every rule that a scenario names; an id that is none is a mistake of its own."""
    named = [str(word) for line in scenario.lines() for word in rules_named(line.words)]
    return tuple(each for each in dict.fromkeys((*scenario.cites, *named)) if _is_rule(each))


def _is_rule(rule_id: str) -> bool:
    try:
        rule(rule_id)
    except UnknownRule:
        return False
    return True


def engine_failed(defect: Exception) -> ScenarioError:
    """A defect of ours, shown as such: one bad case never ends a run."""
    return ScenarioError(
        "TS0190",
        f"the engine failed here: {type(defect).__name__}: {defect}",
        help="this is a defect of Truthsayer, not of the scenario; please report the file",
    )


def independence(scenario: Scenario, holds: Callable[[Scenario], bool]) -> Iterator[Problem]:
    """`depends on ruling NAME` is wrong if the scenario holds under every value of the ruling."""
    for name, place in scenario.depends:
        own = scenario.rulings.get(name, ruling(name).default)
        others = [value for value in ruling(name).values if value != own]
        if all(holds(under(scenario, name, value)) for value in others):
            error = ScenarioError(
                "TS0122",
                f"the outcome does not depend on the ruling `{name}`",
                help="leave the line out, or state an outcome that differs",
            )
            yield problem_of(error, place)


def under(scenario: Scenario, name: str, value: str) -> Scenario:
    """The same scenario under another reading of an open point."""
    first, *others = (
        dataclasses.replace(case, rulings={**case.rulings, name: value}, cases=[])
        for case in scenario.cases
    )
    first.cases = [first, *others]
    return first
