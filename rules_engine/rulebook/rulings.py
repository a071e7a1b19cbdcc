"""Rulings: answers to what the rulebooks leave open or do not say outright.

A named ruling has several readings and a default, and a game chooses. A settled one has a single
answer. An open point of which every reading plays the same is no choice.
"""

from __future__ import annotations

import difflib
import functools
from importlib import resources
from typing import TypeVar

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
    affects: tuple[str, ...] = ()
    """Ids of the printed things that it is about; empty where it is general."""

    @property
    def default(self) -> str:
        """The reading a game follows if it says nothing."""
        return self.values[0]


class Settled(Record):
    """A question that the sources answer one way only."""

    id: str
    question: str
    answer: str
    authority: str
    rules: tuple[str, ...]
    affects: tuple[str, ...] = ()
    """Ids of the printed things that it is about; empty where it is general."""
    waits: str = ""
    """The product that is needed to show it; empty where none is."""


class NoChoice(Record):
    """An open question of which no reading changes what happens, and why."""

    id: str
    question: str
    reason: str
    authority: str
    rules: tuple[str, ...]


Answer = Ruling | Settled | NoChoice


class UnknownRuling(TruthsayerError):
    """A ruling, or a value of one, that does not exist."""

    def __init__(self, what: str, known: tuple[str, ...]) -> None:
        close = difflib.get_close_matches(what, known, n=1)
        listed = "known: " + ", ".join(f"`{each}`" for each in known)
        hint = f"did you mean `{close[0]}`?" if close else listed
        super().__init__("TS0202", f"no ruling or value `{what}`", help=hint)


class _OpenPoints(Record):
    ruling: tuple[Ruling, ...]
    no_choice: tuple[NoChoice, ...]


class _SettledPoints(Record):
    settled: tuple[Settled, ...]


FileT = TypeVar("FileT", _OpenPoints, _SettledPoints)
AnswerT = TypeVar("AnswerT", Ruling, Settled, NoChoice)


@functools.cache
def rulings() -> dict[str, Ruling]:
    """Every ruling that a game may choose, by its name."""
    return _by_name(_read("open_points/uprising.toml", _OpenPoints).ruling)


@functools.cache
def no_choices() -> dict[str, NoChoice]:
    """Every open point that is no choice, by its name."""
    return _by_name(_read("open_points/uprising.toml", _OpenPoints).no_choice)


@functools.cache
def settled() -> dict[str, Settled]:
    """Every settled ruling by its name."""
    return _by_name(_read("settled/uprising.toml", _SettledPoints).settled)


def answers() -> dict[str, Answer]:
    """Every ruling of whatever kind, by its name."""
    return {**rulings(), **settled(), **no_choices()}


def answers_about(rule_id: str) -> tuple[Answer, ...]:
    """The rulings that belong to a rule: those a game may choose first."""
    return tuple(each for each in answers().values() if rule_id in each.rules)


def answers_affecting(thing: str) -> tuple[Ruling | Settled, ...]:
    """The rulings about something printed, by its id: those a game may choose first."""
    found: tuple[Ruling | Settled, ...] = (*rulings().values(), *settled().values())
    return tuple(each for each in found if thing in each.affects)


def ruling(name: str) -> Ruling:
    """The ruling of this name."""
    known = rulings()
    if name not in known:
        raise UnknownRuling(name, tuple(known))
    return known[name]


@functools.cache
def default(name: str) -> str:
    """The reading that a game follows if it chooses none."""
    return ruling(name).default


def chosen(values: dict[str, str]) -> Rulings:
    """A choice of rulings for a game's config."""
    for name, value in values.items():
        if value not in ruling(name).values:
            raise UnknownRuling(value, ruling(name).values)
    return Rulings(tuple(sorted(values.items())))


def _read(name: str, kind: type[FileT]) -> FileT:
    file = resources.files("rules_engine.rulebook").joinpath(name)
    return msgspec.toml.decode(file.read_bytes(), type=kind)


def _by_name(found: tuple[AnswerT, ...]) -> dict[str, AnswerT]:
    for each in found:
        cite(*each.rules)
    return {each.id: each for each in found}
