"""What a Combat leaves behind: doubled rewards, the battle icon, and the cleared Conflict."""

import z3

WILD = "wild"
A_MATCH_IS_WORTH = 1


def times(sandworms: z3.ArithRef) -> z3.ArithRef:
    """How often each part of a reward is taken: twice with own sandworms, however many.

    UPR-COMBAT-034, UPR-COMBAT-035, UPR-COMBAT-036.
    """
    return z3.If(sandworms >= 1, 2, 1)


def gained(amount: z3.ArithRef, sandworms: z3.ArithRef) -> z3.ArithRef:
    """What is printed, doubled with a sandworm. UPR-COMBAT-034."""
    return z3.If(sandworms >= 1, 2 * amount, amount)


def times_paid(
    sandworms: z3.ArithRef, owned: z3.ArithRef, cost: int, wished: z3.ArithRef
) -> z3.ArithRef:
    """How often a cost in a reward is paid: as wished, while the reward and what is owned allow.

    UPR-COMBAT-039, UPR-COST-006.
    """
    allowed = z3.If(owned >= cost * times(sandworms), times(sandworms), z3.If(owned >= cost, 1, 0))
    return z3.If(wished < allowed, wished, allowed)


def recruited_by_the_reward(
    supply: z3.ArithRef, icons: z3.ArithRef, sandworms: z3.ArithRef
) -> z3.ArithRef:
    """Troops of a reward come from the supply as it is before those of the Conflict are back.

    UPR-COMBAT-032.
    """
    wanted = gained(icons, sandworms)
    return z3.If(supply < wanted, supply, wanted)


def matches(icon_won: str, open_with_the_same_icon: z3.ArithRef) -> z3.BoolRef:
    """Another open card with the icon of the card just won; a wild one matches only in the Endgame.

    UPR-COMBAT-027, UPR-COMBAT-028, UPR-COMBAT-030.
    """
    return z3.And(z3.BoolVal(icon_won != WILD), open_with_the_same_icon >= 1)


def points_of_a_match(
    wins: z3.BoolRef, icon_won: str, open_with_the_same_icon: z3.ArithRef
) -> z3.ArithRef:
    """One point for the pair, never doubled. UPR-COMBAT-029, UPR-COMBAT-038."""
    return z3.If(z3.And(wins, matches(icon_won, open_with_the_same_icon)), A_MATCH_IS_WORTH, 0)


def open_after(
    wins: z3.BoolRef, icon_won: str, open_with_the_same_icon: z3.ArithRef
) -> z3.ArithRef:
    """Open cards with the icon afterwards: one more, or one fewer when a pair was turned over.

    UPR-COMBAT-025, UPR-COMBAT-029.
    """
    change = z3.If(matches(icon_won, open_with_the_same_icon), -1, 1)
    return open_with_the_same_icon + z3.If(wins, change, 0)


def supply_after(
    supply: z3.ArithRef, recruited: z3.ArithRef, troops_in_the_conflict: z3.ArithRef
) -> z3.ArithRef:
    """What was left of it, and all troops of the Conflict. UPR-COMBAT-031."""
    return supply - recruited + troops_in_the_conflict


def garrison_after(garrison: z3.ArithRef, recruited: z3.ArithRef) -> z3.ArithRef:
    """Only what the reward recruited has come to it. UPR-COMBAT-031."""
    return garrison + recruited


def units_after() -> z3.ArithRef:
    """No troop and no sandworm stays in the Conflict. UPR-COMBAT-031, UPR-WORM-009."""
    return z3.IntVal(0)


def marker_after() -> z3.ArithRef:
    """All Combat markers are at 0. UPR-COMBAT-033."""
    return z3.IntVal(0)
