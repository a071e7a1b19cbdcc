"""What happened, read from its sentence: which event is told, and what it says of whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scenarios.imperium.table import Table
from scenarios.language.errors import suggestion
from scenarios.words import EVENT_VARIANTS, EVENTS, SOME_CARD, WHYS, plural

PLAYERS = ("player", "victim")
"""Facts that name a player."""

NAMED: dict[str, tuple[str, ...]] = {
    "card": ("card", "intrigue", "conflict", "objective"),
    "contract": ("contract",),
    "space": ("space",),
    "post": ("post",),
    "faction": ("faction",),
    "leader": ("leader",),
    "training": ("training",),
}
"""The kinds of thing that a fact of an event can name."""

LISTED = {"cards": "card", "spaces": "space", "factions": "faction"}
"""Facts that name several things, and what each of them is."""

NUMBERS = ("amount", "strength", "influence", "round", "points")

FACT = r"\{(\w+)(?::([^}]*))?\}"
"""A fact in the sentence of an event: `{troops:troop}` is a number of troops."""


class Told(NamedTuple):
    """An event that a sentence may tell, and its facts as they are written."""

    key: str
    facts: dict[str, str]


def _pattern(sentence: str) -> re.Pattern[str]:
    """Reads a sentence about an event."""
    parts = re.split(FACT, sentence)
    found = re.escape(parts[0])
    for name, noun, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        number = bool(noun) or name in NUMBERS
        counted = f" (?:{re.escape(noun)}|{re.escape(plural(noun))})" if noun else ""
        value = "-?[0-9]+|no" if noun else "-?[0-9]+" if number else ".+"
        found += f"(?P<{name}>{value}){counted}{re.escape(text)}"
    return re.compile(found, re.IGNORECASE)


class _Sentence(NamedTuple):
    """A sentence of an event, and what it says of facts that it does not name."""

    key: str
    text: str
    implies: dict[str, str]


_SENTENCES = [
    *(_Sentence(key, text, {}) for key, text in EVENTS.items()),
    *(
        _Sentence(key, variant.sentence, {variant.fact: variant.told})
        for key, variants in EVENT_VARIANTS.items()
        for variant in variants
    ),
]

_PATTERNS = [
    (each, _pattern(each.text))
    for each in sorted(_SENTENCES, key=lambda each: -len(re.sub(FACT, "", each.text)))
]
"""The sentences of events, the most telling first: `draws the Intrigue card` before `draws`."""

_WHYS = {words.lower(): why for why, words in WHYS.items()}


def told(sentence: str) -> Iterator[Told]:
    """The events that a sentence may tell, the likeliest first."""
    for each, pattern in _PATTERNS:
        read = pattern.fullmatch(sentence)
        if read is not None:
            facts = {name: _as_fact(name, text) for name, text in read.groupdict().items()}
            yield Told(each.key, {**facts, **each.implies})


def _as_fact(name: str, text: str) -> str:
    """A fact without the words that stand for it in a sentence."""
    if text.lower() == "no":
        return "0"
    return _WHYS.get(text.lower(), text) if name == "why" else text


def unknown_name(table: Table, sentence: str) -> str | None:
    """A remedy if a sentence tells nothing that can happen, or names what there is not."""
    remedies = [_remedy(table, found) for found in told(sentence)]
    if not remedies:
        names = (name for name in table.players if sentence.lower().startswith(name.lower()))
        player = next(names, table.players[0])
        return suggestion(sentence, (_example(each.text, player) for each in _SENTENCES))
    return None if None in remedies else remedies[0]


def _example(sentence: str, player: str) -> str:
    """A sentence with a player in it, and the kinds of other facts in place of the facts."""

    def filled(fact: re.Match[str]) -> str:
        if fact[2]:
            return f"2 {plural(fact[2])}"
        return {"player": player, "why": WHYS["track"]}.get(
            fact[1], "2" if fact[1] in NUMBERS else fact[1]
        )

    return re.sub(FACT, filled, sentence)


def _remedy(table: Table, found: Told) -> str | None:
    """What was probably meant by the first name of an event that there is not."""
    for fact, text in found.facts.items():
        if fact in PLAYERS:
            known: tuple[str, ...] = tuple(table.players)
            if text.lower() not in (name.lower() for name in known):
                return suggestion(text, known)
        elif fact in NAMED and text.lower() != SOME_CARD and named(table, fact, text) is None:
            kinds = NAMED[fact]
            return suggestion(text, [name for kind in kinds for name in table.names.known(kind)])
    return None


def named(table: Table, fact: str, text: str) -> str | None:
    """The id of what a fact names."""
    found = (table.names.find(kind, text) for kind in NAMED.get(fact, ()))
    return next((each for each in found if each is not None), None)


def listed(table: Table, fact: str, text: str) -> Iterator[str]:
    """The names of a list, one by one; a name may have commas in it itself."""
    parts = [] if text.lower().startswith("no ") else text.split(", ")
    while parts:
        lengths = range(len(parts), 0, -1)
        fits = (n for n in lengths if named(table, LISTED[fact], ", ".join(parts[:n])))
        length = next(fits, 1)
        yield ", ".join(parts[:length])
        del parts[:length]
