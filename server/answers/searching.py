"""Answers to questions in players' words: what there is about them, best first."""

from __future__ import annotations

from rules_engine.rulebook.index import Rule
from rules_engine.rulebook.rulings import Answer
from scenarios import searching
from server.answers.limits import check_search
from server.answers.rules import rule_message
from server.answers.rulings import ruling_message, scenario_messages
from truthsayer.v1 import rules_pb2

USUAL_RESULTS = 5


def search(request: rules_pb2.SearchRequest) -> rules_pb2.SearchResponse:
    """Rules and rulings, everything printed and scenarios about a question."""
    check_search(request.question)
    found = searching.search(request.question, request.product, request.most or USUAL_RESULTS)
    return rules_pb2.SearchResponse(
        answers=map(_answer, found.answers),
        printed=[
            rules_pb2.FoundThing(kind=thing.kind, id=thing.id, name=thing.name)
            for thing in found.printed
        ],
        scenarios=scenario_messages(found.scenarios),
    )


def _answer(found: Rule | Answer) -> rules_pb2.FoundAnswer:
    if isinstance(found, Rule):
        return rules_pb2.FoundAnswer(rule=rule_message(found))
    return rules_pb2.FoundAnswer(ruling=ruling_message(found))
