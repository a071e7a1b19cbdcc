"""Checks of our own about one rule function, quick to run."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.imperium import units
from rules_engine.imperium.state import ThisTurn
from truthsayer.mutation.checks import FAILS, SCENARIOS, Check
from truthsayer.mutation.mutants import RULES, Mutant, all_mutants

ALLOWANCE = (
    (RULES / "units.py").as_posix(),
    units.allowance.__code__.co_firstlineno,
)


def of_allowance() -> list[Mutant]:
    """The mutants of a small function."""
    return [
        each for each in all_mutants([RULES / "units.py"]) if each.function.endswith("allowance")
    ]


def check(name: str, run: Callable[[], str], content: str = "") -> Check:
    """A check that reaches the function."""
    return Check(SCENARIOS, name, content or name * 8, run, 0.01, frozenset({ALLOWANCE}))


def says(expected: int, turn: ThisTurn) -> Callable[[], str]:
    """What a scenario about the allowance would find out."""

    def run() -> str:
        return "" if units.allowance(turn) == expected else FAILS

    return run


FULL = check("full", says(4, ThisTurn(seat=0, recruited=3, deployed=1, combat=True)))
NO_COMBAT = check("no combat", says(2, ThisTurn(seat=0, recruited=3, deployed=1)))
ALL = [FULL, NO_COMBAT]
