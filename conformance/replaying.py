"""Plays a case on the reference, whatever chance it tells: what is missing or impossible is drawn.

A case that was cut shorter tells of draws that do not come any more, and lacks others.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

from conformance.cases import Case
from conformance.reference import SHUFFLED, Chooser, Moved, Reference, drawn
from rules_engine.imperium import frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, ThisTurn
from rules_engine.kernel.chance import likelihoods
from rules_engine.kernel.game import Answer
from rules_engine.kernel.outcomes import Refusal
from scenarios.vectors.inputs import chance as chance_json

Json = dict[str, Any]


class Replay(NamedTuple):
    """A case as it went: `states` are the positions before each move, and the last one."""

    begun: Moved
    outcomes: list[Moved | Refusal]
    states: list[State]


def replay(case: Case, upto: int | None = None) -> Replay:
    """Play a case, or as many of its moves; what is refused changes nothing."""
    game = Reference.start(case.followed, case.position, case.to_move)
    rest = drawn(random.Random(case.id))
    begun = game.begin(as_told(case.chance, rest))
    outcomes: list[Moved | Refusal] = []
    states = [game.state]
    for move in case.moves[:upto]:
        outcomes.append(game.give(move.given, as_told(move.chance, rest)))
        states.append(game.state)
    return Replay(begun, outcomes, states)


def as_told(answers: Iterable[Json], rest: Chooser) -> Chooser:
    """The first answer that is told of what is asked and can come; without one, it is drawn."""
    left = [each for each in answers if each["kind"] not in SHUFFLED.values()]

    def choose(state: State) -> Answer:
        asked_for = chance_json(state, Answer(""))
        possible = likelihoods(IMPERIUM, state)
        for told in left:
            if {**told, "outcome": ""} == asked_for and possible.get(told["outcome"]):
                left.remove(told)
                return Answer(told["outcome"])
        return rest(state)

    return choose


def starts_a_turn(state: State) -> bool:
    """Whether a turn is about to begin and nothing was done in it."""
    top = state.pending[-1] if state.pending else None
    return isinstance(top, frames.Turn) and state.turn == ThisTurn(top.seat)
