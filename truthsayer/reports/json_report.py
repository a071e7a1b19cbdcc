"""The results of `truthsayer check` as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from textwrap import dedent
from typing import Any

from truthsayer.cli.show import verdict_word
from truthsayer.reports.text import result_text
from truthsayer.v1 import common_pb2, scenario_pb2


def json_text(summary: scenario_pb2.Summary, results: Iterable[scenario_pb2.ScenarioResult]) -> str:
    """The numbers, and all about each scenario."""
    report = {
        "scenarios": summary.scenarios,
        "passed": summary.passed,
        "failed": summary.failed,
        "errors": summary.errors,
        "lines_tried": summary.lines_tried,
        "results": [result_json(result) for result in results],
    }
    return json.dumps(report, indent=2, ensure_ascii=False)


def result_json(result: scenario_pb2.ScenarioResult) -> dict[str, Any]:
    """How a scenario ended."""
    return {
        "id": result.id,
        "title": result.title,
        "file": result.file,
        "line": result.line,
        "verdict": verdict_word(result.verdict),
        "rules": [rule.id for rule in result.rules],
        "detail": result.detail,
        "lines_tried": result.lines_tried,
        "problems": [problem_json(each) for each in result.problems],
        "report": dedent(result_text(result)),
    }


def problem_json(found: common_pb2.Problem) -> dict[str, Any]:
    """A problem with its place, the remedy and the rules."""
    return {
        "code": found.code,
        "message": found.message,
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "text": found.text,
        "help": found.help,
        "rules": [rule.id for rule in found.rules],
    }
