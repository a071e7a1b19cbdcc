"""The cost of a step in each round: it should not grow while a game goes on.

Listing what is allowed is part of a step here. Later rounds offer more (cards, resources),
so the number of actions listed at a decision stands beside the cost.
"""

from __future__ import annotations

import time
from collections import Counter

from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.game import actions, asked
from tests.bench.aims import aimed
from tests.bench.random_play import played, start, taken

SEEDS = range(1, 120, 2)
"""Odd ones: games of four players."""
FIRST, LAST = 1, 10
FEWEST_GAMES = 10
"""A round that fewer games reach says little."""
MOST_GROWTH = 1.25
"""A round that costs this much more a step than the first still counts as flat."""


class Rounds:
    """Games, steps, seconds and actions listed, by round; round 0 is the deal before the first."""

    def __init__(self) -> None:
        self.games: Counter[int] = Counter()
        self.steps: Counter[int] = Counter()
        self.seconds: dict[int, float] = {}
        self.decisions: Counter[int] = Counter()
        self.listed: Counter[int] = Counter()

    def microseconds(self, number: int) -> float:
        """The mean cost of a step."""
        return self.seconds[number] / self.steps[number] * 1e6

    def play(self, seed: int) -> None:
        """Play a random game; the clock is read only when the round changes."""
        state, play = start(seed), RandomPlay(seed)
        begun = time.process_time()
        while state.pending:
            now = state.round
            state = taken(state, play.pick(IMPERIUM, state))
            self.steps[now] += 1
            if state.round != now or not state.pending:
                ended = time.process_time()
                self.games[now] += 1
                self.seconds[now] = self.seconds.get(now, 0.0) + ended - begun
                begun = ended

    def count(self, seed: int) -> None:
        """Count what the same game lists at its decisions, without the clock."""
        state = start(seed)
        for given in played(seed)[0]:
            if asked(IMPERIUM, state).players:
                self.decisions[state.round] += 1
                self.listed[state.round] += len(actions(IMPERIUM, state))
            state = taken(state, given)


def main() -> None:
    """Print a line for each round, and whether the cost is flat."""
    rounds = Rounds()
    played(1)  # grammars and catalogues are read before the clock runs
    for seed in SEEDS:
        rounds.play(seed)
        rounds.count(seed)
    print(f"{len(SEEDS)} random games of four players")
    print(f"{'round':>5}{'games':>8}{'steps':>10}{'µs/step':>10}{'listed/decision':>18}")
    for number in sorted(rounds.steps):
        listed = rounds.listed[number] / max(1, rounds.decisions[number])
        cost = rounds.microseconds(number)
        reached = f"{number:>5}{rounds.games[number]:>8}{rounds.steps[number]:>10,}"
        print(f"{reached}{cost:>10.1f}{listed:>18.1f}")
    last = max(n for n in range(FIRST, LAST + 1) if rounds.games[n] >= FEWEST_GAMES)
    growth = rounds.microseconds(last) / rounds.microseconds(FIRST)
    what = f"a step in round {last} against one in round {FIRST}"
    aimed(what, f"{growth:.2f}x", f"at most {MOST_GROWTH}x", growth <= MOST_GROWTH)


if __name__ == "__main__":
    main()
