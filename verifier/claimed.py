"""Of what something was claimed: numbers within which bounds, which options, from which positions.

What a run asked for is no measure of what a proof covers: a path may end before anything is claimed
of it, or go on only for a few of the numbers. So everything is noted here when a path is over, and
only what was known by the time of a claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from verifier.covered import Choice, Look, Number, words
from verifier.current import Term
from verifier.numbers import named
from verifier.terms import names_in, negated, tell

FAR = 10**6
"""No rule knows a number like this: one that can be so large can be however large."""


@dataclass
class Input:
    """An unknown of a run: a quantity, or (with `count`) a choice among so many options."""

    name: str
    low: int
    high: int | None = None
    count: int | None = None


class Condition:
    """A condition of a path, and whether it does no more than to bound one unknown."""

    def __init__(self, term: Term, *, is_bound: bool) -> None:
        self.term = term
        self.is_bound = is_bound
        self.id: int = term.get_id()
        self.names = names_in(term)


class Claimed:
    """What the claiming paths of an exploration covered so far."""

    def __init__(self, work: int) -> None:
        self.look = Look()
        self.elsewhere = Look()
        """What the positions at other tables showed."""
        self.solver = z3.SimpleSolver()
        self.solver.set("rlimit", work)
        self.left_out: set[str] = set()
        """Numbers that were assumed to be only some, or of some of which nothing is claimed."""
        self.numbers: dict[str, Number] = {}
        """Every number with the widest bounds within which something was claimed of it."""
        self.options: dict[str, dict[tuple[int, tuple[str, ...]], None]] = {}
        """The places, and words if there are any, of the options of each choice."""
        self._asked: dict[tuple[Any, ...], Sequence[Condition]] = {}
        """The conditions under which a number was asked for: terms that are kept keep their ids."""
        self._last: dict[tuple[str, int], Any] = {}
        """The last option of a choice at a place; most often it is the same on every path."""

    def choices(self) -> dict[str, Choice]:
        """Every choice with the options of which something was claimed."""
        return {name: _choice(name, sorted(seen)) for name, seen in self.options.items()}

    def of_option(self, name: str, at: int, option: Any) -> None:
        """Something was claimed of this option."""
        if self._last.get((name, at), self) is not option:
            self._last[name, at] = option
            self.options.setdefault(name, {})[at, words((option,))] = None

    def of_numbers(
        self, given: Iterable[Input], conditions: Callable[[], Sequence[Condition]]
    ) -> None:
        """Something was claimed of all values of these numbers that meet the conditions."""
        missing = [each for each in given if not self._is_reached(each)]
        if missing:
            together = _Together(conditions())
            for each in missing:
                self._reach(each, together.about(each.name))

    def _is_reached(self, wanted: Input) -> bool:
        known = self.numbers.get(wanted.name)
        if known is None or known.low > wanted.low:
            return False
        return known.high is None or (wanted.high is not None and wanted.high <= known.high)

    def _reach(self, wanted: Input, conditions: Sequence[Condition]) -> None:
        """Widen the bounds of a number to all that it can be under some conditions."""
        if not conditions:
            self._widen(wanted.name, wanted.low, wanted.high)
            return
        key = (wanted.name, wanted.low, wanted.high, frozenset([each.id for each in conditions]))
        if key in self._asked:
            return
        self._asked[key] = conditions
        self.solver.push()
        for each in conditions:
            tell(self.solver, each.term)
        self._ask_how_far(wanted)
        self.solver.pop()

    def _ask_how_far(self, wanted: Input) -> None:
        """Widen the bounds of a number as far as the solver finds values beyond those known."""
        number, known = named(wanted.name), self.numbers.get(wanted.name)
        if known is not None:
            tell(self.solver, _beyond(number, known))
            if self.solver.check() != z3.sat:
                return
        far = FAR if wanted.high is None else wanted.high
        low = _least(self.solver, number, wanted.low)
        least_below = _least(self.solver, -number, -far)
        if low is not None and least_below is not None:
            no_end = wanted.high is None and least_below == -FAR
            self._widen(wanted.name, low, None if no_end else -least_below)

    def _widen(self, name: str, low: int, high: int | None) -> None:
        known = self.numbers.get(name)
        if known is not None:
            low = min(low, known.low)
            high = None if high is None or known.high is None else max(high, known.high)
        self.numbers[name] = Number(name, low, high)


class _Together:
    """The conditions of a path by the numbers that they are about."""

    def __init__(self, conditions: Sequence[Condition]) -> None:
        self.bounds: dict[str, list[Condition]] = {}
        self.others: dict[str, list[Condition]] = {}
        for each in conditions:
            kind = self.bounds if each.is_bound else self.others
            for name in each.names:
                kind.setdefault(name, []).append(each)

    def about(self, name: str) -> list[Condition]:
        """What a number has to meet beyond its bounds, and all that hangs together with it.

        The rest of the path can be met too, whatever this number is: some values go all along it.
        """
        if name not in self.others:
            return []
        found: dict[int, Condition] = {}
        met, waiting = {name}, [name]
        while waiting:
            at = waiting.pop()
            for each in (*self.bounds.get(at, ()), *self.others.get(at, ())):
                if each.id not in found:
                    found[each.id] = each
                    more = each.names - met
                    met |= more
                    waiting += more
        return list(found.values())


def _beyond(number: Term, known: Number) -> Term:
    """That a number is not within the bounds that are known."""
    below = number < known.low
    return below if known.high is None else z3.Or(below, number > known.high)


def _choice(name: str, seen: Sequence[tuple[int, tuple[str, ...]]]) -> Choice:
    options = tuple(dict.fromkeys(word for _, told in seen for word in told))
    have_words = all(told for _, told in seen)
    # The same word at two places is one thing; what has no word is told by its place.
    count = len(options) if have_words else max(len({at for at, _ in seen}), len(options))
    return Choice(name, count, options)


def _least(solver: Any, term: Term, low: int) -> int | None:
    """The least value from `low` on that a term can have; none if the solver finds no value."""
    if solver.check(term == low) == z3.sat:
        return low
    if solver.check(term > low) != z3.sat:
        return None
    return least_above(solver, term, low)


def least_above(solver: Any, term: Term, low: int) -> int:
    """The least value above `low` of a term for which the solver has just found one."""
    high: int = solver.model().eval(term, model_completion=True).as_long()
    low += 1
    while low < high:
        middle = (low + high) // 2
        if solver.check(term <= middle) == z3.sat:
            high = solver.model().eval(term, model_completion=True).as_long()
        else:
            low = middle + 1
    return high


def follows(condition: Term, from_these: Iterable[Term], work: int) -> bool:
    """Whether a condition holds wherever these do; so it is told if the solver gives up."""
    solver = z3.SimpleSolver()
    solver.set("rlimit", work)
    for each in from_these:
        tell(solver, each)
    tell(solver, negated(condition))
    return bool(solver.check() != z3.sat)
