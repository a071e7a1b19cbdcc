"""Who holds the Alliance token of a Faction, from the Influence of all players with it."""

import z3

NOBODY = -1
ENOUGH = 4
A_TOKEN_IS_WORTH = 1


def _of_the_holder(holder: z3.ArithRef, influence: list[z3.ArithRef]) -> z3.ArithRef:
    value: z3.ArithRef = z3.IntVal(0)
    for seat, level in enumerate(influence):
        value = z3.If(holder == seat, level, value)
    return value


def holder_after_gain(holder: z3.ArithRef, after: list[z3.ArithRef], mover: int) -> z3.ArithRef:
    """The first at 4 takes the token; from a holder only who rises strictly higher does.

    `after` is what everybody has after the gain. UPR-FACTION-009, UPR-FACTION-010, UPR-FACTION-011.
    """
    free = holder == NOBODY
    higher = z3.And(holder != mover, after[mover] > _of_the_holder(holder, after))
    return z3.If(z3.And(after[mover] >= ENOUGH, z3.Or(free, higher)), z3.IntVal(mover), holder)


def is_heir(after: list[z3.ArithRef], seat: int) -> z3.BoolRef:
    """Nobody has more Influence, and it is enough for an Alliance."""
    return z3.And(after[seat] >= ENOUGH, *(after[seat] >= level for level in after))


def may_hold_after_loss(
    holder: z3.ArithRef,
    after: list[z3.ArithRef],
    loser: int,
    now: z3.ArithRef,
    *,
    lost_below_four: bool = True,
    lost_when_overtaken: bool = True,
) -> z3.BoolRef:
    """Whether `now` may hold the token once `loser` has gone down; of several heirs one is picked.

    The rulebook is silent (UPR-FACTION-010). The FAQ says that a holder loses the token by falling
    below 4, and by falling below another, to whoever is highest with 4 or more; without such a
    player it goes back to the board. Each of the two is a reading of its own.
    """
    mine = after[loser]
    below_four = z3.And(mine < ENOUGH, z3.BoolVal(lost_below_four))
    overtaken = z3.And(
        mine >= ENOUGH, z3.Or(*(level > mine for level in after)), z3.BoolVal(lost_when_overtaken)
    )
    heirs = [seat for seat in range(len(after)) if seat != loser]
    nobody = z3.And(now == NOBODY, *(z3.Not(is_heir(after, seat)) for seat in heirs))
    somebody = z3.Or(*(z3.And(now == seat, is_heir(after, seat)) for seat in heirs))
    loses = z3.And(holder == loser, z3.Or(below_four, overtaken))
    return z3.If(loses, z3.Or(nobody, somebody), now == holder)


def points(holder: z3.ArithRef, seat: int) -> z3.ArithRef:
    """A token is worth a Victory Point to whoever holds it. UPR-FACTION-009, UPR-FACTION-010."""
    return z3.If(holder == seat, A_TOKEN_IS_WORTH, 0)
