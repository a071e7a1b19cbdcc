"""The tie-reward proof: our verifier, a Z3 encoding written by hand, and CrossHair.

All three settle the same three claims about who takes which reward, for all natural strengths at a
table of four. Ours and CrossHair run the engine's `placing`; the encoding is a second model of it,
which is what the verifier spares us, and marks how fast it could be.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import z3

from rules_engine.imperium import combat
from rules_engine.imperium.combat import FIRST, NONE, placing
from verifier import claim, quantity, settle
from verifier.verdicts import PROVED

TABLE = 4
CONTENDERS = (2, 3, 4)
CROSSHAIR_SECONDS = 60.0
"""How long CrossHair may take for one number of contenders."""


def hold(strengths: tuple[int, ...]) -> bool:
    """At most one first reward, none for strength 0, and the first only above all others."""
    rewards = [placing(strengths, seat, TABLE).reward for seat in range(len(strengths))]
    if rewards.count(FIRST) > 1:
        return False
    for seat, strength in enumerate(strengths):
        if strength == 0 and rewards[seat] != NONE:
            return False
        others = strengths[:seat] + strengths[seat + 1 :]
        if rewards[seat] == FIRST and any(other >= strength for other in others):
            return False
    return True


# Ours


def verifier_seconds(contenders: int) -> float:
    """Our verifier, certificate included."""

    def function() -> None:
        strengths = tuple(quantity(f"strength {seat}") for seat in range(contenders))
        claim(hold(strengths), "the claims hold")

    started = time.perf_counter()
    verdict = settle(function).verdict
    assert verdict == PROVED, verdict
    return time.perf_counter() - started


# By hand


def encoding_seconds(contenders: int) -> float:
    """The ranking as Z3 terms, written down by hand, and the claims about it."""
    started = time.perf_counter()
    strengths = [z3.Int(f"s{seat}") for seat in range(contenders)]
    first = [_takes_first(strengths, own) for own in range(contenders)]
    nothing = [_takes_nothing(strengths, own) for own in range(contenders)]
    claims = [z3.AtMost(*first, 1)]
    for own in range(contenders):
        others = strengths[:own] + strengths[own + 1 :]
        claims.append(z3.Implies(strengths[own] == 0, nothing[own]))
        claims.append(z3.Implies(first[own], z3.And([other < strengths[own] for other in others])))
    solver = z3.Solver()
    solver.add([strength >= 0 for strength in strengths])
    solver.add(z3.Not(z3.And(claims)))
    answer = solver.check()
    assert answer == z3.unsat, answer
    return time.perf_counter() - started


def _count(conditions: list[Any]) -> Any:
    return z3.Sum([z3.If(condition, 1, 0) for condition in conditions])


def _above(strengths: list[Any], own: int) -> Any:
    return _count([other > strengths[own] for other in strengths])


def _level(strengths: list[Any], own: int) -> Any:
    return _count([other == strengths[own] for other in strengths])


def _takes_first(strengths: list[Any], own: int) -> Any:
    return z3.And(strengths[own] != 0, _above(strengths, own) == 0, _level(strengths, own) == 1)


def _takes_nothing(strengths: list[Any], own: int) -> Any:
    above, level = _above(strengths, own), _level(strengths, own)
    tied = _count([_above(strengths, seat) == 0 for seat in range(len(strengths))])
    third = z3.And(above == 2, level == 1)
    rewarded = z3.Or(above == 0, third, z3.And(tied < 2, above == 1))
    return z3.Or(strengths[own] == 0, z3.Not(rewarded))


# CrossHair


def two(a: int, b: int) -> bool:
    """The claims about two contenders.

    pre: a >= 0 and b >= 0
    post: __return__
    """
    return hold((a, b))


def three(a: int, b: int, c: int) -> bool:
    """The claims about three contenders.

    pre: a >= 0 and b >= 0 and c >= 0
    post: __return__
    """
    return hold((a, b, c))


def four(a: int, b: int, c: int, d: int) -> bool:
    """The claims about four contenders.

    pre: a >= 0 and b >= 0 and c >= 0 and d >= 0
    post: __return__
    """
    return hold((a, b, c, d))


@dataclasses.dataclass(frozen=True)
class PlainPlacing:
    """What `placing` gives to CrossHair, which cannot make the engine's records."""

    reward: str
    rules: tuple[str, ...]


CONTRACTS: dict[int, Callable[..., bool]] = {2: two, 3: three, 4: four}


def crosshair_seconds(contenders: int) -> float | None:
    """CrossHair, or nothing if it did not finish in time."""
    from crosshair.core_and_libs import analyze_function, run_checkables
    from crosshair.options import AnalysisOptionSet
    from crosshair.statespace import MessageType

    options = AnalysisOptionSet(
        per_condition_timeout=CROSSHAIR_SECONDS,
        per_path_timeout=CROSSHAIR_SECONDS,
        max_uninteresting_iterations=2**60,
        report_all=True,
    )
    started = time.perf_counter()
    with mock.patch.object(combat, "Placing", PlainPlacing):
        messages = run_checkables(analyze_function(CONTRACTS[contenders], options))
    seconds = time.perf_counter() - started
    states = {message.state for message in messages}
    refuted = states - {MessageType.CONFIRMED, MessageType.CANNOT_CONFIRM}
    assert not refuted, messages
    return seconds if states == {MessageType.CONFIRMED} else None


def main() -> None:
    """Print the seconds of all three and the ratios."""
    try:
        import crosshair
    except ModuleNotFoundError:
        print("CrossHair is missing: `make bench` installs it (the extra `bench`)")
        return
    del crosshair
    print(f"{'contenders':>10} {'by hand':>9} {'ours':>9} {'CrossHair':>12}   ours against each")
    for contenders in CONTENDERS:
        by_hand, ours = encoding_seconds(contenders), verifier_seconds(contenders)
        theirs = crosshair_seconds(contenders)
        shown = f"{theirs:.2f} s" if theirs else f"> {CROSSHAIR_SECONDS:.0f} s"
        faster = (theirs or CROSSHAIR_SECONDS) / ours
        least = "" if theirs else "at least "
        print(
            f"{contenders:>10} {by_hand:>7.3f} s {ours:>7.3f} s {shown:>12}   "
            f"{ours / by_hand:.0f} times the encoding, {least}{faster:.0f} times faster than "
            "CrossHair",
            flush=True,
        )
        if theirs is None:
            print(f"CrossHair did not finish {contenders} contenders within its time")
            return


if __name__ == "__main__":
    main()
