"""An index of texts that ranks them by how well they fit a question: BM25 of SQLite's FTS5."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from rules_engine.search.words import Reader

CREATE = (
    "CREATE VIRTUAL TABLE entries USING "
    "fts5(title, text, names, also, tokenize = 'porter unicode61')"
)
INSERT = "INSERT INTO entries (rowid, title, text, names, also) VALUES (?, ?, ?, ?, ?)"
RANK = "SELECT rowid, -bm25(entries, ?, ?, ?, ?) FROM entries WHERE entries MATCH ?"


class Entry(Record):
    """A text that can be found."""

    kind: str
    """What it is, such as a rule."""

    id: str
    title: str
    text: str

    names: str = ""
    """What it is called and where it stands."""

    also: str = ""
    """What others say about it."""

    products: tuple[str, ...] = ()
    """The games it is for."""

    narrow: bool = False
    """Whether it is for a few ways to play them only."""


class Weights(Record):
    """How much a word counts, by where it stands."""

    title: float = 1.5
    text: float = 1.0
    names: float = 0.5
    also: float = 0.8


class Hit(NamedTuple):
    """An entry that fits, and how well."""

    entry: Entry
    score: float


class Index:
    """The entries, ready to be asked by any thread."""

    def __init__(
        self, entries: Iterable[Entry], reader: Reader, weights: Weights | None = None
    ) -> None:
        self._entries = tuple(entries)
        self._reader = reader
        used = weights or Weights()
        self._weights = (used.title, used.text, used.names, used.also)
        self._lock = threading.Lock()
        self._database = database()
        self._database.executemany(
            INSERT, ((number, *self._columns(each)) for number, each in enumerate(self._entries))
        )

    def search(self, words: Sequence[str], weigh: Callable[[Entry], float]) -> list[Hit]:
        """What has one of the words, best first. What weighs nothing is left out.

        Entries that fit equally well keep the order in which they came.
        """
        hits = (
            Hit(self._entries[number], score * weigh(self._entries[number]))
            for number, score in self._ranked(words)
        )
        return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: -hit.score)

    def _ranked(self, words: Sequence[str]) -> list[tuple[int, float]]:
        """Each entry that has a word, with its score. A word in quotes is no syntax of FTS5."""
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        with self._lock:
            return self._database.execute(RANK, (*self._weights, query)).fetchall()

    def _columns(self, entry: Entry) -> tuple[str, ...]:
        texts = (entry.title, entry.text, entry.names, entry.also)
        return tuple(" ".join(self._reader.read(text)) for text in texts)


def database() -> sqlite3.Connection:
    """An empty index in memory; an error where SQLite was built without FTS5."""
    made = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        made.execute(CREATE)
    except sqlite3.OperationalError as error:
        made.close()
        raise TruthsayerError(
            "TS0739",
            f"the SQLite of this Python cannot search: {error}",
            help="run Truthsayer with a Python whose SQLite has FTS5",
        ) from error
    return made
