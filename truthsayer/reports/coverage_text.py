"""Coverage by rule as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenarios.coverage import Coverage, Observed, ProofOnly, RuleCoverage, by_chapter
from scenarios.naming import MOST_RULES, property_place
from truthsayer.cli.show import counted


def coverage_text(report: Coverage) -> str:
    """The numbers of each chapter, what is not covered and why, and what waits."""
    return "\n".join(_report_lines(report))


def rule_text(found: RuleCoverage) -> str:
    """One rule with everything that cites or names it."""
    return "\n".join(_one_rule_lines(found))


def _report_lines(report: Coverage) -> Iterator[str]:
    yield _summary(report.rules)
    for name, of_chapter in by_chapter(report.rules).items():
        yield f"  {name:<8} {_summary(of_chapter)}"
    lacking = [each for each in report.rules if each.state == "uncovered"]
    yield from _listed("not covered:", [_with(each, "; ".join(each.lacks)) for each in lacking])
    waiting = [
        _with(each, f"for {each.waits.needs}: {each.waits.because}")
        for each in report.rules
        if each.waits is not None
    ]
    yield from _listed("waiting:", waiting)
    proofs = [_with(each, _properties(each)) for each in report.proof_only]
    yield from _listed(f"settled by proof only, {_proved(report.proof_only)}:", proofs)
    crowded = [f"{each.place}: {each.name} names {len(each.rules)}" for each in report.overloaded]
    yield from _listed(f"functions that name more than {MOST_RULES} rules:", crowded)


def _listed(head: str, lines: list[str]) -> Iterator[str]:
    """A list below its heading; without anything to list, no heading."""
    if lines:
        yield head
        yield from (f"  {line}" for line in lines)


def _with(found: RuleCoverage | ProofOnly, why: str) -> str:
    return f"{found.rule.id}  {found.rule.title}: {why}"


def _properties(found: ProofOnly) -> str:
    return ", ".join(each.name for each in found.names.properties) or "no property names it yet"


def _summary(found: Sequence[RuleCoverage]) -> str:
    states = [each.state for each in found]
    waits = states.count("waiting")
    covered = f"{states.count('covered')} of {counted(len(found) - waits, 'rule')} covered"
    parts = [covered, _proved(found)]
    return ", ".join([*parts, f"{waits} {'waits' if waits == 1 else 'wait'}"] if waits else parts)


def _proved(found: Sequence[RuleCoverage | ProofOnly]) -> str:
    return f"{sum(bool(each.names.properties) for each in found)} with a property"


def _one_rule_lines(found: RuleCoverage) -> Iterator[str]:
    yield f"{found.rule.id}  {found.rule.title}: {found.state}"
    if found.waits is not None:
        yield f"  waits for {found.waits.needs}: {found.waits.because}"
    yield from (f"  {each}" for each in found.lacks)
    for each in found.cited_by:
        yield f"  {how(each, found.rule.id)}: {each.id} ({each.file}:{each.line})"
    for function in found.names.functions:
        yield f"  function: {function.place} {function.name}"
    for thing in found.names.printed:
        yield f"  printed: {thing.name} ({thing.kind}: {thing.id})"
    for named in found.names.properties:
        yield f"  property: {property_place(named)} {named.name}"


def how(scenario: Observed, rule: str) -> str:
    """What a scenario that cites a rule does for it."""
    if not scenario.holds:
        return "does not hold"
    return "covered by" if rule in scenario.ran else "cites it only"
