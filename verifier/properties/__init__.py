"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import (
    agent_turn,
    agents,
    combat,
    endgame,
    influence,
    points,
    recall,
    round,
    sandworms,
    shield_wall,
    spies,
)

__all__ = [
    "agent_turn",
    "agents",
    "combat",
    "endgame",
    "influence",
    "points",
    "recall",
    "round",
    "sandworms",
    "shield_wall",
    "spies",
]
