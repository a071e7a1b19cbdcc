"""Players' questions from public pages, in two halves: one to tune with, one to measure with."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from rules_engine.kernel.records import Record

FILE = Path(__file__).with_name("questions.toml")


class Question(Record):
    """A question, where it comes from, and what decides it."""

    asks: str
    source: str
    kind: str
    rules: tuple[str, ...]
    rulings: tuple[str, ...] = ()
    product: str = "uprising"
    seen: bool = False
    """Whether a result was looked at while tuning by mistake, so that it cannot be held out."""

    @property
    def held_out(self) -> bool:
        """Whether nobody looked at it while tuning. The text decides, so nobody chooses."""
        return not self.seen and hashlib.sha256(self.asks.encode()).digest()[0] % 2 == 1


class _File(Record):
    sources: dict[str, str]
    question: tuple[Question, ...]


def sources() -> dict[str, str]:
    """Where the questions come from, by the name that questions give."""
    return _read().sources


def tuning_half() -> tuple[Question, ...]:
    """The questions to tune with."""
    return tuple(each for each in _read().question if not each.held_out)


def held_out_half() -> tuple[Question, ...]:
    """The questions that are only counted."""
    return tuple(each for each in _read().question if each.held_out)


def _read() -> _File:
    return msgspec.toml.decode(FILE.read_bytes(), type=_File)
