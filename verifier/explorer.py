"""Runs a function again and again until every feasible path was taken.

The trail of decisions is a path through one tree. What a finished tree says is one formula, its
certificate: a fork is `if cond then left else right`, a branch found infeasible is *false*, and a
path that ends is the conjunction of its claims. A path ends at an assumption too: where that fails,
what was claimed before it still counts. Only values outside the domain of an unknown are *true*,
because they do not exist. Every claim holds wherever it is made if and only if the negation of that
formula is unsatisfiable; neither the explorer's feasibility answers nor its shortcuts have to be
trusted.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import z3

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.records import Record
from verifier.current import NoSuchPosition, PathEnds, Term, Unsupported, reject, running
from verifier.numbers import SymBool, all_of, bool_term, symbol
from verifier.terms import FALSE, TRUE, asked, conjunction, holds_in, negated, tell, truth_where

VERIFIER = Path(__file__).parent

NOT_THE_SAME = "the function does not do the same when it is run again"


class Budget(Record):
    """How much a proof may use. Z3's own unit of work is the same on every machine."""

    paths: int = 50_000
    work: int = 20_000_000
    """Z3 resource units for one question to the solver."""


class GaveUp(BaseException):
    """A limit was reached, so nothing is known. Rule code must not catch it."""


class Stopped(Exception):
    """The caller asked for an end: no verdict."""


@dataclass
class Input:
    """An unknown of a run: a quantity, or (with `count`) a choice among so many options."""

    name: str
    low: int
    high: int | None = None
    count: int | None = None


@dataclass
class Exploration:
    """Everything that was found out: the certificate, the unknowns, and what went wrong."""

    certificate: Term = TRUE
    inputs: dict[str, Input] = field(default_factory=dict)
    paths: int = 0
    claims: int = 0
    """Paths that claimed something."""
    claimed_of: set[str] = field(default_factory=set)
    """The properties that claimed something on some path, where claims say of which they are."""
    witness: Term | None = None
    """The condition of the first path that claimed something."""
    crashes: list[str] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    gave_up: str = ""


@dataclass
class _Decision:
    condition: Term
    side: bool
    waiting: Any
    """A model of the other side, if it is feasible and was not taken yet."""
    other: Term
    """The certificate of the other side, as far as it is known."""
    choice: bool = False
    """About a choice alone: nothing else depends on it, so the solver need not know it."""
    forks: bool = False
    """Both sides are explored, so the solver gets a scope for the side taken."""
    assumed: bool = False
    """Only this side is explored. It stays true as long as the branch it was made in."""


class Explorer:
    """One exploration; also the run that the explored function sees."""

    def __init__(self, budget: Budget, stop: Callable[[], bool] | None = None) -> None:
        self.values: Mapping[str, int] | None = None
        self.budget = budget
        self.stop = stop
        self.found = Exploration()
        self.solver = z3.SimpleSolver()
        # The older arithmetic is faster on many small questions; the certificate is checked with
        # the newer one.
        self.solver.set("arith.solver", 2)
        self.solver.set("rlimit", budget.work)
        self.trail: list[_Decision] = []
        self.told = 0
        """So many decisions of the trail the solver knows."""
        self.depth = 0
        self.model: Any = None
        self.known: dict[tuple[str, int], bool] = {}
        self.given: dict[str, Input] = {}
        self.chosen: dict[str, int] = {}
        self.claimed: list[Term] = []
        self.noted: list[str] = []

    # Exploring

    def explore(self, function: Callable[[], object]) -> Exploration:
        """Take every feasible path of the function."""
        self.solver.check()
        self.model = self.solver.model()
        try:
            while True:
                self._ask_to_go_on()
                leaf = self._take_path(function)
                if not self._turn_back(leaf):
                    return self.found
        except GaveUp as why:
            self.found.gave_up = str(why)
            self._close_open_branches()
            return self.found

    def _ask_to_go_on(self) -> None:
        if self.stop is not None and self.stop():
            raise Stopped
        if self.found.paths >= self.budget.paths:
            raise GaveUp(f"more than {self.budget.paths} paths")

    def _take_path(self, function: Callable[[], object]) -> Term:
        """Run the function once along the trail and beyond; give the certificate of its leaf."""
        self.depth = 0
        self.known, self.given, self.chosen, self.claimed, self.noted = {}, {}, {}, [], []
        leaf = self._leaf(function)
        if self.depth < len(self.trail):
            self.note(Unsupported(NOT_THE_SAME))
        if self.noted:
            self.found.unsupported += self.noted
            return TRUE
        return leaf

    def _leaf(self, function: Callable[[], object]) -> Term:
        try:
            with running(self):
                function()
        except NoSuchPosition:
            return TRUE
        except PathEnds:
            return self._ended()
        except Unsupported as what:
            self.note(what)
            return TRUE
        except TruthsayerError:
            raise
        except (MemoryError, z3.Z3Exception) as limit:
            raise GaveUp(f"the limits were reached: {told(limit)}") from limit
        except Exception as crash:
            self.found.paths += 1
            if not self.noted and is_a_mistake_in_the_property(crash):
                self.note(Unsupported(f"the property itself fails: {told(crash)}"))
            if self.noted:
                return TRUE
            self.found.crashes.append(told(crash))
            return FALSE
        self.found.paths += 1
        return self._ended()

    def _ended(self) -> Term:
        """The leaf of a path: everything that was claimed on it."""
        if self.claimed:
            self.found.claims += 1
            if self.found.witness is None:
                self.found.witness = self.path()
        return self._claimed_so_far()

    def path(self) -> Term:
        """The condition of the path that is being taken, as far as it was decided."""
        return conjunction([*map(_taken, self.trail)])

    def _claimed_so_far(self) -> Term:
        return conjunction(self.claimed)

    def _turn_back(self, leaf: Term) -> bool:
        """Fold finished branches into the certificate and turn to the next open one, if any."""
        while self.trail:
            last = self.trail[-1]
            self._take_back(last)
            if last.waiting is not None:
                last.side, last.other = not last.side, leaf
                self.model, last.waiting = last.waiting, None
                return True
            self.trail.pop()
            leaf = _fork(last, leaf)
        self.found.certificate = leaf
        return False

    def _close_open_branches(self) -> None:
        """Fold what is there; what was not explored claims nothing, and is never called proved."""
        leaf = TRUE
        while self.trail:
            last = self.trail.pop()
            if last.waiting is not None:
                last.other = TRUE
            leaf = _fork(last, leaf)
        self.found.certificate = leaf

    # Deciding

    def branch(self, condition: SymBool) -> bool:
        """Follow the trail; beyond its end take the true side first, if there is one."""
        known = self.known.get(condition.key)
        return self._go(condition, self._decide) if known is None else known

    def _go(self, condition: SymBool, decide: Callable[[Term], _Decision]) -> bool:
        if self.depth < len(self.trail):
            decision = self.trail[self.depth]
            if decision.condition is not condition.term:
                raise reject(Unsupported(NOT_THE_SAME))
        else:
            decision = decide(condition.term)
            self.trail.append(decision)
        self.depth += 1
        self.known[condition.key] = decision.side
        return decision.side

    def _decide(self, condition: Term) -> _Decision:
        """One question to the solver: the model at hand already shows one side feasible."""
        if self._model_says(condition):
            decision = _Decision(condition, True, self.feasible(negated(condition)), FALSE)
        else:
            model = self.feasible(condition)
            if model is None:
                return _Decision(condition, False, None, FALSE)
            decision = _Decision(condition, True, self.model, FALSE)
            self.model = model
        decision.forks = decision.waiting is not None
        return decision

    def _decide_choice(self, condition: Term) -> _Decision:
        """Every option is feasible: the choice is fresh and nothing else depends on it."""
        return _Decision(condition, True, self.model, FALSE, choice=True, forks=True)

    def _model_says(self, condition: Term) -> bool:
        return holds_in(self.model, condition)

    def feasible(self, condition: Term) -> Any:
        """A model of the path so far in which the condition holds, or nothing."""
        self._tell_the_path()
        answer = asked(self.solver, condition)
        if answer == z3.unknown:
            raise GaveUp("the solver ran out of resources on a branch")
        return self.solver.model() if answer == z3.sat else None

    def _tell_the_path(self) -> None:
        """Tell the solver what it does not know yet: only now, as many paths ask it nothing.

        It need not know of forced branches, which follow from the others.
        """
        for decision in self.trail[self.told :]:
            if decision.forks:
                self.solver.push()
            if decision.assumed or (decision.forks and not decision.choice):
                tell(self.solver, _taken(decision))
        self.told = len(self.trail)

    def _take_back(self, last: _Decision) -> None:
        """Let the solver forget the last decision of the trail, if it knows it."""
        if self.told == len(self.trail):
            self.told -= 1
            if last.forks:
                self.solver.pop()

    # What the code under proof calls

    def assume(self, condition: bool) -> None:
        """Only the side where the condition holds is explored; the other claims no more."""
        self._restrict(condition, PathEnds)

    def domain(self, condition: bool) -> None:
        """Only the side where the condition holds is explored; the other does not exist."""
        self._restrict(condition, NoSuchPosition)

    def _restrict(self, condition: bool, end: type[PathEnds]) -> None:
        if isinstance(condition, SymBool):
            condition = self._go(condition, lambda term: self._keep_to(term, end))
        if not condition:
            raise end

    def _keep_to(self, condition: Term, end: type[PathEnds]) -> _Decision:
        if not self._model_says(condition):
            model = self.feasible(condition)
            if model is None:
                return _Decision(condition, False, None, FALSE)
            self.model = model
        elsewhere = TRUE if end is NoSuchPosition else self._claimed_so_far()
        return _Decision(condition, True, None, elsewhere, assumed=True)

    def claim(self, condition: bool, text: str, of: str) -> None:
        """Every claim of a path becomes a part of its leaf."""
        del text
        self.claimed.append(bool_term(condition))
        if of:
            self.found.claimed_of.add(of)

    def quantity(self, name: str, low: int, high: int | None) -> Quantity:
        """A Z3 constant between its bounds."""
        value: Quantity = symbol(name)
        if self._is_new(Input(name, low, high)):
            self.domain(value >= low if high is None else all_of(value >= low, value <= high))
        return value

    def choose(self, name: str, options: Sequence[Any]) -> int:
        """A Z3 constant, made concrete by one branch for each option but the last."""
        count = len(options)
        if count < 1:
            raise ValueError(f"nothing to choose for {name}")
        if self._is_new(Input(name, 0, count=count)):
            selector = symbol(name)
            self._go(all_of(selector >= 0, selector < count), self._restrict_choice)
            self.chosen[name] = next(
                (at for at in range(count - 1) if self._go(selector == at, self._decide_choice)),
                count - 1,
            )
        return self.chosen[name]

    def _is_new(self, wanted: Input) -> bool:
        """Whether this path asks for the unknown for the first time; it may not change later."""
        before = self.given.setdefault(wanted.name, wanted)
        if before != wanted:
            raise reject(Unsupported(f"{wanted.name} is asked for as two different unknowns"))
        if before is wanted:
            known = self.found.inputs.setdefault(wanted.name, wanted)
            if wanted.low < known.low:
                self.found.inputs[wanted.name] = wanted
        return before is wanted

    def _restrict_choice(self, condition: Term) -> _Decision:
        return _Decision(condition, True, None, TRUE)

    def note(self, found: Unsupported) -> None:
        """The path can no longer be trusted, whatever the code does with the error."""
        if str(found) not in self.noted:
            self.noted.append(str(found))

    def stage(self, position: Any, inputs: tuple[Any, ...]) -> None:
        """Positions are shown by a replay, not by the exploration."""


def _taken(decision: _Decision) -> Term:
    return decision.condition if decision.side else negated(decision.condition)


def _fork(decision: _Decision, leaf: Term) -> Term:
    if decision.side:
        return truth_where(decision.condition, leaf, decision.other)
    return truth_where(decision.condition, decision.other, leaf)


def told(crash: Exception) -> str:
    """An exception with the place it came from."""
    frames = traceback.extract_tb(crash.__traceback__)
    where = frames[-1]
    file = "/".join(Path(where.filename).parts[-3:])
    return f"{type(crash).__name__}: {_words(crash)} at {file}:{where.lineno} ({where.name})"


def is_a_mistake_in_the_property(crash: Exception) -> bool:
    """Whether an error comes from the verifier's own code; what that asserts is about the rules."""
    where = Path(traceback.extract_tb(crash.__traceback__)[-1].filename)
    return where.is_relative_to(VERIFIER) and not isinstance(crash, AssertionError)


def _words(crash: Exception) -> str:
    """The message, unless it is about a symbolic value."""
    try:
        return str(crash)
    except Unsupported:
        return "about a symbolic value"


def explore(
    function: Callable[[], object], budget: Budget | None = None, *, stop: Any = None
) -> Exploration:
    """Take every feasible path of a function that uses `quantity`, `choose`, `assume`, `claim`."""
    return Explorer(budget or Budget(), stop).explore(function)
