"""The results of `truthsayer prove` as JSON."""

from __future__ import annotations

import json
from typing import Any

from truthsayer.cli.show import kind_word, verdict_word
from truthsayer.reports.proofs import Verdicts, counts, needs
from truthsayer.v1 import verifier_pb2


def proofs_json(verdicts: Verdicts, damaged: int) -> str:
    """The numbers, and all about each property."""
    report = {
        **counts(verdicts),
        "obligations": {_needs_word(kind): count for kind, count in needs(verdicts).items()},
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
        "covers": verdict.bounds_in_full,
        "covered": _covered_json(verdict.covered),
        "takes_for_granted": list(verdict.granted_by),
        "paths": verdict.paths,
        "seconds": round(verdict.seconds, 3),
        "cases": [
            {
                "params": each.params,
                "verdict": verdict_word(each.verdict),
                "paths": each.paths,
                "needs": _needs_word(each.needs),
                "obligation": each.obligation,
                "detail": each.detail,
            }
            for each in verdict.cases
        ],
        "rulings": [
            {
                "name": ruling.name,
                "values": list(ruling.values),
                "fails_under": list(ruling.fails_under),
                "only_as": ruling.only_as,
            }
            for ruling in verdict.rulings
        ],
        "detail": verdict.detail,
        "scenario": verdict.scenario,
    }


def _needs_word(kind: verifier_pb2.Needs.ValueType) -> str:
    return verifier_pb2.Needs.Name(kind).removeprefix("NEEDS_").lower()


def _covered_json(covered: verifier_pb2.Covered) -> dict[str, Any]:
    """What was explored, as data."""
    return {
        "position": covered.staged,
        "players": list(covered.players),
        "acting_seats": list(covered.acting),
        "first_players": list(covered.first_players),
        "by_case": [
            {
                "players": list(each.players),
                "acting_seats": list(each.acting),
                "first_players": list(each.first_players),
                "cases": each.cases,
            }
            for each in covered.seatings
        ],
        "contenders": covered.contenders,
        "frames_below": covered.below,
        "most_in_one_place": covered.most_held,
        "numbers": [
            {
                "name": each.name,
                "low": each.low,
                "high": each.high if each.HasField("high") else None,
            }
            for each in covered.numbers
        ],
        "choices": [
            {"name": each.name, "count": each.count, "options": list(each.options)}
            for each in covered.choices
        ],
        "assumptions_about": list(covered.left_out),
        "always_empty": list(covered.empty),
        "not_always_empty": list(covered.filled),
        "always_the_same": {each.name: each.value for each in covered.fixed},
    }
