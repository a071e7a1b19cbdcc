"""What changed between two reports of `truthsayer conform`, as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.expectations import Change, Comparison
from conformance.report import Report
from conformance.results import Result
from truthsayer.cli.show import counted
from truthsayer.reports.conform import adapter_name, explained, name, rule_line


def conform_diff_text(old: Report, new: Report, found: Comparison) -> str:
    """Who was compared, and each kind of change that there is."""
    return "\n".join(_lines(old, new, found))


def _lines(old: Report, new: Report, found: Comparison) -> Iterator[str]:
    yield f"{adapter_name(old)} → {adapter_name(new)}"
    yield ", ".join(f"{len(cases)} {head}" for head, cases in _kinds(found).items())
    for head, cases in _kinds(found).items():
        if cases:
            yield ""
            yield f"{head}: {counted(len(cases), 'case')}"
            yield from (f"  {line}" for each in cases for line in _change_lines(each))
    if found.rulings:
        yield ""
        yield "rulings:"
        for each in found.rulings:
            before, after = (name(told) or "not followed" for told in (each.before, each.after))
            yield f"  {name(each.ruling)}: {before} → {after}"


def _kinds(found: Comparison) -> dict[str, Sequence[Change]]:
    return {
        "newly failing": found.newly_failing,
        "newly passing": found.newly_passing,
        "still failing": found.still_failing,
        "no longer played": found.no_longer_played,
        "new": found.new,
        "gone": found.gone,
    }


def _change_lines(change: Change) -> Iterator[str]:
    yield f"{name(change.id)}: {_outcome(change.before)} → {_outcome(change.after)}"
    for rule in _deciding(change.after):
        yield f"  rule: {rule_line(rule)}"


def _outcome(result: Result | None) -> str:
    if result is None:
        return "not there"
    return f"follows {explained(result)}" if explained(result) else name(result.outcome)


def _deciding(result: Result | None) -> Sequence[str]:
    """The rule that decides a failure."""
    if result is None or result.divergence is None or explained(result):
        return ()
    return result.divergence.rules[:1]
