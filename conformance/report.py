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
    cases: tuple[str, ...] = ()


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
    def broken(self) -> tuple[str, ...]:
        """The rules that failures are told under."""
        found = {home(each) for each in self.failures}
        return tuple(rule for rule in self.rules if rule in found)

    @property
    def held(self) -> tuple[str, ...]:
        """The rules that were seen to hold, and that no failure is told under."""
        found = {rule for each in self.results for rule in each.held}.difference(self.broken)
        return tuple(rule for rule in self.rules if rule in found)

    @property
    def reached(self) -> tuple[str, ...]:
        """The rules that were compared, and held or did not."""
        found = {*self.held, *self.broken}
        return tuple(rule for rule in self.rules if rule in found)

    @property
    def failures(self) -> tuple[Result, ...]:
        """The cases that no ruling explains."""
        return tuple(each for each in self.results if each.outcome in BAD and not holds(each))

    @property
    def support(self) -> tuple[Support, ...]:
        """What the implementation could support next, the largest gain first."""
        return support(self.results, self.reached)

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """The rules that are most likely broken."""
        return suspects(self.results)


def holds(result: Result) -> bool:
    """Whether nothing differs that was compared, or only by a reading of an open point."""
    is_explained = result.divergence is not None and bool(result.divergence.ruling)
    return result.outcome in GOOD or is_explained


def home(result: Result) -> str:
    """The rule that a case is told under: the one that decides, or else its own first."""
    decides = result.divergence.rules if result.divergence else ()
    return next(iter((*decides, *result.rules)), "")
