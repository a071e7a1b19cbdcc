"""Cases: where a game starts, and what is done in it. What has to come of it the reference says."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from conformance.asserted import asserted
from conformance.filling import LeftOut, completed
from conformance.messages import BEGIN, EFFECT, OWN_CARDS, POSITION
from conformance.reference import Chooser, OutOfPlace, Reference, drawn, stated
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Answer
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import Record

Json = dict[str, Any]


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
    asserts: tuple[str, ...] = ()
    """The fields that its scenario looks at, as `asserted` tells them; without any, all."""
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
        asserts=asserted(each for step in vector["steps"] for each in step["expect"]),
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
