"""Answers about properties: list them, prove them."""

from __future__ import annotations

from collections.abc import Iterator

import scenarios
from scenarios.naming import property_file, property_line
from server.answers.limits import check_names
from server.answers.messages import property_kind, rule_refs, verdict
from truthsayer.v1 import verifier_pb2
from verifier import Budget, api
from verifier.confirm import require_second_solver
from verifier.covered import Covered, in_full, in_words
from verifier.kept import Kept
from verifier.obligations import Manner
from verifier.registry import Property
from verifier.verdicts import ENUMERATION, SIMPLIFYING, SOLVER, CaseVerdict, Verdict

NEEDS = {
    SOLVER: verifier_pb2.NEEDS_SOLVER,
    SIMPLIFYING: verifier_pb2.NEEDS_SIMPLIFYING,
    ENUMERATION: verifier_pb2.NEEDS_NOTHING,
}


def list_properties(
    _: verifier_pb2.ListPropertiesRequest,
) -> verifier_pb2.ListPropertiesResponse:
    """Every property that can be proved."""
    return verifier_pb2.ListPropertiesResponse(
        properties=map(_property, api.properties()), unread=api.unread().values()
    )


def prove(
    request: verifier_pb2.ProveRequest,
    *,
    jobs: int = 1,
    kept: Kept | None = None,
    smtlib: str = "",
) -> Iterator[verifier_pb2.ProveResponse]:
    """Prove the named properties, or all: how far it is, and each verdict once it is known.

    `jobs`, `kept` and `smtlib` are for who has this machine to himself. A server has none of them:
    it proves in the one process that it can kill, and keeps nothing in anybody's folder.
    """
    check_names(request.names)
    if request.confirm:
        require_second_solver()
    manner = Manner(_budget(request.limits), request.confirm, smtlib)
    for found in api.prove_all(request.names, manner=manner, jobs=jobs, kept=kept):
        if isinstance(found, api.Progress):
            step = verifier_pb2.Progress(name=found.title, number=found.number, total=found.total)
            yield verifier_pb2.ProveResponse(progress=step)
        else:
            yield verifier_pb2.ProveResponse(verdict=_verdict(found))


def _budget(limits: verifier_pb2.Limits) -> Budget:
    usual = Budget()
    return Budget(limits.paths or usual.paths, limits.work or usual.work)


def _property(each: Property) -> verifier_pb2.Property:
    return verifier_pb2.Property(
        name=each.name,
        rules=rule_refs(each.rules),
        twins=[
            verifier_pb2.RuleTwin(rule=reference, change=str(each.twins[reference.id]))
            for reference in rule_refs(each.rules)
        ],
        doc=each.claim,
        kind=property_kind(each.kind),
        file=property_file(each),
        line=property_line(each),
        family=each.family.name if each.family is not None else "",
    )


def _verdict(found: Verdict) -> verifier_pb2.PropertyVerdict:
    return verifier_pb2.PropertyVerdict(
        name=found.name,
        rules=rule_refs(found.rules),
        verdict=verdict(found.verdict),
        bounds=in_words(found.covered),
        bounds_in_full=in_full(found.covered),
        paths=found.paths,
        seconds=found.seconds,
        detail=found.detail,
        kind=property_kind(found.kind),
        scenario=scenarios.print_refutation(found),
        rulings=[
            verifier_pb2.RulingRead(
                name=each.name,
                values=each.values,
                fails_under=each.fails_under,
                only_as=each.only_as,
            )
            for each in found.rulings
        ],
        confirmed=found.confirmed,
        cases=map(_case, found.cases),
        from_kept=found.from_kept,
        covered=_covered(found.covered),
        granted_by=found.granted_by,
    )


def _case(found: CaseVerdict) -> verifier_pb2.CaseVerdict:
    return verifier_pb2.CaseVerdict(
        params=found.params,
        verdict=verdict(found.verdict),
        paths=found.paths,
        detail=found.detail,
        rests_on=found.rests_on,
        granted=found.granted,
        needs=NEEDS.get(found.needs, verifier_pb2.NEEDS_UNSPECIFIED),
        obligation=found.obligation,
    )


def _covered(found: Covered) -> verifier_pb2.Covered:
    return verifier_pb2.Covered(
        staged=found.staged,
        players=found.players,
        acting=found.acting,
        first_players=found.first,
        contenders=found.contenders,
        numbers=[
            verifier_pb2.NumberCovered(name=each.name, low=each.low, high=each.high)
            for each in found.numbers
        ],
        choices=[
            verifier_pb2.ChoiceCovered(name=each.name, count=each.count, options=each.options)
            for each in found.choices
        ],
        empty=found.empty,
        filled=found.filled,
        fixed=[verifier_pb2.Fixed(name=each.name, value=each.value) for each in found.fixed],
        left_out=found.left_out,
        below=found.below,
        most_held=found.most_held,
        seatings=[
            verifier_pb2.Seating(
                players=each.players,
                acting=each.acting,
                first_players=each.first,
                cases=each.cases,
            )
            for each in found.seatings
        ],
    )
