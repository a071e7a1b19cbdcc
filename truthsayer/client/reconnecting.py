"""How long a lost subscription is tried again."""

PAUSES = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4)
"""Seconds before each new try; after an update they begin anew."""
