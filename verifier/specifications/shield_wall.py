"""The Shield Wall and the sandworms that it keeps out."""

import z3

PROTECTED_LOCATIONS = frozenset({"arrakeen", "spice_refinery", "imperial_basin"})


def is_protected(location: str | None, wall_stands: z3.BoolRef) -> z3.BoolRef:
    """A Conflict at one of three locations, as long as the token stands.

    UPR-WALL-002, UPR-WALL-003, UPR-WALL-006.
    """
    return z3.And(z3.BoolVal(location in PROTECTED_LOCATIONS), wall_stands)


def sandworms_after(
    sandworms: z3.ArithRef,
    icons: z3.ArithRef,
    *,
    location: str | None,
    wall_stands: z3.BoolRef,
    needs_hooks: bool,
    has_hooks: z3.BoolRef,
) -> z3.ArithRef:
    """One sandworm for each icon, straight into the Conflict, unless the Wall or hooks forbid it.

    UPR-WORM-001, UPR-WORM-003, UPR-WORM-004, UPR-WORM-005, UPR-WORM-006, UPR-WALL-003,
    UPR-WALL-006.
    """
    hindered = z3.Or(
        is_protected(location, wall_stands), z3.And(z3.BoolVal(needs_hooks), z3.Not(has_hooks))
    )
    return sandworms + z3.If(hindered, 0, icons)


def wall_stands_after(wall_stands: z3.BoolRef, removed: z3.BoolRef) -> z3.BoolRef:
    """Who resolves the detonation may take the token off, for good. UPR-WALL-004, UPR-WALL-005."""
    return z3.And(wall_stands, z3.Not(removed))
