"""What a proof ends with: proved, refuted, unknown or unsupported, and why."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import z3

from rules_engine.kernel.case import Case
from rules_engine.kernel.records import Record
from rules_engine.rulebook.rulings import ruling
from verifier.confirm import UNSAT, second_opinion
from verifier.current import Term, Unsupported
from verifier.explorer import Budget, Exploration, Explorer, Input
from verifier.numbers import forget, named
from verifier.replay import Replay, replay

PROVED = "proved"
CHECKED = "checked"
"""A data check that found the table right."""
REFUTED = "refuted"
UNKNOWN = "unknown"
UNSUPPORTED = "unsupported"

VACUOUS = "nothing was claimed: no path reaches a claim within the assumptions"
"""Why nothing is known where the assumptions contradict each other."""

RULING = "ruling "
"""How the name of a choice among the values of a ruling begins."""


class Value(Record):
    """The value of one unknown in a counterexample."""

    name: str
    value: int
    """The number, or the place of the option that is chosen."""
    shown: str = ""
    """In words, if there are any."""


class RulingsRead(Record):
    """A ruling that a proof read, the values it was tried under, and those under which it fails."""

    name: str
    values: tuple[str, ...]
    fails_under: tuple[str, ...] = ()


class Settled(Record):
    """The answer about one function: `values`, `failed`, `position` and `inputs` if refuted."""

    verdict: str
    detail: str = ""
    paths: int = 0
    seconds: float = 0.0
    rulings: tuple[RulingsRead, ...] = ()
    values: tuple[Value, ...] = ()
    failed: tuple[str, ...] = ()
    position: Any = None
    inputs: tuple[Any, ...] = ()
    claimed_of: tuple[str, ...] = ()
    """The properties that claimed something, where claims say of which they are."""
    confirmed: bool = False
    """Whether a second solver agrees that it is proved."""


class CaseVerdict(Record):
    """The answer about one case of a property."""

    params: str
    verdict: str
    paths: int
    seconds: float
    detail: str = ""
    rests_on: tuple[str, ...] = ()
    """The rule functions that ran."""
    granted: tuple[str, ...] = ()
    """What it takes for granted because the other cases of its family leave it so."""


class Verdict(Record):
    """The answer about one property, over all the cases that it is run for."""

    name: str
    rules: tuple[str, ...]
    verdict: str
    bounds: str
    paths: int
    seconds: float
    rulings: tuple[RulingsRead, ...]
    kind: str
    """A theorem, a data check or an order property."""
    detail: str = ""
    values: tuple[Value, ...] = ()
    params: str = ""
    """For which of the property's cases it is refuted."""
    confirmed: bool = False
    """Whether a second solver agrees to all of it."""
    cases: tuple[CaseVerdict, ...] = ()
    """What came of each of its cases."""
    from_kept: bool = False
    """Whether all of it was proved in an earlier run."""
    case: Case | None = None
    """The counterexample, already replayed on the engine."""


_one_at_a_time = threading.RLock()
"""Z3's terms belong to one context, which must not be used by two threads at once."""


def settle(
    function: Callable[[], object],
    *,
    budget: Budget | None = None,
    stop: Callable[[], bool] | None = None,
    export: Callable[[str], None] | None = None,
    confirm: bool = False,
) -> Settled:
    """Find out whether the claims of a function hold for all values of its unknowns.

    The function gets unknowns from `quantity` and `choose` and says what it is about with `assume`
    and `claim`. It is run many times, so it must do the same each time. An error meant for people
    (`TruthsayerError`) on any path is raised; `stop` is asked before each path and ends the call.
    `export` gets the certificate in SMT-LIB before anything is asked about it: unsatisfiable means
    that all claims hold. With `confirm` a second solver has to agree to a proof.
    """
    started = time.perf_counter()
    budget = budget or Budget()
    with _one_at_a_time:
        try:
            found = Explorer(budget, stop).explore(function)
            text = to_smt2(found) if export or confirm else ""
            if export is not None:
                export(text)
            settled = _judge(function, found, budget)
            if confirm and settled.verdict == PROVED:
                settled = _confirmed(settled, text, budget)
        finally:
            forget()
    seconds = time.perf_counter() - started
    return _with(
        settled,
        paths=found.paths,
        seconds=seconds,
        claimed_of=tuple(sorted(found.claimed_of)),
    )


def _confirmed(settled: Settled, certificate: str, budget: Budget) -> Settled:
    """A proof that a second solver agrees to; without its agreement nothing is known."""
    answer = second_opinion(certificate, budget.work)
    if answer == UNSAT:
        return _with(settled, confirmed=True)
    detail = f"Z3 calls the claims proved, and cvc5 says `{answer}` where it should say `{UNSAT}`"
    return _with(settled, verdict=UNKNOWN, detail=detail)


def _with(settled: Settled, **changes: Any) -> Settled:
    fields = {name: getattr(settled, name) for name in settled.__struct_fields__}
    return Settled(**{**fields, **changes})


def to_smt2(found: Exploration) -> str:
    """The certificate as SMT-LIB: `unsat` means that every claim holds on every path."""
    solver = z3.Solver()
    solver.add(z3.Not(found.certificate))
    return f"(set-logic QF_LIA)\n{solver.to_smt2()}"


def _judge(function: Callable[[], object], found: Exploration, budget: Budget) -> Settled:
    """Check the certificate in a fresh solver, which trusts nothing that the explorer decided."""
    solver = z3.Solver()
    solver.set("rlimit", budget.work)
    solver.add(z3.Not(found.certificate))
    answer = solver.check()
    if answer == z3.sat:
        return _refuted(function, found, solver)
    rulings = tuple(_rulings(found, lambda _: False))
    if found.unsupported:
        return Settled(UNSUPPORTED, found.unsupported[0], rulings=rulings)
    if answer == z3.unknown:
        return Settled(UNKNOWN, "the solver ran out of resources on the certificate")
    if found.gave_up:
        return Settled(UNKNOWN, found.gave_up, rulings=rulings)
    if not _claims_are_reached(found, budget):
        return Settled(UNKNOWN, VACUOUS, rulings=rulings)
    return Settled(PROVED, rulings=rulings)


def _claims_are_reached(found: Exploration, budget: Budget) -> bool:
    """Whether the assumptions can hold together with a path that claims something."""
    if found.witness is None:
        return False
    solver = z3.Solver()
    solver.set("rlimit", budget.work)
    solver.add(found.witness)
    return bool(solver.check() == z3.sat)


def _refuted(function: Callable[[], object], found: Exploration, solver: Any) -> Settled:
    """A counterexample counts once plain numbers show it on the engine."""
    rulings = tuple(_rulings(found, lambda condition: solver.check(condition) == z3.sat))
    known = smallest(solver, found.inputs.values())
    try:
        values = _that_matter(function, known)
        shown = replay(function, {each.name: each.value for each in values})
    except Unsupported as what:
        return Settled(UNSUPPORTED, str(what), rulings=rulings)
    if not shown.failed:
        detail = "the certificate does not hold, and a run with its values shows no failure"
        return Settled(UNKNOWN, detail, rulings=rulings, values=values)
    return Settled(
        REFUTED,
        _told(shown, values, rulings),
        rulings=rulings,
        values=values,
        failed=tuple(shown.failed),
        position=shown.position,
        inputs=shown.inputs,
    )


def _that_matter(function: Callable[[], object], known: dict[str, int]) -> tuple[Value, ...]:
    """The unknowns that a run with these values looks at, in the order in which it does."""
    read = replay(function, known, real=False).read
    return tuple(Value(name, known.get(name, 0), words) for name, words in read.items())


def _told(shown: Replay, values: tuple[Value, ...], rulings: tuple[RulingsRead, ...]) -> str:
    plain = [
        f"{each.name} = {each.shown}"
        for each in values
        if each.shown and not each.name.startswith(RULING)
    ]
    lines = [f"it does not hold that {shown.failed[0]}"]
    if plain:
        lines.append("with " + ", ".join(plain))
    for each in rulings:
        holds = [value for value in each.values if value not in each.fails_under]
        if holds:
            fails = ", ".join(each.fails_under)
            lines.append(f"fails if {each.name} = {fails}, holds if {', '.join(holds)}")
    return "; ".join(lines)


def _rulings(found: Exploration, fails: Callable[[Term], bool]) -> Iterable[RulingsRead]:
    for each in found.inputs.values():
        if each.name.startswith(RULING):
            name = each.name.removeprefix(RULING)
            values = ruling(name).values
            failing = [value for at, value in enumerate(values) if fails(named(each.name) == at)]
            yield RulingsRead(name, values, tuple(failing))


# One example of each path


def examples(function: Callable[[], object]) -> tuple[dict[str, int], ...]:
    """The smallest values that take each path of a function to its end, the smallest first."""
    budget = Budget()
    ends: list[Term] = []
    explorer = Explorer(budget)

    def to_its_end() -> None:
        function()
        ends.append(explorer.path())

    with _one_at_a_time:
        try:
            inputs = explorer.explore(to_its_end).inputs
            return tuple(sorted((_example(end, inputs, budget) for end in ends), key=_by_size))
        finally:
            forget()


def _example(end: Term, inputs: dict[str, Input], budget: Budget) -> dict[str, int]:
    solver = z3.Solver()
    solver.set("rlimit", budget.work)
    solver.add(end)
    return smallest(solver, inputs.values())


def _by_size(values: dict[str, int]) -> tuple[int, ...]:
    return sum(values.values()), *values.values()


# The smallest counterexample


def smallest(solver: Any, inputs: Iterable[Input]) -> dict[str, int]:
    """The one counterexample with the smallest sum, then the smallest numbers from the first on.

    It depends on the formula alone, so every run and every solver finds the same.
    """
    listed = list(inputs)
    quantities = [each for each in listed if each.count is None]
    solver.add([named(each.name) >= each.low for each in listed])
    if quantities:
        total = z3.Sum([named(each.name) for each in quantities])
        _minimise(solver, total, sum(each.low for each in quantities))
    return {each.name: _minimise(solver, named(each.name), each.low) for each in listed}


def _minimise(solver: Any, term: Term, low: int) -> int:
    """Fix a term at the least value it can have."""
    if solver.check(term == low) == z3.sat:
        solver.add(term == low)
        return low
    solver.check()
    high: int = solver.model().eval(term, model_completion=True).as_long()
    low += 1
    while low < high:
        middle = (low + high) // 2
        if solver.check(term <= middle) == z3.sat:
            high = solver.model().eval(term, model_completion=True).as_long()
        else:
            low = middle + 1
    solver.add(term == high)
    return high
