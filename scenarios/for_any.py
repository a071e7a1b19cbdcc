"""`for any`: a scenario is not run on samples, the verifier settles it for all values."""

from __future__ import annotations

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.syntax import Line, Scenario, phrases
from scenarios.language.values import Environment, condition
from scenarios.outcome import engine_failed, independence, result
from scenarios.results import Problem, ScenarioResult
from scenarios.run import Expectation, Run
from verifier.current import assume, claim, quantity
from verifier.verdicts import PROVED, REFUTED, VACUOUS, Settled, settle

REFUSED = ("TS0111", "TS0112", "TS0403")
"""A step that is refused for some values breaks the scenario for those values."""


BOUND = "write the largest value in `for any`, like `from 0 to 12`"
EXCLUDE = "exclude them with `where`, or correct the line"
NUMBERS = (
    "write a number, or an `examples` table, instead of a variable that cannot be reckoned with"
)


def checked_for_any(scenario: Scenario) -> ScenarioResult:
    """The verdict on a scenario with variables, over all their values."""
    lines: dict[str, Line] = {}
    try:
        answer = settle(lambda: _run(scenario, lines))
        problems = _problems(scenario, answer, lines)
        if not problems:
            problems = list(independence(scenario, _proved))
    except TruthsayerError as error:
        if error.code == "TS0110":
            error.help = f"{BOUND}; or {error.help}"
        return result(scenario, [problem_of(error, scenario.place)])
    except Exception as defect:
        return result(scenario, [problem_of(engine_failed(defect), scenario.place)])
    found = result(scenario, problems, _detail(scenario, answer))
    if found.verdict == "error" or (problems and answer.verdict == PROVED):
        return found
    return change(found, verdict=answer.verdict)


def _proved(scenario: Scenario) -> bool:
    """Whether the scenario is proved; one that cannot even be run is not."""
    try:
        return settle(lambda: _run(scenario, {})).verdict == PROVED
    except TruthsayerError:
        return False


def _run(scenario: Scenario, lines: dict[str, Line]) -> None:
    """The whole scenario on symbolic numbers; every expectation is a claim, by its line."""

    def expect(_: Run, seen: Expectation) -> None:
        place = seen.line.place
        text = f"{place.text.strip()} (line {place.line}: {seen.expected})"
        lines[text] = seen.line
        claim(seen.holds, text)

    variables = {name: quantity(name, low, high) for name, low, high in scenario.variables}
    environment = Environment(variables=variables)
    for line in scenario.where:
        (phrase,) = phrases(line.words)
        assume(condition(line, phrase, environment))
    try:
        Run(scenario, environment, expect).play()
    except ScenarioError as error:
        if error.code not in REFUSED:
            raise
        claim(False, error.message)


def _detail(scenario: Scenario, answer: Settled) -> str:
    bounds = ", ".join(
        f"{name} from {low}" + ("" if high is None else f" to {high}")
        for name, low, high in scenario.variables
    )
    covered = f"for any {bounds}; {answer.paths} paths"
    return f"{covered}; {answer.detail}" if answer.detail else covered


def _problems(scenario: Scenario, answer: Settled, lines: dict[str, Line]) -> list[Problem]:
    """What is wrong, at the line that does not hold; nothing if it is proved."""
    if answer.verdict == PROVED:
        return []
    if answer.detail == VACUOUS:
        place = scenario.where[0].place if scenario.where else scenario.place
        error = ScenarioError(
            "TS0125",
            "no values are left to check",
            help="leave out one of the conditions of `where`, or widen the bounds of `for any`",
        )
        return [problem_of(error, place)]
    values = ", ".join(f"{each.name} = {each.value}" for each in answer.values)
    if answer.verdict == REFUTED:
        code, help_ = "TS0120", f"smallest values that break it: {values}; {EXCLUDE}"
    else:
        code, help_ = "TS0123", NUMBERS
    broken = [lines[text].place for text in answer.failed if text in lines]
    # Where in our source a proof ended tells an author nothing; the detail of the verdict has it.
    unsettled = f"this cannot be settled for all values ({answer.detail.split(' at ')[0]})"
    why = unsettled if code == "TS0123" else answer.detail
    error = ScenarioError(code, f"{answer.verdict}: {why}", help=help_)
    return [problem_of(error, broken[0] if broken else scenario.place)]
