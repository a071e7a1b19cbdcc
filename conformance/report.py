"""The report of a run: who was tested, against what, and how every case ended."""

from __future__ import annotations

from collections import Counter

from conformance.messages import Described
from conformance.results import BAD, GOOD, Result
from conformance.supporting import Support, support
from conformance.suspecting import Suspect, suspects
from rules_engine.kernel.records import Record


class Followed(Record):
    """A reading of an open point that explains cases which would fail otherwise."""

    ruling: str
    value: str
    explains: int


class Report(Record):
    """A finished run. `rules` are all rules of the product; `left_out` scenarios without a case."""

    adapter: Described
    engine: str
    product: str
    rules: tuple[str, ...]
    results: tuple[Result, ...]
    followed: tuple[Followed, ...] = ()
    left_out: dict[str, str] = {}
    seconds: float = 0.0

    @property
    def counts(self) -> Counter[str]:
        """How many cases ended in each way."""
        return Counter(result.outcome for result in self.results)

    @property
    def reached(self) -> tuple[str, ...]:
        """The rules that some case was about which the adapter could play."""
        played = {
            rule for each in self.results if each.outcome in (*GOOD, *BAD) for rule in each.rules
        }
        return tuple(rule for rule in self.rules if rule in played)

    @property
    def failures(self) -> tuple[Result, ...]:
        """The cases that no ruling explains."""
        return tuple(
            each
            for each in self.results
            if each.outcome in BAD and not (each.divergence and each.divergence.ruling)
        )

    @property
    def support(self) -> tuple[Support, ...]:
        """What the implementation could support next, the largest gain first."""
        return support(self.results, self.reached)

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """The rules that are most likely broken."""
        return suspects(self.results)
