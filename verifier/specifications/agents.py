"""The Swordmaster: a third Agent, and what it costs."""

import z3

SWORDMASTER_FOR_THE_FIRST, SWORDMASTER_LATER = 8, 6


def swordmaster_cost(holders: z3.ArithRef) -> z3.ArithRef:
    """8 Solari while nobody has a Swordmaster, 6 after anybody does.

    UPR-BOARD-022, UPR-BOARD-025.
    """
    return z3.If(holders == 0, SWORDMASTER_FOR_THE_FIRST, SWORDMASTER_LATER)


def may_hire(solari: z3.ArithRef, has_one: z3.BoolRef, holders: z3.ArithRef) -> z3.BoolRef:
    """Once a game for each player, for its price. UPR-BOARD-022."""
    return z3.And(z3.Not(has_one), solari >= swordmaster_cost(holders))


def agents_left_after_hiring(agents_left: z3.ArithRef) -> z3.ArithRef:
    """One Agent is sent, and the new one can be used this very round.

    UPR-AGENT-012, UPR-BOARD-026.
    """
    return agents_left - 1 + 1
