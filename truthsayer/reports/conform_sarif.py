"""What fails in a run of `truthsayer conform`, at its place, as SARIF and as findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from conformance.expectations import Known, Verdict
from conformance.report import Report
from conformance.results import CRASHED, FAIL, TIMED_OUT, Result
from truthsayer.reports.conform import adapter_name, name
from truthsayer.reports.conform_text import failure_text
from truthsayer.reports.findings import Finding
from truthsayer.reports.sarif import sarif_text

CODES = {FAIL: "TS0931", CRASHED: "TS0932", TIMED_OUT: "TS0933"}
"""The code of each outcome that is bad."""

PASSES = "TS0934"


def conform_sarif(report: Report, verdict: Verdict, version: str | None) -> str:
    """A result for each finding."""
    return sarif_text(list(conform_findings(report, verdict)), version)


def conform_findings(report: Report, verdict: Verdict) -> Iterator[Finding]:
    """A finding for each case that fails unexpectedly, and for each known failure that passes."""
    for each in report.failures:
        if each.id not in verdict.expected:
            yield _failure(report, each)
    rules = {each.id: each.rules for each in report.results}
    for known in verdict.passing:
        yield _passing(known, rules[known.id])


def _failure(report: Report, result: Result) -> Finding:
    rules = result.divergence.rules if result.divergence else result.rules
    return Finding(
        CODES[result.outcome],
        f"{adapter_name(report)}\n{failure_text(result)}",
        # A game that was made up stands in no file: it is marked at the top of the project.
        Path(name(result.file)),
        max(result.line, 1),
        1,
        ("case", name(result.id)),
        tuple(map(name, rules)),
    )


def _passing(known: Known, rules: tuple[str, ...]) -> Finding:
    place = known.place
    said = f"the case `{name(known.id)}` passes\nhelp: take it off the list of known failures"
    about = ("case", name(known.id))
    file = Path(name(place.file))
    return Finding(PASSES, said, file, place.line, place.column, about, tuple(map(name, rules)))
