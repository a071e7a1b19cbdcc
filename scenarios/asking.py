"""`ask`: questions about a position, answered in words with the rules behind the answer."""

from __future__ import annotations

from rules_engine.imperium.endgame import winners
from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.errors import TruthsayerError, UnknownRead
from rules_engine.kernel.game import asked
from rules_engine.kernel.outcomes import Seat
from rules_engine.rulebook.index import rule
from scenarios.check import read
from scenarios.imperium.observing import Refused, refusal_of
from scenarios.language.errors import problem_of
from scenarios.language.syntax import Line, Scenario, phrases, token
from scenarios.language.values import Environment
from scenarios.results import AskResult, CitedRule, Problem
from scenarios.run import Run
from scenarios.words import options_in_words


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


def _answers(scenario: Scenario) -> list[AskResult | Problem]:
    try:
        run = Run(scenario, Environment(), lambda *_: None)
        run.play()
    except TruthsayerError as error:
        return [problem_of(error, scenario.place)]
    answers: list[AskResult | Problem] = []
    for line in scenario.asks:
        try:
            answers.append(_answer(run, line))
        except TruthsayerError as error:
            answers.append(problem_of(error, line.place))
    return answers


def _answer(run: Run, line: Line) -> AskResult:
    """One question; what meets something unknown says what it depends on."""
    try:
        words, rules = _QUESTIONS[str(line.words.data)](run, line)
    except UnknownRead as unknown:
        words, rules = f"That depends on {unknown.path}, which the scenario does not state.", ()
    return AskResult(
        scenario=run.scenario.id,
        file=line.place.file,
        line=line.place.line,
        question=line.place.text.strip().removeprefix("ask").strip(),
        answer=words,
        rules=tuple(CitedRule(each, rule(each).source()) for each in rules),
    )


Answered = tuple[str, tuple[str, ...]]


def _refused(run: Run, line: Line) -> Refused:
    seat = run.table.seat(line, token(line.words, "NAME"))
    (deed,) = phrases(line.words)
    return refusal_of(run, line, seat, deed)


def _can(run: Run, line: Line) -> Answered:
    refused = _refused(run, line)
    if not refused.reasons:
        return "Yes.", refused.rules
    return f"No. {_why(refused)}", refused.rules


def _why(refused: Refused) -> str:
    """The statement of the rule that decides, or the reason in words."""
    if refused.rules:
        statements = [rule(each).statement for each in refused.rules]
        reason = refused.words[:1].upper() + refused.words[1:]
        return f"{reason}. {statements[0]}"
    return refused.words


def _cannot(run: Run, line: Line) -> Answered:
    refused = _refused(run, line)
    if not refused.reasons:
        return "Nothing stands against it.", refused.rules
    return _why(refused), refused.rules


def _what(run: Run, line: Line) -> Answered:
    seat: Seat = run.table.seat(line, token(line.words, "NAME"))
    name = run.state.players[seat].name
    if not run.state.pending or seat not in asked(IMPERIUM, run.state).players:
        return f"{name} has nothing to decide now.", IMPERIUM.turn_rules
    shown = options_in_words(run.state)
    return f"{name} can: " + "; ".join(shown) + ".", IMPERIUM.turn_rules


def _who(run: Run, _: Line) -> Answered:
    names = [run.state.players[seat].name for seat in winners(run.state)]
    rules = ("UPR-END-004", "UPR-END-005")
    if len(names) == 1:
        return f"If the game ended now, {names[0]} would win.", rules
    return f"If the game ended now, {' and '.join(names)} would share the victory.", rules


_QUESTIONS = {"ask_can": _can, "ask_why": _cannot, "ask_what": _what, "ask_who": _who}
