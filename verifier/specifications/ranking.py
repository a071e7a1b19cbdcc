"""Who gains which reward of a Conflict: ranks and ties by strength alone."""

import z3

NONE, FIRST, SECOND, THIRD = 0, 1, 2, 3
FEWEST_FOR_A_THIRD_PLACE = 4


def _number_of(conditions: list[z3.BoolRef]) -> z3.ArithRef:
    return z3.Sum([z3.IntVal(0), *(z3.If(condition, 1, 0) for condition in conditions)])


def _stronger(strengths: list[z3.ArithRef], seat: int) -> z3.ArithRef:
    """How many players are stronger than the one on this seat."""
    return _number_of([strength > strengths[seat] for strength in strengths])


def _level(strengths: list[z3.ArithRef], seat: int) -> z3.ArithRef:
    """How many other players are as strong as the one on this seat."""
    others = (other for other in range(len(strengths)) if other != seat)
    return _number_of([strengths[other] == strengths[seat] for other in others])


def _place(strengths: list[z3.ArithRef], seat: int, ahead: int, *, alone: bool) -> z3.BoolRef:
    """With a strength, exactly `ahead` players stronger, and the place alone or shared."""
    level = _level(strengths, seat)
    return z3.And(
        strengths[seat] > 0, _stronger(strengths, seat) == ahead, level == 0 if alone else level > 0
    )


def wins(strengths: list[z3.ArithRef], seat: int) -> z3.BoolRef:
    """The single strongest player wins and takes the card; with a tie for first nobody does.

    UPR-COMBAT-011, UPR-COMBAT-015, UPR-COMBAT-017, UPR-COMBAT-022.
    """
    return _place(strengths, seat, 0, alone=True)


def gains_second(strengths: list[z3.ArithRef], seat: int) -> z3.BoolRef:
    """The single second, or each of those who tie for first.

    UPR-COMBAT-012, UPR-COMBAT-015, UPR-COMBAT-016.
    """
    return z3.Or(_place(strengths, seat, 1, alone=True), _place(strengths, seat, 0, alone=False))


def gains_third(strengths: list[z3.ArithRef], seat: int) -> z3.BoolRef:
    """Each of those who tie for second; with four players also whoever is third alone.

    UPR-COMBAT-013, UPR-COMBAT-014, UPR-COMBAT-018, UPR-COMBAT-019, UPR-COMBAT-020, UPR-COMBAT-021,
    UPR-COMBAT-023, UPR-COMBAT-024.
    """
    tied_for_second = _place(strengths, seat, 1, alone=False)
    if len(strengths) < FEWEST_FOR_A_THIRD_PLACE:
        return tied_for_second
    return z3.Or(tied_for_second, _place(strengths, seat, 2, alone=True))


def reward(strengths: list[z3.ArithRef], seat: int) -> z3.ArithRef:
    """Which reward the player gains: 1, 2 or 3 as printed on the Conflict card, 0 for none."""
    third = z3.If(gains_third(strengths, seat), THIRD, NONE)
    return z3.If(wins(strengths, seat), FIRST, z3.If(gains_second(strengths, seat), SECOND, third))
