"""What an answer consists of before it becomes a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

YES, NO, NOT_YET, DEPENDS = "yes", "no", "not_yet", "depends"


class Part(NamedTuple):
    """One thing that an answer tells, and the rules behind it, the deciding one first."""

    words: str
    rules: tuple[str, ...] = ()


class Said(NamedTuple):
    """An answer in words, the rules behind it, whether it is a yes or a no, and its parts.

    The first rule is the one that decides.
    """

    words: str
    rules: tuple[str, ...] = ()
    verdict: str = ""
    items: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    known: tuple[str, ...] = ()
    """Of the items, those that make it another answer if they differ; all if none is named."""

    def content(self) -> tuple[object, ...]:
        """What is compared with the same answer under another reading.

        It is no other answer if the same is impossible for another reason, or if the same things
        are told in another order.
        """
        if self.verdict not in ("", YES):
            return (self.verdict,)
        told = sorted(self.known or self.items)
        return (self.verdict, *(told if told or self.verdict else (self.words,)))


def sentence(words: str) -> str:
    """Words as a sentence of their own."""
    return f"{words[:1].upper()}{words[1:]}."


def listed(texts: Iterable[str], last: str = "and") -> str:
    """Several things in a row."""
    found = tuple(texts)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def rules_of(parts: Iterable[Part], deciding: Part | None = None) -> tuple[str, ...]:
    """The rules of all parts, each once, those of the deciding part first."""
    first = () if deciding is None else deciding.rules
    return tuple(dict.fromkeys((*first, *(rule for part in parts for rule in part.rules))))
