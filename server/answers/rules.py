"""Answers about the rule index."""

from __future__ import annotations

from rules_engine.rulebook import index
from scenarios.searching import search_rules as ranked_rules
from server.answers.limits import check_search
from truthsayer.v1 import rules_pb2

USUAL_RULES = 20


def get_rule(request: rules_pb2.GetRuleRequest) -> rules_pb2.GetRuleResponse:
    """One rule by its id."""
    return rules_pb2.GetRuleResponse(rule=rule_message(index.rule(request.id)))


def search_rules(request: rules_pb2.SearchRulesRequest) -> rules_pb2.SearchRulesResponse:
    """The rules that fit some words, best first."""
    check_search(request.words)
    found = ranked_rules(request.words, request.product, request.most or USUAL_RULES)
    return rules_pb2.SearchRulesResponse(rules=map(rule_message, found))


def list_rules(_: rules_pb2.ListRulesRequest) -> rules_pb2.ListRulesResponse:
    """Every rule."""
    return rules_pb2.ListRulesResponse(rules=map(rule_message, index.rules()))


def rule_message(rule: index.Rule) -> rules_pb2.Rule:
    """A rule, as it is told."""
    return rules_pb2.Rule(
        id=rule.id,
        title=rule.title,
        statement=rule.statement,
        source=rule.source(),
        fallback=rule.fallback,
        products=rule.products,
        modes=rule.modes,
    )
