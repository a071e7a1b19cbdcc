"""What a text says, word by word, with one word for all that means the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rules_engine.kernel.records import Record

APOSTROPHES = "'\u2019"
WORD = re.compile(rf"[^\W_]+(?:[{APOSTROPHES}][^\W_]+)*")
POSSESSIVE = re.compile(rf"[{APOSTROPHES}]s$")
INSIDE = re.compile(f"[{APOSTROPHES}]")


class Words(Record):
    """The words that every question has, and those that mean the same as others."""

    empty: tuple[str, ...]
    """What says nothing about what is asked, such as `can`."""

    same: dict[str, tuple[str, ...]]
    """By the words that texts have, what else is said for them: a word, or several together."""


class Reader:
    """Reads texts with a list of words."""

    def __init__(self, words: Words) -> None:
        self._empty = frozenset(words.empty)
        self._same = {
            tuple(split(other)): tuple(split(usual))
            for usual, others in words.same.items()
            for other in others
        }
        self._longest = max(map(len, self._same), default=1)

    def read(self, text: str) -> list[str]:
        """Every word of a text; the usual words stand in for others that mean the same."""
        return list(self._usual(split(text)))

    def asked(self, question: str) -> list[str]:
        """The words of a question that say what it is about, each once."""
        said = (word for word in self.read(question) if word not in self._empty)
        return list(dict.fromkeys(said))

    def _usual(self, words: list[str]) -> Iterator[str]:
        at = 0
        while at < len(words):
            length, usual = self._longest_match(words, at)
            yield from usual
            at += length

    def _longest_match(self, words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
        """How many words from here on have a usual form, and that form."""
        for length in range(min(self._longest, len(words) - at), 0, -1):
            usual = self._same.get(tuple(words[at : at + length]))
            if usual is not None:
                return length, usual
        return 1, (words[at],)


def split(text: str) -> list[str]:
    """The words of a text in small letters, without accents, apostrophes and the `s` after one."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return [INSIDE.sub("", POSSESSIVE.sub("", word)) for word in WORD.findall(bare)]
