"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    acquire,
    combat,
    influence,
    points,
    reveal_turn,
    sandworms,
    shield_wall,
)

__all__ = ["acquire", "combat", "influence", "points", "reveal_turn", "sandworms", "shield_wall"]
