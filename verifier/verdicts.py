"""What a proof ends with: proved, refuted, unknown or unsupported, and why."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from types import CodeType
from typing import Any

import msgspec
import z3

from rules_engine.kernel.case import Case
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from rules_engine.rulebook.rulings import ruling
from verifier.claim_lines import all_in, reached
from verifier.claimed import Input, least_above
from verifier.confirm import UNSAT, second_opinion
from verifier.covered import Covered, Look, looked_at
from verifier.current import Term, Unsupported
from verifier.explorer import (
    MORE_WORK,
    OUT_OF_WORK,
    Budget,
    Exploration,
    Explorer,
    told,
)
from verifier.left_behind import Watch
from verifier.numbers import forget, named
from verifier.refused_calls import refused_calls
from verifier.replay import Replay, replay
from verifier.terms import FALSE, NOT_KNOWN, OPEN, conjunction

PROVED = "proved"
CHECKED = "checked"
"""A table was found right, or every case of finitely many: nothing is said of all numbers."""
REFUTED = "refuted"
UNKNOWN = "unknown"
UNSUPPORTED = "unsupported"

SOLVER = "a solver"
"""Some claim is open until a solver is asked, or a branch is left out because a solver says so."""
SIMPLIFYING = "simplifying"
"""What is claimed of unknown numbers becomes plain when terms are simplified."""
ENUMERATION = "no solver"
"""No claim depends on an unknown number: all that was done is to go through the paths."""

VACUOUS = "nothing was claimed: no path reaches a claim within the assumptions"
"""Why nothing is known where the assumptions contradict each other."""

WRONGLY_SIMPLIFIED = "a term was simplified to another one, and nobody shows that they are the same"
"""Why nothing is known where the simplifier is wrong, or may be."""

RULING = "ruling "
"""How the name of a choice among the values of a ruling begins."""

NOT_WITH_PLAIN_NUMBERS = "it is proved of symbols, and a run with plain numbers does not agree"
"""Why a proof is none where the engine does something else than it did with symbols."""


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
    only_as: str = ""
    """The default, if in some case it was tried under no other value."""


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
    claimed_at: tuple[str, ...] = ()
    """The lines of properties on which something was claimed."""
    never_claimed: tuple[str, ...] = ()
    """The lines with a claim that no path gets to, of the functions of properties that ran."""
    confirmed: bool = False
    """Whether a second solver agrees that it is proved."""
    needs: str = ""
    """What it took to settle it, besides following every path; nothing if it is not settled."""
    depending: tuple[str, ...] = ()
    """The properties with a claim that depends on an unknown number."""
    granted_by: tuple[str, ...] = ()
    """The properties that show what it takes for granted."""
    covered: Covered = Covered()
    elsewhere: Covered = Covered()
    """What was looked at of positions at other tables."""
    elsewhere_of: tuple[str, ...] = ()
    """The properties that claimed something of these."""


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
    needs: str = ""
    """What it took to settle the obligation."""
    obligation: str = ""
    """What was explored for it, which several properties of a family may share."""


class Verdict(Record):
    """The answer about one property, over all the cases that it is run for."""

    name: str
    rules: tuple[str, ...]
    verdict: str
    paths: int
    seconds: float
    rulings: tuple[RulingsRead, ...]
    kind: str
    """What it turned out to be."""
    covered: Covered = Covered()
    """What was explored."""
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
    granted_by: tuple[str, ...] = ()
    """The properties that show what it takes for granted, and were not settled together with it."""
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
    seen: Iterable[CodeType] = (),
) -> Settled:
    """Find out whether the claims of a function hold for all values of its unknowns.

    The function gets unknowns from `quantity` and `choose` and says what it is about with `assume`
    and `claim`. It is run many times, so it must do the same each time. An error meant for people
    (`TruthsayerError`) on any path is raised; `stop` is asked before each path and ends the call.
    `export` gets what has to hold in SMT-LIB, with what came of it: it is unsatisfiable only where
    all is proved. With `confirm` a second solver has to agree to a proof. `seen` has the functions
    that ran: every line of theirs that claims something counts.
    """
    started = time.perf_counter()
    budget = budget or Budget()
    with _one_at_a_time:
        try:
            with refused_calls():
                watch = Watch(function)
                found = Explorer(budget, stop).explore(watch)
                found.unsupported += filter(None, [watch.what_at_last()])
            settled = _judged(function, found, budget)
            if confirm and settled.verdict == PROVED:
                settled = _confirmed(settled, to_smt2(found, settled), budget)
            if export is not None:
                export(to_smt2(found, settled))
        finally:
            forget()
    seconds = time.perf_counter() - started
    return _with(
        settled,
        paths=found.paths,
        seconds=seconds,
        claimed_of=tuple(sorted(found.claimed_of)),
        claimed_at=tuple(sorted(at := reached(found.claimed_at, seen))),
        never_claimed=tuple(sorted(all_in(seen) - at)),
        needs=_needs(found) if settled.verdict in (PROVED, REFUTED) else "",
        depending=tuple(sorted(found.depending)),
        granted_by=tuple(sorted(found.granted_by)),
        covered=_covered(found, found.covered.look),
        elsewhere=_covered(found, found.covered.elsewhere),
        elsewhere_of=tuple(sorted(found.elsewhere_of)),
    )


def _needs(found: Exploration) -> str:
    if found.open_claims or found.infeasible:
        return SOLVER
    return SIMPLIFYING if found.depending else ENUMERATION


def _covered(found: Exploration, look: Look) -> Covered:
    covered = found.covered
    numbers, choices = covered.numbers.values(), covered.choices()
    return looked_at(look, numbers, covered.left_out, choices, apart=RULING)


def _confirmed(settled: Settled, certificate: str, budget: Budget) -> Settled:
    """A proof that a second solver agrees to; without its agreement nothing is known."""
    try:
        answer = second_opinion(certificate, budget.work)
    except Exception as fault:
        detail = f"Z3 calls the claims proved, and cvc5 gives no answer: {told(fault)}"
        return _with(settled, verdict=UNKNOWN, detail=detail)
    if answer == UNSAT:
        return _with(settled, confirmed=True)
    detail = f"Z3 calls the claims proved, and cvc5 says `{answer}` where it should say `{UNSAT}`"
    return _with(settled, verdict=UNKNOWN, detail=detail)


def _with(settled: Settled, **changes: Any) -> Settled:
    fields = {name: getattr(settled, name) for name in settled.__struct_fields__}
    return Settled(**{**fields, **changes})


def to_smt2(found: Exploration, settled: Settled) -> str:
    """What has to hold as SMT-LIB, with the verdict in comments.

    `unsat` means that every claim holds on every path and every simplification is right. What was
    not explored is false. Where nothing is known for another reason, all hangs on a truth value
    that nobody knows, so that no solver can call it proved.
    """
    solver = z3.Solver()
    explored = z3.substitute(found.certificate, (OPEN, FALSE))
    known = [] if settled.verdict in (PROVED, REFUTED) else [z3.Bool(NOT_KNOWN)]
    solver.add(z3.Not(conjunction([explored, *found.simplified, *known])))
    holds = PROVED if found.depending else CHECKED
    word = holds if settled.verdict == PROVED else settled.verdict
    verdict = commented("verdict", word, settled.detail)
    return f"{verdict}(set-logic QF_LIA)\n{solver.to_smt2()}"


def without_certificate(settled: Settled) -> str:
    """The SMT-LIB file of something of which there is no certificate: no solver calls it proved."""
    verdict = commented("verdict", settled.verdict, settled.detail)
    asked = f"(declare-fun |{NOT_KNOWN}| () Bool)\n(assert (not |{NOT_KNOWN}|))\n(check-sat)\n"
    return f"{verdict}(set-logic QF_LIA)\n{asked}"


def commented(name: str, *words: str) -> str:
    """A line of an SMT-LIB file that solvers do not read."""
    return f"; {name}: {in_one_line(': '.join(each for each in words if each))}\n"


def in_one_line(text: str) -> str:
    """Words that cannot be taken for more than one line of a report."""
    return " ".join(text.split())


def _judged(function: Callable[[], object], found: Exploration, budget: Budget) -> Settled:
    try:
        return _judge(function, found, budget)
    except z3.Z3Exception as fault:
        return Settled(UNKNOWN, f"Z3 gives no answer: {told(fault)}")


def _judge(function: Callable[[], object], found: Exploration, budget: Budget) -> Settled:
    """Check the certificate in a fresh solver, which trusts nothing that the explorer decided."""
    solver = z3.Solver()
    solver.set("rlimit", budget.work)
    solver.add(OPEN, z3.Not(found.certificate))
    answer = solver.check()
    if answer == z3.sat:
        return _refuted(function, found, solver)
    rulings = tuple(_rulings(found, lambda _: False))
    if found.unsupported:
        return Settled(UNSUPPORTED, found.unsupported[0], rulings=rulings)
    if answer == z3.unknown:
        return Settled(UNKNOWN, f"{OUT_OF_WORK} on the certificate{MORE_WORK}")
    if found.gave_up:
        return Settled(UNKNOWN, found.gave_up, rulings=rulings)
    if not _follows(conjunction(found.simplified), budget):
        return Settled(UNKNOWN, WRONGLY_SIMPLIFIED, rulings=rulings)
    example = _example_of_a_claim(found, budget)
    if example is None:
        return Settled(UNKNOWN, VACUOUS, rulings=rulings)
    if wrong := _wrong_with_plain_numbers(function, example):
        return Settled(UNSUPPORTED, wrong, rulings=rulings)
    return Settled(PROVED, rulings=rulings)


def _follows(condition: Term, budget: Budget) -> bool:
    """Whether a condition holds for all values, by a solver that knows nothing else."""
    solver = z3.Solver()
    solver.set("rlimit", budget.work)
    solver.add(z3.Not(condition))
    return bool(solver.check() == z3.unsat)


def _example_of_a_claim(found: Exploration, budget: Budget) -> dict[str, int] | None:
    """Values with which a path claims something within the assumptions, if there are any."""
    if found.witness is None:
        return None
    solver = z3.Solver()
    solver.set("rlimit", budget.work)
    solver.add(found.witness, *(named(each.name) >= each.low for each in found.inputs.values()))
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    terms = {each.name: model.eval(named(each.name)) for each in found.inputs.values()}
    return {name: term.as_long() for name, term in terms.items() if z3.is_int_value(term)}


def _wrong_with_plain_numbers(function: Callable[[], object], values: Mapping[str, int]) -> str:
    """What a run with plain numbers shows against a proof, in words; nothing if it agrees."""
    try:
        run = replay(function, values)
    except (TruthsayerError, Unsupported):
        # A scenario may have no words for some number.
        return ""
    # What played no part has any value here, so that nothing may be claimed at all.
    if run.failed:
        return f"{NOT_WITH_PLAIN_NUMBERS}: {in_one_line('; '.join(run.failed))}"
    return _wrongly_made(run.staged)


def _wrongly_made(positions: Iterable[Any]) -> str:
    """What is wrong with positions of a property in which a field has a value of another kind.

    No record is checked when it is made, and a symbol says of itself what it is.
    """
    for each in positions:
        try:
            msgspec.convert(msgspec.to_builtins(each), type(each))
        except msgspec.ValidationError as wrong:
            return f"the property makes a position that cannot be: {wrong}"
    return ""


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
    lines = [f"it does not hold that {in_one_line(shown.failed[0])}"]
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
            known = ruling(name)
            values = known.values[: each.count]
            failing = [value for at, value in enumerate(values) if fails(named(each.name) == at)]
            only_as = known.default if len(values) < len(known.values) else ""
            yield RulingsRead(name, values, tuple(failing), only_as)


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
    least = least_above(solver, term, low)
    solver.add(term == least)
    return least
