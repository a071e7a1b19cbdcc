"""Acquiring cards with Persuasion."""

import z3

CARDS_OF_THE_ROW = 5


def may_acquire(
    persuasion: z3.ArithRef, cost: z3.ArithRef, copies_on_offer: z3.ArithRef
) -> z3.BoolRef:
    """A card of the Row or a Reserve card that is left, for which Persuasion suffices.

    UPR-ACQ-001, UPR-ACQ-002, UPR-ACQ-003, UPR-ACQ-004.
    """
    return z3.And(persuasion >= cost, copies_on_offer >= 1)


def persuasion_after(persuasion: z3.ArithRef, cost: z3.ArithRef) -> z3.ArithRef:
    """What is left can be spent on, whatever it came from.

    UPR-ACQ-004, UPR-ACQ-005, UPR-ACQ-006.
    """
    return persuasion - cost


def persuasion_after_the_turn() -> z3.ArithRef:
    """Nothing can be saved. UPR-ACQ-007."""
    return z3.IntVal(0)


def refilled(row: z3.ArithRef, deck: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
    """Sizes of the Row and its deck: the Row has five cards again as far as the deck has them.

    UPR-ACQ-010.
    """
    gap = CARDS_OF_THE_ROW - row
    dealt = z3.If(deck < gap, deck, gap)
    return row + dealt, deck - dealt


def reserve_after(copies: z3.ArithRef) -> z3.ArithRef:
    """A Reserve card is one of its stack. UPR-ACQ-002."""
    return copies - 1


def discard_after(discarded: z3.ArithRef) -> z3.ArithRef:
    """The card goes to the acquirer's discard pile. UPR-ACQ-008, UPR-ACQ-009."""
    return discarded + 1
