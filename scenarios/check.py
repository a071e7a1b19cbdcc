"""Checks scenario files: reads them, checks every name, runs them, settles `for any`."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any

from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import rule
from rules_engine.rulebook.rulings import UnknownRuling, ruling
from scenarios.imperium.names import lower_snake, vocabulary
from scenarios.imperium.table import check_game
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.read import Reader
from scenarios.language.syntax import Line, Row, Scenario, tokens
from scenarios.language.values import Environment
from scenarios.names_check import name_problems
from scenarios.results import Problem, ScenarioResult
from scenarios.run import Run
from scenarios.words import event_words

DEFAULT_PRODUCT = "uprising"


def read(file: str, text: str) -> tuple[list[Scenario], list[Problem]]:
    """The scenarios of a file, and every mistake found before anything runs."""
    reader = Reader(file, text, vocabulary(DEFAULT_PRODUCT))
    reader.read()
    problems = list(reader.problems)
    if not reader.scenarios and not problems:
        empty = ScenarioError(
            "TS0106", "the file has no scenario", help='begin with `scenario "a title"`'
        )
        problems.append(problem_of(empty, Place(file, 1)))
    for scenario in reader.scenarios:
        if not scenario.id:
            scenario.id = f"{lower_snake(PurePath(file).stem)}.{lower_snake(scenario.title)}"
        problems += _before_running(scenario)
    return reader.scenarios, problems


def _before_running(scenario: Scenario) -> list[Problem]:
    """Mistakes that can be told without running: the game, names of anything, missing parts."""
    if scenario.unreadable:
        return []
    games = [line for line in scenario.definitions if line.words.data == "game"]
    if not games:
        missing = ScenarioError(
            "TS0106",
            "the scenario names no game",
            help="add a line like `game uprising with John, Abby, Ned`",
        )
        return [problem_of(missing, scenario.place)]
    try:
        check_game(games[0], scenario)
    except ScenarioError as error:
        return [problem_of(error, games[0].place)]
    named = [*_rule_problems(scenario), *name_problems(scenario)]
    return named or list(_missing_parts(scenario))


def _missing_parts(scenario: Scenario) -> Iterator[Problem]:
    """A scenario that could not fail, or says two things that do not go together."""
    for missing, message, help_, place in (
        (
            not scenario.asks and not any(line.section == "then" for line in scenario.steps),
            "the scenario expects nothing",
            "add a `then` line, or an `ask` line",
            scenario.place,
        ),
        (
            scenario.table is not None and not scenario.rows,
            "the table has no rows",
            "add a row for each case below the names of the columns",
            scenario.table,
        ),
        (
            bool(scenario.where) and not scenario.variables,
            "`where` needs `for any`",
            "name the variables, like `for any j, a from 0`",
            scenario.where[0].place if scenario.where else None,
        ),
        (
            bool(scenario.variables) and scenario.table is not None,
            "`for any` and `examples` do not go together",
            "write two scenarios",
            scenario.table,
        ),
    ):
        if missing:
            yield problem_of(ScenarioError("TS0106", message, help=help_), place or scenario.place)


def _rule_problems(scenario: Scenario) -> Iterator[Problem]:
    for line in scenario.lines():
        for word in line.words.scan_values(lambda value: getattr(value, "type", "") == "RULE"):
            try:
                rule(str(word))
            except TruthsayerError as error:
                yield problem_of(error, line.at(word))
    for line in scenario.definitions:
        if line.words.data == "ruling":
            chosen, value = tokens(line.words, "WORD")
            yield from _ruling_problem(str(chosen), str(value), line.place)
    for name, place in scenario.depends:
        yield from _ruling_problem(name, None, place)


def _ruling_problem(name: str, value: str | None, place: Place) -> Iterator[Problem]:
    try:
        known = ruling(name)
        if value is not None and value not in known.values:
            raise UnknownRuling(value, known.values)
    except TruthsayerError as error:
        yield problem_of(error, place)


# Running


def check(file: str, text: str) -> tuple[ScenarioResult, ...]:
    """Check every scenario of one file."""
    return tuple(check_files([(file, text)]))


def check_files(files: Sequence[tuple[str, str]]) -> Iterator[ScenarioResult]:
    """Check every scenario of many files; two scenarios with one id are an error."""
    seen: dict[str, Place] = {}
    for file, text in files:
        try:
            scenarios, problems = read(file, text)
        except TruthsayerError as error:
            yield _file_error(file, (problem_of(error, Place(file, 1)),))
            continue
        except Exception as defect:
            yield _file_error(file, (problem_of(engine_failed(defect), Place(file, 1)),))
            continue
        loose, owned = _by_scenario(problems, scenarios)
        if loose:
            yield _file_error(file, tuple(loose))
        for scenario, own in zip(scenarios, owned, strict=True):
            own += _duplicate(scenario, seen)
            yield result(scenario, own) if own else checked(scenario)


def _by_scenario(
    problems: list[Problem], scenarios: list[Scenario]
) -> tuple[list[Problem], list[list[Problem]]]:
    """Problems before the first scenario, and those of each: it ends where the next begins."""
    starts = [scenario.place.line for scenario in scenarios]
    loose: list[Problem] = []
    owned: list[list[Problem]] = [[] for _ in scenarios]
    for problem in problems:
        at = bisect.bisect_right(starts, problem.line) - 1
        (owned[at] if at >= 0 else loose).append(problem)
    return loose, owned


def _file_error(file: str, problems: tuple[Problem, ...]) -> ScenarioResult:
    stem = lower_snake(PurePath(file).stem)
    return ScenarioResult(stem, "", file, problems[0].line, "error", (), problems)


def _duplicate(scenario: Scenario, seen: dict[str, Place]) -> list[Problem]:
    earlier = seen.setdefault(scenario.id, scenario.place)
    if earlier is scenario.place:
        return []
    error = ScenarioError(
        "TS0107", f"the id `{scenario.id}` is used at {earlier}", help="give it another `id`"
    )
    return [problem_of(error, scenario.place)]


def result(scenario: Scenario, problems: list[Problem], detail: str = "") -> ScenarioResult:
    """How a scenario that was run ended."""
    failed = bool(problems) and all(problem.code in FAILURES for problem in problems)
    verdict = "failed" if failed else "error" if problems else "passed"
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


FAILURES = ("TS0120", "TS0121", "TS0122")
"""Codes of expectations that do not hold; every other code is a mistake in the file."""


def cited(scenario: Scenario) -> tuple[str, ...]:
    """Every rule that a scenario names."""
    named = [
        str(word)
        for line in scenario.lines()
        for word in line.words.scan_values(lambda value: getattr(value, "type", "") == "RULE")
    ]
    return tuple(dict.fromkeys((*scenario.cites, *named)))


def checked(scenario: Scenario) -> ScenarioResult:
    """Run one scenario, in every row of its table, or for all values of its variables."""
    if scenario.variables:
        from scenarios.for_any import checked_for_any

        return checked_for_any(scenario)
    problems: list[Problem] = []
    for environment, row in environments(scenario):
        problems += _in_row(run_once(scenario, environment), row)
    if not problems:
        problems += _dependence(scenario)
    return result(scenario, problems)


def environments(scenario: Scenario) -> Iterable[tuple[Environment, Row | None]]:
    """The cases of a scenario: one for each row of its table."""
    if not scenario.columns:
        return [(Environment(), None)]
    return [
        (Environment(dict(zip(scenario.columns, row.cells, strict=True))), row)
        for row in scenario.rows
    ]


def _in_row(problems: list[Problem], row: Row | None) -> list[Problem]:
    """A problem met in a table is shown at its row."""
    if row is None:
        return problems
    return [
        change(p, line=row.place.line, column=row.place.column, text=row.place.text)
        for p in problems
    ]


def run_once(scenario: Scenario, environment: Environment) -> list[Problem]:
    """Run a scenario once; what went wrong, if anything."""
    problems: list[Problem] = []

    def expect(
        run: Run,
        line: Line,
        holds: Any,
        expected: str,
        actual: str,
        rules: tuple[str, ...],
        code: str,
    ) -> None:
        if not holds:
            problems.append(_failure(run, line, expected, actual, rules, code))

    try:
        Run(scenario, environment, expect).play()
    except TruthsayerError as error:
        problems.append(problem_of(error, _last_place(scenario)))
    except Exception as defect:
        problems.append(problem_of(engine_failed(defect), _last_place(scenario)))
    return problems


def engine_failed(defect: Exception) -> ScenarioError:
    """A defect of ours, shown as such: one bad case never ends a run."""
    return ScenarioError(
        "TS0190",
        f"the engine failed here: {type(defect).__name__}: {defect}",
        help="this is a defect of Truthsayer, not of the scenario; please report the file",
    )


def _last_place(scenario: Scenario) -> Place:
    return scenario.steps[-1].place if scenario.steps else scenario.place


def _failure(
    run: Run, line: Line, expected: str, actual: str, rules: tuple[str, ...], code: str
) -> Problem:
    happened = "; ".join(event_words(run.state, event) for event in run.events[-8:])
    if run.stopped is not None:
        happened += f"; then the run ended: {run.stopped.message}"
    return Problem(
        code=code,
        message=f"expected {expected}; actual: {actual}",
        file=line.place.file,
        line=line.place.line,
        column=line.place.column,
        text=line.place.text,
        help=f"since the last `when`: {happened}" if happened else "nothing happened before this",
        rules=rules,
    )


def _dependence(scenario: Scenario) -> list[Problem]:
    """`depends on ruling NAME` holds if some other value of the ruling changes the outcome."""
    problems = []
    for name, place in scenario.depends:
        own = scenario.rulings.get(name, ruling(name).default)
        others = [value for value in ruling(name).values if value != own]
        if not any(_outcome_changes(scenario, name, value) for value in others):
            problems.append(independent(name, place))
    return problems


def independent(name: str, place: Place) -> Problem:
    """An outcome that was said to depend on a ruling and does not."""
    error = ScenarioError(
        "TS0122",
        f"the outcome does not depend on the ruling `{name}`",
        help="remove the line, or state an outcome that differs",
    )
    return problem_of(error, place)


def _outcome_changes(scenario: Scenario, name: str, value: str) -> bool:
    original = dict(scenario.rulings)
    scenario.rulings = {**original, name: value}
    try:
        return any(run_once(scenario, env) for env, _ in environments(scenario))
    finally:
        scenario.rulings = original
