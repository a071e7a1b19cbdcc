"""Cases: where a game starts, and what is done in it. What has to come of it the reference says."""

from __future__ import annotations

import copy
import functools
import random
from collections.abc import Iterable, Iterator
from typing import Any

from conformance.messages import BEGIN, EFFECT, OWN_CARDS, POSITION
from conformance.reference import Chooser, OutOfPlace, Reference, drawn, stated
from rules_engine.catalogue.load import catalogue
from rules_engine.effects.tree import Effect, Gain
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Answer
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import Record

Json = dict[str, Any]

ROW, CONTRACTS = 5, 2


class Move(Record):
    """An input with what chance brings after it, or one that has to be refused."""

    given: Json
    chance: tuple[Json, ...] = ()
    refused: bool = False


class Case(Record):
    """A game from its start, and the moves in it. `chance` comes before the first decision."""

    id: str
    title: str
    rules: tuple[str, ...]
    setup: Json
    position: Json | None
    to_move: int | None
    moves: tuple[Move, ...]
    chance: tuple[Json, ...] = ()
    tags: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    readings: dict[str, str] = {}
    """Readings of open points that the reference follows here, and the adapter is not told of."""

    @property
    def followed(self) -> Json:
        """The setup as the reference follows it."""
        return self.setup | {"rulings": self.setup["rulings"] | self.readings}

    @property
    def needs(self) -> frozenset[str]:
        """What an adapter has to be able to do."""
        kinds = {kind for move in self.moves for kind in (BEGIN, EFFECT) if kind in move.given}
        if self.position is not None:
            kinds.add(POSITION)
        own = (self.setup.get(each) for each in ("cards", "conflicts", "intrigues", "contracts"))
        if any(own):
            kinds.add(OWN_CARDS)
        return frozenset(kinds)


class LeftOut(Exception):
    """A scenario that says too little to be played on an implementation."""


def cases_of(vectors: Iterable[Json]) -> Iterator[Case | tuple[str, str]]:
    """The case of each vector, or its id and the reason why it has none."""
    for vector in vectors:
        try:
            yield _case(vector)
        except LeftOut as reason:
            yield vector["id"], str(reason)


def _case(vector: Json) -> Case:
    """A vector with all that it leaves open filled in, and played once to know all of chance."""
    position = completed(vector)
    setup, to_move = vector["setup"], vector["to_move"]
    game = Reference.start(setup, position, to_move)
    moves: list[Move] = []
    rest = drawn(random.Random(vector["id"]))
    try:
        begun = game.begin(rest) if to_move is not None else None
        for step in vector["steps"]:
            for given in step["inputs"]:
                moves.append(_played(game, given, rest))
            moves += _forbidden(step["expect"])
    except OutOfPlace as wrong:
        raise LeftOut(str(wrong)) from wrong
    return Case(
        id=vector["id"],
        title=vector["title"],
        rules=tuple(vector["rules"]),
        setup=setup,
        position=position,
        to_move=to_move,
        moves=tuple(moves),
        chance=() if begun is None else begun.chance,
        tags=tuple(vector["tags"]),
        file=vector["file"],
        line=vector["line"],
    )


def _played(game: Reference, given: Json, rest: Chooser) -> Move:
    told = {key: value for key, value in given.items() if key != "chance"}
    done = game.give(told, as_stated(given["chance"], rest))
    if isinstance(done, Refusal):
        raise LeftOut("an input is not allowed where the position is filled in")
    return Move(told, done.chance)


def as_stated(answers: Iterable[Json], rest: Chooser) -> Chooser:
    """What is told of chance, as long as something is; what does not matter is drawn."""
    told = stated(answers)

    def choose(state: State) -> Answer:
        if not told.left:
            return rest(state)
        answer = told(state)
        return rest(state) if answer.outcome == ANY else answer

    return choose


def _forbidden(expected: list[Json]) -> Iterator[Move]:
    """What a scenario says is not allowed is tried."""
    for each in expected:
        if each["kind"] == "cannot" and "action" in each and each["action"]["action"] != "pay":
            yield Move({"do": each["action"]}, refused=True)


# Filling in


def completed(vector: Json) -> Json:
    """The position with something for all that is unknown: nothing depends on it."""
    position: Json = copy.deepcopy(vector["position"])
    open_ones = set(vector["unknown"])
    if "row" in open_ones:
        position["row"] = _taken(position["imperium_deck"], ROW)
    if "contract_row" in open_ones:
        position["contract_row"] = _taken(position["contract_deck"], CONTRACTS)
    if "conflict" in open_ones:
        position["conflict"] = _plain_conflict(vector["setup"]["product"])
    if "conflict_deck" in open_ones:
        position["conflict_deck"] = []
    for player in position["players"]:
        for field in ("hand", "won"):
            player.setdefault(field, [])
        for zone in ("hand", "discard", "intrigues"):
            _name_any(player, zone)
    position["reveal_order"] += _revealed_besides(position)
    if ANY in position["row"]:
        raise LeftOut("a card of the Row has no name")
    return position


def _revealed_besides(position: Json) -> list[int]:
    """The seats that have revealed nobody says when: as turns go round."""
    players, first = position["players"], position["first_player"]
    return [
        each["seat"]
        for each in (*players[first:], *players[:first])
        if each["revealed"] and each["seat"] not in position["reveal_order"]
    ]


@functools.cache
def _plain_conflict(product: str) -> str | None:
    """A Conflict that is fought at no location, and whose rewards ask nobody anything."""
    return next(
        (
            face.id
            for face in catalogue(product).conflicts.values()
            if face.location is None
            and all(_is_one_gain(each) for each in (face.first, face.second, face.third))
        ),
        None,
    )


def _is_one_gain(reward: tuple[Effect, ...]) -> bool:
    return len(reward) == 1 and isinstance(reward[0], Gain)


def _taken(deck: list[Json], count: int) -> list[str]:
    """Cards taken from the pool of a deck."""
    taken: list[str] = []
    for part in deck:
        while part["part"] == "pool" and len(taken) < count and part["count"] > 0:
            taken.append(part["cards"].pop(0))
            part["count"] = min(part["count"], len(part["cards"]))
    return sorted(taken)


def _name_any(player: Json, zone: str) -> None:
    """A card that was never named becomes one of the player's deck."""
    while ANY in player[zone]:
        taken = _taken(player["deck"], 1) if zone != "intrigues" else []
        if not taken:
            raise LeftOut("a card that was never named could be any")
        player[zone].remove(ANY)
        player[zone] = sorted([*player[zone], *taken])
