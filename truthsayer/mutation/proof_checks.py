"""The properties, case by case, as checks of mutants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import z3

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.mutation.checks import CRASHES, FAILS, PROOFS, Check
from truthsayer.mutation.mutants import digest
from verifier import properties as files
from verifier.api import properties
from verifier.current import PathEnds, Unsupported
from verifier.explorer import Budget, Exploration, Explorer
from verifier.numbers import bool_term, forget, named
from verifier.obligations import function_of, obligations
from verifier.registry import Property
from verifier.replay import replay
from verifier.terms import OPEN


def proof_checks() -> Iterator[Check]:
    """Every obligation: a property in one of its cases, or several that share a run."""
    sources = {each.name: _source(each) for each in properties()}
    about = {each.name: _files(each) for each in properties()}
    for each in obligations(properties()):
        content = digest(f"{each.title}\0".encode() + sources[each.names[0]])
        yield Check(
            PROOFS, each.title, content, _Settle(function_of(each)), about=about[each.names[0]]
        )


def _source(each: Property) -> bytes:
    """The file of a property."""
    return Path(files.__file__).with_name(f"{each.file}.py").read_bytes()


def _files(each: Property) -> frozenset[str]:
    """The files that its twins change. What holds in every step is not about one of them alone."""
    return frozenset() if each.family else frozenset(twin.file for twin in each.twins.values())


class _Settle:
    """Settles one case, as far as its first failure."""

    def __init__(self, function: Callable[[], object]) -> None:
        self.function = function

    def __call__(self) -> str:
        try:
            return how_refuted(self.function)
        except TruthsayerError:
            # The true engine gives none here, or the property would not be proved.
            return CRASHES
        except Unsupported:
            # No verdict, so nothing is noticed.
            return ""
        finally:
            forget()


class _Failure(BaseException):
    """A path on which the values at hand break a claim, or the engine. No rule may catch it."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class _UpToTheFirst(Explorer):
    """Stops at the first claim that does not hold for the values that the path is explored with."""

    def claim(self, condition: bool, text: str, of: str) -> None:
        """Look at the claim at once."""
        super().claim(condition, text, of)
        if not z3.is_true(self.model.eval(bool_term(condition), model_completion=True)):
            raise _Failure(FAILS)


def how_refuted(function: Callable[[], object]) -> str:
    """How the claims of a function fail on the engine as it is now; nothing if it is not known."""

    def to_the_end() -> None:
        try:
            function()
        except (TruthsayerError, Unsupported, PathEnds):
            raise
        except Exception as crash:
            raise _Failure(CRASHES) from crash

    budget = Budget()
    explorer = _UpToTheFirst(budget)
    try:
        found = explorer.explore(to_the_end)
    except _Failure as failure:
        if not explorer.noted and _is_shown(function, explorer.model, explorer.found):
            return failure.how
        found = Explorer(budget).explore(function)
    return FAILS if _breaks_the_certificate(function, found, budget) else ""


def _breaks_the_certificate(
    function: Callable[[], object], found: Exploration, budget: Budget
) -> bool:
    """Whether there are values that break a claim on any path that was explored."""
    solver = z3.Solver()
    solver.set("rlimit", budget.work)
    solver.add(OPEN, z3.Not(found.certificate))
    return bool(solver.check() == z3.sat) and _is_shown(function, solver.model(), found)


def _is_shown(function: Callable[[], object], model: Any, found: Exploration) -> bool:
    """Whether a run with plain numbers fails: only then it is the engine that is wrong."""
    values = {
        name: model.eval(named(name), model_completion=True).as_long() for name in found.inputs
    }
    # What the run does not look at may have any value in the model, also one that cannot be.
    read = replay(function, values, real=False).read
    return bool(replay(function, {name: values.get(name, 0) for name in read}).failed)
