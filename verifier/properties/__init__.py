"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    combat,
    effects,
    influence,
    invariants,
    meaning,
    points,
    sandworms,
    shield_wall,
)

__all__ = [
    "combat",
    "effects",
    "influence",
    "invariants",
    "meaning",
    "points",
    "sandworms",
    "shield_wall",
]
