"""Reads everything once, before calls are answered.

msgspec learns a kind of record when one is first read, and a process in which two threads come to
that at once crashes.
"""

from __future__ import annotations

import gc

from rules_engine.imperium.setup import PLAYERS
from server.answers import engine, rules, searching
from truthsayer.v1 import engine_pb2, rules_pb2


def prepare() -> None:
    """Do once what calls will do."""
    rules.list_rules(rules_pb2.ListRulesRequest())
    for players in PLAYERS:
        _play([f"Player {number}" for number in range(players)])
    # The catalogue stays: without this the garbage collector would go through it again and again.
    gc.freeze()


def prepare_search() -> None:
    """Make the index of the search; a SQLite that cannot search is told at the start."""
    searching.search(rules_pb2.SearchRequest(question="sandworm"))


def _play(names: list[str]) -> None:
    game = engine_pb2.NewGameRequest(product="uprising", players=names)
    position = engine.new_game(game).position
    engine.view(engine_pb2.ViewRequest(position=position))
    (first, *_) = engine.actions(engine_pb2.ActionsRequest(position=position)).inputs
    engine.step(engine_pb2.StepRequest(position=position, input=first))
