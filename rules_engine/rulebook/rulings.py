"""Rulings: points that the rulebooks leave open, each with its readings and a default."""

from __future__ import annotations

import difflib
import functools
from importlib import resources

import msgspec

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.index import cite


class Ruling(Record):
    """An open question, the names of its readings (the first is the default) and what they say."""

    id: str
    question: str
    values: tuple[str, ...]
    says: tuple[str, ...]
    authority: str
    rules: tuple[str, ...]

    @property
    def default(self) -> str:
        """The reading a game follows if it says nothing."""
        return self.values[0]


class UnknownRuling(TruthsayerError):
    """A ruling, or a value of one, that does not exist."""

    def __init__(self, what: str, known: tuple[str, ...]) -> None:
        close = difflib.get_close_matches(what, known, n=1)
        hint = f"did you mean `{close[0]}`?" if close else "known: " + ", ".join(known)
        super().__init__("TS0202", f"no ruling or value `{what}`", help=hint)


class _File(Record):
    ruling: tuple[Ruling, ...]


@functools.cache
def rulings() -> dict[str, Ruling]:
    """Every ruling by its name."""
    text = (
        resources.files("rules_engine.rulebook").joinpath("open_points/uprising.toml").read_bytes()
    )
    found = {each.id: each for each in msgspec.toml.decode(text, type=_File).ruling}
    for each in found.values():
        cite(*each.rules)
    return found


def ruling(name: str) -> Ruling:
    """The ruling of this name."""
    known = rulings()
    if name not in known:
        raise UnknownRuling(name, tuple(known))
    return known[name]


def chosen(values: dict[str, str]) -> Rulings:
    """A choice of rulings for a game's config."""
    for name, value in values.items():
        if value not in ruling(name).values:
            raise UnknownRuling(value, ruling(name).values)
    return Rulings(tuple(sorted(values.items())))
