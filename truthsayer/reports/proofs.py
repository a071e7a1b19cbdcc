"""What the reports of `truthsayer prove` share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from truthsayer.cli.show import verdict_word
from truthsayer.v1 import common_pb2, verifier_pb2

GOOD = (common_pb2.VERDICT_PROVED, common_pb2.VERDICT_CHECKED)

VERDICTS = (
    common_pb2.VERDICT_PROVED,
    common_pb2.VERDICT_CHECKED,
    common_pb2.VERDICT_REFUTED,
    common_pb2.VERDICT_UNKNOWN,
    common_pb2.VERDICT_UNSUPPORTED,
)
"""In the order in which they are told."""

Verdicts = Sequence[verifier_pb2.PropertyVerdict]


class Proofs(NamedTuple):
    """A run: the verdicts as they came, and the properties by their names."""

    verdicts: Verdicts
    properties: Mapping[str, verifier_pb2.Property]

    def property_of(self, verdict: verifier_pb2.PropertyVerdict) -> verifier_pb2.Property:
        """The property of a verdict; a file of properties with a mistake stands for its own."""
        known = self.properties.get(verdict.name)
        if known is not None:
            return known
        return verifier_pb2.Property(
            name=verdict.name,
            kind=verdict.kind,
            file=f"verifier/properties/{verdict.name}.py",
            line=1,
        )

    def by_chapter(self) -> dict[str, list[verifier_pb2.PropertyVerdict]]:
        """The verdicts by chapter, which is the name of the file that the property is in."""
        chapters: dict[str, list[verifier_pb2.PropertyVerdict]] = {}
        for each in self.verdicts:
            chapter = PurePosixPath(self.property_of(each).file).stem
            chapters.setdefault(chapter, []).append(each)
        return chapters


def counts(verdicts: Verdicts) -> dict[str, int]:
    """How many of each verdict."""
    found = [each.verdict for each in verdicts]
    return {verdict_word(verdict): found.count(verdict) for verdict in VERDICTS}


NEEDS = {
    verifier_pb2.NEEDS_SOLVER: ("needs a solver", "need a solver"),
    verifier_pb2.NEEDS_SIMPLIFYING: ("is settled by simplifying", "are settled by simplifying"),
    verifier_pb2.NEEDS_NOTHING: ("depends on no unknown number", "depend on no unknown number"),
    verifier_pb2.NEEDS_UNSPECIFIED: ("was not settled", "were not settled"),
}
"""What it takes to settle an obligation, and to settle several."""


def needs_text(kind: verifier_pb2.Needs.ValueType, count: int) -> str:
    """What it takes, said of so many."""
    one, several = NEEDS[kind]
    return one if count == 1 else several


def needs(verdicts: Verdicts) -> dict[verifier_pb2.Needs.ValueType, int]:
    """How many obligations there were by what it took to settle them; a shared one counts once."""
    every = {case.obligation: case.needs for each in verdicts for case in each.cases}
    found = list(every.values())
    return {kind: found.count(kind) for kind in NEEDS}


def case_name(case: verifier_pb2.CaseVerdict) -> str:
    """How a case is called."""
    return case.params or "the only case"
