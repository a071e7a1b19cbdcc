"""Who has the chance to play a Combat Intrigue card, and when the step is over."""

import z3

NOBODY = -1


def takes_part(units: z3.ArithRef) -> z3.BoolRef:
    """Who has a unit in the Conflict. UPR-COMBAT-003, UPR-COMBAT-009."""
    return units >= 1


def first_from(seat: int, units: list[z3.ArithRef]) -> z3.ArithRef:
    """The first who takes part, from a seat clockwise (that seat included), or nobody.

    UPR-COMBAT-002, UPR-COMBAT-003.
    """
    answer: z3.ArithRef = z3.IntVal(NOBODY)
    for step in reversed(range(len(units))):
        other = (seat + step) % len(units)
        answer = z3.If(takes_part(units[other]), z3.IntVal(other), answer)
    return answer


def is_over(passed_in_a_row: z3.ArithRef, units: list[z3.ArithRef]) -> z3.BoolRef:
    """All who take part have passed one after another. UPR-COMBAT-005, UPR-COMBAT-006."""
    involved = z3.Sum([z3.IntVal(0), *(z3.If(takes_part(one), 1, 0) for one in units)])
    return passed_in_a_row >= involved
