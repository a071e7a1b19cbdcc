"""What an implementation would gain by supporting more: its author's list of things to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conformance.results import UNSUPPORTED, Result
from rules_engine.kernel.records import Record

MOST_TOGETHER = 3
"""Cases that lack more than so many things together are no next step."""


class Support(Record):
    """What is lacking, and the cases and the rules that can be played with it.

    It is one thing or some together, as capabilities and things of the game; or `said` tells, in
    the adapter's words, what it does not support.
    """

    lacks: tuple[str, ...]
    said: str
    cases: int
    rules: tuple[str, ...]


def support(results: Sequence[Result], reached: Iterable[str]) -> tuple[Support, ...]:
    """What could be supported next, the largest gain first; of rules, those not `reached` yet."""
    known = set(reached)
    reasons: dict[tuple[tuple[str, ...], str], list[Result]] = {}
    for each in results:
        if each.outcome == UNSUPPORTED and len(each.lacks) <= MOST_TOGETHER:
            said = "" if each.lacks else each.detail
            reasons.setdefault((each.lacks, said), []).append(each)
    found = [
        Support(lacks, said, len(cases), _rules(cases, known))
        for (lacks, said), cases in reasons.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.cases, -len(each.rules), each.lacks)))


def _rules(cases: Iterable[Result], known: set[str]) -> tuple[str, ...]:
    rules = dict.fromkeys(rule for each in cases for rule in each.rules)
    return tuple(rule for rule in rules if rule not in known)
