"""Answers about properties: list them, prove them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import scenarios
import verifier
from rules_engine.kernel.errors import TruthsayerError
from server.answers.messages import rule_refs, verdict
from truthsayer.v1 import verifier_pb2


class UnknownProperty(TruthsayerError):
    """A name that no property has."""

    def __init__(self, name: str, known: list[str]) -> None:
        near = difflib.get_close_matches(name, known, n=1)
        super().__init__(
            "TS0501",
            f"no property `{name}`",
            help=f"did you mean `{near[0]}`?" if near else "`truthsayer prove --list` names them",
        )


def list_properties(
    _: verifier_pb2.ListPropertiesRequest,
) -> verifier_pb2.ListPropertiesResponse:
    """Every property that can be proved."""
    return verifier_pb2.ListPropertiesResponse(properties=map(_property, verifier.properties()))


def prove(request: verifier_pb2.ProveRequest) -> Iterator[verifier_pb2.ProveResponse]:
    """Prove the named properties, or all: progress before each, then its verdict."""
    known = [each.name for each in verifier.properties()]
    names = list(dict.fromkeys(request.names)) or known
    for name in names:
        if name not in known:
            raise UnknownProperty(name, known)
    for number, name in enumerate(names, start=1):
        progress = verifier_pb2.Progress(name=name, number=number, total=len(names))
        yield verifier_pb2.ProveResponse(progress=progress)
        yield verifier_pb2.ProveResponse(verdict=_verdict(verifier.prove(name)))


def _property(each: verifier.Property) -> verifier_pb2.Property:
    return verifier_pb2.Property(
        name=each.name,
        rules=rule_refs(each.rules),
        bounds=each.bounds,
        twin=each.twin,
        doc=each.doc,
    )


def _verdict(found: verifier.Verdict) -> verifier_pb2.PropertyVerdict:
    return verifier_pb2.PropertyVerdict(
        name=found.name,
        rules=rule_refs(found.rules),
        verdict=verdict(found.verdict),
        bounds=found.bounds,
        paths=found.paths,
        seconds=found.seconds,
        detail=found.detail,
        twin=found.twin,
        scenario=scenarios.print_case(found.case) if found.case is not None else "",
    )
