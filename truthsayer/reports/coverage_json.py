"""Coverage by rule as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from scenarios.coverage import Coverage, ProofCoverage, RuleCoverage, by_chapter
from scenarios.naming import Names, property_place


def coverage_json(report: Coverage) -> str:
    """The numbers, and all about each rule."""
    chapters = by_chapter(report.rules)
    shown = {
        "product": report.product,
        **_counts(report.rules),
        "chapters": {name: _counts(each) for name, each in chapters.items()},
        "results": [_rule_json(each) for each in report.rules],
        "provable": [_proof_json(each) for each in report.provable],
        "overloaded": [
            {"place": each.place, "name": each.name, "rules": list(each.rules)}
            for each in report.overloaded
        ],
    }
    return json.dumps(shown, indent=2, ensure_ascii=False)


def _counts(found: Sequence[RuleCoverage]) -> dict[str, int]:
    states = [each.state for each in found]
    counts = {state: states.count(state) for state in ("covered", "uncovered", "waiting")}
    return {**counts, "with_property": sum(bool(each.names.properties) for each in found)}


def _rule_json(found: RuleCoverage) -> dict[str, Any]:
    return {
        "id": found.rule.id,
        "title": found.rule.title,
        "state": found.state,
        "missing": list(found.lacks),
        "waits_for": found.waits.needs if found.waits else None,
        "covered_by": [each.id for each in found.covered_by],
        "cited_by": [each.id for each in found.cited_by],
        **_names_json(found.names),
    }


def _proof_json(found: ProofCoverage) -> dict[str, Any]:
    return {
        "id": found.rule.id,
        "title": found.rule.title,
        "state": found.state,
        "scenarios_too": not found.only,
        "unprovable": found.unprovable or None,
        "waits_for": found.waits.needs if found.waits else None,
        **_names_json(found.names),
    }


def _names_json(names: Names) -> dict[str, Any]:
    return {
        "functions": [{"place": each.place, "name": each.name} for each in names.functions],
        "printed": [{"kind": each.kind, "id": each.id} for each in names.printed],
        "properties": [
            {"place": property_place(each), "name": each.name, "kind": each.kind}
            for each in names.properties
        ],
    }
