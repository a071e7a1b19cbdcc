"""`ask`: questions about a position, answered in words with the rules behind the answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

from rules_engine.imperium.endgame import winners
from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.errors import TruthsayerError, UnknownRead
from rules_engine.kernel.game import asked, turn_rules
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.rulebook.index import cite, rule
from rules_engine.rulebook.rulings import ruling
from scenarios.check import read
from scenarios.imperium.changes import changes, gains, losses
from scenarios.imperium.observing import Refused, refusal_of
from scenarios.language.errors import problem_of
from scenarios.language.syntax import Line, Scenario, phrases, token, tokens
from scenarios.language.values import Environment
from scenarios.outcome import engine_failed
from scenarios.results import AskResult, CitedRule, Problem
from scenarios.run import Run
from scenarios.words import event_words, options_in_words, telling

YES, NO, DEPENDS = "yes", "no", "depends"

WINNER = cite("UPR-END-004", "UPR-END-005")


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


def _answers(case: Scenario) -> list[AskResult | Problem]:
    """The answer to each question where it stands; after a step that fails there are none."""
    found: list[AskResult | Problem] = []
    try:
        Asked(case, found).play()
    except TruthsayerError as error:
        found.append(problem_of(error, case.place))
    except Exception as defect:
        found.append(problem_of(engine_failed(defect), case.place))
    return found


class Asked(Run):
    """A scenario in progress whose questions are answered; what it expects is not looked at."""

    def __init__(self, case: Scenario, found: list[AskResult | Problem]) -> None:
        super().__init__(case, Environment(), lambda *_: None)
        self.found = found

    def look(self, line: Line) -> None:
        """Pass over an expectation."""

    def question(self, line: Line) -> None:
        """Answer a question about the position here."""
        self.found.append(_answer_or_problem(self, line))


def _answer_or_problem(run: Run, line: Line) -> AskResult | Problem:
    try:
        return _answer(run, line)
    except TruthsayerError as error:
        return problem_of(error, line.place)
    except Exception as defect:
        return problem_of(engine_failed(defect), line.place)


class Said(NamedTuple):
    """An answer in words, the rules behind it, whether it is a yes or a no, and its parts."""

    words: str
    rules: tuple[str, ...] = ()
    verdict: str = ""
    items: tuple[str, ...] = ()


def _answer(run: Run, line: Line) -> AskResult:
    """One question; what meets something unknown says what it depends on."""
    try:
        said = QUESTIONS[str(line.words.data)](run, line)
    except UnknownRead as unknown:
        words = f"That depends on {unknown.path}, which the scenario does not state."
        said = Said(words, verdict=DEPENDS, items=(unknown.path,))
    return AskResult(
        scenario=run.scenario.id,
        file=line.place.file,
        line=line.place.line,
        question=line.written.text + _row(run.scenario),
        answer=said.words,
        verdict=said.verdict,
        items=said.items,
        rules=tuple(
            CitedRule(each, rule(each).source(), rule(each).statement)
            for each in dict.fromkeys(said.rules)
        ),
    )


def _row(case: Scenario) -> str:
    """The row of the table that a question is asked for."""
    return f" ({', '.join(case.row.cells)})" if case.row is not None else ""


# Can somebody do something, and why not


def _refused(run: Run, line: Line) -> Refused:
    seat = run.table.seat(line, token(line.words, "NAME"))
    (deed,) = phrases(line.words)
    return refusal_of(run, line, seat, deed)


def _can(run: Run, line: Line) -> Said:
    refused = _refused(run, line)
    if not refused.reasons:
        return Said("Yes.", refused.rules, YES)
    return Said(f"No. {_why(refused)}", refused.rules, NO)


def _cannot(run: Run, line: Line) -> Said:
    refused = _refused(run, line)
    if not refused.reasons:
        return Said("Nothing stands against it.", refused.rules, YES)
    return Said(_why(refused), refused.rules, NO)


def _why(refused: Refused) -> str:
    """The reason in words, and the statement of the rule that decides."""
    reason = refused.words[:1].upper() + refused.words[1:] + "."
    return f"{reason} {rule(refused.rules[0]).statement}" if refused.rules else reason


def _what(run: Run, line: Line) -> Said:
    seat: Seat = run.table.seat(line, token(line.words, "NAME"))
    name = run.state.players[seat].name
    rules = turn_rules(IMPERIUM, run.state, seat)
    if seat not in asked(IMPERIUM, run.state).players:
        return Said(f"{name} has nothing to decide now.", rules)
    shown = tuple(options_in_words(run.state))
    return Said(f"{name} can: " + "; ".join(shown) + ".", rules, items=shown)


# Who wins


def _who(run: Run, _: Line) -> Said:
    names = tuple(run.state.players[seat].name for seat in winners(run.state))
    if len(names) == 1:
        return Said(f"If the game ended now, {names[0]} would win.", WINNER, items=names)
    shared = f"If the game ended now, {' and '.join(names)} would share the victory."
    return Said(shared, WINNER, items=names)


def _who_wins_conflict(run: Run, _: Line) -> Said:
    """Who won the Conflict that was resolved last."""
    ranked = [event for event in run.events if event.key in ("reward", "wins_conflict")]
    if not ranked:
        return Said("No Conflict was resolved; add `when combat resolves` before the question.")
    won = [event for event in ranked if event.key == "wins_conflict"]
    told = [event_words(run.state, event) for event in ranked]
    who = [] if won else ["Nobody wins the Conflict"]
    words = ". ".join((*who, *(each[:1].upper() + each[1:] for each in told))) + "."
    names = tuple(run.state.players[each.player].name for each in won if each.player is not None)
    return Said(words, _rules_of(won or ranked), items=names)


# What happens, and what that brings


def _happens(run: Run, _: Line) -> Said:
    told = tuple(event_words(run.state, event) for event in telling(run.events))
    if not told:
        return Said("Nothing happens.")
    words = "; ".join(told)
    return Said(words[:1].upper() + words[1:] + ".", _rules_of(run.events), items=told)


def _gain(run: Run, line: Line) -> Said:
    seat = run.table.seat(line, token(line.words, "NAME"))
    name = run.state.players[seat].name
    found = changes(run.before, run.state, seat)
    more = tuple(each.text() for each in gains(found))
    less = tuple(each.text() for each in losses(found))
    words = f"{name} gains {_listed(more) or 'nothing'}."
    if less:
        words += f" {name} loses {_listed(less)}."
    about = [event for event in run.events if event.player == seat]
    return Said(words, _rules_of(about), items=more)


def _listed(texts: tuple[str, ...]) -> str:
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def _rules_of(events: list[Event]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for event in events for rule in event.rules))


# What changes with a ruling


def _ruling(run: Run, line: Line) -> Said:
    """How the scenario up to here ends otherwise under another reading of an open point."""
    name, *stated = (str(word) for word in tokens(line.words, "WORD"))
    point = ruling(name)
    own = run.scenario.rulings.get(name, point.default)
    values = stated or [value for value in point.values if value != own]
    told = tuple(each for value in values for each in _under(run, line, name, value))
    if not told:
        same = f"Nothing changes here: it is the same if `{name}` is {' or '.join(values)}."
        return Said(same, point.rules, NO)
    return Said(
        f"It depends on `{name}`, here {own}: " + "; ".join(told) + ".", point.rules, YES, told
    )


def _under(run: Run, line: Line, name: str, value: str) -> list[str]:
    """What is different if a ruling has another value, each in words."""
    case, here = run.scenario, run.scenario.steps.index(line)
    rulings = {**case.rulings, name: value}
    case = dataclasses.replace(case, steps=case.steps[: here + 1], rulings=rulings)
    try:
        other = Run(case, Environment(), lambda *_: None)
        other.play()
    except TruthsayerError as error:
        return [f"as {value}: {error.message}"]
    found = []
    for owner in run.state.players:
        for each in changes(run.state, other.state, owner.seat):
            found.append(f"as {value}: {owner.name} has {each.holding.text(each.after)}")
    return found or _other_options(run, other, value)


def _other_options(run: Run, other: Run, value: str) -> list[str]:
    """What can be done next under one reading and not under the other."""
    here, there = (_open_now(each) for each in (run, other))
    more = [f"as {value}, also allowed: `{each}`" for each in there if each not in here]
    less = [f"as {value}, not allowed: `{each}`" for each in here if each not in there]
    return more + less


def _open_now(run: Run) -> list[str]:
    try:
        return options_in_words(run.state) if run.state.pending else []
    except UnknownRead:
        return []


QUESTIONS: dict[str, Callable[[Run, Line], Said]] = {
    "ask_can": _can,
    "ask_why": _cannot,
    "ask_what": _what,
    "ask_who": _who,
    "ask_who_wins_conflict": _who_wins_conflict,
    "ask_happens": _happens,
    "ask_gain": _gain,
    "ask_ruling": _ruling,
}
"""How each kind of question is answered."""
