"""Control markers: whose they are, what they bring, and what they defend."""

import z3

NOBODY = -1
BONUS = {"arrakeen": ("solari", 1), "spice_refinery": ("solari", 1), "imperial_basin": ("spice", 1)}


def bonus(space: str, resource: str, owner: z3.ArithRef, seat: int) -> z3.ArithRef:
    """What a player gets of a resource when anybody, the owner included, sends an Agent there.

    UPR-CTRL-004, UPR-CTRL-005, UPR-CTRL-006, UPR-CTRL-007.
    """
    kind, amount = BONUS.get(space, ("", 0))
    return z3.If(owner == seat, amount if kind == resource else 0, 0)


def owner_after_combat(
    owner: z3.ArithRef, winner: z3.ArithRef, *, over_this_space: bool
) -> z3.ArithRef:
    """The winner of a Conflict over the space has control; without a winner nothing changes.

    UPR-CTRL-002, UPR-CTRL-003, UPR-COMBAT-017, UPR-COMBAT-037.
    """
    return z3.If(z3.And(z3.BoolVal(over_this_space), winner != NOBODY), winner, owner)


def may_defend(owner: z3.ArithRef, seat: int, supply: z3.ArithRef) -> z3.BoolRef:
    """Who controls the location of the Conflict that is turned up, with a troop in supply.

    UPR-CTRL-008, UPR-CTRL-009.
    """
    return z3.And(owner == seat, supply >= 1)


def after_defending(
    supply: z3.ArithRef, conflict: z3.ArithRef, defends: z3.BoolRef
) -> tuple[z3.ArithRef, z3.ArithRef]:
    """One troop goes from the supply directly into the Conflict. UPR-CTRL-008."""
    moved = z3.If(defends, 1, 0)
    return supply - moved, conflict + moved
