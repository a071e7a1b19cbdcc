"""Where inputs come from when no player gives them: a seed, or a script."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import (
    Action,
    Answer,
    Game,
    HasPending,
    actions,
    asked,
    legal,
    options,
)


def likelihoods(game: Game, state: HasPending) -> Mapping[str, int]:
    """How often each outcome can turn up: copies of a card count one by one."""
    top = state.pending[-1]
    weights = game.frames[type(top)].weights
    if weights is not None:
        return weights(state, top)
    return {option.outcome: 1 for option in options(game, state)}


class SeededChance:
    """Answers at random, every card of a pool being equally likely; one seed, one game."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def answer(self, game: Game, state: Any) -> Answer:
        """An outcome picked at random."""
        weights = likelihoods(game, state)
        (outcome,) = self._random.choices(tuple(weights), tuple(weights.values()))
        return Answer(outcome)


class RandomPlay:
    """Plays every seat at random, and chance too; one seed, one game."""

    def __init__(self, seed: int) -> None:
        # A generator of their own: the players do not follow what chance deals.
        self._players = random.Random(f"players {seed}")
        self._chance = SeededChance(seed)

    def pick(self, game: Game, state: Any) -> Action | Answer:
        """An input that is allowed now."""
        if asked(game, state).chance:
            return self._chance.answer(game, state)
        picked: Action = self._players.choice(actions(game, state))
        return picked


class ScriptedChance:
    """Answers as written down beforehand."""

    def __init__(self, outcomes: Iterable[str]) -> None:
        self._left = iter(outcomes)

    def answer(self, game: Game, state: Any) -> Answer:
        """The next outcome of the script."""
        outcome = next(self._left, None)
        possible = ", ".join(likelihoods(game, state))
        if outcome is None:
            raise TruthsayerError(
                "TS0402",
                "something is left to chance here and the script has no answer left",
                help=f"add one of: {possible}",
            )
        answer = Answer(outcome)
        if legal(game, state, answer) is not None:
            raise TruthsayerError(
                "TS0403", f"chance cannot answer `{outcome}` here", help=f"possible: {possible}"
            )
        return answer
