"""Which rules the scenarios cover: cited by one that holds and that ran what names the rule.

What names a rule is a function of the engine, in its docstring, or data: an event or a refusal
cites it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeVar

import rules_engine
from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import texts_in, things
from rules_engine.kernel.game import handle, legal
from rules_engine.kernel.outcomes import Refusal, Step
from rules_engine.rulebook.index import Rule, rules
from rules_engine.rulebook.waiting import Waiting, waiting
from scenarios.check import check_files
from scenarios.imperium.position import Position

PREFIXES = {"uprising": "UPR-"}
"""How the ids of a product's own rules begin."""

SHOWN_BY_SCENARIOS = ("scenario", "both")

ENGINE = Path(rules_engine.__file__).parent

MOST_RULES = 5
"""A function that names more rules than this is not the function of any of them."""

NOT_CITED = "no scenario cites it"
NOT_NAMED = "no function or data names it"
DOES_NOT_HOLD = "no scenario that cites it holds"
NOT_RUN = "no scenario that cites it ran what names it"

HANDLE, LEGAL = handle.__code__, legal.__code__
"""The functions through which the engine answers."""

CHECK = Position._check.__code__
"""Every position is checked against all invariants, whatever its scenario is about."""

ResultT = TypeVar("ResultT")


# What names rules


class RuleFunction(NamedTuple):
    """A function whose docstring names rules."""

    file: str
    line: int
    name: str
    rules: tuple[str, ...]


CHAPTER = r"[A-Z]+-[A-Z0-9]+"
RULE = re.compile(rf"{CHAPTER}-[0-9]{{3}}")
NAMED = re.compile(rf"(?:({CHAPTER})|(?<=\s))-([0-9]{{3}})(?:\s+to\s+(?:{CHAPTER})?-([0-9]{{3}}))?")
"""An id or a range of ids; `-007` is of the chapter named before it."""


def rules_in(text: str) -> tuple[str, ...]:
    """The ids that a text names, each once, and all of a range like `UPR-X-001 to UPR-X-004`."""
    found: list[str] = []
    chapter = ""
    for named, low, high in NAMED.findall(text):
        chapter = named or chapter
        found += [f"{chapter}-{number:03}" for number in range(int(low), int(high or low) + 1)]
    return tuple(dict.fromkeys(found)) if chapter else ()


def rule_functions(root: Path = ENGINE) -> list[RuleFunction]:
    """Every function below a folder whose docstring names rules."""
    return [
        RuleFunction(str(file), _first_line(node), node.name, named)
        for file in sorted(root.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        if (named := rules_in(ast.get_docstring(node) or ""))
    ]


def overloaded(functions: Iterable[RuleFunction]) -> list[RuleFunction]:
    """The functions that name too many rules."""
    return [each for each in functions if len(each.rules) > MOST_RULES]


def named_rules(product: str, functions: Iterable[RuleFunction]) -> frozenset[str]:
    """Every rule that a function, a citation in the engine or the catalogue names."""
    by_functions = {rule for each in functions for rule in each.rules}
    by_data = {text for thing in things(catalogue(product)) for text in texts_in(thing.face)}
    return frozenset(by_functions | by_data | _cited_in_source())


def _cited_in_source() -> set[str]:
    """The texts in the engine's source that are rule ids, as `cite` takes them."""
    return {
        node.value
        for file in ENGINE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if RULE.fullmatch(node.value)
    }


def _first_line(function: ast.FunctionDef) -> int:
    """Where Python says that a function begins: at its first decorator."""
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


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
    """A rule, the scenarios that cite it, and what it lacks or waits for, if anything."""

    rule: Rule
    cited_by: tuple[Observed, ...]
    lacks: tuple[str, ...]
    waits: Waiting | None

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


def rules_to_cover(product: str) -> tuple[Rule, ...]:
    """A product's own rules that a scenario can show, those that wait included."""
    return tuple(
        each
        for each in rules()
        if each.id.startswith(PREFIXES[product]) and each.check in SHOWN_BY_SCENARIOS
    )


def coverage_of(
    product: str, observed: Sequence[Observed], named: frozenset[str]
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


def chapter(rule: Rule) -> str:
    """The chapter of a rule, as its id has it."""
    return rule.id.split("-")[1]
