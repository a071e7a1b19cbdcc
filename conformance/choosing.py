"""What can be chosen in a generated game: inputs and chance within what an implementation has.

Where something is missing, an input is chosen only if the turn can be ended after it: otherwise a
game would stop where, for example, a Spy has to be placed by an implementation without Spies.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from conformance.features import Features
from conformance.reference import Chooser, Moved, OutOfPlace, Reference, drawn
from conformance.replaying import starts_a_turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.chance import likelihoods
from rules_engine.kernel.game import Action, Answer, actions
from scenarios.imperium.features import named_by_chance, named_by_decision
from scenarios.vectors.inputs import chance as chance_json
from scenarios.vectors.inputs import decision

Json = dict[str, Any]

LOOKS_AHEAD = 60
"""So many inputs are tried to see whether a turn can be ended; then it is taken that it can."""


class Choices:
    """What may be chosen: what an implementation has, without what it did not support just now."""

    def __init__(self, features: Features, barred: frozenset[str] = frozenset()) -> None:
        self.features = features
        self.barred = barred

    def __eq__(self, other: object) -> bool:
        """Whether the same may be chosen."""
        return isinstance(other, Choices) and self._key == other._key

    def __hash__(self) -> int:
        """As what is equal has the same."""
        return hash(self._key)

    @property
    def _key(self) -> tuple[Features, frozenset[str]]:
        return self.features, self.barred

    @property
    def all(self) -> bool:
        """Whether everything that is allowed may be chosen."""
        return self.features.all and not self.barred

    def chance(self, draw: random.Random) -> Chooser:
        """Chance that brings only what the implementation has."""
        if self.features.all:
            return drawn(draw)

        def choose(state: State) -> Answer:
            outcomes = {
                outcome: weight
                for outcome, weight in likelihoods(IMPERIUM, state).items()
                if self.features.has(named_by_chance(_product(state), _brought(state, outcome)))
            }
            if not outcomes:
                raise OutOfPlace("nothing that the implementation has can come")
            return Answer(draw.choices(list(outcomes), list(outcomes.values()))[0])

        return choose

    def has(self, state: State, action: Action) -> bool:
        """Whether the implementation has all that an input names, and did not refuse to take it."""
        if self.all:
            return True
        said = decision(state, action)
        had = self.features.has(named_by_decision(_product(state), said))
        return had and key(said) not in self.barred

    def taken(self, game: Reference, action: Action, chance: Chooser) -> Moved | None:
        """What an allowed input leads to; nothing if it may not be chosen, and nothing is done."""
        before = game.state
        if not self.has(before, action):
            return None
        try:
            done = game.take(action, chance)
        except OutOfPlace:
            return None
        assert isinstance(done, Moved), "what is listed is allowed"
        if self.all or self._goes_on(game.state):
            return done
        game.state = before
        return None

    def _goes_on(self, state: State) -> bool:
        """Whether a turn can be ended from here on."""
        left = [LOOKS_AHEAD]
        return any(self._ways(Reference(state), left))

    def _ways(self, game: Reference, left: list[int]) -> Iterator[bool]:
        """For each way to go on, whether the turn ends there; one that is too long counts."""
        state = game.state
        if not state.pending or starts_a_turn(state) or left[0] <= 0:
            yield True
            return
        for action in reversed(actions(IMPERIUM, state)):
            game.state = state
            left[0] -= 1
            if self.has(state, action) and self._takes(game, action):
                yield from self._ways(game, left)

    def _takes(self, game: Reference, action: Action) -> bool:
        try:
            return isinstance(game.take(action, self.chance(random.Random(0))), Moved)
        except OutOfPlace:
            return False


def key(said: Json) -> str:
    """A decision, whoever makes it."""
    return json.dumps({name: value for name, value in said.items() if name != "by"}, sort_keys=True)


def _product(state: State) -> str:
    return str(state.config.product)


def _brought(state: State, outcome: str) -> Json:
    return chance_json(state, Answer(outcome))
