"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    combat,
    conditions,
    contracts,
    discarding,
    influence,
    leaders,
    points,
    sandworms,
    setup,
    shield_wall,
)

__all__ = [
    "combat",
    "conditions",
    "contracts",
    "discarding",
    "influence",
    "leaders",
    "points",
    "sandworms",
    "setup",
    "shield_wall",
]
