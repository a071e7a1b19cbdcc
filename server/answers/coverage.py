"""Answers about what settles a rule: it is looked up, and nothing is run."""

from __future__ import annotations

import functools

from rules_engine.rulebook import index
from rules_engine.rulebook.waiting import waiting
from scenarios.coverage import SETTLED_BY_PROOF, SHOWN_BY_SCENARIOS
from scenarios.finding import citing, library_files
from scenarios.naming import Names, names_by_rule, property_place, rule_functions
from server.answers.messages import property_kind
from server.answers.positions import PRODUCTS, check_product
from server.answers.rules import rule_message
from server.answers.rulings import scenario_messages
from truthsayer.v1 import rules_pb2
from verifier.unprovable import reasons


def get_coverage(request: rules_pb2.GetCoverageRequest) -> rules_pb2.GetCoverageResponse:
    """The scenarios that cite a rule, and all that names it."""
    product = request.product or PRODUCTS[0]
    check_product(product)
    rule = index.rule(request.rule)
    names = _names(product).get(rule.id, Names())
    waits = waiting(product).get(rule.id)
    return rules_pb2.GetCoverageResponse(
        rule=rule_message(rule),
        shown_by_scenarios=rule.check in SHOWN_BY_SCENARIOS,
        settled_by_proofs=rule.check in SETTLED_BY_PROOF,
        scenarios=scenario_messages(citing(library_files(product), rule.id)),
        functions=[
            rules_pb2.NamingFunction(name=each.name, place=each.place) for each in names.functions
        ],
        printed=[rules_pb2.NamingThing(kind=each.kind, id=each.id) for each in names.printed],
        properties=[
            rules_pb2.NamingProperty(
                name=each.name, kind=property_kind(each.kind), place=property_place(each)
            )
            for each in names.properties
        ],
        unprovable=reasons().get(rule.id, ""),
        waits_for=f"{waits.needs}: {waits.because}" if waits else "",
    )


@functools.cache
def _names(product: str) -> dict[str, Names]:
    """What names each rule. The source of the whole engine is read for it, once."""
    return names_by_rule(product, rule_functions())
