"""`ask`: questions about a position, answered in words with the rule that decides."""

from scenarios.asking.answers import ask

__all__ = ["ask"]
