"""Runs a function again and again until every feasible path was taken.

The trail of decisions is a path through one tree. What a finished tree says is one formula, its
certificate: a fork is `if cond then left else right`, a branch found infeasible is *false*, and a
path that ends is the conjunction of its claims. A path ends at an assumption too: where that fails,
what was claimed before it still counts. Only values outside the domain of an unknown are *true*,
because they do not exist. A branch that was not explored, or cannot be followed, is *open*: false
for who asks whether all is proved, and left aside by who looks for a counterexample. Every claim
holds wherever it is made if and only if the negation of that formula is unsatisfiable; neither the
explorer's feasibility answers nor its shortcuts have to be trusted. What was simplified on the way
is a part of what has to hold.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import z3

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.records import Record
from verifier.claim_lines import Site, sites_of
from verifier.claimed import Claimed, Condition, Input, follows
from verifier.current import (
    NoSuchPosition,
    PathEnds,
    Term,
    Unsupported,
    is_elsewhere,
    reject,
    running,
)
from verifier.numbers import SymBool, all_of, bool_term, settled_for_all, simplified, symbol
from verifier.same_options import require_same_options
from verifier.terms import (
    FALSE,
    OPEN,
    TRUE,
    GaveUp,
    asked,
    check_name,
    conjunction,
    holds_in,
    names_in,
    negated,
    tell,
    truth_where,
)

VERIFIER = Path(__file__).parent

NOT_THE_SAME = "the function does not do the same when it is run again"
OUT_OF_WORK = "the solver ran out of resources"
MORE_WORK = "; a larger `--work` gives it more"
HIDES = "a domain after a claim about the same unknowns would hide it"
NOT_TO_BE_CAUGHT = "somebody caught the end of a path and went on"


class Budget(Record):
    """How much a proof may use. Z3's own unit of work is the same on every machine."""

    paths: int = 50_000
    work: int = 20_000_000
    """Z3 resource units for one question to the solver."""


class Stopped(Exception):
    """The caller asked for an end: no verdict."""


@dataclass
class Exploration:
    """Everything that was found out: the certificate, the unknowns, and what went wrong."""

    covered: Claimed
    """What was claimed of."""
    certificate: Term = OPEN
    simplified: tuple[Term, ...] = ()
    """That each term means the same as the simpler one that took its place."""
    inputs: dict[str, Input] = field(default_factory=dict)
    paths: int = 0
    claims: int = 0
    """Paths that claimed something."""
    claimed_of: set[str] = field(default_factory=set)
    """The properties that claimed something on some path, where claims say of which they are."""
    depending: set[str] = field(default_factory=set)
    """The properties with a claim that depends on an unknown number.

    Without a name: a claim was made where an assumption on numbers shuts a branch.
    """
    open_claims: int = 0
    """Claims that were left to the solver."""
    infeasible: int = 0
    """Branches that were not taken because the solver calls them infeasible."""
    elsewhere_of: set[str] = field(default_factory=set)
    """The properties that claimed something of positions at other tables, too."""
    granted_by: set[str] = field(default_factory=set)
    """The properties that show what was taken for granted."""
    claimed_at: set[Site] = field(default_factory=set)
    """The codes that claimed something on a path that can be, and where in them."""
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
    stated: bool = False
    """A property says that only this side is looked at, whatever else there may be."""
    exists: bool = False
    """The values of the other side do not exist."""
    bounds: bool = False
    """It says between which bounds one number is, and no more."""
    shuts: bool = False
    """The other side is infeasible, and perhaps by more than what exists."""
    taken: Condition | None = None
    """The condition of the side taken, once somebody asked for it."""


class Explorer:
    """One exploration; also the run that the explored function sees."""

    def __init__(self, budget: Budget, stop: Callable[[], bool] | None = None) -> None:
        self.values: Mapping[str, int] | None = None
        self.budget = budget
        self.stop = stop
        self.found = Exploration(Claimed(budget.work))
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
        self.numbers: dict[tuple[str, int, int | None], Quantity] = {}
        self.chosen: dict[str, int] = {}
        self.options: dict[str, Sequence[Any]] = {}
        self.option: dict[str, Any] = {}
        """What was chosen, by the options at the first time."""
        self.claimed: list[Term] = []
        self.known_by: list[tuple[int, int]] = []
        """How many unknowns were known by a claim, and after how many decisions it was made."""
        self.conditions: dict[tuple[int, bool], Condition] = {}
        """By the number of a condition, which lives as long as the exploration, and its side."""
        self.last_claim = 0
        """After how many decisions the last claim was made."""
        self.staged: tuple[Any, tuple[Any, ...]] | None = None
        self.claimed_from: list[tuple[Any, tuple[Any, ...]]] = []
        """The positions, with their inputs, of which something was claimed."""
        self.staged_elsewhere: list[tuple[Any, tuple[Any, ...]]] = []
        self.claimed_elsewhere: list[tuple[Any, tuple[Any, ...]]] = []
        """The same of other tables."""
        self.sites: set[Site] = set()
        """Where something was claimed on the path that is being taken."""
        self.noted: list[str] = []
        self.limit: GaveUp | None = None
        """The limit that was reached, whoever catches it."""
        self.end: PathEnds | None = None
        """Why the path that is being taken has ended."""
        self.settled_before = 0
        """So many operations on symbols had a plain result before the last claim."""

    # Exploring

    def explore(self, function: Callable[[], object]) -> Exploration:
        """Take every feasible path of the function."""
        try:
            if self.solver.check() != z3.sat:
                raise self._gave_up(f"{OUT_OF_WORK} on a branch{MORE_WORK}")
            self.model = self.solver.model()
            while True:
                self._ask_to_go_on()
                leaf = self._take_path(function)
                if not self._turn_back(leaf):
                    break
        except GaveUp as why:
            self.found.gave_up = str(why)
            self._close_open_branches()
        self.found.simplified = simplified()
        return self.found

    def _ask_to_go_on(self) -> None:
        if self.stop is not None and self.stop():
            raise Stopped
        if self.found.paths >= self.budget.paths:
            most = "1 path" if self.budget.paths == 1 else f"{self.budget.paths} paths"
            raise GaveUp(f"more than {most}; a larger `--paths` allows more")

    def _take_path(self, function: Callable[[], object]) -> Term:
        """Run the function once along the trail and beyond; give the certificate of its leaf."""
        self.depth = 0
        self.known, self.given, self.numbers, self.chosen = {}, {}, {}, {}
        self.claimed, self.noted = [], []
        self.settled_before = settled_for_all()
        self.options, self.option = {}, {}
        self.known_by, self.staged, self.claimed_from = [], None, []
        self.staged_elsewhere, self.claimed_elsewhere = [], []
        self.end, self.sites = None, set()
        leaf = self._leaf(function)
        if self.limit is not None:
            raise self.limit
        if self.depth < len(self.trail):
            self.note(Unsupported(NOT_THE_SAME))
        if self.noted:
            self.found.unsupported += self.noted
            return OPEN
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
            return OPEN
        except TruthsayerError:
            raise
        except (MemoryError, z3.Z3Exception) as limit:
            raise GaveUp(f"the limits were reached: {told(limit)}") from limit
        except (Exception, SystemExit) as crash:
            self.found.paths += 1
            self._see_that_nobody_went_on()
            if not self.noted and is_a_mistake_in_the_property(crash):
                self.note(Unsupported(f"the property itself fails: {told(crash)}"))
            if self.noted:
                return OPEN
            self.found.crashes.append(told(crash))
            return FALSE
        self.found.paths += 1
        self._see_that_nobody_went_on()
        return self._ended()

    def _see_that_nobody_went_on(self) -> None:
        if self.end is not None:
            self.note(Unsupported(NOT_TO_BE_CAUGHT))

    def _ended(self) -> Term:
        """The leaf of a path: everything that was claimed on it."""
        if self.claimed:
            self.found.claims += 1
            self.found.claimed_at |= self.sites
            if self.found.witness is None:
                self.found.witness = self.path()
            self._note_covered()
            if not self.found.depending and self._is_shut_in():
                self.found.depending.add("")
        else:
            self._note_left_out(self.trail)
        return self._claimed_so_far()

    def _note_left_out(self, decisions: Iterable[_Decision]) -> None:
        """Note the numbers of which some values are left out: nothing is claimed of these."""
        for each in decisions:
            if not (each.choice or each.bounds) and (each.stated or not each.exists):
                self.found.covered.left_out |= (each.taken or self._condition(each)).names

    def _note_covered(self) -> None:
        """Note what the path covers: only what was known by the time of a claim."""
        covered = self.found.covered
        self._note_left_out(each for each in self.trail[: self.last_claim] if each.stated)
        for position, inputs in self.claimed_from:
            covered.look.at(position, inputs)
        for position, inputs in self.claimed_elsewhere:
            covered.elsewhere.at(position, inputs)
        given, begin = list(self.given.values()), 0
        for end, depth in self.known_by:
            numbers = []
            for each in given[begin:end]:
                if each.count is None:
                    numbers.append(each)
                else:
                    covered.of_option(each.name, self.chosen[each.name], self.option[each.name])
            covered.of_numbers(numbers, partial(self._conditions, depth))
            begin = end

    def _conditions(self, depth: int) -> list[Condition]:
        """The conditions on numbers of a claim that was made after so many decisions."""
        before = [each for each in self.trail[:depth] if each.assumed or each.forks]
        exist = [each for each in self.trail[depth:] if each.exists]
        decided = (each for each in (*before, *exist) if not each.choice)
        return [each.taken or self._condition(each) for each in decided]

    def _condition(self, decision: _Decision) -> Condition:
        """The condition of the side taken, made once for all decisions about the same."""
        key = decision.condition.get_id(), decision.side
        if key not in self.conditions:
            self.conditions[key] = Condition(_taken(decision), is_bound=decision.bounds)
        decision.taken = self.conditions[key]
        return decision.taken

    def _is_shut_in(self) -> bool:
        """Whether what was assumed or decided before a claim shuts a branch, not what exists."""
        for each in self.trail[: self.last_claim]:
            if each.shuts:
                exist = [_taken(one) for one in self.trail if one.exists]
                each.shuts = not follows(_taken(each), exist, self.budget.work)
                if each.shuts:
                    return True
        return False

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
                last.side, last.other, last.taken = not last.side, leaf, None
                self.model, last.waiting = last.waiting, None
                return True
            self.trail.pop()
            leaf = _fork(last, leaf)
        self.found.certificate = leaf
        return False

    def _close_open_branches(self) -> None:
        """Fold what is there; what was not explored stays open."""
        leaf = OPEN
        while self.trail:
            last = self.trail.pop()
            if last.waiting is not None:
                last.other = OPEN
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
                self.found.infeasible += 1
                return _Decision(condition, False, None, FALSE, shuts=True)
            decision = _Decision(condition, True, self.model, FALSE)
            self.model = model
        decision.forks = decision.waiting is not None
        decision.shuts = not decision.forks
        self.found.infeasible += decision.shuts
        return decision

    def _decide_choice(self, condition: Term) -> _Decision:
        """Every option is feasible: the choice is fresh and nothing else depends on it."""
        return _Decision(condition, True, self.model, FALSE, choice=True, forks=True)

    def _model_says(self, condition: Term) -> bool:
        return holds_in(self.model, condition)

    def feasible(self, condition: Term) -> Any:
        """A model of the path so far in which the condition holds, or nothing."""
        try:
            self._tell_the_path()
            answer = asked(self.solver, condition)
        except z3.Z3Exception as fault:
            raise self._gave_up(f"the solver failed on a branch: {told(fault)}") from fault
        if answer == z3.unknown:
            raise self._gave_up(f"{OUT_OF_WORK} on a branch{MORE_WORK}")
        return self.solver.model() if answer == z3.sat else None

    def _gave_up(self, why: str) -> GaveUp:
        """The error to raise, which counts even if somebody catches it."""
        self.limit = self.limit or GaveUp(why)
        return self.limit

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

    def assume(self, condition: bool, by: str) -> None:
        """Only the side where the condition holds is explored; the other claims no more."""
        if by and condition is not True:
            self.found.granted_by.add(by)
        self._restrict(condition, PathEnds, stated=True)

    def domain(self, condition: bool, stated: bool) -> None:
        """Only the side where the condition holds is explored; the other does not exist."""
        if stated and self.claimed and condition is not True and self._was_claimed_of(condition):
            raise reject(Unsupported(f"{HIDES} ({', '.join(self._names(condition))})"))
        self._restrict(condition, NoSuchPosition, stated=stated)

    def _was_claimed_of(self, condition: bool) -> bool:
        """Whether something was claimed of an unknown of a condition; without any, of all."""
        known, names = [*self.given][: self.known_by[-1][0]], self._names(condition)
        return not names or any(name in known for name in names)

    def _names(self, condition: Any) -> list[str]:
        return sorted(names_in(condition.term)) if isinstance(condition, SymBool) else []

    def _restrict(self, condition: bool, end: type[PathEnds], *, stated: bool) -> None:
        if isinstance(condition, SymBool):
            condition = self._go(condition, lambda term: self._keep_to(term, end, stated))
        if not condition:
            self._see_that_nobody_went_on()
            self.end = end()
            raise self.end

    def _keep_to(self, condition: Term, end: type[PathEnds], stated: bool) -> _Decision:
        if not self._model_says(condition):
            model = self.feasible(condition)
            if model is None:
                return _Decision(condition, False, None, FALSE)
            self.model = model
        exists = end is NoSuchPosition
        elsewhere = TRUE if exists else self._claimed_so_far()
        return _Decision(
            condition, True, None, elsewhere, assumed=True, exists=exists, stated=stated
        )

    def claim(self, condition: bool, text: str, of: str) -> None:
        """Every claim of a path becomes a part of its leaf."""
        del text
        self.claimed.append(bool_term(condition))
        self._note_what_is_known(of)
        self.sites.update(sites_of(sys._getframe(2)))
        if of:
            self.found.claimed_of.add(of)
        is_open = isinstance(condition, SymBool)
        self.found.open_claims += is_open
        if is_open or settled_for_all() > self.settled_before:
            self.found.depending.add(of)
        self.settled_before = settled_for_all()

    def _note_what_is_known(self, of: str) -> None:
        """Remember what a claim is about: the unknowns so far, and what was staged."""
        self.last_claim = self.depth
        if not self.known_by or self.known_by[-1][0] < len(self.given):
            self.known_by.append((len(self.given), self.depth))
        if self.staged is not None:
            self.claimed_from.append(self.staged)
            self.staged = None
        if self.staged_elsewhere:
            self.claimed_elsewhere += self.staged_elsewhere
            self.staged_elsewhere = []
            self.found.elsewhere_of.add(of)

    def quantity(self, name: str, low: int, high: int | None) -> Quantity:
        """A Z3 constant between its bounds."""
        wanted = name, low, high
        if wanted not in self.numbers:
            self.numbers[wanted] = self._new_number(Input(name, low, high))
        return self.numbers[wanted]

    def _new_number(self, wanted: Input) -> Quantity:
        value: Quantity = symbol(wanted.name)
        if self._is_new(wanted):
            low, high = wanted.low, wanted.high
            bounds = value >= low if high is None else all_of(value >= low, value <= high)
            self._restrict(bounds, NoSuchPosition, stated=False)
            self.trail[self.depth - 1].bounds = True
        return value

    def choose(self, name: str, options: Sequence[Any], *, column: bool = False) -> int:
        """A Z3 constant, made concrete by one branch for each option but the last."""
        count = len(options)
        if count < 1:
            raise ValueError(f"nothing to choose for {name}")
        if not column:
            require_same_options(name, self.options.setdefault(name, options), options)
        before = self.given.get(name)
        if before is None or before.count != count:
            self._choose_first(name, options)
        return self.chosen[name]

    def _choose_first(self, name: str, options: Sequence[Any]) -> None:
        count = len(options)
        if self._is_new(Input(name, 0, count=count)):
            selector = symbol(name)
            self._go(all_of(selector >= 0, selector < count), self._restrict_choice)
            self.chosen[name] = next(
                (at for at in range(count - 1) if self._go(selector == at, self._decide_choice)),
                count - 1,
            )
            self.option[name] = options[self.chosen[name]]

    def _is_new(self, wanted: Input) -> bool:
        """Whether this path asks for the unknown for the first time; it may not change later."""
        if wanted.name not in self.found.inputs:
            check_name(wanted.name)
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
        """Positions are shown by a replay; here only what they cover is noted."""
        if is_elsewhere():
            self.staged_elsewhere.append((position, inputs))
        else:
            self.staged = position, inputs


def _taken(decision: _Decision) -> Term:
    return decision.condition if decision.side else negated(decision.condition)


def _fork(decision: _Decision, leaf: Term) -> Term:
    if decision.side:
        return truth_where(decision.condition, leaf, decision.other)
    return truth_where(decision.condition, decision.other, leaf)


def told(crash: BaseException) -> str:
    """An exception with the place it came from."""
    frames = traceback.extract_tb(crash.__traceback__)
    where = frames[-1]
    file = "/".join(Path(where.filename).parts[-3:])
    return f"{type(crash).__name__}: {_words(crash)} at {file}:{where.lineno} ({where.name})"


def is_a_mistake_in_the_property(crash: BaseException) -> bool:
    """Whether an error comes from the verifier's own code; what that asserts is about the rules."""
    return _is_of_the_verifier(crash) and not isinstance(crash, AssertionError)


def is_asserted(crash: BaseException) -> bool:
    """Whether the verifier expected something else of the rules."""
    return _is_of_the_verifier(crash) and isinstance(crash, AssertionError)


def _is_of_the_verifier(crash: BaseException) -> bool:
    where = Path(traceback.extract_tb(crash.__traceback__)[-1].filename)
    return where.is_relative_to(VERIFIER)


def _words(crash: BaseException) -> str:
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
