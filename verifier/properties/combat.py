"""Who is given which reward of a Conflict: every clause about ranking and ties.

Each Combat is played out from its resolution to its end, by all players with any strengths, and
all is told from what the players have afterwards.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable

from rules_engine.imperium.state import follows
from rules_engine.kernel.numbers import count_true
from rules_engine.kernel.outcomes import Seat
from verifier.combats import FIRST, KINDS, NOTHING, ORDER, SECOND, THIRD, Played, played
from verifier.current import claim, claims_of
from verifier.numbers import all_of, any_of, implies, opposite
from verifier.positions import NAMES
from verifier.registry import Family, Twin, Twins, proves

TABLES = (3, 4)
CASES = tuple({"players": players, "kind": kind} for players in TABLES for kind in KINDS)

Claims = Callable[[Played], None]
"""Says something about a Combat that was played out."""

CLAIMS: dict[str, Claims] = {}


def _run_together(names: tuple[str, ...], players: int, kind: str) -> None:
    """Play a Combat out once and make the claims of several properties about it."""
    done = played(players, kind)
    for name in names:
        with claims_of(name):
            CLAIMS[name](done)


FAMILY = Family("combats", _run_together)


def _of_every_combat(twins: Twins) -> Callable[[Claims], Claims]:
    """Register claims about a Combat as a property."""

    def register(claims: Claims) -> Claims:
        name = claims.__name__

        def run(players: int, kind: str) -> None:
            _run_together((name,), players, kind)

        functools.update_wrapper(run, claims)
        CLAIMS[name] = claims
        proves(twins, cases=CASES, family=FAMILY)(run)
        return claims

    return register


def _twin(old: str, new: str) -> Twin:
    return Twin("rules_engine.imperium.combat", old, new)


LARGE = 4
"""From so many players on, third place has a reward of its own. UPR-COMBAT-013"""


def _claim_given(done: Played, seat: Seat, condition: object, place: str) -> None:
    claim(implies(condition, done.given(seat, place)), f"{NAMES[seat]} is given {place}")


# First, second and third place


@_of_every_combat(
    {
        "UPR-COMBAT-011": _twin(
            "return count_true(other > strength for other in strengths)",
            "return count_true(other >= strength for other in strengths)",
        )
    }
)
def the_single_strongest_takes_the_first_reward(done: Played) -> None:
    """Unsatisfiable iff whoever has more strength than each other has the first reward afterwards.

    It has what cards have added to it, a sandworm doubles all of it, and no other reward comes with
    it.
    """
    for seat in done.seats:
        _claim_given(done, seat, done.wins(seat), FIRST)


@_of_every_combat(
    {
        "UPR-COMBAT-011": _twin("placed = pick(above == 0,", "placed = pick(above <= 1,"),
        "UPR-COMBAT-017": _twin("pick(alone, FIRST, SECOND)", "FIRST"),
    }
)
def at_most_one_player_takes_the_first_reward(done: Played) -> None:
    """Unsatisfiable iff no two players have the first reward afterwards."""
    firsts = count_true(done.given(seat, FIRST) for seat in done.seats)
    claim(firsts <= 1, "at most one player is given the first reward")


@_of_every_combat({"UPR-COMBAT-012": _twin("pick(above == 1,", "pick(above == 3,")})
def the_single_next_strongest_takes_the_second_reward(done: Played) -> None:
    """Unsatisfiable iff whoever is below one single player and above all others comes second."""
    for seat in done.seats:
        _claim_given(done, seat, done.second(seat), SECOND)


@_of_every_combat(
    {
        "UPR-COMBAT-013": _twin("if players >= LARGE_TABLE", "if players > LARGE_TABLE"),
        "UPR-COMBAT-014": _twin("LARGE_TABLE = 4", "LARGE_TABLE = 3"),
    }
)
def third_place_has_a_reward_at_a_large_table_only(done: Played) -> None:
    """Unsatisfiable iff a single third has the third reward with four players, else nothing."""
    for seat in done.seats:
        _claim_given(done, seat, done.third(seat), THIRD if len(done.seats) >= LARGE else NOTHING)


@_of_every_combat({"UPR-COMBAT-014": _twin("pick(alone, SECOND, THIRD)", "THIRD")})
def with_a_winner_the_third_reward_is_for_a_tie_for_second_or_third_place(done: Played) -> None:
    """Unsatisfiable iff, below a winner, whoever has the third reward has it by right.

    With three players that is only in a tie for second; with four, in third place too, which is
    below exactly two.
    """
    for seat in done.seats:
        third_place = done.above(seat) == 2 if len(done.seats) >= LARGE else False
        by_right = any_of(done.tied_for_second(seat), third_place)
        won = any_of(*(done.wins(top) for top in done.others(seat)))
        condition = all_of(won, done.given(seat, THIRD))
        claim(implies(condition, by_right), f"{NAMES[seat]} has the third reward by right")


@_of_every_combat(
    {"UPR-COMBAT-015": _twin("pick(strength == 0, NONE,", "pick(strength < 0, NONE,")}
)
def strength_zero_takes_nothing(done: Played) -> None:
    """Unsatisfiable iff whoever has strength 0 is given no reward."""
    for seat in done.seats:
        _claim_given(done, seat, done.strength(seat) == 0, NOTHING)


# Ties for first


@_of_every_combat(
    {"UPR-COMBAT-016": _twin("pick(alone, FIRST, SECOND)", "pick(alone, FIRST, THIRD)")}
)
def all_tied_for_first_take_the_second_reward(done: Played) -> None:
    """Unsatisfiable iff whoever shares the top strength has the second reward afterwards."""
    for seat in done.seats:
        _claim_given(done, seat, done.tied_for_first(seat), SECOND)


@_of_every_combat(
    {"UPR-COMBAT-017": _twin("if taking.reward == FIRST:", "if taking.reward != THIRD:")}
)
def nobody_wins_a_conflict_tied_for_first(done: Played) -> None:
    """Unsatisfiable iff, with a tie for first, nobody has the first reward or the card."""
    tie = done.at_the_top() >= 2
    for seat in done.seats:
        given = any_of(done.given(seat, FIRST), done.won(seat))
        claim(implies(tie, opposite(given)), f"{NAMES[seat]} does not win")


@_of_every_combat(
    {
        "UPR-COMBAT-018": _twin(
            "third = THIRD if players >= LARGE_TABLE else NONE", "third = THIRD"
        ),
        "UPR-COMBAT-019": _twin("below = pick(above == 2,", "below = pick(above >= 2,"),
        "UPR-COMBAT-020": _twin("below = pick(above == 2,", "below = pick(above == 3,"),
    }
)
def below_a_tie_for_first_only_a_single_next_at_a_large_table_is_rewarded(done: Played) -> None:
    """Unsatisfiable iff, below a tie for first, nobody is given anything but in one case.

    With four players and exactly two of them tied, the single next has the third reward.
    """
    tied = done.at_the_top()
    for seat in done.seats:
        below = all_of(tied >= 2, opposite(done.tied_for_first(seat)))
        rewarded = all_of(len(done.seats) >= LARGE, tied == 2, done.next_below_two(seat))
        _claim_given(done, seat, all_of(below, rewarded), THIRD)
        _claim_given(done, seat, all_of(below, opposite(rewarded)), NOTHING)


# Ties for second and third


@_of_every_combat(
    {"UPR-COMBAT-021": _twin("pick(alone, SECOND, THIRD)", "pick(alone, SECOND, NONE)")}
)
def all_tied_for_second_take_the_third_reward(done: Played) -> None:
    """Unsatisfiable iff whoever shares the place below a single winner has the third reward."""
    for seat in done.seats:
        _claim_given(done, seat, done.tied_for_second(seat), THIRD)


@_of_every_combat(
    {
        "UPR-COMBAT-022": _twin(
            "if taking.reward == FIRST:", "if taking.reward == FIRST and len(takings) == 2:"
        )
    }
)
def a_tie_for_second_leaves_the_winner_everything(done: Played) -> None:
    """Unsatisfiable iff, with a tie for second, the winner has the first reward and the card."""
    tie = any_of(*(done.tied_for_second(seat) for seat in done.seats))
    for seat in done.seats:
        everything = all_of(done.given(seat, FIRST), done.won(seat))
        claim(implies(all_of(tie, done.wins(seat)), everything), f"{NAMES[seat]} has all of it")


@_of_every_combat(
    {
        "UPR-COMBAT-023": _twin(
            "pick(above == 2, pick(alone, third, NONE), NONE)", "pick(alone, third, NONE)"
        )
    }
)
def a_tie_for_second_leaves_nothing_to_others(done: Played) -> None:
    """Unsatisfiable iff those below a tie for second are given nothing."""
    tie = any_of(*(done.tied_for_second(seat) for seat in done.seats))
    for seat in done.seats:
        below = opposite(any_of(done.wins(seat), done.tied_for_second(seat)))
        _claim_given(done, seat, all_of(tie, below), NOTHING)


@_of_every_combat({"UPR-COMBAT-024": _twin("pick(alone, third, NONE)", "third")})
def nobody_tied_for_third_is_rewarded(done: Played) -> None:
    """Unsatisfiable iff players who share the place below exactly two others are given nothing."""
    for seat in done.seats:
        _claim_given(done, seat, all_of(done.above(seat) == 2, done.tied(seat)), NOTHING)


# All of it together


@_of_every_combat(
    {
        "UPR-COMBAT-036": _twin(
            "twice = doubles(player(state, taking.seat))",
            "twice = any(doubles(each) for each in state.players)",
        ),
    }
)
def everybody_is_given_one_reward_or_none_and_nothing_else_changes(done: Played) -> None:
    """Unsatisfiable iff nobody is given two rewards, a part of one, or what is nobody's.

    A reward is doubled by a sandworm of the one who takes it, and by nobody else's. The Conflict
    card goes to the winner alone. Afterwards everybody's troops are in supply and nothing is left
    in the Conflict, of what was added to it either; nothing else of anybody, or on the table,
    changes.
    """
    for seat in done.seats:
        places = (FIRST, SECOND, THIRD, NOTHING)
        one = count_true(done.given(seat, place) for place in places) == 1
        claim(one, f"{NAMES[seat]} is given one reward or none")
        claim(done.wins(seat) == done.won(seat), f"{NAMES[seat]} has the card by winning only")
        claim(done.cleared(seat), f"{NAMES[seat]} has left the Conflict")
    claim(done.after.conflict is None, "the Conflict card is gone")
    claim(done.after.first_reward == (), "nothing is added to the next first reward")
    claim(done.all_else_kept(), "nothing else changes")


@_of_every_combat(
    {
        "UPR-COMBAT-010": _twin(
            "seats = clockwise(state, state.first_player)", "seats = clockwise(state, 0)"
        )
    }
)
def rewards_are_taken_in_the_order_of_the_ruling(done: Played) -> None:
    """Unsatisfiable iff players have their rewards one after the other, as the ruling says.

    `turn_order`: clockwise from the First Player. Else the better reward comes first, and equal
    ones clockwise.
    """
    order = done.paid_in_order()
    turns = _clockwise(done)
    by_turn = sorted(order, key=turns.index)
    claim(len(order) == len(set(order)), "everybody is paid at one time")
    if follows(done.before, ORDER) == "turn_order":
        claim(order == by_turn, "the rewards come clockwise from the First Player")
        return
    for one, other in itertools.pairwise(order):
        better = done.strength(one) > done.strength(other)
        equal = all_of(done.level(one, other), turns.index(one) < turns.index(other))
        claim(any_of(better, equal), f"{NAMES[one]} is paid before {NAMES[other]}")


def _clockwise(done: Played) -> list[Seat]:
    """The seats in turn order."""
    first = done.before.first_player
    return [*range(first, len(done.seats)), *range(first)]
