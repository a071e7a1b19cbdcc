"""Checks scenario files: reads them, checks every name, runs them, settles `for any`."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import rule
from rules_engine.rulebook.rulings import UnknownRuling, ruling
from scenarios.for_any import checked_for_any
from scenarios.imperium.names import lower_snake, vocabulary
from scenarios.imperium.table import check_game
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.read import Reader
from scenarios.language.syntax import Row, Scenario, tokens
from scenarios.language.values import Environment
from scenarios.names_check import name_problems
from scenarios.outcome import engine_failed, independence, result
from scenarios.results import Problem, ScenarioResult
from scenarios.run import Expectation, Run
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
            own += duplicate(scenario, seen)
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


def duplicate(scenario: Scenario, seen: dict[str, Place]) -> list[Problem]:
    """The mistake of an id that a scenario before it has; a new one is remembered in `seen`."""
    earlier = seen.setdefault(scenario.id, scenario.place)
    if earlier is scenario.place:
        return []
    error = ScenarioError(
        "TS0107", f"the id `{scenario.id}` is used at {earlier}", help="give it another `id`"
    )
    return [problem_of(error, scenario.place)]


def checked(scenario: Scenario) -> ScenarioResult:
    """Run one scenario, in every row of its table, or for all values of its variables."""
    if scenario.variables:
        return checked_for_any(scenario)
    problems = _in_every_row(scenario)
    if not problems:
        problems += independence(scenario, lambda: not _in_every_row(scenario))
    return result(scenario, problems)


def _in_every_row(scenario: Scenario) -> list[Problem]:
    return [
        problem
        for environment, row in _environments(scenario)
        for problem in _in_row(_run_once(scenario, environment), row)
    ]


def _environments(scenario: Scenario) -> Iterable[tuple[Environment, Row | None]]:
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


def _run_once(scenario: Scenario, environment: Environment) -> list[Problem]:
    """Run a scenario once; what went wrong, if anything."""
    problems: list[Problem] = []

    def expect(run: Run, seen: Expectation) -> None:
        if not seen.holds:
            problems.append(_failure(run, seen))

    try:
        Run(scenario, environment, expect).play()
    except TruthsayerError as error:
        problems.append(problem_of(error, _last_place(scenario)))
    except Exception as defect:
        problems.append(problem_of(engine_failed(defect), _last_place(scenario)))
    return problems


def _last_place(scenario: Scenario) -> Place:
    return scenario.steps[-1].place if scenario.steps else scenario.place


def _failure(run: Run, seen: Expectation) -> Problem:
    happened = "; ".join(event_words(run.state, event) for event in run.events[-8:])
    if run.stopped is not None:
        happened += f"; then the run ended: {run.stopped.message}"
    place = seen.line.place
    return Problem(
        code=seen.code,
        message=f"expected {seen.expected}; actual: {seen.actual}",
        file=place.file,
        line=place.line,
        column=place.column,
        text=place.text,
        help=f"since the last `when`: {happened}" if happened else "nothing happened before this",
        rules=seen.rules,
    )
