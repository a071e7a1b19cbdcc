"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    acquire,
    cards,
    combat,
    conditions,
    discarding,
    held_intrigue,
    influence,
    points,
    reveal_turn,
    sandworms,
    shield_wall,
    trashing,
)

__all__ = [
    "acquire",
    "cards",
    "combat",
    "conditions",
    "discarding",
    "held_intrigue",
    "influence",
    "points",
    "reveal_turn",
    "sandworms",
    "shield_wall",
    "trashing",
]
