"""The tie-reward proof: our verifier, a Z3 encoding written by hand, and CrossHair.

All three settle the same claims, for all natural strengths at a table of four, about one contender
(as the properties do) and about all contenders at once. Ours and CrossHair run the engine's
`reward_of`; the encoding is a second model of it, which is what the verifier spares us, and marks
how fast it could be.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import z3

from rules_engine.imperium.combat import FIRST, NONE, SECOND, THIRD, reward_of
from rules_engine.kernel.numbers import count_true
from verifier import claim, quantity, settle
from verifier.verdicts import PROVED

TABLE = 4
CROSSHAIR_SECONDS = 60.0
"""How long CrossHair may take for one number of contenders."""


def hold_for_one(strengths: tuple[int, ...]) -> bool:
    """What the first contender takes: nothing at 0, the first alone on top, the second in a tie."""
    return _holds_for(strengths, 0)


def hold_for_all(strengths: tuple[int, ...]) -> bool:
    """The same of every contender, and at most one first reward."""
    seats = range(len(strengths))
    firsts = [seat for seat in seats if reward_of(strengths, seat, TABLE) == FIRST]
    return len(firsts) <= 1 and all(_holds_for(strengths, seat) for seat in seats)


def _holds_for(strengths: tuple[int, ...], own: int) -> bool:
    reward = reward_of(strengths, own, TABLE)
    if strengths[own] == 0:
        return reward == NONE
    above = count_true(other > strengths[own] for other in strengths)
    level = count_true(other == strengths[own] for other in strengths)
    if above == 0:
        return reward == (FIRST if level == 1 else SECOND)
    return reward != FIRST


CLAIMS: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "one contender": hold_for_one,
    "all contenders": hold_for_all,
}


# Ours


def verifier_seconds(claims: str, contenders: int) -> float:
    """Our verifier, certificate included."""

    def function() -> None:
        strengths = tuple(quantity(f"strength {seat}") for seat in range(contenders))
        claim(CLAIMS[claims](strengths), "the claims hold")

    started = time.perf_counter()
    verdict = settle(function).verdict
    assert verdict == PROVED, verdict
    return time.perf_counter() - started


# By hand


def encoding_seconds(claims: str, contenders: int) -> float:
    """The ranking as Z3 terms, written down by hand, and the claims about it."""
    started = time.perf_counter()
    strengths = [z3.Int(f"s{seat}") for seat in range(contenders)]
    everybody = claims == "all contenders"
    wanted = [_claim(strengths, own) for own in range(contenders if everybody else 1)]
    if everybody:
        firsts = [_reward(strengths, own) == CODES[FIRST] for own in range(contenders)]
        wanted.append(z3.AtMost(*firsts, 1))
    solver = z3.Solver()
    solver.add([strength >= 0 for strength in strengths])
    solver.add(z3.Not(z3.And(wanted)))
    answer = solver.check()
    assert answer == z3.unsat, answer
    return time.perf_counter() - started


CODES = {FIRST: 1, SECOND: 2, THIRD: 3, NONE: 0}


def _claim(strengths: list[Any], own: int) -> Any:
    above, level, reward = (of(strengths, own) for of in (_above, _level, _reward))
    top = z3.If(level == 1, CODES[FIRST], CODES[SECOND])
    ranked = z3.If(above == 0, reward == top, reward != CODES[FIRST])
    return z3.If(strengths[own] == 0, reward == CODES[NONE], ranked)


def _reward(strengths: list[Any], own: int) -> Any:
    above, level = _above(strengths, own), _level(strengths, own)
    third = z3.If(z3.And(above == 2, level == 1), CODES[THIRD], CODES[NONE])
    second = z3.If(level == 1, CODES[SECOND], CODES[THIRD])
    below = z3.If(above == 1, second, third)
    top = z3.If(level == 1, CODES[FIRST], CODES[SECOND])
    return z3.If(strengths[own] == 0, CODES[NONE], z3.If(above == 0, top, below))


def _count(conditions: list[Any]) -> Any:
    return z3.Sum([z3.If(condition, 1, 0) for condition in conditions])


def _above(strengths: list[Any], own: int) -> Any:
    return _count([other > strengths[own] for other in strengths])


def _level(strengths: list[Any], own: int) -> Any:
    return _count([other == strengths[own] for other in strengths])


# CrossHair


def one_of_three(strengths: tuple[int, int, int]) -> bool:
    """The claims about one of three contenders.

    pre: all(strength >= 0 for strength in strengths)
    post: __return__
    """
    return hold_for_one(strengths)


def all_of_three(strengths: tuple[int, int, int]) -> bool:
    """The claims about all of three contenders.

    pre: all(strength >= 0 for strength in strengths)
    post: __return__
    """
    return hold_for_all(strengths)


def one_of_four(strengths: tuple[int, int, int, int]) -> bool:
    """The claims about one of four contenders.

    pre: all(strength >= 0 for strength in strengths)
    post: __return__
    """
    return hold_for_one(strengths)


def all_of_four(strengths: tuple[int, int, int, int]) -> bool:
    """The claims about all of four contenders.

    pre: all(strength >= 0 for strength in strengths)
    post: __return__
    """
    return hold_for_all(strengths)


CONTRACTS: dict[tuple[str, int], Callable[..., bool]] = {
    ("one contender", 3): one_of_three,
    ("one contender", 4): one_of_four,
    ("all contenders", 3): all_of_three,
    ("all contenders", 4): all_of_four,
}


def crosshair_seconds(claims: str, contenders: int) -> float | None:
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
    messages = run_checkables(analyze_function(CONTRACTS[claims, contenders], options))
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
    print("for all natural strengths     by hand       ours    CrossHair")
    for claims, contenders in CONTRACTS:
        by_hand = encoding_seconds(claims, contenders)
        ours = verifier_seconds(claims, contenders)
        theirs = crosshair_seconds(claims, contenders)
        shown = f"{theirs:.2f} s" if theirs else f"> {CROSSHAIR_SECONDS:.0f} s"
        least = "" if theirs else "at least "
        faster = (theirs or CROSSHAIR_SECONDS) / ours
        print(
            f"{claims:>14} of {contenders}   {by_hand:>13.3f} s {ours:>8.3f} s {shown:>12}   "
            f"ours: {ours / by_hand:.0f} times the encoding, {least}{faster:.0f} times faster "
            "than CrossHair",
            flush=True,
        )


if __name__ == "__main__":
    main()
