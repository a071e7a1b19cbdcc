"""Our adapter, slowed down to an implementation that needs some time for each input.

`python -m tests.bench.slow_adapter MILLISECONDS [wrong]`; a wrong one gives a water too much.
"""

from __future__ import annotations

import sys
import time

from conformance import messages as say
from conformance.adapters.loop import over_lines
from conformance.adapters.reference import Adapter
from rules_engine.kernel.records import change


class Slow(Adapter):
    """Takes so many seconds for an input, its own work included."""

    def __init__(self, seconds: float, *, wrong: bool) -> None:
        self.seconds = seconds
        self.wrong = wrong

    def apply(self, call: say.Apply) -> say.AnyAnswer:
        """Take an input, and wait for the rest of the time."""
        until = time.monotonic() + self.seconds
        answer = super().apply(call)
        if self.wrong and isinstance(answer, say.Done) and answer.observation is not None:
            answer = change(answer, observation=_wetter(answer.observation))
        time.sleep(max(0.0, until - time.monotonic()))
        return answer


def _wetter(seen: say.Json) -> say.Json:
    first, *others = seen["players"]
    return {**seen, "players": [{**first, "water": first["water"] + 1}, *others]}


if __name__ == "__main__":
    slow = Slow(float(sys.argv[1]) / 1000, wrong="wrong" in sys.argv)
    over_lines(slow, sys.stdin.buffer, sys.stdout.buffer)
