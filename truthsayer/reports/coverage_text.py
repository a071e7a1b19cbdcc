"""Coverage by rule as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenarios.coverage import Coverage, Observed, ProofCoverage, RuleCoverage, by_chapter
from scenarios.naming import MOST_RULES, Names, property_place
from truthsayer.cli.show import counted

NO_PROPERTY = "no property settles it, and no reason is declared"


def coverage_text(report: Coverage) -> str:
    """The numbers of each chapter, what is not covered and why, what waits, and the proofs."""
    return "\n".join(_report_lines(report))


def rule_text(report: Coverage) -> str:
    """The one rule of a report with everything that cites or names it."""
    return "\n".join(_one_rule_lines(report))


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
    proofs = [_with(each, proof(each)) for each in report.provable]
    settled = f"{_number_with_property(report.provable)} of {counted(len(proofs), 'rule')}"
    yield from _listed(f"proofs: {settled} with a property", proofs)
    crowded = [f"{each.place}: {each.name} names {len(each.rules)}" for each in report.overloaded]
    yield from _listed(f"functions that name more than {MOST_RULES} rules:", crowded)


def _listed(head: str, lines: list[str]) -> Iterator[str]:
    """A list below its heading; without anything to list, no heading."""
    if lines:
        yield head
        yield from (f"  {line}" for line in lines)


def _with(found: RuleCoverage | ProofCoverage, why: str) -> str:
    return f"{found.rule.id}  {found.rule.title}: {why}"


def proof(found: ProofCoverage) -> str:
    """The properties of a rule with their kinds, or why it has none."""
    match found.state, found.waits:
        case "property", _:
            return ", ".join(f"{each.kind} {each.name}" for each in found.names.properties)
        case "unprovable", _:
            return f"declared unprovable: {found.unprovable}"
        case "waiting", waits if waits is not None:
            return f"waits for {waits.needs}: {waits.because}"
        case _:
            return NO_PROPERTY


def why_no_property(found: ProofCoverage) -> tuple[str, ...]:
    """Why a rule has no property; what scenarios wait for is told with them."""
    if found.state == "property" or (found.state == "waiting" and not found.only):
        return ()
    return (proof(found),)


def _summary(found: Sequence[RuleCoverage]) -> str:
    states = [each.state for each in found]
    waits = states.count("waiting")
    covered = f"{states.count('covered')} of {counted(len(found) - waits, 'rule')} covered"
    parts = [covered, f"{_number_with_property(found)} with a property"]
    return ", ".join([*parts, f"{waits} {'waits' if waits == 1 else 'wait'}"] if waits else parts)


def _number_with_property(found: Sequence[RuleCoverage | ProofCoverage]) -> int:
    return sum(bool(each.names.properties) for each in found)


def _one_rule_lines(report: Coverage) -> Iterator[str]:
    for each in report.rules:
        yield _with(each, each.state)
        yield from _scenario_lines(each)
    for proved in report.provable:
        if proved.only:
            yield _with(proved, "settled by proof only")
        yield from (f"  {each}" for each in why_no_property(proved))
    names = [*(each.names for each in report.rules), *(each.names for each in report.provable)]
    yield from _name_lines(names[0])


def _scenario_lines(found: RuleCoverage) -> Iterator[str]:
    if found.waits is not None:
        yield f"  waits for {found.waits.needs}: {found.waits.because}"
    yield from (f"  {each}" for each in found.lacks)
    for each in found.cited_by:
        yield f"  {how(each, found.rule.id)}: {each.id} ({each.file}:{each.line})"


def _name_lines(names: Names) -> Iterator[str]:
    for function in names.functions:
        yield f"  function: {function.place} {function.name}"
    for thing in names.printed:
        yield f"  printed: {thing.name} ({thing.kind}: {thing.id})"
    for named in names.properties:
        yield f"  {named.kind}: {property_place(named)} {named.name}"


def how(scenario: Observed, rule: str) -> str:
    """What a scenario that cites a rule does for it."""
    if not scenario.holds:
        return "does not hold"
    return "covered by" if rule in scenario.ran else "cites it only"
