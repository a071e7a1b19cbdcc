"""Bonus spice on Maker spaces, and who takes it."""

import z3

MAKER_SPACES = frozenset({"deep_desert", "hagga_basin", "imperial_basin"})
BASE_SPICE = {"deep_desert": 4, "hagga_basin": 2, "imperial_basin": 1}


def bonus_after_the_phase(
    space: str, bonus: z3.ArithRef, agent_is_there: z3.BoolRef
) -> z3.ArithRef:
    """One more spice on a Maker space without an Agent, added to what lies there.

    UPR-MAKER-001, UPR-MAKER-003, UPR-MAKER-004.
    """
    grows = z3.And(z3.BoolVal(space in MAKER_SPACES), z3.Not(agent_is_there))
    return bonus + z3.If(grows, 1, 0)


def spice_of_a_visit(space: str, bonus: z3.ArithRef, takes_base_spice: z3.BoolRef) -> z3.ArithRef:
    """All bonus spice, whichever option is taken, and the printed spice with the option of it.

    UPR-MAKER-005, UPR-BOARD-007, UPR-BOARD-011, UPR-BOARD-014, UPR-BOARD-028.
    """
    return bonus + z3.If(takes_base_spice, BASE_SPICE[space], 0)


def bonus_after_a_visit(space: str, bonus: z3.ArithRef) -> z3.ArithRef:
    """None is left on the space that was visited. UPR-MAKER-005."""
    return z3.IntVal(0) if space in MAKER_SPACES else bonus
