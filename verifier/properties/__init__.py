"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    combat,
    influence,
    makers,
    points,
    resources,
    sandworms,
    shield_wall,
    spaces,
)

__all__ = [
    "combat",
    "influence",
    "makers",
    "points",
    "resources",
    "sandworms",
    "shield_wall",
    "spaces",
]
