"""Properties, in files named like the engine's files whose rules they are about."""

from verifier.properties import combat, points

__all__ = ["combat", "points"]
