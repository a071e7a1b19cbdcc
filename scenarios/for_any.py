"""`for any`: a scenario is not run on samples, the verifier settles it for all values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from scenarios.imperium.behind_strength import units_are_open, weakest
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.syntax import Line, Scenario, phrases
from scenarios.language.values import Environment, condition
from scenarios.outcome import engine_failed, independence, result
from scenarios.results import Problem, ScenarioResult
from scenarios.run import Expectation, Run
from verifier.current import assume, claim, quantity
from verifier.verdicts import PROVED, REFUTED, VACUOUS, Settled, examples, settle

IMPOSSIBLE = "TS0110"
"""A position that does not exist for some values: the scenario speaks of too many."""

ENDED_EARLY = (IMPOSSIBLE, "TS0111", "TS0112", "TS0403")
"""Errors that end a run for some values, as a step does that is refused for them."""

NO_VALUES = "TS0125"

BOUND = "write the largest value in `for any`, like `from 0 to 12`"
EXCLUDE = "exclude them with `where`, or correct the line"
NUMBERS = (
    "write a number, or an `examples` table, instead of a variable that cannot be reckoned with"
)


def checked_for_any(scenario: Scenario) -> ScenarioResult:
    """The verdict on a scenario with variables, over all their values."""
    told = Told()
    try:
        answer = settle(lambda: _run(scenario, told))
        problems = _problems(scenario, answer, told)
        if not problems:
            problems = list(independence(scenario, proved))
    except TruthsayerError as error:
        return result(scenario, [problem_of(error, scenario.place)])
    except Exception as defect:
        return result(scenario, [problem_of(engine_failed(defect), scenario.place)])
    codes = {each.code for each in problems}
    if codes & {*ENDED_EARLY}:
        return result(scenario, problems)
    found = result(scenario, problems, _detail(scenario, answer))
    if codes and (answer.verdict == PROVED or NO_VALUES in codes):
        return found
    return change(found, verdict=answer.verdict)


def proved(scenario: Scenario) -> bool:
    """Whether the scenario is proved; one that cannot even be run is not."""
    try:
        return settle(lambda: _run(scenario, Told())).verdict == PROVED
    except TruthsayerError:
        return False


def values_of_paths(scenario: Scenario) -> tuple[dict[str, int], ...]:
    """The smallest values of the variables for each way in which the scenario can go.

    They make a whole position, so a Combat marker stands where some units put it.
    """
    return examples(lambda: _run(scenario, Told(), _some_units_behind))


def _some_units_behind(run: Run) -> None:
    """Of what markers leave open, only what a table can have."""
    for owner in run.state.players:
        if units_are_open(owner):
            assume((owner.strength == 0) | (owner.strength >= weakest(owner)))


@dataclass
class Told:
    """The lines and errors behind the claims of a run, by the text of the claim."""

    lines: dict[str, Line] = field(default_factory=dict)
    ended_early: dict[str, ScenarioError] = field(default_factory=dict)


def _run(scenario: Scenario, told: Told, begin: Callable[[Run], None] = lambda _: None) -> None:
    """The whole scenario on symbolic numbers; every expectation is a claim, by its line."""

    def expect(_: Run, seen: Expectation) -> None:
        place = seen.line.place
        text = f"{seen.line.written.text} (line {place.line})"
        told.lines[text] = seen.line
        claim(seen.holds, text)

    variables = {name: quantity(name, low, high) for name, low, high in scenario.variables}
    environment = Environment(variables=variables)
    for line in scenario.where:
        (phrase,) = phrases(line.words)
        assume(condition(line, phrase, environment))
    try:
        run = Run(scenario, environment, expect)
        begin(run)
        run.play()
    except ScenarioError as error:
        if error.code not in ENDED_EARLY:
            raise
        told.ended_early[error.message] = error
        claim(False, error.message)


def _detail(scenario: Scenario, answer: Settled) -> str:
    bounds = ", ".join(
        f"{name} from {low}" + ("" if high is None else f" to {high}")
        for name, low, high in scenario.variables
    )
    covered = f"for any {bounds}; {answer.paths} path{'' if answer.paths == 1 else 's'}"
    # What refutes it is told as a problem, at its line.
    told = answer.detail and answer.verdict != REFUTED
    return f"{covered}; {answer.detail}" if told else covered


def _problems(scenario: Scenario, answer: Settled, told: Told) -> list[Problem]:
    """What is wrong, at the line that does not hold; nothing if it is proved."""
    if answer.verdict == PROVED:
        return []
    if answer.detail == VACUOUS:
        place = scenario.where[0].place if scenario.where else scenario.place
        error = ScenarioError(
            NO_VALUES,
            "no values are left to check",
            help="leave out one of the conditions of `where`, or widen the bounds of `for any`",
        )
        return [problem_of(error, place)]
    values = ", ".join(f"{each.name} = {each.value}" for each in answer.values)
    for text in answer.failed[:1]:
        if text in told.ended_early:
            return [_ended_early(told.ended_early[text], scenario, values)]
    if answer.verdict == REFUTED:
        code, help_ = "TS0120", f"smallest values that break it: {values}; {EXCLUDE}"
    else:
        code, help_ = "TS0123", NUMBERS
    broken = [told.lines[text].place for text in answer.failed if text in told.lines]
    # Where in our source a proof ended tells an author nothing; the detail of the verdict has it.
    unsettled = f"this cannot be settled for all values ({answer.detail.split(' at ')[0]})"
    why = unsettled if code == "TS0123" else answer.detail
    error = ScenarioError(code, f"{answer.verdict}: {why}", help=help_)
    return [problem_of(error, broken[0] if broken else scenario.place)]


def _ended_early(found: ScenarioError, scenario: Scenario, values: str) -> Problem:
    """The run ends early for some of the values, so nothing can be said about all of them."""
    remedy = f"{BOUND}; or {EXCLUDE}" if found.code == IMPOSSIBLE else EXCLUDE
    error = ScenarioError(
        found.code,
        f"{found.message}, with {values}" if values else found.message,
        place=found.place,
        help=remedy,
        rules=found.rules,
    )
    return problem_of(error, scenario.place)
