"""Answers about scenario files: run them, ask them, lay them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import scenarios
from scenarios.results import AskResult, Problem, ScenarioResult
from server.answers.limits import check_files
from server.answers.messages import around, rule_refs, verdict
from truthsayer.v1 import common_pb2, scenario_pb2


def check(request: scenario_pb2.CheckRequest) -> Iterator[scenario_pb2.CheckResponse]:
    """Run every scenario: a result for each as soon as it is known, then the summary."""
    check_files(request.files)
    ends: Counter[str] = Counter()
    for result in scenarios.check_files([(file.name, _text(file)) for file in request.files]):
        ends["errors" if result.verdict == "error" else "passed" if result.good else "failed"] += 1
        yield scenario_pb2.CheckResponse(result=_result(result))
    summary = scenario_pb2.Summary(scenarios=ends.total(), **ends)
    yield scenario_pb2.CheckResponse(summary=summary)


def ask(request: scenario_pb2.AskRequest) -> scenario_pb2.AskResponse:
    """Answer the questions of a file."""
    check_files([request.file])
    found = scenarios.ask(request.file.name, _text(request.file))
    return scenario_pb2.AskResponse(answers=map(_answer, found))


def format_text(request: scenario_pb2.FormatRequest) -> scenario_pb2.FormatResponse:
    """Lay a file out in the one canonical way."""
    check_files([request.file])
    text = scenarios.format_text(request.file.name, _text(request.file))
    return scenario_pb2.FormatResponse(text=text)


def _text(file: common_pb2.SourceFile) -> str:
    """What is in a file, without the mark that some editors put before it."""
    return file.text.removeprefix("\ufeff")


def _result(result: ScenarioResult) -> scenario_pb2.ScenarioResult:
    return scenario_pb2.ScenarioResult(
        id=result.id,
        title=result.title,
        file=result.file,
        line=result.line,
        verdict=verdict(result.verdict),
        rules=rule_refs(result.rules),
        problems=map(_problem, result.problems),
        detail=result.detail,
    )


def _problem(problem: Problem) -> common_pb2.Problem:
    return common_pb2.Problem(
        code=problem.code,
        message=problem.message,
        file=problem.file,
        line=problem.line,
        column=problem.column,
        text=around(problem.text, problem.column),
        help=problem.help,
        rules=rule_refs(problem.rules),
    )


def _answer(found: AskResult | Problem) -> scenario_pb2.Answer:
    if isinstance(found, Problem):
        return scenario_pb2.Answer(problem=_problem(found))
    reply = scenario_pb2.Reply(
        scenario=found.scenario,
        file=found.file,
        line=found.line,
        question=found.question,
        answer=found.answer,
        rules=[common_pb2.RuleRef(id=rule.id, source=rule.source) for rule in found.rules],
        verdict=found.verdict,
        items=found.items,
    )
    return scenario_pb2.Answer(reply=reply)
