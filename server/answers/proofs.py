"""Answers about properties: list them, prove them."""

from __future__ import annotations

from collections.abc import Iterator

import scenarios
from server.answers.messages import property_kind, rule_refs, verdict
from truthsayer.v1 import verifier_pb2
from verifier import api
from verifier.registry import Property
from verifier.verdicts import Verdict


def list_properties(
    _: verifier_pb2.ListPropertiesRequest,
) -> verifier_pb2.ListPropertiesResponse:
    """Every property that can be proved."""
    return verifier_pb2.ListPropertiesResponse(properties=map(_property, api.properties()))


def prove(request: verifier_pb2.ProveRequest) -> Iterator[verifier_pb2.ProveResponse]:
    """Prove the named properties, or all: how far it is, and each verdict once it is known."""
    for found in api.prove_all(request.names):
        if isinstance(found, api.Progress):
            step = verifier_pb2.Progress(name=found.title, number=found.number, total=found.total)
            yield verifier_pb2.ProveResponse(progress=step)
        else:
            yield verifier_pb2.ProveResponse(verdict=_verdict(found))


def _property(each: Property) -> verifier_pb2.Property:
    return verifier_pb2.Property(
        name=each.name,
        rules=rule_refs(each.rules),
        bounds=each.bounds,
        twins=[
            verifier_pb2.RuleTwin(rule=reference, change=str(each.twins[reference.id]))
            for reference in rule_refs(each.rules)
        ],
        doc=each.claim,
        kind=property_kind(each.kind),
    )


def _verdict(found: Verdict) -> verifier_pb2.PropertyVerdict:
    return verifier_pb2.PropertyVerdict(
        name=found.name,
        rules=rule_refs(found.rules),
        verdict=verdict(found.verdict),
        bounds=found.bounds,
        paths=found.paths,
        seconds=found.seconds,
        detail=found.detail,
        kind=property_kind(found.kind),
        scenario=scenarios.print_refutation(found) if found.case is not None else "",
        rulings=[
            verifier_pb2.RulingRead(
                name=each.name, values=each.values, fails_under=each.fails_under
            )
            for each in found.rulings
        ],
    )
