"""Spies: where they may be placed, and what they may be recalled for."""

import z3


def may_stand_on(spies_on_the_post: z3.ArithRef, *, has_the_icon_asked_for: bool) -> z3.BoolRef:
    """A post that no Spy of anybody is on and, where an icon is named, with a link to such a space.

    UPR-SPY-002, UPR-SPY-003, UPR-SPY-007.
    """
    return z3.And(z3.BoolVal(has_the_icon_asked_for), spies_on_the_post == 0)


def may_place(supply: z3.ArithRef) -> z3.BoolRef:
    """A Spy comes from the own supply. UPR-SPY-002."""
    return supply >= 1


def may_recall_first(supply: z3.ArithRef, placed: z3.ArithRef) -> z3.BoolRef:
    """Only whose supply is empty may take one back before placing. UPR-SPY-005, UPR-SPY-006."""
    return z3.And(supply == 0, placed >= 1)


def may_enter(
    own_agents: z3.ArithRef,
    other_agents: z3.ArithRef,
    linked_spies: z3.ArithRef,
    infiltrates: z3.BoolRef,
) -> z3.BoolRef:
    """A space with nobody on it, or one with others' Agents only, for a linked Spy.

    One Spy is enough for several Agents (FAQ). UPR-AGENT-001, UPR-AGENT-004, UPR-SPY-011,
    UPR-SPY-013, UPR-SPY-014.
    """
    by_infiltrating = z3.And(infiltrates, own_agents == 0, other_agents >= 1, linked_spies >= 1)
    return z3.Or(z3.And(z3.Not(infiltrates), own_agents + other_agents == 0), by_infiltrating)


def may_gather(linked_spies_left: z3.ArithRef) -> z3.BoolRef:
    """With a Spy on a linked post, after one that was recalled to Infiltrate is gone.

    UPR-SPY-015, UPR-SPY-017, UPR-SPY-018.
    """
    return linked_spies_left >= 1


def after_recall(supply: z3.ArithRef, placed: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
    """A Spy that is recalled is in its owner's supply. UPR-SPY-008, UPR-SPY-011, UPR-SPY-015."""
    return supply + 1, placed - 1


def after_placing(supply: z3.ArithRef, placed: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
    """A Spy that is placed is no longer in the supply. UPR-SPY-002."""
    return supply - 1, placed + 1


def cards_drawn(gathers: z3.BoolRef) -> z3.ArithRef:
    """One card for the Spy that Gathers Intelligence. UPR-SPY-015."""
    return z3.If(gathers, 1, 0)
