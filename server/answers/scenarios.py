"""Answers about scenario files: run them, ask them, lay them out, export them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import scenarios
from scenarios.results import AskResult, OpenPoint, Problem, ScenarioResult
from scenarios.vectors.export import FORMAT, VERSION, Exported, exported, vector_text
from server.answers.limits import check_files
from server.answers.messages import around, rule_refs, verdict
from truthsayer.v1 import common_pb2, scenario_pb2
from truthsayer.version import installed_version


def check(request: scenario_pb2.CheckRequest) -> Iterator[scenario_pb2.CheckResponse]:
    """Run every scenario: a result for each as soon as it is known, then the summary."""
    check_files(request.files)
    ends: Counter[str] = Counter()
    lines = 0
    files = [(file.name, _text(file)) for file in request.files]
    for result in scenarios.check_files(files, vacuity=request.vacuity):
        lines += result.lines_tried
        ends["errors" if result.verdict == "error" else "passed" if result.good else "failed"] += 1
        yield scenario_pb2.CheckResponse(result=_result(result))
    summary = scenario_pb2.Summary(scenarios=ends.total(), lines_tried=lines, **ends)
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


def export(request: scenario_pb2.ExportRequest) -> Iterator[scenario_pb2.ExportResponse]:
    """Write every scenario as data as soon as it has run, then what they have in common."""
    check_files(request.files)
    vectors = left_out = 0
    for found in exported([(file.name, _text(file)) for file in request.files]):
        vectors += len(found.vectors)
        left_out += bool(found.left_out)
        yield scenario_pb2.ExportResponse(scenario=_exported(found))
    summary = scenario_pb2.ExportSummary(
        format=FORMAT,
        version=VERSION,
        engine=installed_version() or "",
        vectors=vectors,
        left_out=left_out,
    )
    yield scenario_pb2.ExportResponse(summary=summary)


def _exported(found: Exported) -> scenario_pb2.ExportedScenario:
    result = found.result
    return scenario_pb2.ExportedScenario(
        id=result.id,
        file=result.file,
        line=result.line,
        verdict=verdict(result.verdict),
        vectors=map(vector_text, found.vectors),
        left_out=found.left_out,
        problems=map(_problem, result.problems),
    )


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
        lines_tried=result.lines_tried,
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
        statement=found.rules[0].statement if found.rules else "",
        parts=[
            scenario_pb2.ReplyPart(words=part.words, rules=rule_refs(part.rules))
            for part in found.parts
        ],
        open_points=map(_open_point, found.open_points),
    )
    return scenario_pb2.Answer(reply=reply)


def _open_point(point: OpenPoint) -> scenario_pb2.OpenPoint:
    return scenario_pb2.OpenPoint(
        ruling=point.ruling,
        value=point.value,
        says=point.says,
        authority=point.authority,
        others=[
            scenario_pb2.OtherReading(
                value=each.value, says=each.says, verdict=each.verdict, answer=each.answer
            )
            for each in point.others
        ],
    )
