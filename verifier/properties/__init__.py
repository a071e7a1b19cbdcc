"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    combat,
    conflict_cards,
    conflicts,
    influence,
    intrigue,
    points,
    sandworms,
    shield_wall,
)

__all__ = [
    "combat",
    "conflict_cards",
    "conflicts",
    "influence",
    "intrigue",
    "points",
    "sandworms",
    "shield_wall",
]
