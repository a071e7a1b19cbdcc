"""How much a caller may ask for at once, and for how long.

How long a scenario file may be, its language says.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.v1 import common_pb2

MOST_FILES = 10_000
LONGEST_POSITION = 1024 * 1024
"""The characters of a position; one of a game has some ten thousand."""

LONGEST_INPUT = 64 * 1024
MOST_CASES = 1_024
MOST_INPUTS = 1_024
"""The positions that are evaluated together, and the inputs that are tried in each."""

MOST_REPLAYED = 20_000
"""The inputs of a game that is played again."""

LONGEST_SEARCH = 500
"""The characters of a question."""

MOST_FOUND = 100
"""How much of a kind one search may find."""

LONGEST_FILE_NAME = 4096
"""As long as Linux lets a path be. Every result repeats the name of its file."""

LONGEST_WAIT = 120.0
"""How many seconds a scenario may take."""

LONGEST_PROOF = 600.0
"""How many seconds one call may prove, if the settings say nothing else."""

LONGEST_ANSWER = 30.0
"""How many seconds an implementation that is tested may take to answer a batch of calls."""

MOST_NAMES = 10_000
"""How many rules, tags and cases a run, or properties a proof, may be narrowed down to."""


class TooMuch(TruthsayerError):
    """A request that is larger than we take."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__("TS0802", message, help=help)


def check_files(files: Sequence[common_pb2.SourceFile]) -> None:
    """Refuse more files, or longer names of files, than we take."""
    if len(files) > MOST_FILES:
        raise TooMuch(f"{len(files)} files are more than {MOST_FILES}", "check fewer at a time")
    for file in files:
        _check_length("name of a file", file.name, LONGEST_FILE_NAME, "give it a shorter one")


def check_names(names: Sequence[str]) -> None:
    """Refuse more names to select by than we take."""
    if len(names) > MOST_NAMES:
        raise TooMuch(f"{len(names)} names are more than {MOST_NAMES}", "select by fewer")


def check_position(text: str) -> None:
    """Refuse a position that is longer than we take."""
    help = "send a position as NewGame and Step give it"
    _check_length("position", text, LONGEST_POSITION, help)


def check_input(text: str) -> None:
    """Refuse an input that is longer than we take."""
    _check_length("input", text, LONGEST_INPUT, "send an input as Actions gives it")


def check_search(words: str) -> None:
    """Refuse to search for more than we take."""
    _check_length("question", words, LONGEST_SEARCH, "ask in a sentence or a few words")


def _check_length(what: str, text: str, most: int, help: str) -> None:
    if len(text) > most:
        raise TooMuch(f"the {what} has {len(text)} characters, more than {most}", help)
