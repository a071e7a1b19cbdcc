"""How much a caller may ask for at once. How long a scenario file may be, its language says."""

from __future__ import annotations

from collections.abc import Sized

from rules_engine.kernel.errors import TruthsayerError

MOST_FILES = 10_000
LONGEST_POSITION = 1024 * 1024
"""The characters of a position; one of a game has some ten thousand."""


class TooMuch(TruthsayerError):
    """A request that is larger than we take."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__("TS0802", message, help=help)


def check_files(files: Sized) -> None:
    """Refuse more files than we take."""
    if len(files) > MOST_FILES:
        raise TooMuch(f"{len(files)} files are more than {MOST_FILES}", "check fewer at a time")


def check_position(text: str) -> None:
    """Refuse a position that is longer than we take."""
    if len(text) > LONGEST_POSITION:
        raise TooMuch(
            f"the position has {len(text)} characters, more than {LONGEST_POSITION}",
            "send a position as NewGame and Step give it",
        )
