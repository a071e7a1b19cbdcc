"""What a position costs: its memory, the view of a player, its fingerprint.

The whole size counts everything that can be reached from a state, each object once, also what the
catalogue or another state holds too. The marginal size counts only what the state before it does
not hold: that is what a further state of a game costs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from statistics import mean
from typing import Any

from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.records import Record
from rules_engine.kernel.views import view
from tests.bench.aims import aimed, told
from tests.bench.random_play import played, start, taken

SEEDS = range(1, 20, 2)
"""Odd ones: games of four players."""
RUNS = 3
MOST_BYTES = 20_000


def inside(value: Any) -> Iterable[Any]:
    """The values that a value holds directly."""
    if isinstance(value, Record):
        return [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, tuple | list) else ()


def objects(value: Any) -> dict[int, int]:
    """The bytes of every object that can be reached from a value, each once, by its identity."""
    found: dict[int, int] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if id(each) not in found:
            found[id(each)] = sys.getsizeof(each)
            waiting.extend(inside(each))
    return found


def positions(seed: int) -> Iterator[Any]:
    """The positions of a random game."""
    state = start(seed)
    yield state
    for given in played(seed)[0]:
        state = taken(state, given)
        yield state


def sizes(seeds: Iterable[int]) -> tuple[list[int], list[int]]:
    """The whole sizes of all positions, and what each adds to the one before it."""
    whole, added = [], []
    for seed in seeds:
        before: dict[int, int] = {}
        kept = None  # while the state before lives, no new object can take its place in memory
        for state in positions(seed):
            found = objects(state)
            whole.append(sum(found.values()))
            if kept is not None:
                added.append(sum(size for each, size in found.items() if each not in before))
            before, kept = found, state
    return whole, added


def microseconds(call: Callable[[Any], Any], states: list[Any]) -> float:
    """The mean time of a call, best of some runs."""
    best = float("inf")
    for _ in range(RUNS):
        begun = time.process_time()
        for state in states:
            call(state)
        best = min(best, time.process_time() - begun)
    return best / len(states) * 1e6


def main() -> None:
    """Print sizes and times."""
    whole, added = sizes(SEEDS)
    print(f"{len(whole):,} positions of {len(SEEDS)} random games of four players")
    met = max(whole) < MOST_BYTES
    aimed("the largest state, whole", f"{max(whole):,} B", f"under {MOST_BYTES:,} B", met)
    told("a state, whole, on average", f"{mean(whole):,.0f} B")
    told("a state beyond the one before it, on average", f"{mean(added):,.0f} B")
    states = [state for seed in SEEDS for state in positions(seed)]
    told("view of one player", f"{microseconds(lambda state: view(state, 0), states):.1f} µs")
    told("fingerprint", f"{microseconds(fingerprint, states):.1f} µs")


if __name__ == "__main__":
    main()
