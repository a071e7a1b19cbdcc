"""What a run found: who notices which mutants, in all, by rule, by chapter and by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rules_engine.kernel.records import Record
from scenarios.naming import rule_functions
from truthsayer.mutation.checks import PROOFS, SCENARIOS
from truthsayer.mutation.excuses import Excuse
from truthsayer.mutation.mutants import TOP, Mutant
from truthsayer.mutation.trying import Outcome

NO_RULE = "no rule named"


class Found(Record):
    """A mutant and who notices it."""

    file: str
    line: int
    function: str
    change: str
    rules: tuple[str, ...]
    scenarios: Outcome | None
    """None if this side was not run."""
    proofs: Outcome | None
    excuse: str
    diff: str

    @property
    def by_scenarios(self) -> bool:
        """Whether a scenario notices it."""
        return self.scenarios is not None and bool(self.scenarios.by)

    @property
    def by_proofs(self) -> bool:
        """Whether a proof notices it."""
        return self.proofs is not None and bool(self.proofs.by)

    @property
    def killed(self) -> bool:
        """Whether anybody notices it."""
        return self.by_scenarios or self.by_proofs


class Count(NamedTuple):
    """Mutants, by who notices them."""

    scenarios_only: int
    proofs_only: int
    both: int
    neither: int
    excused: int

    @property
    def killed(self) -> int:
        """Those that anybody notices."""
        return self.scenarios_only + self.proofs_only + self.both

    @property
    def score(self) -> float:
        """How many in a hundred are noticed, of those that are not excused."""
        counted = self.killed + self.neither
        return 100 * self.killed / counted if counted else 100.0


def counted(found: Iterable[Found]) -> Count:
    """Count mutants; an excused one counts as excused alone."""
    numbers = [0, 0, 0, 0, 0]
    for each in found:
        if each.excuse:
            numbers[4] += 1
        elif each.by_scenarios:
            numbers[2 if each.by_proofs else 0] += 1
        else:
            numbers[1 if each.by_proofs else 3] += 1
    return Count(*numbers)


class Report(NamedTuple):
    """All that a run found, and of how many mutants."""

    found: tuple[Found, ...]
    all_mutants: int
    sides: tuple[str, ...]
    kept: int
    notes: tuple[str, ...]
    wrong_excuses: tuple[str, ...]

    @property
    def survivors(self) -> tuple[Found, ...]:
        """Mutants that nobody notices and nothing excuses."""
        return tuple(each for each in self.found if not each.killed and not each.excuse)

    def good(self, least: float) -> bool:
        """Whether the score is high enough and the excuses are right."""
        return not self.wrong_excuses and counted(self.found).score >= least

    def by(self, groups: Callable[[Found], Iterable[str]]) -> dict[str, Count]:
        """The counts of groups; a mutant may be in several."""
        members: dict[str, list[Found]] = {}
        for each in self.found:
            for group in groups(each):
                members.setdefault(group, []).append(each)
        return {group: counted(members[group]) for group in sorted(members)}


def of_file(found: Found) -> tuple[str, ...]:
    """The file of a mutant."""
    return (found.file,)


def of_rule(found: Found) -> tuple[str, ...]:
    """The rules that the function of a mutant names or cites."""
    return found.rules or (NO_RULE,)


def of_chapter(found: Found) -> tuple[str, ...]:
    """The chapters of those rules."""
    return tuple(dict.fromkeys(rule.rpartition("-")[0] or rule for rule in of_rule(found)))


def found_of(
    mutants: Sequence[Mutant],
    outcomes: Mapping[str, Mapping[str, Outcome]],
    excused: Mapping[str, Excuse],
) -> tuple[Found, ...]:
    """Each mutant with what the sides say about it, by its key."""
    rules = _rules_of_functions()
    return tuple(
        Found(
            mutant.file,
            mutant.line,
            mutant.function,
            mutant.what,
            rules.get((mutant.file, mutant.unit.first_line), ()),
            outcomes.get(SCENARIOS, {}).get(mutant.key),
            outcomes.get(PROOFS, {}).get(mutant.key),
            excused[mutant.key].reason if mutant.key in excused else "",
            mutant.diff(),
        )
        for mutant in mutants
    )


def _rules_of_functions() -> dict[tuple[str, int], tuple[str, ...]]:
    top = len(str(TOP)) + 1
    return {
        (each.file[top:].replace("\\", "/"), each.line): tuple(
            dict.fromkeys((*each.rules, *each.cites))
        )
        for each in rule_functions()
    }
