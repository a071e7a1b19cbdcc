"""Every question of a file and its answer, with the open points that decide it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import TruthsayerError, UnknownRead
from rules_engine.kernel.game import asked, turn_rules
from rules_engine.kernel.outcomes import Refusal, Seat
from rules_engine.rulebook.index import rule
from rules_engine.rulebook.rulings import Ruling, ruling
from scenarios.asking import absent, happened, possible, winning
from scenarios.asking.comparing import differences
from scenarios.asking.permitting import why_only_these
from scenarios.asking.position import Asked, Order, due_effects, heard
from scenarios.asking.said import DEPENDS, NO, YES, Said, listed
from scenarios.asking.settled import settled_parts
from scenarios.check import read
from scenarios.language.errors import problem_of
from scenarios.language.syntax import Line, Scenario, token, tokens
from scenarios.outcome import engine_failed
from scenarios.results import AnswerPart, AskResult, CitedRule, OpenPoint, Problem, Reading
from scenarios.words import options_in_words

MOST_READINGS = 24
"""How many other readings of open points are tried for a scenario."""


def ask(file: str, text: str) -> tuple[AskResult | Problem, ...]:
    """Answer every question of a file; mistakes come first and are answered by nothing else."""
    scenarios, problems = read(file, text)
    if problems:
        return tuple(problems)
    answers: list[AskResult | Problem] = []
    for scenario in scenarios:
        for case in scenario.cases:
            answers += _answers(case) if case.asks else []
    return tuple(answers)


class Moment(NamedTuple):
    """Whose turn it is and of what kind, and what has to be resolved."""

    turn: tuple[Seat, str] | None
    due: tuple[str, ...]


@dataclass
class Played:
    """The questions of a scenario with their answers, and how far it came."""

    answers: dict[Line, Said | Problem] = field(default_factory=dict)
    moments: dict[Line, Moment] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    """In which order each `when` resolved what it left nobody to decide."""
    read: list[str] = field(default_factory=list)
    """The rulings that were read."""
    failed: Problem | None = None
    refused: Refusal | None = None
    """Why the step at which it failed was not allowed, if that is the reason."""


def _play(case: Scenario, follows: list[Order] | None = None) -> Played:
    """Play a scenario and answer its questions where they stand.

    Under another reading it follows the order in which effects were resolved.
    """
    played = Played()

    def answer(run: Asked, line: Line) -> None:
        played.answers[line] = _answer_or_problem(run, line)
        played.moments[line] = _moment(run.state)

    with heard() as found:
        try:
            run = Asked(case, answer, follows)
            played.orders = run.orders
            _to_the_end(run, played)
        except TruthsayerError as error:
            played.failed = problem_of(error, case.place)
        except Exception as defect:
            played.failed = problem_of(engine_failed(defect), case.place)
    played.read = sorted(found)
    return played


def _to_the_end(run: Asked, played: Played) -> None:
    """Play a scenario, and remember why a step was refused."""
    try:
        run.play()
    finally:
        played.refused = run.refused


def _moment(state: State) -> Moment:
    turn = None if state.turn is None else (state.turn.seat, state.turn.kind)
    try:
        return Moment(turn, tuple(sorted(due_effects(state))))
    except UnknownRead:
        return Moment(turn, ())


def _answer_or_problem(run: Asked, line: Line) -> Said | Problem:
    """One question; what meets something unknown says what it depends on."""
    try:
        return QUESTIONS[str(line.words.data)](run, line)
    except UnknownRead as unknown:
        words = f"That depends on {unknown.path}, which the scenario does not state."
        return Said(words, verdict=DEPENDS, items=(unknown.path,))
    except TruthsayerError as error:
        return problem_of(error, line.place)
    except Exception as defect:
        return problem_of(engine_failed(defect), line.place)


def _answers(case: Scenario) -> list[AskResult | Problem]:
    """The answer to each question where it stands; after a step that fails there are none."""
    played = _play(case)
    others = list(_other_readings(case, played))
    found: list[AskResult | Problem] = [
        said if isinstance(said, Problem) else _result(case, line, said, _at(line, played, others))
        for line, said in played.answers.items()
    ]
    return found if played.failed is None else [*found, played.failed]


def _at(line: Line, played: Played, others: list[Other]) -> list[Other]:
    """The other readings under which a question is asked at the same moment, or cannot be asked.

    Where the turn is over by then, or effects still wait, the question is about another moment.
    Whether something can be done may hang on just that: a choice that comes first here, and can
    wait there.
    """
    now = played.moments[line]
    if str(line.words.data) in ("ask_can", "ask_why"):
        return [each for each in others if each.played.moments.get(line, now).turn == now.turn]
    return [each for each in others if each.played.moments.get(line, now) == now]


def _result(case: Scenario, line: Line, said: Said, others: list[Other]) -> AskResult:
    return AskResult(
        scenario=case.id,
        file=line.place.file,
        line=line.place.line,
        question=line.written.text + _row(case),
        answer=said.words,
        verdict=said.verdict,
        items=said.items,
        rules=tuple(
            CitedRule(each, rule(each).source(), rule(each).statement)
            for each in dict.fromkeys(said.rules)
        ),
        parts=tuple(
            AnswerPart(part.words, part.rules)
            for part in (*said.parts, *settled_parts(case, line, said))
        ),
        open_points=tuple(_open_points(case, line, said, others)),
    )


def _row(case: Scenario) -> str:
    """The row of the table that a question is asked for."""
    return f" ({', '.join(case.row.cells)})" if case.row is not None else ""


# Open points


class Other(NamedTuple):
    """A scenario under another reading of an open point."""

    point: Ruling
    value: str
    played: Played


def _other_readings(case: Scenario, played: Played) -> Iterator[Other]:
    """The scenario under every other reading of what it has read, as far as there is room."""
    if all(line.words.data == "ask_ruling" for line in case.asks):
        return
    tried = 0
    for name in played.read:
        point = ruling(name)
        for value in _others(case, point):
            tried += 1
            if tried > MOST_READINGS:
                return
            yield Other(point, value, _play(_under(case, name, value), played.orders))


def _others(case: Scenario, point: Ruling) -> list[str]:
    own = case.rulings.get(point.id, point.default)
    return [value for value in point.values if value != own]


def _under(case: Scenario, name: str, value: str) -> Scenario:
    return dataclasses.replace(case, rulings={**case.rulings, name: value})


def _open_points(
    case: Scenario, line: Line, said: Said, others: list[Other]
) -> Iterator[OpenPoint]:
    """The open points that decide an answer, with the answer under each other reading."""
    if line.words.data == "ask_ruling":
        return
    readings: dict[str, list[Reading]] = {}
    for other in others:
        reading = _reading(case, line, said, other)
        if reading is not None:
            readings.setdefault(other.point.id, []).append(reading)
    for name, found in readings.items():
        point = ruling(name)
        own = case.rulings.get(name, point.default)
        yield OpenPoint(name, own, _says(point, own), point.authority, tuple(found))


def _says(point: Ruling, value: str) -> str:
    return point.says[point.values.index(value)]


def _reading(case: Scenario, line: Line, said: Said, other: Other) -> Reading | None:
    """The answer under another reading, if it is another answer."""
    says = _says(other.point, other.value)
    there = other.played.answers.get(line)
    if isinstance(there, Said):
        if there.content() == said.content() or (said.verdict == DEPENDS and not said.rules):
            return None
        return Reading(other.value, says, there.verdict, _what_differs(said, there))
    words = "" if there is not None else _never_comes(case, line, other)
    return Reading(other.value, says, NO, words) if words else None


def _never_comes(case: Scenario, line: Line, other: Other) -> str:
    """That what a question is about is not allowed under another reading, by a rule of the point.

    A question about the position would be asked of another one, and so would a question after the
    next `when`.
    """
    failed, refused = other.played.failed, other.played.refused
    if str(line.words.data) not in ABOUT_EVENTS or failed is None or refused is None:
        return ""
    another_s = any(each.key in NOT_DECIDING for each in refused.reasons)
    if another_s or not set(refused.rules) & set(other.point.rules):
        return ""
    later = (step.place.line for step in case.steps if step.keyword == "when")
    if any(failed.line < at < line.place.line for at in later):
        return ""
    return f"It does not come to this: `{failed.text.strip()}` is refused ({refused.rules[0]})."


ABOUT_EVENTS = ("ask_happens", "ask_gain", "ask_who_wins_conflict")
NOT_DECIDING = ("not_your_decision", "not_asked", "nothing_to_do")
"""Reasons of a player who is not to decide: the turn went on under the other reading."""


def _what_differs(said: Said, there: Said) -> str:
    """The other answer; of one that lists things, only what is different."""
    more = [each for each in there.known if each not in said.known]
    less = [each for each in said.known if each not in there.known]
    told = [f"also: {listed(more)}"] if more else []
    told += [f"not: {listed(less)}"] if less else []
    return "; ".join(told) + "." if told else there.words


# What can be done


def _what(run: Asked, line: Line) -> Said:
    seat: Seat = run.table.seat(line, token(line.words, "NAME"))
    name = run.state.players[seat].name
    if seat not in asked(IMPERIUM, run.state).players:
        return Said(f"{name} has nothing to decide now.", turn_rules(IMPERIUM, run.state, seat))
    shown = tuple(options_in_words(run.state))
    rules = why_only_these(run.state, seat)
    return Said(f"{name} can: " + "; ".join(shown) + ".", rules, items=shown, known=shown)


# What changes with a ruling


def _ruling(run: Asked, line: Line) -> Said:
    """How the scenario up to here ends otherwise under another reading of an open point."""
    name, *stated = (str(word) for word in tokens(line.words, "WORD"))
    point = ruling(name)
    values = stated or _others(run.scenario, point)
    changed = {value: _changed(run, line, name, value) for value in values}
    told = tuple(f"as {value}: {each}" for value, found in changed.items() for each in found)
    if not told:
        same = f"Nothing changes here: it is the same if `{name}` is {' or '.join(values)}."
        return Said(same, point.rules, NO)
    own = run.scenario.rulings.get(name, point.default)
    lists = (f"as {value}: {'; '.join(found)}." for value, found in changed.items() if found)
    words = f"It depends on `{name}`, here {own}: {' '.join(lists)}"
    return Said(words, point.rules, YES, told)


def _changed(run: Asked, line: Line, name: str, value: str) -> list[str]:
    """What is different if a ruling has another value, each in words."""
    case, here = run.scenario, run.scenario.steps.index(line)
    before = dataclasses.replace(case, steps=case.steps[:here])
    try:
        other = Asked(_under(before, name, value), _no_answer, run.orders)
        other.play()
    except TruthsayerError as error:
        return [error.message]
    return list(dict.fromkeys(differences(run, other)))


def _no_answer(_: Asked, __: Line) -> None:
    """Pass over a question."""


QUESTIONS: dict[str, Callable[[Asked, Line], Said]] = {
    "ask_can": possible.can,
    "ask_why": possible.cannot,
    "ask_why_not": absent.why_not,
    "ask_what": _what,
    "ask_who": winning.game,
    "ask_who_wins_conflict": winning.conflict,
    "ask_happens": happened.happens,
    "ask_gain": happened.gain,
    "ask_ruling": _ruling,
}
"""How each kind of question is answered."""
