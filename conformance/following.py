"""An allowed input after one that has to be refused: who refuses everything keeps no rule by that.

It is as like the refused one as can be, so that the two differ in little but what is forbidden.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from conformance.cases import Case, Move
from conformance.comparing import changed_paths
from conformance.features import lacking
from conformance.messages import INPUT, Described
from conformance.observing import observe
from conformance.reference import Moved, Reference, drawn
from conformance.replaying import replay, starts_a_turn
from conformance.showing import PASSES_ON
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import actions
from rules_engine.kernel.records import change
from scenarios.vectors.inputs import decision

Json = dict[str, Any]

MOST_FOLLOW_UPS = 3
"""So many are tried, where the adapter does not support one."""

MOST_LOOKED_AT = 12
"""So many inputs are looked at for one that changes something which the adapter observes."""

MOST_TO_SHOW = 6
"""So many more are given where one alone changes nothing of it."""

Choose = Callable[[State], Move | None]
"""Chooses the next input in a position, or ends the game."""


def followed(case: Case, adapter: Described) -> Iterator[Case]:
    """The case with what is allowed behind it, the best first; none if it ends with no refusal."""
    if not ends_refused(case):
        return
    state = replay(case).states[-1]
    if adapter.step != INPUT and not starts_a_turn(state):
        return  # The whole unit comes anyway, and is allowed.
    for moves in follow_ups(state, case.moves[-1].given, adapter, random.Random(case.id)):
        longer = change(case, moves=(*case.moves, *moves))
        if not lacking(longer, adapter):
            yield longer


def ends_refused(case: Case) -> bool:
    """Whether the last input of a case has to be refused."""
    return bool(case.moves) and case.moves[-1].refused


def follow_ups(
    state: State, refused: Json, adapter: Described, draw: random.Random
) -> Iterator[tuple[Move, ...]]:
    """Allowed inputs, those first that are most like what was refused.

    More come after one that changes nothing which the adapter observes: it would show nothing. That
    somebody else is asked is not enough.
    """
    before = observe(state)
    unseen: list[tuple[Move, State]] = []
    for move, after in _taken(state, _alike(state, refused), draw):
        if _shows(before, after, adapter):
            yield (move,)
        else:
            unseen.append((move, after))
    for move, after in unseen:
        yield move, *_until_shown(before, after, adapter, draw)


def _until_shown(
    before: Json, state: State, adapter: Described, draw: random.Random
) -> Iterator[Move]:
    """More inputs, until something changes that is observed; if nothing does, there are few."""
    for _ in range(MOST_TO_SHOW):
        if _shows(before, state, adapter):
            return
        listed = [decision(state, each) for each in actions(IMPERIUM, state)]
        tried = _taken(state, listed, draw)
        if not tried:
            return
        shown = (each for each in tried if _shows(before, each[1], adapter))
        move, state = next(shown, tried[0])
        yield move


def _taken(state: State, listed: list[Json], draw: random.Random) -> list[tuple[Move, State]]:
    """The first of what is allowed, each with where it leads, as far as that is known."""
    found = []
    for said in listed[:MOST_LOOKED_AT]:
        game = Reference(state)
        try:
            done = game.give({"do": said}, drawn(draw))
        except UnknownRead:
            continue
        assert isinstance(done, Moved), "what is listed is allowed"
        found.append((Move({"do": said}, done.chance), game.state))
    return found


def _shows(before: Json, after: State, adapter: Described) -> bool:
    paths = changed_paths(before, observe(after), frozenset(adapter.fields))
    return not PASSES_ON.issuperset(paths)


def _alike(state: State, refused: Json) -> list[Json]:
    """What is allowed, by how much it has in common with what was refused."""
    listed = (decision(state, each) for each in actions(IMPERIUM, state))
    return sorted(listed, key=lambda said: -_likeness(said, refused.get("do", {})))


def _likeness(said: Json, refused: Json) -> int:
    """How much two decisions have in common; what is done counts most."""
    common = sum(bool(said.get(key) == value) for key, value in refused.items())
    return common + len(refused) * int(said.get("action") == refused.get("action"))


class FollowsFirst:
    """Chooses an allowed input after a case that ends with a refusal, and then as somebody else.

    Asked again in the same position, it chooses another: the adapter does not support the first.
    """

    def __init__(self, case: Case, adapter: Described, then: Choose) -> None:
        self._case = case
        self._adapter = adapter
        self._then = then
        self._position: State | None = None
        self._left: Iterator[tuple[Move, ...]] = iter(())

    def __call__(self, state: State) -> Move | None:
        """The next input."""
        if not ends_refused(self._case):
            return self._then(state)
        if self._position is None:
            refused, draw = self._case.moves[-1].given, random.Random(self._case.id)
            found = follow_ups(state, refused, self._adapter, draw)
            self._position, self._left = state, islice(found, MOST_FOLLOW_UPS)
        moves = next(self._left, ()) if state is self._position else ()
        return moves[0] if moves else self._then(state)
