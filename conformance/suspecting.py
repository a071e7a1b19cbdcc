"""Which rules an implementation most likely breaks, by all cases of a run taken together.

One divergence often has several rules behind it. But a rule that is broken shows in most cases
about it, and a rule that only happens to be near holds elsewhere. So every rule is weighed by the
cases that failed with it and by those that passed: the measure of Ochiai, by which mistakes in
programs are found. A rule that no failing case is about is not told: nothing was asked about it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from conformance.results import BAD, GOOD, Result
from rules_engine.kernel.records import Record

MOST = 5
"""So many are told: who has to look further looks at the divergences."""


class Suspect(Record):
    """A rule, how many cases about it were played, and how many of these failed."""

    rule: str
    failed: int
    played: int


def suspects(results: Sequence[Result]) -> tuple[Suspect, ...]:
    """The rules that are most likely broken, the likeliest first; none if nothing failed."""
    failed = [each for each in results if _is_failure(each)]
    passed = Counter(rule for each in results if each.outcome in GOOD for rule in each.held)
    about = Counter(rule for each in failed for rule in _about(each))
    blamed: Counter[str] = Counter()
    for each in failed:
        blamed.update(_blame(each))

    def suspicion(rule: str) -> float:
        return blamed[rule] / math.sqrt(len(failed) * (blamed[rule] + passed[rule]))

    likeliest = sorted(about, key=suspicion, reverse=True)[:MOST]
    return tuple(
        Suspect(rule, failed=about[rule], played=about[rule] + passed[rule]) for rule in likeliest
    )


def _is_failure(result: Result) -> bool:
    """Whether no reading of an open point explains it."""
    explained = result.divergence is not None and result.divergence.ruling
    return result.outcome in BAD and not explained


def _blame(result: Result) -> dict[str, float]:
    """How much a failure speaks against each rule: half for its place among those that decide the
    divergence, half for being what the case is about.
    """
    named = () if result.divergence is None else result.divergence.rules
    blame = {rule: 0.5 / place for place, rule in enumerate(named, 1)}
    for rule in _about(result):
        blame[rule] = blame.get(rule, 0.0) + 0.5
    return blame


def _about(result: Result) -> tuple[str, ...]:
    """What a failing case is about, unless it had come to its end before."""
    is_beyond = result.divergence is not None and result.divergence.is_beyond
    return () if is_beyond else result.rules
