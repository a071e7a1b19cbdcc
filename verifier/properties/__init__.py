"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    combat,
    control,
    deployment,
    influence,
    points,
    sandworms,
    shield_wall,
    strength,
    units,
)

__all__ = [
    "combat",
    "control",
    "deployment",
    "influence",
    "points",
    "sandworms",
    "shield_wall",
    "strength",
    "units",
]
