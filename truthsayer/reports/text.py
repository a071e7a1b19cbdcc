"""The results of `truthsayer check` as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from truthsayer.cli.show import counted, problem_text, verdict_word
from truthsayer.v1 import common_pb2, scenario_pb2

GOOD = (common_pb2.VERDICT_PASSED, common_pb2.VERDICT_PROVED)


def file_text(file: str, results: Sequence[scenario_pb2.ScenarioResult]) -> str:
    """A line for the file, and below it every scenario that does not hold."""
    bad = [result for result in results if result.verdict not in GOOD]
    if not bad:
        return f"✓ {file}: {counted(len(results), 'scenario')}"
    hold = "does not hold" if len(bad) == 1 else "do not hold"
    head = f"✗ {file}: {len(bad)} of {counted(len(results), 'scenario')} {hold}"
    return "\n".join((head, *map(result_text, bad)))


def result_text(result: scenario_pb2.ScenarioResult) -> str:
    """A scenario that does not hold, and why."""
    lines = [f"  {verdict_word(result.verdict)}: {result.title or result.id}"]
    lines += [f"    {line}" for line in result.detail.splitlines()]
    lines += [problem_text(each, indent="    ") for each in result.problems]
    return "\n".join(lines)


def closing_text(
    summary: scenario_pb2.Summary, results: Sequence[scenario_pb2.ScenarioResult]
) -> str:
    """How many scenarios ended in which way, and where to read more about the first mistake."""
    numbers = (
        f"{counted(summary.scenarios, 'scenario')}, {summary.passed} passed, "
        f"{summary.failed} failed, {counted(summary.errors, 'error')}"
    )
    if summary.lines_tried:
        numbers += f"; {counted(summary.lines_tried, 'line')} falsified"
    mistakes = [each for each in results if each.verdict == common_pb2.VERDICT_ERROR]
    codes = [problem.code for each in mistakes for problem in each.problems]
    return f"{numbers}\n`truthsayer explain {codes[0]}` tells more" if codes else numbers
