"""The reading a game follows where the rulebooks leave a point open."""

from __future__ import annotations

from rules_engine.kernel.records import Record


class Rulings(Record):
    """Rulings chosen for a game by name; what is not chosen follows the ruling's default."""

    chosen: tuple[tuple[str, str], ...] = ()

    def value(self, name: str, default: str) -> str:
        """The value that this game follows."""
        for known, value in self.chosen:
            if known == name:
                return value
        return default
