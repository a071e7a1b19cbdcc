"""The results of `truthsayer prove` as JSON."""

from __future__ import annotations

import json
from typing import Any

from truthsayer.cli.show import kind_word, verdict_word
from truthsayer.reports.proofs import Verdicts, counts
from truthsayer.v1 import verifier_pb2


def proofs_json(verdicts: Verdicts, damaged: int) -> str:
    """The numbers, and all about each property."""
    report = {
        **counts(verdicts),
        "from_kept": sum(each.from_kept for each in verdicts),
        "damaged": damaged,
        "properties": [_verdict_json(verdict) for verdict in verdicts],
    }
    return json.dumps(report, indent=2, ensure_ascii=False)


def _verdict_json(verdict: verifier_pb2.PropertyVerdict) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "kind": kind_word(verdict.kind),
        "rules": [rule.id for rule in verdict.rules],
        "verdict": verdict_word(verdict.verdict),
        "confirmed": verdict.confirmed,
        "from_kept": verdict.from_kept,
        "bounds": verdict.bounds,
        "paths": verdict.paths,
        "seconds": round(verdict.seconds, 3),
        "cases": [
            {
                "params": each.params,
                "verdict": verdict_word(each.verdict),
                "paths": each.paths,
                "detail": each.detail,
            }
            for each in verdict.cases
        ],
        "rulings": [
            {
                "name": ruling.name,
                "values": list(ruling.values),
                "fails_under": list(ruling.fails_under),
            }
            for ruling in verdict.rulings
        ],
        "detail": verdict.detail,
        "scenario": verdict.scenario,
    }
