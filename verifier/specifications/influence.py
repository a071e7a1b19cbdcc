"""Influence with a Faction: the track, its point at 2 and its bonus at 4."""

import z3

LOWEST, HIGHEST = 0, 6
FRIENDSHIP = 2
BONUS_AT = 4
A_FRIENDSHIP_IS_WORTH = 1


def after_gain(before: z3.ArithRef, amount: z3.ArithRef) -> z3.ArithRef:
    """Up the track as far as it goes; what would lead beyond is lost.

    UPR-FACTION-002, UPR-FACTION-003.
    """
    return z3.If(before + amount > HIGHEST, HIGHEST, before + amount)


def after_loss(before: z3.ArithRef, amount: z3.ArithRef) -> z3.ArithRef:
    """Down the track, at most to its bottom. UPR-FACTION-003."""
    return z3.If(before < amount, LOWEST, before - amount)


def points(influence: z3.ArithRef) -> z3.ArithRef:
    """A point for 2 Influence or more: had on reaching it, gone on falling below.

    UPR-FACTION-004, UPR-FACTION-005.
    """
    return z3.If(influence >= FRIENDSHIP, A_FRIENDSHIP_IS_WORTH, 0)


def reaches(level: int, before: z3.ArithRef, after: z3.ArithRef) -> z3.BoolRef:
    """Upwards to a space or past it, also again, and never downwards.

    UPR-CLAR-004, UPR-CLAR-005, UPR-CLAR-006.
    """
    return z3.And(before < level, after >= level)


def earns_the_bonus(before: z3.ArithRef, after: z3.ArithRef) -> z3.BoolRef:
    """The bonus each time that 4 is reached; it is never given back.

    UPR-FACTION-006, UPR-FACTION-007, UPR-FACTION-008.
    """
    return reaches(BONUS_AT, before, after)
