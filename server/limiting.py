"""How many requests a caller may make: so many a second over time, and some more at once."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from server.errors import TryLater

BURST_SECONDS = 10.0
"""Who was silent for so long may make all the requests of that time at once."""

MOST_CALLERS = 10_000
"""Callers that are remembered. Whoever is forgotten is the one who called least recently."""


class _Bucket(NamedTuple):
    """The requests that are left to a caller, and when that was so."""

    left: float
    at: float


class Limiter:
    """Counts the requests of each caller. It is for one thread: the event loop's."""

    def __init__(
        self,
        per_second: float,
        clock: Callable[[], float] = time.monotonic,
        most_callers: int = MOST_CALLERS,
    ) -> None:
        """0 a second is no limit."""
        self._per_second = per_second
        self._burst = max(1.0, per_second * BURST_SECONDS)
        self._clock = clock
        self._most = most_callers
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def check(self, caller: str) -> None:
        """Refuse if no request is left to a caller."""
        if self._per_second and self._left(caller) < 1:
            raise self._too_many(self._left(caller))

    def count(self, caller: str) -> None:
        """Take a request from what is left to a caller, or refuse."""
        if not self._per_second:
            return
        left = self._left(caller)
        self._buckets[caller] = _Bucket(left - 1 if left >= 1 else left, self._clock())
        self._buckets.move_to_end(caller)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        if left < 1:
            raise self._too_many(left)

    def _left(self, caller: str) -> float:
        now = self._clock()
        last = self._buckets.get(caller)
        if last is None:
            return self._burst
        return min(self._burst, last.left + (now - last.at) * self._per_second)

    def _too_many(self, left: float) -> TryLater:
        return TryLater(
            "TS0853",
            f"more than {self._per_second:g} requests a second",
            seconds=(1 - left) / self._per_second,
        )
