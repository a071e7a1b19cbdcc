"""Strength from units in the Conflict and from swords."""

import z3

OF_A_TROOP, OF_A_SANDWORM, OF_A_SWORD = 2, 3, 1


def strength(troops: z3.ArithRef, sandworms: z3.ArithRef, swords: z3.ArithRef) -> z3.ArithRef:
    """What units in the Conflict and swords come to, and 0 without a unit, whatever the swords.

    UPR-STR-002, UPR-STR-003, UPR-STR-004, UPR-STR-005, UPR-STR-006, UPR-STR-007, UPR-STR-008,
    UPR-COMBAT-009.
    """
    total = OF_A_TROOP * troops + OF_A_SANDWORM * sandworms + OF_A_SWORD * swords
    return z3.If(troops + sandworms >= 1, total, 0)


def shown(strength_now: z3.ArithRef, has_revealed: z3.BoolRef) -> z3.ArithRef:
    """The Combat marker stands at 0 until the player has revealed, then where the strength is.

    UPR-STR-001, UPR-STR-011.
    """
    return z3.If(has_revealed, strength_now, 0)


def swords_after(troops: z3.ArithRef, sandworms: z3.ArithRef, swords: z3.ArithRef) -> z3.ArithRef:
    """Swords that still count once units have left: none, when the last has (read: they are lost).

    UPR-STR-008.
    """
    return z3.If(troops + sandworms >= 1, swords, 0)
