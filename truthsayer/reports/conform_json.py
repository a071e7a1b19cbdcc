"""The report of `truthsayer conform` as JSON: whole, so that it can be read back and compared."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.plain import plain, shallow
from conformance.report import Report
from conformance.results import BAD, Result
from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.records import Record, change
from truthsayer.reports.conform import OUTCOMES, holding, numbers

SCHEMA = 1
"""Changes when a field changes its meaning or goes away."""


class Written(Record):
    """What is in the file: the numbers for whoever wants no more, and the report."""

    schema: int
    summary: dict[str, Any]
    report: Report


class _Version(Record):
    schema: int


def conform_json(report: Report) -> str:
    """All of the report. Only what is nested absurdly deep is left out."""
    holds, played = holding(report)
    summary = {
        "cases": len(report.results),
        "played": played,
        "holding": holds,
        "rules": len(report.rules),
        "rules_reached": len(report.reached),
        "rules_held": len(report.held),
        "outcomes": numbers(report),
        "support": [
            {"lacks": each.lacks, "said": each.said, "cases": each.cases, "rules": each.rules}
            for each in report.support
        ],
        "most_likely_broken": [each.rule for each in report.suspects],
    }
    whole = change(report, results=tuple(map(_shallow, report.results)))
    data = msgspec.json.encode(Written(SCHEMA, summary, whole))
    return msgspec.json.format(data, indent=2).decode() + "\n"


def _shallow(result: Result) -> Result:
    found = result.divergence
    if found is None:
        return result
    kept = {field: shallow(getattr(found, field)) for field in ("expected", "got")}
    return change(result, divergence=change(found, **kept))


def read_report(data: bytes, file: str) -> Report:
    """The report that a file holds; anything else is an error."""
    try:
        version = msgspec.json.decode(data, type=_Version).schema
        if version != SCHEMA:
            raise _unread(file, f"it is of version {plain(str(version))}, and {SCHEMA} is read")
        report = msgspec.json.decode(data, type=Written).report
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unread(file, plain(str(error))) from error
    _see_results(report, file)
    return report


def _see_results(report: Report, file: str) -> None:
    """What is well formed can still be damaged."""
    seen: set[str] = set()
    for each in report.results:
        if each.id in seen:
            raise _unread(file, f"it has the case `{plain(each.id)}` twice")
        if each.outcome not in OUTCOMES:
            raise _unread(file, f"no case ends with `{plain(each.outcome)}`")
        if each.divergence is not None and each.outcome not in BAD:
            raise _unread(file, f"the case `{plain(each.id)}` has a divergence and does not fail")
        seen.add(each.id)


def _unread(file: str, why: str) -> TruthsayerError:
    return TruthsayerError(
        "TS0924",
        f"this is no report of `truthsayer conform`: {why}",
        place=Place(file, 1),
        help="give the JSON that `truthsayer conform` wrote",
    )
