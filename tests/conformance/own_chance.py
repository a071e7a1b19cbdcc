"""Games for adapters with a chance of their own, and such an adapter made of the engine."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

from conformance import messages as say
from conformance.adapters.reference import Adapter
from conformance.cases import Case, Move
from conformance.observing import observe
from conformance.playing import Connection
from conformance.reference import Reference, drawn
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change

Json = dict[str, Any]

# Games


def setup(*players: str) -> Json:
    """A game without Leaders and modules."""
    return {
        "product": "uprising",
        "players": list(players),
        "modules": [],
        "leaders": [None] * len(players),
        "rulings": {},
        "cards": [],
        "conflicts": [],
        "intrigues": [],
    }


def decision(action: str, by: int, **named: Any) -> Move:
    """A move that is a player's decision."""
    return Move({"do": {"action": action, "by": by, **named}})


def case(*moves: Move, players: Sequence[str] = ("John", "Abby", "Ned")) -> Case:
    """A game from its setup."""
    return Case("own.chance", "A game", (), setup(*players), None, None, moves)


VISITS = {
    "deliver_supplies": ("diplomacy", "gain 1 influence spacing_guild", "gain 1 water"),
    "fremkit": ("diplomacy", "gain 1 influence fremen", "draw 1 card"),
    "arrakeen": ("reconnaissance", "recruit 1 troop", "draw 1 card"),
    "imperial_basin": ("dune_the_desert_planet", "gain 1 spice", "gain bonus_spice"),
}
SHOWN = {
    "convincing_argument": ("gain 2 persuasion", 2),
    "dagger": ("+1 sword", 2),
    "diplomacy": ("gain 1 persuasion", 1),
    "dune_the_desert_planet": ("gain 1 persuasion", 2),
    "reconnaissance": ("gain 1 persuasion", 1),
    "signet_ring": ("gain 1 persuasion", 1),
}


def visits(seat: int) -> list[Move]:
    """An Agent turn, whatever the player has in hand: all but one of the sendings are refused.

    So is the attempt to end the turn before the effects are resolved.
    """
    moves: list[Move] = []
    for space, (card, *effects) in VISITS.items():
        named = {"card": card, "space": space, "infiltrate": None}
        moves += [decision("play_agent", seat, **named), decision("end_turn", seat)]
        moves += [decision("resolve", seat, effect=e, source=space, copy=0) for e in effects]
    return [*moves, decision("end_turn", seat)]


def reveals(seat: int) -> list[Move]:
    """A Reveal turn, whatever the player has in hand: effects of other cards are refused.

    So is the attempt to reveal once more.
    """
    effects = [
        decision("resolve", seat, effect=effect, source=card, copy=copy)
        for card, (effect, copies) in SHOWN.items()
        for copy in range(copies)
    ]
    return [decision("reveal", seat)] * 2 + [*effects, decision("end_turn", seat)]


def rounds(count: int, players: int = 3) -> list[Move]:
    """So many rounds: whoever is first, everyone gets an Agent turn or two and a Reveal turn."""
    seats = range(players)
    turns = [*(visits(seat) for seat in (*seats, *seats)), *(reveals(s) for s in (*seats, *seats))]
    return [move for turn in turns * count for move in turn]


# Adapters


class OwnChance(Adapter):
    """The engine as an adapter that draws for itself and tells what came."""

    def __init__(self, seed: int) -> None:
        self.draw = drawn(random.Random(seed))

    def answer(self, call: say.AnyCall) -> say.AnyAnswer:
        """Do what one call asks for."""
        match call:
            case say.Start(given, position, to_move):
                self.game = Reference.start(given, position, to_move)
                self.before = []
                return say.Done(chance=self.game.begin(self.draw).chance, observation=self.shown())
            case say.Apply(given, _, revision) if revision == len(self.before):
                before = self.game.state
                done = self.game.give(given, self.draw)
                if isinstance(done, Refusal):
                    return say.Refused()
                self.before.append(before)
                return say.Done(self.shown(), done.chance)
        return super().answer(call)

    def shown(self) -> Json:
        """What is observed."""
        return observe(self.game.state)


Twist = Callable[[say.AnyCall, say.AnyAnswer], say.AnyAnswer]
"""Changes an answer: a fault that is planted."""


class InProcess:
    """A connection to an adapter of the same program."""

    def __init__(self, adapter: Adapter, twist: Twist = lambda _, answer: answer) -> None:
        self.adapter = adapter
        self.twist = twist

    def ask(
        self, calls: Sequence[say.AnyCall], seconds: float | None = None
    ) -> list[say.AnyAnswer]:
        """Answer at once."""
        del seconds
        # Observations share their parts with those of the reference, so a lie is told of a copy.
        return [self.twist(call, copy.deepcopy(self.adapter.answer(call))) for call in calls]

    def close(self) -> None:
        """Nothing to end."""


class Listening:
    """A connection that remembers what came back over another one."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.accepted = 0
        self.last: Json = {}

    def ask(
        self, calls: Sequence[say.AnyCall], seconds: float | None = None
    ) -> list[say.AnyAnswer]:
        """Pass the calls on."""
        answers = self.connection.ask(calls, seconds)
        for call, answer in zip(calls, answers, strict=True):
            if isinstance(call, say.Apply) and isinstance(answer, say.Done):
                self.accepted += 1
                self.last = answer.observation or self.last
        return answers

    def close(self) -> None:
        """Leave it to the other one."""


def with_chance(change_it: Callable[[list[Json]], list[Json]]) -> Twist:
    """A fault in what is told of chance at the start."""

    def twist(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        if isinstance(call, say.Start) and isinstance(answer, say.Done):
            return change(answer, chance=tuple(change_it([dict(each) for each in answer.chance])))
        return answer

    return twist
