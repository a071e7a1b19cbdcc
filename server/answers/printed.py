"""Answers about everything printed: cards, board spaces, Leaders and all else."""

from __future__ import annotations

import json

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, names
from scenarios.finding import library_files, naming, things_named
from server.answers.messages import rule_refs
from server.answers.positions import PRODUCTS, check_product
from server.answers.rulings import scenario_messages
from truthsayer.text.faces import face_json
from truthsayer.v1 import rules_pb2


def get_card(request: rules_pb2.GetCardRequest) -> rules_pb2.GetCardResponse:
    """All that is printed under a name or an id."""
    product = request.product or PRODUCTS[0]
    check_product(product)
    library = library_files(product)
    called = names(catalogue(product))
    return rules_pb2.GetCardResponse(
        things=[_message(thing, library, called) for thing in things_named(product, request.name)]
    )


def _message(
    thing: Thing, library: list[tuple[str, str]], called: dict[str, str]
) -> rules_pb2.PrintedThing:
    shown = face_json(thing.face, called)
    return rules_pb2.PrintedThing(
        kind=thing.kind,
        id=thing.id,
        name=thing.name,
        data=json.dumps(shown["data"], ensure_ascii=False),
        sentences=[
            rules_pb2.PrintedSentence(
                box=each["box"], sentence=each["sentence"], rules=rule_refs(each.get("rules", ()))
            )
            for each in shown["effects"]
        ],
        scenarios=scenario_messages(naming(library, thing)),
    )
