"""What a run found: who notices which mutants, in all, by kind, by rule, by chapter and by file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rules_engine.kernel.records import Record
from scenarios.naming import rule_functions
from truthsayer.mutation.checks import LAWS, PROOFS, SCENARIOS
from truthsayer.mutation.excuses import Excuse
from truthsayer.mutation.mutants import TOP, Mutant
from truthsayer.mutation.trying import Outcome

NO_RULE = "no rule named"


class Found(Record):
    """A mutant and who notices it."""

    file: str
    line: int
    function: str
    kind: str
    change: str
    rules: tuple[str, ...]
    outcomes: dict[str, Outcome]
    """What each side says that was run."""
    excuse: str
    diff: str

    def by(self, side: str) -> bool:
        """Whether a side notices it."""
        return side in self.outcomes and bool(self.outcomes[side].by)

    @property
    def killed(self) -> bool:
        """Whether anybody notices it."""
        return any(map(self.by, self.outcomes))


class Count(NamedTuple):
    """Mutants, by who notices them: each side alone, and all of them together."""

    scenarios: int
    proofs: int
    laws: int
    killed: int
    neither: int
    excused: int

    @property
    def counted(self) -> int:
        """Those that are not excused."""
        return self.killed + self.neither

    @property
    def score(self) -> float:
        """How many in a hundred are noticed, of those that are not excused."""
        return share(self.killed, self.counted)


def share(part: int, whole: int) -> float:
    """How many in a hundred."""
    return 100 * part / whole if whole else 100.0


def counted(found: Iterable[Found]) -> Count:
    """Count mutants; an excused one counts as excused alone."""
    listed = tuple(found)
    asked = [each for each in listed if not each.excuse]
    killed = sum(each.killed for each in asked)
    return Count(
        sum(each.by(SCENARIOS) for each in asked),
        sum(each.by(PROOFS) for each in asked),
        sum(each.by(LAWS) for each in asked),
        killed,
        len(asked) - killed,
        len(listed) - len(asked),
    )


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


def of_kind(found: Found) -> tuple[str, ...]:
    """The kind of the mistake."""
    return (found.kind,)


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
            mutant.kind,
            mutant.what,
            rules.get((mutant.file, mutant.unit.first_line), ()),
            {side: each[mutant.key] for side, each in outcomes.items() if mutant.key in each},
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
