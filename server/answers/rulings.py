"""Answers about rulings: what the rulebooks leave open or do not say outright."""

from __future__ import annotations

from collections.abc import Iterable

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.rulings import Answer, NoChoice, Ruling, Settled, answers
from scenarios.finding import Found, library_files, ruling_named, using
from server.answers.messages import rule_refs
from truthsayer.v1 import rules_pb2

PRODUCT = "uprising"
"""The one that has rulings so far."""


def get_ruling(request: rules_pb2.GetRulingRequest) -> rules_pb2.GetRulingResponse:
    """One ruling by its name, with the scenarios that use it."""
    try:
        found = ruling_named(request.name)
    except TruthsayerError as error:
        # Elsewhere a ruling is a choice that cannot be made; here it is what is looked for.
        raise TruthsayerError("TS0871", error.message, help=error.help) from None
    used = using(library_files(PRODUCT), request.name)
    return rules_pb2.GetRulingResponse(
        ruling=ruling_message(found), scenarios=scenario_messages(used)
    )


def list_rulings(_: rules_pb2.ListRulingsRequest) -> rules_pb2.ListRulingsResponse:
    """Every ruling of whatever kind."""
    return rules_pb2.ListRulingsResponse(rulings=map(ruling_message, answers().values()))


def scenario_messages(found: Iterable[Found]) -> list[rules_pb2.LibraryScenario]:
    """Scenarios of the library with their places."""
    return [rules_pb2.LibraryScenario(**each._asdict()) for each in found]


def ruling_message(found: Answer) -> rules_pb2.Ruling:
    """A ruling of any kind, as it is told."""
    ruling = rules_pb2.Ruling(
        name=found.id,
        question=found.question,
        authority=found.authority,
        rules=rule_refs(found.rules),
    )
    match found:
        case Ruling():
            ruling.kind = rules_pb2.RULING_KIND_CHOICE
            for value, says in zip(found.values, found.says, strict=True):
                ruling.readings.add(value=value, says=says)
            ruling.affects.extend(found.affects)
        case Settled():
            ruling.kind = rules_pb2.RULING_KIND_SETTLED
            ruling.answer = found.answer
            ruling.affects.extend(found.affects)
            ruling.waits_for = found.waits
        case NoChoice():
            ruling.kind = rules_pb2.RULING_KIND_NO_CHOICE
            ruling.answer = found.reason
    return ruling
