"""Every property that is not settled well, at its place, as tools that mark lines need it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from truthsayer.cli.show import rule_text, verdict_word
from truthsayer.reports.findings import Finding
from truthsayer.reports.proofs import GOOD, Proofs
from truthsayer.v1 import common_pb2, verifier_pb2

CODES = {
    common_pb2.VERDICT_REFUTED: "TS0504",
    common_pb2.VERDICT_UNKNOWN: "TS0505",
    common_pb2.VERDICT_UNSUPPORTED: "TS0506",
}
"""The code of each verdict that is not good."""


def proofs_findings(found: Proofs) -> Iterator[Finding]:
    """A finding for each property that is neither proved nor checked."""
    for each in found.verdicts:
        if each.verdict not in GOOD:
            named = found.property_of(each)
            yield Finding(
                CODES.get(each.verdict, "TS0505"),
                "\n".join(_message_lines(each)),
                Path(named.file),
                named.line,
                1,
                ("property", each.name),
                tuple(rule.id for rule in each.rules),
            )


def _message_lines(verdict: verifier_pb2.PropertyVerdict) -> Iterator[str]:
    word = verdict_word(verdict.verdict)
    yield f"{word}: {verdict.name}"
    if verdict.detail:
        yield verdict.detail
    yield from (f"rule: {rule_text(rule)}" for rule in verdict.rules)
    if verdict.scenario:
        yield f"\n{verdict.scenario.rstrip()}"
