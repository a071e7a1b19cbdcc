"""The report of `truthsayer conform` as text for people."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.expectations import Verdict
from conformance.plain import plain, plain_value
from conformance.report import Report
from conformance.results import Divergence, Result
from truthsayer.cli.show import counted
from truthsayer.reports.conform import (
    first_line,
    given,
    home,
    name,
    place,
    point,
    rule_line,
    scenario,
    summary,
    suspected,
)

MARGIN = "    "


def conform_text(report: Report, verdict: Verdict) -> str:
    """Who was tested and how far, the numbers, every failure, and the rulings that are followed."""
    return "\n".join(_lines(report, verdict))


def _lines(report: Report, verdict: Verdict) -> Iterator[str]:
    yield first_line(report)
    yield summary(report)
    yield from _listed("most likely broken:", suspected(report))
    for each in report.failures:
        if each.id not in verdict.expected:
            yield ""
            yield failure_text(each)
    yield from _listed(
        "fail as expected:",
        [f"{name(case)}: {plain(why)}" for case, why in verdict.expected.items()],
    )
    yield from _listed(
        "known failures that pass, to be taken off their list:",
        [f"{name(str(each.place))}: {name(each.id)}" for each in verdict.passing],
    )
    yield from _listed("rulings:", profile(report))


def _listed(head: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield head
        yield from (f"  {line}" for line in lines)


def profile(report: Report) -> list[str]:
    """The readings of open points that explain cases which would fail otherwise."""
    return [
        f"follows {name(each.ruling)} = {name(each.value)} "
        f"(explains {counted(each.explains, 'case')})"
        for each in report.followed
    ]


def failure_text(result: Result) -> str:
    """A case that fails, and its first divergence with all that is known about it."""
    return "\n".join(_failure_lines(result))


def _failure_lines(result: Result) -> Iterator[str]:
    yield f"✗ {name(result.outcome)}: {name(result.title or result.id)}"
    where = f" ({place(result)})" if result.file else ""
    yield f"{MARGIN}case: {name(result.id)}{where}"
    if result.detail:
        yield from (MARGIN + line for line in plain(result.detail, lines=True).splitlines())
    if result.divergence is not None:
        yield from (MARGIN + line for line in _divergence_lines(result.divergence))
    yield from (MARGIN + line for line in _rule_lines(result))
    if result.divergence is not None and result.divergence.scenario:
        yield f"{MARGIN}this scenario shows it:"
        yield ""
        yield scenario(result.divergence)


def _divergence_lines(divergence: Divergence) -> Iterator[str]:
    yield f"{point(divergence)}:"
    told = given(divergence)
    if told:
        yield f"  input:    {told}"
    yield f"  expected: {plain_value(divergence.expected)}"
    yield f"  got:      {plain_value(divergence.got)}"


def _rule_lines(result: Result) -> Iterator[str]:
    """The rule that decides, and the others behind it."""
    first = home(result)
    if first:
        yield f"rule: {rule_line(first)}"
    others = result.divergence.rules[1:] if result.divergence else ()
    if others:
        yield f"also: {', '.join(map(name, others))}"
