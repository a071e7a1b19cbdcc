"""When the game ends and who has won."""

import z3

POINTS_THAT_END = 10


def triggered(points: list[z3.ArithRef], conflict_deck: z3.ArithRef) -> z3.BoolRef:
    """In Recall: somebody has 10 points or more, or no Conflict card is left.

    UPR-RECALL-001, UPR-END-001, UPR-END-002.
    """
    return z3.Or(conflict_deck == 0, *(score >= POINTS_THAT_END for score in points))


def is_ahead(mine: list[z3.ArithRef], theirs: list[z3.ArithRef]) -> z3.BoolRef:
    """The first of the values in which two players differ is greater."""
    if not mine:
        return z3.BoolVal(False)
    return z3.Or(mine[0] > theirs[0], z3.And(mine[0] == theirs[0], is_ahead(mine[1:], theirs[1:])))


def wins(standings: list[list[z3.ArithRef]], seat: int) -> z3.BoolRef:
    """Nobody is ahead. A standing is points, spice, Solari, water, garrison, in this order.

    What comes after them is open: further values of a standing say it, without them all who are
    level win together. UPR-END-004, UPR-END-005, UPR-END-006.
    """
    others = (theirs for other, theirs in enumerate(standings) if other != seat)
    return z3.And(*(z3.Not(is_ahead(theirs, standings[seat])) for theirs in others))


def next_first_player(first_player: int, players: int) -> int:
    """The marker goes on clockwise when the game goes on. UPR-RECALL-003."""
    return (first_player + 1) % players
