"""The results of `truthsayer prove` as text for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from truthsayer.cli.show import counted, kind_word, verdict_word
from truthsayer.reports.proofs import GOOD, Verdicts, counts, needs, needs_text
from truthsayer.v1 import common_pb2, verifier_pb2

if TYPE_CHECKING:
    from verifier.api import TwinRun

MARGIN = "    "
WIDTH = 100


def verdict_text(verdict: verifier_pb2.PropertyVerdict, *, full: bool = False) -> str:
    """A verdict with what it covers, all or in few lines, and, if it is not good, why."""
    return "\n".join(_verdict_lines(verdict, full))


def _verdict_lines(verdict: verifier_pb2.PropertyVerdict, full: bool) -> Iterator[str]:
    mark = "✓" if verdict.verdict in GOOD else "✗"
    yield f"{mark} {verdict_word(verdict.verdict)}: {verdict.name} ({', '.join(_facts(verdict))})"
    yield wrapped(covers(verdict, full=full))
    if verdict.granted_by:
        yield wrapped(granted(verdict))
    yield wrapped(f"rules: {', '.join(rule.id for rule in verdict.rules) or 'none'}")
    yield from (wrapped(_ruling_text(ruling)) for ruling in verdict.rulings)
    yield from (f"{MARGIN}{line}" for line in verdict.detail.splitlines())
    if verdict.scenario:
        yield f"{MARGIN}this scenario shows it:"
        yield ""
        yield verdict.scenario.rstrip("\n")
        yield ""


def covers(verdict: verifier_pb2.PropertyVerdict, *, full: bool = False) -> str:
    """What was explored; where nothing is settled that is not what is covered."""
    told = verdict.bounds_in_full if full else verdict.bounds
    return f"{covers_word(verdict)}: {told or 'nothing'}"


def granted(verdict: verifier_pb2.PropertyVerdict) -> str:
    """What has to be proved besides."""
    return f"takes for granted what this run does not prove: {', '.join(verdict.granted_by)}"


def covers_word(verdict: verifier_pb2.PropertyVerdict) -> str:
    """What to call it."""
    return "covers" if verdict.verdict in GOOD else "looked at"


def _facts(verdict: verifier_pb2.PropertyVerdict) -> Iterator[str]:
    """The kind, how much was looked at, and by whom it was confirmed."""
    yield from _kind_facts(verdict)
    yield counted(verdict.paths, "path")
    if verdict.confirmed:
        yield "confirmed"
    if verdict.from_kept:
        yield "kept"
    elif verdict.seconds:
        yield f"{verdict.seconds:.2f} s"


def _kind_facts(verdict: verifier_pb2.PropertyVerdict) -> Iterator[str]:
    """The kind; if only some cases depend on unknown numbers, how many."""
    theorems = sum(each.verdict == common_pb2.VERDICT_PROVED for each in verdict.cases)
    cases = counted(len(verdict.cases), "case")
    if 0 < theorems < len(verdict.cases) and verdict.verdict == common_pb2.VERDICT_PROVED:
        yield f"{kind_word(verdict.kind)} in {theorems} of {cases}"
    else:
        yield kind_word(verdict.kind)
        yield cases


def _ruling_text(ruling: verifier_pb2.RulingRead) -> str:
    """A ruling that the verdict depends on, and how."""
    tried = f"ruling {ruling.name}: {ruling_tried(ruling)}"
    return f"{tried}; fails as {', '.join(ruling.fails_under)}" if ruling.fails_under else tried


def ruling_tried(ruling: verifier_pb2.RulingRead) -> str:
    """Under which readings of a ruling the property was tried."""
    only = f"only as {ruling.only_as}" if ruling.only_as else ""
    if [*ruling.values] == [ruling.only_as]:
        return only
    tried = f"tried as {', '.join(ruling.values)}"
    return f"{tried}, in some cases {only}" if only else tried


def summary_text(verdicts: Verdicts, damaged: int) -> str:
    """How many of each verdict, and how many of them are from earlier runs."""
    number = len(verdicts)
    found = [f"{count} {word}" for word, count in counts(verdicts).items() if count]
    lines = [f"{'1 property' if number == 1 else f'{number} properties'}: {', '.join(found)}"]
    asked = needs(verdicts)
    obligations = counted(sum(asked.values()), "obligation")
    told = (f"{count} {needs_text(kind, count)}" for kind, count in asked.items() if count)
    lines.append(f"{obligations}: {', '.join(told) or 'none'}")
    kept = sum(each.from_kept for each in verdicts)
    if kept:
        lines.append(f"{kept} of them kept from earlier runs; --no-cache proves everything anew")
    if damaged:
        were = "was" if damaged == 1 else "were"
        lines.append(f"{counted(damaged, 'kept proof')} {were} damaged and made anew")
    return "\n".join(lines)


NOTICED = "refuted"
"""What a property has to be where its rule is wrong."""


def twin_text(found: TwinRun) -> str:
    """Whether a property fails once its rule is changed, and what was changed."""
    return "\n".join(_twin_lines(found))


def _twin_lines(found: TwinRun) -> Iterator[str]:
    if found.verdict == NOTICED:
        yield f"✓ noticed: {found.name}, {found.rule}"
    else:
        what = ", ".join(filter(None, (found.name, found.rule)))
        yield f"✗ {found.verdict}, not refuted: {what}"
    if found.twin is not None:
        yield wrapped(str(found.twin))
    if found.verdict != NOTICED:
        yield from (wrapped(line) for line in found.detail.splitlines())


def twins_summary(found: Sequence[TwinRun]) -> str:
    """How many of the changes were noticed."""
    noticed = sum(each.verdict == NOTICED for each in found)
    return f"{counted(len(found), 'twin')}: {noticed} noticed, {len(found) - noticed} not"


def wrapped(text: str) -> str:
    """A long line, broken and indented."""
    return textwrap.fill(text, WIDTH, initial_indent=MARGIN, subsequent_indent=MARGIN + "  ")
