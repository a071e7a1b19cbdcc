"""The ranking of a Combat proved three ways: our verifier, Z3 terms written by hand, CrossHair.

All three settle the same claims for all natural strengths. Ours and CrossHair run the engine's
`reward_of` and the claims as they stand here. The terms are a second model of both, which is what
the verifier spares us, and mark how fast a proof could be.

A claim about one or two contenders is about any of them: ours chooses the seats, the terms say it
of all, CrossHair gets the choice as an argument. It is faster with one contract for each choice, so
that is measured too. The last claim ranks everybody in one run, as a Combat does, which is the
worst case for whoever follows paths: rule and claims are written with `pick`, so that ours follows
one.

Seconds are those of the processor, so that a busy machine matters less. Ours and the terms take
turns and medians count. CrossHair runs once, after them so that nothing of it weighs on them, and
within a limit of time.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import z3

from rules_engine.imperium.combat import FIRST, NONE, SECOND, THIRD, reward_of
from rules_engine.kernel.numbers import count_true, pick
from rules_engine.kernel.records import Record
from tests.bench.aims import aimed, told
from verifier import claim, quantity, settle
from verifier.current import choose
from verifier.verdicts import PROVED

CONTENDERS = (2, 3, 4, 6)
TABLE = 6
ROUNDS = 5
ROUNDS_END = 20.0
"""After so many seconds no further round begins."""
CROSSHAIR_SECONDS = 60.0
"""How long CrossHair may take on the clock for one claim about one number of contenders."""
TIMES_BY_HAND = 3
MORE_FOR_ALL = {6: 10}
"""All of a Combat in one run may cost more than that, with so many contenders."""
TIMES_CROSSHAIR = 300

Strengths = tuple[int, ...]
Seats = tuple[int, ...]


# The claims, run by ours and by CrossHair


def takes_by_rank(strengths: Strengths, own: int) -> bool:
    """Nothing at 0, the first alone on top, the second tied on top, no first below."""
    reward = reward_of(strengths, own, TABLE)
    above = count_true(other > strengths[own] for other in strengths)
    level = count_true(other == strengths[own] for other in strengths)
    top = pick(level == 1, reward == FIRST, reward == SECOND)
    ranked = pick(above == 0, top, reward != FIRST)
    return pick(strengths[own] == 0, reward == NONE, ranked)


def not_both_first(strengths: Strengths, one: int, other: int) -> bool:
    """No two contenders take the first reward."""
    return count_true(reward_of(strengths, seat, TABLE) == FIRST for seat in (one, other)) <= 1


def all_hold(strengths: Strengths) -> bool:
    """Both claims about everybody."""
    seats = range(len(strengths))
    firsts = count_true(reward_of(strengths, seat, TABLE) == FIRST for seat in seats)
    ranked = count_true(takes_by_rank(strengths, seat) for seat in seats)
    return pick(firsts <= 1, ranked == len(strengths), False)


# The same written by hand

CODES = {FIRST: 1, SECOND: 2, THIRD: 3, NONE: 0}


def takes_by_rank_term(strengths: list[Any], own: int) -> Any:
    """The first claim as a term."""
    above, level, reward = (of(strengths, own) for of in (_above, _level, _reward))
    top = z3.If(level == 1, CODES[FIRST], CODES[SECOND])
    ranked = z3.If(above == 0, reward == top, reward != CODES[FIRST])
    return z3.If(strengths[own] == 0, reward == CODES[NONE], ranked)


def not_both_first_term(strengths: list[Any], one: int, other: int) -> Any:
    """The second claim as a term."""
    return z3.Not(z3.And([_reward(strengths, seat) == CODES[FIRST] for seat in (one, other)]))


def all_hold_term(strengths: list[Any]) -> Any:
    """The third claim as a term."""
    seats = range(len(strengths))
    firsts = [_reward(strengths, seat) == CODES[FIRST] for seat in seats]
    return z3.And(z3.AtMost(*firsts, 1), *(takes_by_rank_term(strengths, seat) for seat in seats))


def _reward(strengths: list[Any], own: int) -> Any:
    above, level = _above(strengths, own), _level(strengths, own)
    third = z3.If(z3.And(above == 2, level == 1), CODES[THIRD], CODES[NONE])
    second = z3.If(level == 1, CODES[SECOND], CODES[THIRD])
    below = z3.If(above == 1, second, third)
    top = z3.If(level == 1, CODES[FIRST], CODES[SECOND])
    return z3.If(strengths[own] == 0, CODES[NONE], z3.If(above == 0, top, below))


def _above(strengths: list[Any], own: int) -> Any:
    return _count([other > strengths[own] for other in strengths])


def _level(strengths: list[Any], own: int) -> Any:
    return _count([other == strengths[own] for other in strengths])


def _count(conditions: list[Any]) -> Any:
    return z3.Sum([z3.If(condition, 1, 0) for condition in conditions])


class Claim(Record):
    """A claim about so many contenders, as a function and as a term."""

    name: str
    about: int
    holds: Callable[..., bool]
    term: Callable[..., Any]


CLAIMS = (
    Claim("what a contender takes", 1, takes_by_rank, takes_by_rank_term),
    Claim("no two take the first reward", 2, not_both_first, not_both_first_term),
    Claim("all of it in one run", 0, all_hold, all_hold_term),
)


def choices(what: Claim, contenders: int) -> list[Seats]:
    """The seats that a claim can be about."""
    return list(combinations(range(contenders), what.about))


# Ours and the terms


def ours(what: Claim, contenders: int) -> float:
    """Seconds of our verifier, check of the certificate included."""

    def function() -> None:
        strengths = tuple(quantity(f"strength {seat}") for seat in range(contenders))
        seats = choose("seats", choices(what, contenders))
        claim(what.holds(strengths, *seats), what.name)

    begun = time.process_time()
    verdict = settle(function).verdict
    assert verdict == PROVED, verdict
    return time.process_time() - begun


def by_hand(what: Claim, contenders: int) -> float:
    """Seconds to build the terms and to find that no strengths contradict them."""
    begun = time.process_time()
    strengths = [z3.Int(f"s{seat}") for seat in range(contenders)]
    solver = z3.Solver()
    solver.add([strength >= 0 for strength in strengths])
    every = [what.term(strengths, *seats) for seats in choices(what, contenders)]
    solver.add(z3.Not(z3.And(every)))
    answer = solver.check()
    assert answer == z3.unsat, answer
    return time.process_time() - begun


class Times(Record):
    """Median seconds of the terms and of ours."""

    by_hand: float
    ours: float


def in_turns(what: Claim, contenders: int) -> Times:
    """Some rounds of both."""
    rounds: list[Times] = []
    while len(rounds) < ROUNDS and sum(each.ours for each in rounds) < ROUNDS_END:
        rounds.append(Times(by_hand(what, contenders), ours(what, contenders)))
    return Times(
        statistics.median(each.by_hand for each in rounds),
        statistics.median(each.ours for each in rounds),
    )


# CrossHair


class Effort(Record):
    """Seconds of CrossHair, and whether it came to an end."""

    seconds: float
    confirmed: bool

    def __str__(self) -> str:
        return f"{self.seconds:.3f} s" if self.confirmed else f"> {self.seconds:.0f} s (gave up)"


def crosshair(what: Claim, contenders: int) -> Effort:
    """One contract, with the choice of seats as an argument."""
    every = choices(what, contenders)

    def holds(strengths: Any, choice: int) -> bool:
        """Say of any seats that the claim holds.

        pre: all(strength >= 0 for strength in strengths)
        pre: 0 <= choice < len(every)
        post: __return__
        """
        return what.holds(strengths, *every[choice])

    holds.__annotations__["strengths"] = _numbers(contenders)
    return _effort([holds])


def crosshair_seat_by_seat(what: Claim, contenders: int) -> Effort:
    """One contract for each choice of seats."""
    return _effort([_contract(what, contenders, seats) for seats in choices(what, contenders)])


def _contract(what: Claim, contenders: int, seats: Seats) -> Callable[..., bool]:
    def holds(strengths: Any) -> bool:
        """Say of these seats that the claim holds.

        pre: all(strength >= 0 for strength in strengths)
        post: __return__
        """
        return what.holds(strengths, *seats)

    holds.__annotations__["strengths"] = _numbers(contenders)
    return holds


def _numbers(count: int) -> Any:
    """The type of a tuple of so many numbers: CrossHair is faster if it knows how many."""
    return tuple.__class_getitem__((int,) * count)


def _effort(contracts: list[Callable[..., bool]]) -> Effort:
    """Let CrossHair confirm all contracts, or as many as it can in time."""
    from crosshair.core_and_libs import analyze_function, run_checkables
    from crosshair.options import AnalysisOptionSet
    from crosshair.statespace import MessageType

    begun, end = time.process_time(), time.monotonic() + CROSSHAIR_SECONDS
    for contract in contracts:
        left = max(end - time.monotonic(), 0.1)
        options = AnalysisOptionSet(
            per_condition_timeout=left,
            per_path_timeout=left,
            max_uninteresting_iterations=2**60,
            report_all=True,
        )
        messages = run_checkables(analyze_function(contract, options))
        states = {message.state for message in messages}
        if states != {MessageType.CONFIRMED}:
            assert states == {MessageType.CANNOT_CONFIRM}, messages
            return Effort(time.process_time() - begun, confirmed=False)
    return Effort(time.process_time() - begun, confirmed=True)


# All of them


def main() -> None:
    """Print the seconds of all sides, the ratios, and what was aimed at."""
    every = [(what, contenders) for what in CLAIMS for contenders in CONTENDERS]
    found = {each: in_turns(*each) for each in every}
    for each, times in found.items():
        print(_title(*each))
        told("  by hand", f"{times.by_hand:.3f} s")
        told("  ours", f"{times.ours:.3f} s")
        slower = times.ours / times.by_hand
        most = _most(*each)
        aimed("  ours against by hand", f"{slower:.1f}x", f"at most {most}x", slower <= most)
    if find_spec("crosshair") is None:
        print("CrossHair is missing: `make bench` installs it (the extra `bench`)")
        return
    for each, times in found.items():
        print(_title(*each), flush=True)
        _tell_crosshair("CrossHair", crosshair(*each), times)
        if each[0].about:
            _tell_crosshair("CrossHair, seat by seat", crosshair_seat_by_seat(*each), times)


def _most(what: Claim, contenders: int) -> int:
    """How many times the terms written by hand a proof may cost."""
    return TIMES_BY_HAND if what.about else MORE_FOR_ALL.get(contenders, TIMES_BY_HAND)


def _title(what: Claim, contenders: int) -> str:
    return f"{what.name}, {contenders} contenders"


def _tell_crosshair(name: str, effort: Effort, times: Times) -> None:
    told(f"  {name}", str(effort))
    at_least = "" if effort.confirmed else "> "
    faster = effort.seconds / times.ours
    aimed(
        "  ours is faster",
        f"{at_least}{faster:.0f}x",
        f"at least {TIMES_CROSSHAIR}x",
        faster >= TIMES_CROSSHAIR,
    )
    told("  by hand is faster", f"{at_least}{effort.seconds / times.by_hand:.0f}x")


if __name__ == "__main__":
    main()
