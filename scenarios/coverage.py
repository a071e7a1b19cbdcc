"""Which rules the scenarios cover: cited by one that holds and that ran what names the rule.

What names a rule is a function of the engine, in its docstring, or data: an event or a refusal
cites it. A rule that a proof can settle needs a property, too, or a reason why it has none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeVar

from rules_engine.kernel.game import handle, legal
from rules_engine.kernel.outcomes import Refusal, Step
from rules_engine.rulebook.index import Rule, rules
from rules_engine.rulebook.waiting import Waiting, waiting
from scenarios.check import check_files
from scenarios.imperium.position import Position
from scenarios.naming import Names, RuleFunction, named_rules, names_by_rule, overloaded
from verifier.unprovable import reasons

PREFIXES = {"uprising": "UPR-"}
"""How the ids of a product's own rules begin."""

SHOWN_BY_SCENARIOS = ("scenario", "both")
SETTLED_BY_PROOF = ("proof", "both")
"""What can settle a rule, as the index has it."""

NOT_CITED = "no scenario cites it"
NOT_NAMED = "no function or data names it"
DOES_NOT_HOLD = "no scenario that cites it holds"
NOT_RUN = "no scenario that cites it ran what names it"

HANDLE, LEGAL = handle.__code__, legal.__code__
"""The functions through which the engine answers."""

CHECK = Position.check.__code__
"""Every position is checked against all invariants, whatever its scenario is about."""

ResultT = TypeVar("ResultT")


# What runs


class Recorder:
    """Notes which functions run and which rules the engine's answers cite."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._ran: dict[int, CodeType] = {}
        self._cited: set[str] = set()
        self._checking = False

    def during(self, work: Callable[[], ResultT]) -> ResultT:
        """Do some work and note what happens in it, and nothing that happened before."""
        self._forget()
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            return work()
        finally:
            sys.setprofile(before)

    def rules(self, functions: dict[tuple[str, int], RuleFunction]) -> frozenset[str]:
        """The rules that were cited, and those that the functions which ran name."""
        places = {(code.co_filename, code.co_firstlineno) for code in self._ran.values()}
        named = {rule for place in places & functions.keys() for rule in functions[place].rules}
        return frozenset(named | self._cited)

    def _note(self, frame: FrameType, event: str, given: Any) -> None:
        if event == "call":
            code = frame.f_code
            if code is CHECK:
                self._checking = True
            elif not self._checking:
                # By identity: equal functions of two files are two functions.
                self._ran[id(code)] = code
        elif event == "return":
            code = frame.f_code
            if code is CHECK:
                self._checking = False
            elif code is HANDLE or code is LEGAL:
                self._cited |= _cited(given)


def _cited(answer: Any) -> set[str]:
    """The rules that an answer of the engine cites."""
    if isinstance(answer, Refusal):
        return set(answer.rules)
    if isinstance(answer, Step):
        return {rule for event in answer.events for rule in event.rules}
    return set()


class Observed(NamedTuple):
    """A scenario that was run: the rules it cites, whether it holds, and the rules it ran."""

    id: str
    file: str
    line: int
    cites: tuple[str, ...]
    holds: bool
    ran: frozenset[str]

    def covers(self, rule: str) -> bool:
        """Whether the scenario shows a rule."""
        return self.holds and rule in self.cites and rule in self.ran


def observe(
    files: Sequence[tuple[str, str]], functions: Iterable[RuleFunction]
) -> Iterator[Observed]:
    """Run the scenarios of files, and see what each runs."""
    by_place = {(each.file, each.line): each for each in functions}
    recorder = Recorder()
    results = check_files(files)
    while (result := recorder.during(lambda: next(results, None))) is not None:
        ran = recorder.rules(by_place)
        yield Observed(result.id, result.file, result.line, result.rules, result.good, ran)


# What is covered


class RuleCoverage(NamedTuple):
    """A rule, the scenarios that cite it, what it lacks or waits for, and what names it."""

    rule: Rule
    cited_by: tuple[Observed, ...]
    lacks: tuple[str, ...]
    waits: Waiting | None
    names: Names

    @property
    def covered_by(self) -> tuple[Observed, ...]:
        """The scenarios that show the rule."""
        return tuple(each for each in self.cited_by if each.covers(self.rule.id))

    @property
    def state(self) -> str:
        """`covered`, `waiting` or `uncovered`."""
        if self.waits is not None:
            return "waiting"
        return "uncovered" if self.lacks else "covered"


class ProofCoverage(NamedTuple):
    """A rule that a proof can settle, what names it, and why no property does if none does."""

    rule: Rule
    names: Names
    unprovable: str
    waits: Waiting | None

    @property
    def only(self) -> bool:
        """Whether no scenario can show it."""
        return self.rule.check not in SHOWN_BY_SCENARIOS

    @property
    def state(self) -> str:
        """`property`, `unprovable`, `waiting` or `missing`."""
        if self.names.properties:
            return "property"
        if self.unprovable:
            return "unprovable"
        return "waiting" if self.waits is not None else "missing"


class Coverage(NamedTuple):
    """How far scenarios and properties cover the rules of a product, and what else names each."""

    product: str
    rules: tuple[RuleCoverage, ...]
    provable: tuple[ProofCoverage, ...]
    overloaded: tuple[RuleFunction, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return (
            not self.overloaded
            and all(each.state != "uncovered" for each in self.rules)
            and all(each.state != "missing" for each in self.provable)
        )

    def of_rule(self, rule: str) -> Coverage:
        """What is told of one rule."""
        return Coverage(
            self.product,
            tuple(each for each in self.rules if each.rule.id == rule),
            tuple(each for each in self.provable if each.rule.id == rule),
            (),
        )


def rules_to_cover(product: str) -> tuple[Rule, ...]:
    """A product's own rules that a scenario can show, those that wait included."""
    return _rules_settled_by(SHOWN_BY_SCENARIOS, product)


def rules_to_prove(product: str) -> tuple[Rule, ...]:
    """A product's own rules that a proof can settle, those that wait included."""
    return _rules_settled_by(SETTLED_BY_PROOF, product)


def _rules_settled_by(means: Sequence[str], product: str) -> tuple[Rule, ...]:
    return tuple(
        each for each in rules() if each.id.startswith(PREFIXES[product]) and each.check in means
    )


def full_coverage(
    product: str, observed: Sequence[Observed], functions: Sequence[RuleFunction]
) -> Coverage:
    """All about the rules of a product, after its scenarios were run."""
    names = names_by_rule(product, functions)
    return Coverage(
        product,
        coverage_of(product, observed, named_rules(product, functions), names),
        proofs_of(product, names),
        tuple(overloaded(functions)),
    )


def proofs_of(product: str, names: Mapping[str, Names]) -> tuple[ProofCoverage, ...]:
    """How far properties settle each rule of a product that a proof can settle."""
    return tuple(
        ProofCoverage(
            rule,
            names.get(rule.id, Names()),
            reasons().get(rule.id, ""),
            waiting(product).get(rule.id),
        )
        for rule in rules_to_prove(product)
    )


def coverage_of(
    product: str,
    observed: Sequence[Observed],
    named: frozenset[str],
    names: Mapping[str, Names],
) -> tuple[RuleCoverage, ...]:
    """How far the scenarios cover each rule of a product."""
    citing: dict[str, list[Observed]] = {}
    for each in observed:
        for rule in each.cites:
            citing.setdefault(rule, []).append(each)
    return tuple(
        RuleCoverage(
            rule,
            tuple(citing.get(rule.id, ())),
            _lacks(rule.id, citing.get(rule.id, ()), named),
            waiting(product).get(rule.id),
            names.get(rule.id, Names()),
        )
        for rule in rules_to_cover(product)
    )


def _lacks(rule: str, cited_by: Sequence[Observed], named: frozenset[str]) -> tuple[str, ...]:
    """What is missing before a rule is covered."""
    if any(each.covers(rule) for each in cited_by):
        return ()
    missing = [] if rule in named else [NOT_NAMED]
    if not cited_by:
        return (NOT_CITED, *missing)
    if not any(each.holds for each in cited_by):
        return (DOES_NOT_HOLD, *missing)
    return tuple(missing) or (NOT_RUN,)


def by_chapter(found: Sequence[RuleCoverage]) -> dict[str, list[RuleCoverage]]:
    """Rules by their chapter, as their ids have it, in the order of the index."""
    chapters: dict[str, list[RuleCoverage]] = {}
    for each in found:
        chapters.setdefault(each.rule.id.split("-")[1], []).append(each)
    return chapters
