"""Several implementations side by side as JSON."""

from __future__ import annotations

import json
from typing import Any

from conformance.plain import shallow
from conformance.report import Report
from conformance.results import Result
from truthsayer.reports.conform import numbers
from truthsayer.reports.conform_matrix import AgainstUs, Matrix, Row

SCHEMA = 1
"""Changes when a field changes its meaning or goes away."""


def conform_matrix_json(found: Matrix) -> str:
    """The matrix: every list about implementations is in their order."""
    whole = {
        "schema": SCHEMA,
        "product": found.reports[0].product,
        "implementations": [_implementation(each) for each in found.reports],
        "against_us": [_against_us(each) for each in found.against_us],
        "chapters": [
            {"chapter": chapter, "rules": [_rule(row) for row in rows]}
            for chapter, rows in found.chapters.items()
        ],
    }
    return json.dumps(whole, indent=2) + "\n"


def _implementation(report: Report) -> dict[str, Any]:
    return {
        "name": report.adapter.name,
        "version": report.adapter.version,
        "engine": report.engine,
        "outcomes": numbers(report),
    }


def _against_us(each: AgainstUs) -> dict[str, Any]:
    return {
        "case": each.case,
        "title": each.title,
        "rules": each.rules,
        "alike": each.alike,
        "results": [_result(result) for result in each.results],
    }


def _result(result: Result | None) -> dict[str, Any] | None:
    """Where an implementation differs; nothing if it was not compared."""
    if result is None or result.divergence is None:
        return None
    found = result.divergence
    told = {"move": found.move, "kind": found.kind, "path": found.path}
    return {**told, "expected": shallow(found.expected), "got": shallow(found.got)}


def _rule(row: Row) -> dict[str, Any]:
    return {"rule": row.rule, "states": row.states, "all_fail": row.all_fail}
