"""The report of `truthsayer conform` as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.expectations import Verdict
from conformance.plain import plain, plain_value
from conformance.report import Report, home
from conformance.results import Divergence, Result
from scenarios.vectors.export import DOES_NOT_HOLD
from truthsayer.cli.show import counted
from truthsayer.reports.conform import (
    LONGEST_NAME,
    first_line,
    given,
    name,
    place,
    point,
    rule_line,
    scenario,
    summary,
    suspected,
    to_do,
    unit,
)

MARGIN = "    "

MOST_NAMED = 3
"""So many of the cases are named that a reading explains."""


MOST_LINES = 48
"""Two screens: whatever was found, one sees who was tested and how it went."""

MOST_LISTED = 5
"""So many of what can be long are listed, and the others counted."""


def conform_text(report: Report, verdict: Verdict) -> str:
    """Who was tested and how far, the numbers, the first failures, and the rulings followed."""
    head = [first_line(report), summary(report)]
    head += _listed("most likely broken:", suspected(report))
    head += _listed(
        "not played, because they do not hold on the reference:",
        [name(each) for each, why in report.left_out.items() if why == DOES_NOT_HOLD],
    )
    tail = _listed("to be supported next:", to_do(report))
    tail += _listed(
        "fail as expected:",
        [f"{name(case)}: {plain(why, LONGEST_NAME)}" for case, why in verdict.expected.items()],
    )
    tail += _listed(
        "known failures that pass, to be taken off their list:",
        [f"{name(str(each.place))}: {name(each.id)}" for each in verdict.passing],
    )
    tail += _listed("rulings:", profile(report))
    unexpected = [each for each in report.failures if each.id not in verdict.expected]
    middle = _failures(unexpected, MOST_LINES - len(head) - len(tail))
    return "\n".join([*head, *middle, *tail])


def _listed(head: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    left = len(lines) - MOST_LISTED
    more = [f"  … and {left} more"] if left > 0 else []
    return ["", head, *(f"  {line}" for line in lines[:MOST_LISTED]), *more]


def _failures(failures: list[Result], room: int) -> list[str]:
    """As many failures as there is room for: whole as long as they fit, then a line for each."""
    found: list[str] = []
    left = list(failures)
    while left and len(found) + len(whole := _whole(left[0])) <= room - (len(left) > 1):
        found += whole
        left.pop(0)
    if left and not found:
        found += ["", *_failure_lines(left.pop(0), with_scenario=False)][: room - 1]
    lines = [_in_one_line(each) for each in left[: max(0, room - len(found) - 2)]]
    found += ["", *lines] if lines else []
    rest = len(left) - len(lines)
    return [*found, *([f"… and {counted(rest, 'more case')} that fail"] if rest else [])]


def _whole(result: Result) -> list[str]:
    return ["", *failure_text(result).splitlines()]


def _in_one_line(result: Result) -> str:
    where = f", {point(result.divergence)}" if result.divergence else ""
    return f"✗ {name(result.outcome)}: {name(result.id)}{where}"


def profile(report: Report) -> list[str]:
    """The readings of open points that explain cases which would fail otherwise."""
    return [
        f"follows {name(each.ruling)} = {name(each.value)} "
        f"(explains {counted(each.explains, 'case')}{_named(each.cases)})"
        for each in report.followed
    ]


def _named(cases: Sequence[str]) -> str:
    """The first of some cases."""
    if not cases:
        return ""
    more = ", …" if len(cases) > MOST_NAMED else ""
    return f": {', '.join(map(name, cases[:MOST_NAMED]))}{more}"


def failure_text(result: Result) -> str:
    """A case that fails, and its first divergence with all that is known about it."""
    return "\n".join(_failure_lines(result))


def _failure_lines(result: Result, *, with_scenario: bool = True) -> Iterator[str]:
    yield f"✗ {name(result.outcome)}: {name(result.title or result.id)}"
    where = f" ({place(result)})" if result.file else ""
    yield f"{MARGIN}case: {name(result.id)}{where}"
    if result.detail:
        yield from (MARGIN + line for line in plain(result.detail, lines=True).splitlines())
    if result.divergence is not None:
        yield from (MARGIN + line for line in _divergence_lines(result.divergence))
    yield from (MARGIN + line for line in _rule_lines(result))
    if result.divergence is None or not result.divergence.scenario:
        return
    if with_scenario:
        yield f"{MARGIN}this scenario shows it:"
        yield ""
        yield scenario(result.divergence)
    else:
        yield f"{MARGIN}the other reports have a scenario that shows it"


def _divergence_lines(divergence: Divergence) -> Iterator[str]:
    yield f"{point(divergence)}:"
    told = given(divergence)
    if told:
        yield f"  input:    {told}"
    if divergence.unit:
        yield f"  unit:     {unit(divergence)}"
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
