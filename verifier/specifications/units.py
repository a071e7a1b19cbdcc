"""Recruiting troops and deploying them."""

import z3

FROM_THE_GARRISON = 2
TROOPS_OF_A_PLAYER = 12


def recruited(supply: z3.ArithRef, icons: z3.ArithRef) -> z3.ArithRef:
    """One troop for each icon, as far as the supply goes. UPR-UNIT-005, UPR-UNIT-006."""
    return z3.If(supply < icons, supply, icons)


def may_deploy(
    number: z3.ArithRef,
    *,
    at_combat_space: bool,
    garrison: z3.ArithRef,
    recruited_this_turn: z3.ArithRef,
    deployed_this_turn: z3.ArithRef,
) -> z3.BoolRef:
    """At a Combat space: as many as this turn recruited and two more, in one go or several.

    `deployed_this_turn` are those that this right has brought to the Conflict before. UPR-UNIT-008,
    UPR-UNIT-012, UPR-UNIT-013, UPR-UNIT-014, UPR-UNIT-015.
    """
    allowed = recruited_this_turn + FROM_THE_GARRISON
    return z3.And(
        at_combat_space, number >= 0, number <= garrison, deployed_this_turn + number <= allowed
    )


def after_recruiting(
    supply: z3.ArithRef, garrison: z3.ArithRef, icons: z3.ArithRef
) -> tuple[z3.ArithRef, z3.ArithRef]:
    """Supply and garrison afterwards: what leaves the one is in the other.

    UPR-UNIT-005, UPR-UNIT-006.
    """
    moved = recruited(supply, icons)
    return supply - moved, garrison + moved


def after_deploying(
    garrison: z3.ArithRef, conflict: z3.ArithRef, number: z3.ArithRef
) -> tuple[z3.ArithRef, z3.ArithRef]:
    """Garrison and Conflict afterwards. UPR-UNIT-011."""
    return garrison - number, conflict + number


def all_accounted_for(
    supply: z3.ArithRef, garrison: z3.ArithRef, conflict: z3.ArithRef
) -> z3.BoolRef:
    """A player's twelve troops are somewhere, and nowhere fewer than none."""
    together = supply + garrison + conflict == TROOPS_OF_A_PLAYER
    return z3.And(together, supply >= 0, garrison >= 0, conflict >= 0)
