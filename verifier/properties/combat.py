"""Who takes which reward of a Conflict: every clause about ranking and ties."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.combat import FIRST, NONE, SECOND, THIRD, reward_of
from rules_engine.imperium.frames import GiveRewards, ResolveCombat, TakeConflictCard, Taking
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.numbers import Quantity, count_true
from verifier.current import assume, choose, claim, stage
from verifier.numbers import all_of, any_of, implies
from verifier.play import next_state
from verifier.positions import NAMES, printed, symbolic_state
from verifier.registry import Twin, proves
from verifier.watched import AnyNumber

Strengths = tuple[Quantity, ...]

SMALL = (1, 2, 3)
LARGE = (4, 6)
MOST_CONTENDERS = 4
FEW_CONTENDERS = 3


def _cases(tables: tuple[int, ...], least: int) -> tuple[dict[str, int], ...]:
    """Every table at which `least` can contend; strength 0 stands for a player who does not."""
    return tuple({"table": table} for table in tables if table >= least)


def _bounds(tables: str, least: int = 1) -> str:
    contenders = f"{least} to 4" if least < MOST_CONTENDERS else "4"
    return f"all natural strengths, {contenders} contenders, {tables} players"


ANY_TABLE = "three or fewer, four or six"


def _resolved_bounds(least: int) -> str:
    contenders = f"{least} to 3" if least < FEW_CONTENDERS else "3"
    return (
        f"all natural strengths, {contenders} contenders, {ANY_TABLE} players; any First Player, "
        "with four or six players the first seat"
    )


def _twin(old: str, new: str) -> Twin:
    return Twin("rules_engine.imperium.combat", old, new)


def _combat(table: int, contenders: int = MOST_CONTENDERS, **slots: Any) -> State:
    """Combat is about to be resolved: some contenders, up to four, have any strength."""

    def strength(owner: Player) -> dict[str, Any]:
        fights = owner.seat < contenders
        return {"strength": AnyNumber(f"{owner.name}.strength") if fights else 0}

    conflict = next(iter(printed().conflicts))
    known = {"conflict": conflict, "pending": (ResolveCombat(),)}
    state = symbolic_state(table, strength, **{**known, **slots})
    stage(state)
    return state


def _small_combat(table: int) -> State:
    """Such a Combat of at most three contenders, to be resolved as a whole.

    At a large table the First Player is fixed, so that fewer orders have to be tried.
    """
    order = {"first_player": 0} if table in LARGE else {}
    return _combat(table, FEW_CONTENDERS, **order)


def _strengths(state: State) -> Strengths:
    return tuple(each.strength for each in state.players)


def _reward(state: State, seat: int) -> str:
    return reward_of(_strengths(state), seat, state.config.players)


def _rest(state: State, *seats: int) -> Strengths:
    """The strengths of everybody else."""
    return tuple(each.strength for each in state.players if each.seat not in seats)


def _contenders(state: State) -> range:
    return range(min(len(state.players), MOST_CONTENDERS))


def _roles(state: State, *roles: str) -> tuple[int, ...]:
    """Different contenders for some roles, in every way."""
    taken: list[int] = []
    for role in roles:
        free = [seat for seat in _contenders(state) if seat not in taken]
        taken.append(choose(role, free))
    return tuple(taken)


def _assume_above(state: State, seat: int, others: Strengths) -> None:
    """The player has strength, and more than all of the others."""
    own = _strengths(state)[seat]
    assume(all_of(own > 0, *(own > other for other in others)))


def _assume_tied(state: State, seat: int, partner: int, others: Strengths) -> None:
    """Two players have the same strength, and none of the others has more."""
    own = _strengths(state)[seat]
    assume(own > 0)
    assume(own == _strengths(state)[partner])
    assume(all_of(*(own >= other for other in others)))


def _resolved(state: State) -> tuple[list[Taking], list[int]]:
    """Every reward that the handler of the pending frame hands out, and who takes the card."""
    pending = next_state(state).pending
    takings = [
        taking for frame in pending if isinstance(frame, GiveRewards) for taking in frame.takings
    ]
    winners = [frame.seat for frame in pending if isinstance(frame, TakeConflictCard)]
    return takings, winners


def _taken_by(takings: list[Taking], seat: int) -> list[str]:
    return [taking.reward for taking in takings if taking.seat == seat]


# First, second and third place


@proves(
    {
        "UPR-COMBAT-011": _twin(
            "return count_true(other > strength for other in strengths)",
            "return count_true(other >= strength for other in strengths)",
        )
    },
    bounds=_bounds(ANY_TABLE),
    cases=_cases(SMALL + LARGE, 1),
)
def the_single_strongest_takes_the_first_reward(table: int) -> None:
    """Unsatisfiable iff whoever has more strength than each other takes the first reward."""
    state = _combat(table)
    (own,) = _roles(state, "strongest")
    _assume_above(state, own, _rest(state, own))
    claim(_reward(state, own) == FIRST, f"{NAMES[own]} takes the first reward")


@proves(
    {
        "UPR-COMBAT-011": _twin(
            "if above == 0:\n        return FIRST", "if above <= 1:\n        return FIRST"
        ),
        "UPR-COMBAT-017": _twin("return FIRST if level == 1", "return FIRST if level >= 1"),
    },
    bounds=_bounds(ANY_TABLE, 2),
    cases=_cases(SMALL + LARGE, 2),
)
def at_most_one_player_takes_the_first_reward(table: int) -> None:
    """Unsatisfiable iff no two different players both take the first reward."""
    state = _combat(table)
    one, other = _roles(state, "one", "other")
    both = _reward(state, one) == FIRST and _reward(state, other) == FIRST
    claim(not both, f"{NAMES[one]} and {NAMES[other]} do not both take the first reward")


@proves(
    {
        "UPR-COMBAT-012": _twin(
            "if above == 1:\n        return SECOND", "if above == 2:\n        return SECOND"
        )
    },
    bounds=_bounds(ANY_TABLE, 2),
    cases=_cases(SMALL + LARGE, 2),
)
def the_single_next_strongest_takes_the_second_reward(table: int) -> None:
    """Unsatisfiable iff whoever is below one single player and above all others comes second."""
    state = _combat(table)
    top, own = _roles(state, "strongest", "next")
    _assume_above(state, top, _rest(state, top))
    _assume_above(state, own, _rest(state, top, own))
    claim(_reward(state, own) == SECOND, f"{NAMES[own]} takes the second reward")


@proves(
    {"UPR-COMBAT-013": _twin("large = players >= LARGE_TABLE", "large = players > LARGE_TABLE")},
    bounds=_bounds("four or six", 3),
    cases=_cases(LARGE, 3),
)
def third_place_has_a_reward_at_a_large_table(table: int) -> None:
    """Unsatisfiable iff, with four or six players, a single third takes the third reward."""
    state = _combat(table)
    claim(_third_place(state) == THIRD, "third place takes the third reward")


@proves(
    {"UPR-COMBAT-014": _twin("LARGE_TABLE = 4", "LARGE_TABLE = 3")},
    bounds=_bounds("three or fewer", 3),
    cases=_cases(SMALL, 3),
)
def third_place_has_no_reward_at_a_small_table(table: int) -> None:
    """Unsatisfiable iff, with three or fewer players, a single third takes nothing."""
    state = _combat(table)
    claim(_third_place(state) == NONE, "third place takes nothing")


def _third_place(state: State) -> str:
    """The reward of a player below two who are not tied, and above all others."""
    top, second, own = _roles(state, "strongest", "next", "third")
    _assume_above(state, top, _rest(state, top))
    _assume_above(state, second, _rest(state, top, second))
    _assume_above(state, own, _rest(state, top, second, own))
    return _reward(state, own)


@proves(
    {"UPR-COMBAT-014": _twin("return SECOND if level == 1", "return SECOND if level == 0")},
    bounds=_bounds("three or fewer", 3),
    cases=_cases(SMALL, 3),
)
def a_small_table_gives_the_third_reward_only_in_a_tie_for_second(table: int) -> None:
    """Unsatisfiable iff, with three or fewer, whoever takes the third reward is tied for second.

    Tied for second: exactly one player has more strength, and somebody else has as much.
    """
    state = _combat(table)
    (own,) = _roles(state, "own")
    strength, others = _strengths(state)[own], _rest(state, own)
    tied = any_of(*(other == strength for other in others))
    one_above = count_true(other > strength for other in others) == 1
    claim(
        implies(_reward(state, own) == THIRD, all_of(tied, one_above)),
        f"{NAMES[own]} takes the third reward only if tied for second",
    )


@proves(
    {"UPR-COMBAT-015": _twin("if strength == 0:", "if strength < 0:")},
    bounds=_bounds(ANY_TABLE),
    cases=_cases(SMALL + LARGE, 1),
)
def strength_zero_takes_nothing(table: int) -> None:
    """Unsatisfiable iff whoever has strength 0 takes no reward."""
    state = _combat(table)
    (own,) = _roles(state, "own")
    assume(_strengths(state)[own] == 0)
    claim(_reward(state, own) == NONE, f"{NAMES[own]} takes nothing")


# Ties for first


@proves(
    {"UPR-COMBAT-016": _twin("if level == 1 else SECOND", "if level == 1 else THIRD")},
    bounds=_bounds(ANY_TABLE, 2),
    cases=_cases(SMALL + LARGE, 2),
)
def all_tied_for_first_take_the_second_reward(table: int) -> None:
    """Unsatisfiable iff whoever shares the top strength takes the second reward."""
    state = _combat(table)
    own, partner = _roles(state, "own", "partner")
    _assume_tied(state, own, partner, _rest(state, own, partner))
    claim(_reward(state, own) == SECOND, f"{NAMES[own]} takes the second reward")


@proves(
    {"UPR-COMBAT-017": _twin("if taking.reward == FIRST:", "if taking.reward != THIRD:")},
    bounds=_resolved_bounds(2),
    cases=_cases(SMALL + LARGE, 2),
)
def nobody_wins_a_conflict_tied_for_first(table: int) -> None:
    """Unsatisfiable iff, with a tie for first, nobody takes the first reward or the card."""
    state = _small_combat(table)
    own, partner = _roles(state, "own", "partner")
    _assume_tied(state, own, partner, _rest(state, own, partner))
    takings, winners = _resolved(state)
    claim(all(each.reward != FIRST for each in takings), "nobody takes the first reward")
    claim(not winners, "nobody takes the Conflict card")


@proves(
    {
        "UPR-COMBAT-018": _twin(
            "if large and above == 2 and level == 1", "if above == 2 and level == 1"
        )
    },
    bounds=_bounds("three or fewer", 3),
    cases=_cases(SMALL, 3),
)
def a_tie_for_first_ends_the_rewards_at_a_small_table(table: int) -> None:
    """Unsatisfiable iff, with three or fewer, those below a tie for first take nothing."""
    state = _combat(table)
    one, other, own = _roles(state, "one", "other", "own")
    _assume_tied(state, one, other, _rest(state, one, other))
    assume(_strengths(state)[own] < _strengths(state)[one])
    claim(_reward(state, own) == NONE, f"{NAMES[own]} takes nothing")


@proves(
    {
        "UPR-COMBAT-019": _twin(
            "if large and above == 2 and level == 1", "if large and above >= 2 and level == 1"
        )
    },
    bounds=_bounds("four or six", 4),
    cases=_cases(LARGE, 4),
)
def three_tied_for_first_leave_nothing_to_others(table: int) -> None:
    """Unsatisfiable iff those below three or more who tie for first take nothing."""
    state = _combat(table)
    one, other, third, own = _roles(state, "one", "other", "third", "own")
    _assume_tied(state, one, other, _rest(state, one, other))
    assume(_strengths(state)[third] == _strengths(state)[one])
    assume(_strengths(state)[own] < _strengths(state)[one])
    claim(_reward(state, own) == NONE, f"{NAMES[own]} takes nothing")


@proves(
    {
        "UPR-COMBAT-020": _twin(
            "if large and above == 2 and level == 1", "if large and above == 3 and level == 1"
        )
    },
    bounds=_bounds("four or six", 3),
    cases=_cases(LARGE, 3),
)
def two_tied_for_first_leave_the_third_reward_to_the_next(table: int) -> None:
    """Unsatisfiable iff the single next below exactly two tied for first takes the third reward."""
    state = _combat(table)
    one, other, own = _roles(state, "one", "other", "own")
    _assume_tied(state, one, other, _rest(state, one, other))
    assume(_strengths(state)[own] < _strengths(state)[one])
    _assume_above(state, own, _rest(state, one, other, own))
    claim(_reward(state, own) == THIRD, f"{NAMES[own]} takes the third reward")


# Ties for second and third


@proves(
    {"UPR-COMBAT-021": _twin("if level == 1 else THIRD", "if level == 1 else NONE")},
    bounds=_bounds(ANY_TABLE, 3),
    cases=_cases(SMALL + LARGE, 3),
)
def all_tied_for_second_take_the_third_reward(table: int) -> None:
    """Unsatisfiable iff whoever shares the place below a single winner takes the third reward."""
    state = _combat(table)
    _, own, _ = _tie_for_second(state)
    claim(_reward(state, own) == THIRD, f"{NAMES[own]} takes the third reward")


def _tie_for_second(state: State) -> tuple[int, int, int]:
    """One winner, and at least two who share the place below."""
    top, own, partner = _roles(state, "winner", "own", "partner")
    _assume_above(state, top, _rest(state, top))
    _assume_tied(state, own, partner, _rest(state, top, own, partner))
    return top, own, partner


@proves(
    {
        "UPR-COMBAT-022": _twin(
            "if taking.reward == FIRST:", "if taking.reward == FIRST and len(takings) == 2:"
        )
    },
    bounds=_resolved_bounds(3),
    cases=_cases(SMALL + LARGE, 3),
)
def a_tie_for_second_leaves_the_winner_everything(table: int) -> None:
    """Unsatisfiable iff, with a tie for second, the winner takes the first reward and the card."""
    state = _small_combat(table)
    top, _, _ = _tie_for_second(state)
    takings, winners = _resolved(state)
    claim(_taken_by(takings, top) == [FIRST], f"{NAMES[top]} takes the first reward")
    claim(winners == [top], f"{NAMES[top]} takes the Conflict card")


@proves(
    {"UPR-COMBAT-023": _twin("if large and above == 2 and level == 1", "if large and level == 1")},
    bounds=_bounds("four or six", 4),
    cases=_cases(LARGE, 4),
)
def a_tie_for_second_leaves_nothing_to_others(table: int) -> None:
    """Unsatisfiable iff those below a tie for second take nothing."""
    state = _combat(table)
    top, one, other = _tie_for_second(state)
    (own,) = (seat for seat in _contenders(state) if seat not in (top, one, other))
    assume(_strengths(state)[own] < _strengths(state)[one])
    claim(_reward(state, own) == NONE, f"{NAMES[own]} takes nothing")


@proves(
    {"UPR-COMBAT-024": _twin("if large and above == 2 and level == 1", "if large and above == 2")},
    bounds=_bounds("four or six", 4),
    cases=_cases(LARGE, 4),
)
def nobody_tied_for_third_is_rewarded(table: int) -> None:
    """Unsatisfiable iff two who share the place below exactly two others take nothing."""
    state = _combat(table)
    one, other, own, partner = _roles(state, "one", "other", "own", "partner")
    strengths = _strengths(state)
    _assume_tied(state, own, partner, _rest(state, one, other, own, partner))
    assume(all_of(strengths[one] > strengths[own], strengths[other] > strengths[own]))
    claim(_reward(state, own) == NONE, f"{NAMES[own]} takes nothing")


# What the ranking is used for


@proves(
    {"UPR-COMBAT-010": _twin("if rewards[seat] != NONE", "if rewards[seat] == FIRST")},
    bounds=_resolved_bounds(1),
    cases=_cases(SMALL + LARGE, 1),
)
def rewards_are_handed_out_as_ranked(table: int) -> None:
    """Unsatisfiable iff everybody takes the reward of the own placing, once, and nothing else.

    The placing is what `reward_of` makes of everybody's strength, as other properties say. Whoever
    takes the first reward, and nobody else, takes the Conflict card.
    """
    state = _small_combat(table)
    takings, winners = _resolved(state)
    ranked = {seat: _reward(state, seat) for seat in range(table)}
    for seat, reward in ranked.items():
        claim(
            _taken_by(takings, seat) == ([] if reward == NONE else [reward]),
            f"{NAMES[seat]} takes the reward of the own placing, once",
        )
    claim(all(each.seat in ranked for each in takings), "only players take rewards")
    first = [seat for seat, reward in ranked.items() if reward == FIRST]
    claim(winners == first, "whoever takes the first reward takes the Conflict card")
