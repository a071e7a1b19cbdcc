"""Checks scenario files: reads them, checks every name, runs them, settles `for any`."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from lark import Token

from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import rule
from rules_engine.rulebook.rulings import UnknownRuling, ruling
from scenarios.for_any import checked_for_any
from scenarios.imperium.names import lower_snake, vocabulary
from scenarios.imperium.table import check_game
from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.read import Reader
from scenarios.language.syntax import Line, Row, Scenario, rules_named, tokens
from scenarios.language.values import Environment
from scenarios.names_check import name_problems
from scenarios.outcome import engine_failed, independence, result
from scenarios.results import Problem, ScenarioResult
from scenarios.run import Expectation, Run
from scenarios.vacuity import tried
from scenarios.words import event_words, telling

DEFAULT_PRODUCT = "uprising"


def read(file: str, text: str) -> tuple[list[Scenario], list[Problem]]:
    """The scenarios of a file, and every mistake found before anything runs, each once."""
    scenarios, problems = read_each(file, text)
    return scenarios, told_together(problems, _starts(scenarios))


def read_each(file: str, text: str) -> tuple[list[Scenario], list[Problem]]:
    """The same, but a wrong name is a mistake on each line that has it."""
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
        for case in scenario.cases:
            case.id = scenario.id
            problems += _before_running(case)
    ordered = sorted(dict.fromkeys(problems), key=lambda each: (each.line, each.column))
    return reader.scenarios, ordered


NAMES = ("TS0102", "TS0103", "TS0104", "TS0109", "TS0201", "TS0202")
"""Codes of names that do not exist: one that is written several times is told once."""


def told_together(problems: list[Problem], starts: list[int]) -> list[Problem]:
    """The problems of a file, each wrong name once in each scenario; these begin at `starts`."""
    loose, owned = _by_scenario(problems, starts)
    return [each for part in (loose, *owned) for each in _together(part)]


def _starts(scenarios: list[Scenario]) -> list[int]:
    return [scenario.place.line for scenario in scenarios]


def _together(problems: list[Problem]) -> Iterator[Problem]:
    """Each problem of a scenario, with the lines on which a wrong name comes again."""
    lines: dict[Problem, list[int]] = {}
    first: dict[tuple[str, str], Problem] = {}
    for each in problems:
        known = first.setdefault((each.code, each.message), each)
        if each.code in NAMES and known is not each:
            lines[known].append(each.line)
        else:
            lines[each] = []
    for each, again in lines.items():
        more = sorted(set(again) - {each.line})
        told = ", ".join(str(line) for line in more)
        also = f" (also on line{'s' if len(more) > 1 else ''} {told})" if more else ""
        yield change(each, message=each.message + also)


def _before_running(case: Scenario) -> list[Problem]:
    """Mistakes that can be told without running: the game, names of anything, missing parts."""
    if case.unreadable:
        return []
    games = [line for line in case.definitions if line.words.data == "game"]
    if not games:
        missing = ScenarioError(
            "TS0106",
            "the scenario names no game",
            help="add a line like `game uprising with John, Abby, Ned`",
        )
        return [problem_of(missing, case.place)]
    try:
        check_game(games[0], case)
    except ScenarioError as error:
        return [problem_of(error, games[0].place)]
    named = [*_rule_problems(case), *name_problems(case)]
    return named if named or case.incomplete else list(_missing_parts(case))


def _missing_parts(scenario: Scenario) -> Iterator[Problem]:
    """A scenario that could not fail, or says two things that do not go together."""
    unnamed = dict.fromkeys(
        str(word)
        for line in scenario.where
        for word in line.words.scan_values(lambda value: getattr(value, "type", "") == "WORD")
    )
    empty = scenario.table is not None and not scenario.rows
    silent = not scenario.asks and not any(line.section == "then" for line in scenario.steps)
    for missing, message, help_, place in (
        (
            # Without rows, lines with words of the table are not read.
            silent and not empty,
            "the scenario expects nothing",
            "add a `then` line, or an `ask` line",
            scenario.place,
        ),
        (
            empty,
            "the table has no rows",
            "add a row like `| 2 |` for each case, below the names of the columns",
            scenario.table,
        ),
        (
            bool(scenario.where) and not scenario.variables,
            "`where` needs `for any`",
            f"add the line `for any {', '.join(unnamed)} from 0`",
            scenario.where[0].place if scenario.where else None,
        ),
        (
            bool(scenario.variables) and scenario.table is not None,
            "`for any` and `examples` do not go together",
            "leave out one of the two, or write two scenarios",
            scenario.table,
        ),
        (
            bool(scenario.variables and scenario.asks),
            "`for any` and `ask` do not go together",
            "write numbers instead of the variables, or `then` with what is claimed for all values",
            scenario.asks[0].place if scenario.asks else None,
        ),
    ):
        if missing:
            yield problem_of(ScenarioError("TS0106", message, help=help_), place or scenario.place)


def _rule_problems(case: Scenario) -> Iterator[Problem]:
    for line in case.lines():
        for word in rules_named(line.words):
            try:
                rule(str(word))
            except TruthsayerError as error:
                yield problem_of(error, line.at(word))
    for line in case.definitions:
        if line.words.data == "ruling":
            chosen, value = tokens(line.words, "WORD")
            yield from _ruling_problem(line, chosen, value)
    for line in case.asks:
        if line.words.data == "ask_ruling":
            name, *values = tokens(line.words, "WORD")
            yield from _ruling_problem(line, name, *values)
    for depends, place in case.depends:
        yield from _unknown_ruling(depends, place)


def _ruling_problem(line: Line, name: Token, *values: Token) -> Iterator[Problem]:
    """The ruling does not exist, or has no such reading."""
    unknown = list(_unknown_ruling(str(name), line.at(name)))
    yield from unknown
    for value in values:
        if not unknown and value not in ruling(str(name)).values:
            yield problem_of(UnknownRuling(str(value), ruling(str(name)).values), line.at(value))


def _unknown_ruling(name: str, place: Place) -> Iterator[Problem]:
    try:
        ruling(name)
    except TruthsayerError as error:
        yield problem_of(error, place)


# Running


def check(file: str, text: str) -> tuple[ScenarioResult, ...]:
    """Check every scenario of one file."""
    return tuple(check_files([(file, text)]))


def check_files(
    files: Sequence[tuple[str, str]], *, vacuity: bool = False
) -> Iterator[ScenarioResult]:
    """Check every scenario of many files; two scenarios with one id are an error.

    With `vacuity`, an expectation that could not fail is an error, too.
    """
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
        loose, owned = _by_scenario(problems, _starts(scenarios))
        if loose:
            yield _file_error(file, tuple(loose))
        told = set(loose)
        for scenario, own in zip(scenarios, owned, strict=True):
            own += duplicate(scenario, seen)
            if not own and (scenario.unreadable or scenario.incomplete):
                yield _not_run(scenario)
            else:
                ended = result(scenario, own) if own else checked(scenario)
                yield _told_once(_with_tried_lines(scenario, ended) if vacuity else ended, told)


def _with_tried_lines(scenario: Scenario, ended: ScenarioResult) -> ScenarioResult:
    """The result of a scenario that holds, after every line of it was falsified."""
    if not ended.good:
        return ended
    found = tried(scenario)
    verdict = "error" if found.problems else ended.verdict
    return change(ended, verdict=verdict, problems=found.problems, lines_tried=found.lines)


def _not_run(scenario: Scenario) -> ScenarioResult:
    """A scenario that cannot be read whole because the background cannot."""
    return change(result(scenario, []), verdict="error", detail=NOT_RUN)


def _told_once(found: ScenarioResult, told: set[Problem]) -> ScenarioResult:
    """A mistake in the background is told for the first scenario that meets it."""
    new = tuple(each for each in found.problems if each not in told)
    told.update(each for each in new if each.line < found.line)
    if found.problems and not new:
        return change(found, problems=(), detail=NOT_RUN)
    return change(found, problems=new) if len(new) < len(found.problems) else found


NOT_RUN = "not run: the background of the file has a mistake"


def _by_scenario(
    problems: list[Problem], starts: list[int]
) -> tuple[list[Problem], list[list[Problem]]]:
    """Problems before the first scenario, and those of each: it ends where the next begins."""
    loose: list[Problem] = []
    owned: list[list[Problem]] = [[] for _ in starts]
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
    if earlier == scenario.place:
        return []
    error = ScenarioError(
        "TS0107",
        f"the id `{scenario.id}` is used at {earlier}",
        help=f"write `id {scenario.id}_2` below the title, or another title",
    )
    return [problem_of(error, scenario.place)]


def checked(scenario: Scenario) -> ScenarioResult:
    """Run one scenario, in every row of its table, or for all values of its variables."""
    if scenario.variables:
        return checked_for_any(scenario)
    problems = _in_every_case(scenario)
    if not problems:
        problems += independence(scenario, lambda other: not _in_every_case(other))
    return result(scenario, problems)


def _in_every_case(scenario: Scenario) -> list[Problem]:
    found = [(_run_once(case), case.row) for case in scenario.cases]
    first, *others = (problems for problems, _ in found)
    everywhere = [each for each in first if others and all(each in more for more in others)]
    rest = [
        each
        for problems, row in found
        for each in _in_row([one for one in problems if one not in everywhere], row)
    ]
    return [*everywhere, *rest]


def _in_row(problems: list[Problem], row: Row | None) -> list[Problem]:
    """A problem met in some rows of a table is shown at its row."""
    if row is None:
        return problems
    return [
        change(p, line=row.place.line, column=row.place.column, text=row.place.text)
        for p in problems
    ]


def _run_once(case: Scenario) -> list[Problem]:
    """Run one case of a scenario; what went wrong, if anything."""
    problems: list[Problem] = []

    def expect(run: Run, seen: Expectation) -> None:
        if not seen.holds:
            _tell(problems, _failure(run, seen), seen.line)

    try:
        Run(case, Environment(), expect).play()
    except TruthsayerError as error:
        problems.append(problem_of(error, _last_place(case)))
    except Exception as defect:
        problems.append(problem_of(engine_failed(defect), _last_place(case)))
    return problems


def _tell(problems: list[Problem], new: Problem, line: Line) -> None:
    """A line about several players is told once, with all for whom it does not hold."""
    last = problems[-1] if problems else None
    again = last is not None and (last.line, last.code) == (new.line, new.code)
    if last is None or not line.about or not again:
        problems.append(new)
        return
    rules = tuple(dict.fromkeys((*last.rules, *new.rules)))
    problems[-1] = change(last, message=f"{last.message}; {new.message}", rules=rules)


def _last_place(scenario: Scenario) -> Place:
    return scenario.steps[-1].place if scenario.steps else scenario.place


def _failure(run: Run, seen: Expectation) -> Problem:
    happened = "; ".join(event_words(run.state, event) for event in telling(run.events)[-8:])
    place = seen.line.place
    about = seen.line.about
    whose = f"{about}: " if about and about not in seen.expected else ""
    return Problem(
        code=seen.code,
        message=f"{whose}expected {seen.expected}; actual: {seen.actual}",
        file=place.file,
        line=place.line,
        column=place.column,
        text=place.text,
        help=f"since the last `when`: {happened}" if happened else "nothing happened before this",
        rules=seen.rules,
    )
