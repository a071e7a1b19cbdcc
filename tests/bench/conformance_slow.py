"""How much longer than a slow implementation the kit takes: 500 cases at 20 ms an input.

What the implementation needs by itself is the number of inputs in the cases, each played once. All
that the kit adds is in the ratio: its own work, and what it plays again to explain a divergence.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence

from conformance.cases import Case
from conformance.corpus import corpus
from conformance.run import run
from conformance.target import Target, connect, greeted
from scenarios.finding import library_files

CASES = 500
MILLISECONDS = 20
MOOD = {"conforms": (), "is wrong everywhere": ("wrong",)}


def some_cases(count: int) -> list[Case]:
    """Cases with inputs, from all over the library."""
    every = [case for case in corpus(library_files()).cases if case.moves]
    return every[:: max(1, len(every) // count)][:count]


def ratio(cases: Sequence[Case], mood: tuple[str, ...]) -> tuple[float, Counter[str]]:
    """The time of a run by that of the implementation alone, and how the cases ended."""
    program = (sys.executable, "-m", "tests.bench.slow_adapter", str(MILLISECONDS), *mood)
    target = Target(program, seconds=60)
    connection = connect(target)
    said = greeted(connection, target)
    connection.close()
    begun = time.monotonic()
    ended = Counter(result.outcome for result in run(cases, target, said))
    alone = sum(len(case.moves) for case in cases) * MILLISECONDS / 1000
    return (time.monotonic() - begun) / alone, ended


def main() -> None:
    """Print the ratio for an implementation that conforms, and for one that does not."""
    cases = some_cases(CASES)
    inputs = sum(len(case.moves) for case in cases)
    print(f"{len(cases)} cases, {inputs} inputs, {MILLISECONDS} ms each")
    for name, mood in MOOD.items():
        found, ended = ratio(cases, mood)
        told = ", ".join(f"{count} {outcome}" for outcome, count in ended.items())
        print(f"an implementation that {name}: {found:.2f} times its own time ({told})")


if __name__ == "__main__":
    main()
