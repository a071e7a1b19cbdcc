"""Verdicts made up for the tests of reports."""

from __future__ import annotations

from typing import Any

from truthsayer.reports.proofs import Proofs
from truthsayer.v1 import common_pb2, verifier_pb2

PROVED = common_pb2.VERDICT_PROVED
REFUTED = common_pb2.VERDICT_REFUTED
UNKNOWN = common_pb2.VERDICT_UNKNOWN
UNSUPPORTED = common_pb2.VERDICT_UNSUPPORTED
CHECKED = common_pb2.VERDICT_CHECKED

WALL = common_pb2.RuleRef(id="UPR-WALL-003", source="Uprising, The Shield Wall")


def case(params: str, verdict: Any = PROVED, **fields: Any) -> verifier_pb2.CaseVerdict:
    """What came of a case."""
    known: dict[str, Any] = {
        "paths": 2,
        "rests_on": ["units.recruit"],
        "needs": verifier_pb2.NEEDS_SOLVER,
        "obligation": params,
    }
    return verifier_pb2.CaseVerdict(params=params, verdict=verdict, **{**known, **fields})


def verdict(name: str, ended: Any = PROVED, **fields: Any) -> verifier_pb2.PropertyVerdict:
    """What came of a property."""
    known: dict[str, Any] = {
        "rules": [WALL],
        "bounds": "all numbers",
        "paths": 2,
        "seconds": 1.5,
        "kind": verifier_pb2.PROPERTY_KIND_THEOREM,
        "cases": [case("table 3", ended)],
    }
    return verifier_pb2.PropertyVerdict(name=name, verdict=ended, **{**known, **fields})


def named(name: str, chapter: str = "combat", **fields: Any) -> verifier_pb2.Property:
    """A property."""
    known: dict[str, Any] = {
        "doc": f"Unsatisfiable iff {name}.\n\nMore about\nit.",
        "file": f"verifier/properties/{chapter}.py",
        "line": 12,
        "twins": [verifier_pb2.RuleTwin(rule=WALL, change="combat: `a` becomes `b`")],
    }
    return verifier_pb2.Property(name=name, **{**known, **fields})


def proofs(*found: tuple[verifier_pb2.PropertyVerdict, verifier_pb2.Property | None]) -> Proofs:
    """A run with these verdicts."""
    known = [each for _, each in found if each is not None]
    return Proofs([each for each, _ in found], {each.name: each for each in known})
