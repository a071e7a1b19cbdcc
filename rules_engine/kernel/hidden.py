"""Positions that a viewer cannot tell apart: what is hidden is changed, by the declarations alone.

`scrambled` puts nonsense wherever the viewer may not look: enough to compare views. What
`dealt_otherwise` gives can be played: the hidden cards are dealt out again among the hidden places.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

from rules_engine.kernel.decks import ANY, SORTED, Deck, Known, Pool, size
from rules_engine.kernel.game import Game
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.promised import promised
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.views import Seen, Viewer, declared, owns

Replace = Callable[[str, Seat | None], str]
"""The card that takes the place of a hidden one, which belongs to a player or to nobody."""

Hide = Callable[[Any, Seen, Seat | None], Any]
"""What a field with something hidden holds instead, by its mark and its owner."""


@functools.cache
def sorted_fields(kind: type[Record]) -> tuple[str, ...]:
    """The fields of a record type whose order means nothing."""
    return tuple(
        name for name, hint in promised(kind).items() if SORTED in getattr(hint, "__metadata__", ())
    )


def _changed(value: Any, viewer: Viewer, owner: Seat | None, hide: Hide) -> Any:
    """The value with every field changed that has something hidden from the viewer."""
    if isinstance(value, Record):
        owner = getattr(value, "seat", owner)
        marks = declared(type(value))
        fields = {}
        for name in value.__struct_fields__:
            inner, mark = getattr(value, name), marks.get(name)
            if mark is None or (mark is Seen.OWNER and owns(viewer, owner)):
                fields[name] = _changed(inner, viewer, owner, hide)
            else:
                hidden = hide(inner, mark, owner)
                is_zone = name in sorted_fields(type(value)) and isinstance(hidden, tuple)
                fields[name] = tuple(sorted(hidden)) if is_zone else hidden
        return change(value, **fields)
    if isinstance(value, tuple):
        return tuple(_changed(each, viewer, owner, hide) for each in value)
    return value


# How much is hidden

Way = tuple[str | int, ...]
"""The fields, and the places in tuples, that lead to a part of a position."""

HOLDERS = (Record, tuple)
"""What can have fields with cards in it."""


def fewer_hidden(before: Any, after: Any, viewer: Viewer) -> bool:
    """Whether some place of a position has fewer cards than before that a viewer may not see."""
    return _fewer(before, after, viewer, None)


def _fewer(before: Any, after: Any, viewer: Viewer, owner: Seat | None) -> bool:
    """The same for a part of the position. Most parts are the very same ones as before."""
    if before is after or not isinstance(before, HOLDERS):
        return False
    if isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        pairs = zip(before, after, strict=True)
        return any(_fewer(one, other, viewer, owner) for one, other in pairs)
    if isinstance(before, Record) and type(before) is type(after):
        seat = getattr(before, "seat", owner)
        if seat == getattr(after, "seat", owner):
            return any(
                _fewer_in_field(getattr(before, name), getattr(after, name), mark, viewer, seat)
                for name, mark in _fields(type(before))
            )
    now = _hidden_counts(after, viewer, owner)
    return any(
        now.get(way, 0) < count for way, count in _hidden_counts(before, viewer, owner).items()
    )


def _fewer_in_field(
    before: Any, after: Any, mark: Seen | None, viewer: Viewer, owner: Seat | None
) -> bool:
    if _is_open(mark, viewer, owner):
        return _fewer(before, after, viewer, owner)
    assert mark is not None
    return _hidden_in(after, mark, viewer) < _hidden_in(before, mark, viewer)


@functools.cache
def _fields(kind: type[Record]) -> tuple[tuple[str, Seen | None], ...]:
    marks = declared(kind)
    return tuple((name, marks.get(name)) for name in kind.__struct_fields__)


def _is_open(mark: Seen | None, viewer: Viewer, owner: Seat | None) -> bool:
    return mark is None or (mark is Seen.OWNER and owns(viewer, owner))


def _hidden_counts(value: Any, viewer: Viewer, owner: Seat | None) -> dict[Way, int]:
    """How many cards the viewer may not see, for each place in a part that has any."""
    found: dict[Way, int] = {}

    def count(part: Any, owner: Seat | None, way: Way) -> None:
        if isinstance(part, tuple):
            for place, each in enumerate(part):
                count(each, owner, (*way, place))
        elif isinstance(part, Record):
            owner = getattr(part, "seat", owner)
            for name, mark in _fields(type(part)):
                inner = getattr(part, name)
                if mark is None or _is_open(mark, viewer, owner):
                    count(inner, owner, (*way, name))
                elif hidden := _hidden_in(inner, mark, viewer):
                    found[(*way, name)] = hidden

    count(value, owner, ())
    return found


def _hidden_in(value: Any, mark: Seen, viewer: Viewer) -> int:
    """How many cards of a field are hidden from the viewer, who is not its owner."""
    if mark is Seen.DECK:
        return size(tuple(part for part in value if not _known_to(part, viewer)))
    return len(value) if isinstance(value, tuple) else int(value is not None)


# Nonsense


def scrambled(state: Any, viewer: Viewer) -> Any:
    """The position with everything changed that a viewer may not see."""

    def hide(value: Any, mark: Seen, _: Seat | None) -> Any:
        if mark is Seen.DECK:
            return _other_deck(value, viewer)
        return _other_cards(len(value)) if isinstance(value, tuple) else "scrambled"

    return _changed(state, viewer, None, hide)


def _other_cards(count: int) -> tuple[str, ...]:
    return tuple(f"scrambled {number}" for number in range(count))


def _other_deck(deck: Deck, viewer: Viewer) -> Deck:
    """A deck of as many cards in which only those that the viewer knows are as they were.

    Who else knows a card is a secret too, what a pool is made of, and where it begins and ends.
    """
    parts: list[Known | Pool] = []
    for known, run in itertools.groupby(deck, lambda part: _known_to(part, viewer)):
        if known:
            parts.extend(change(part, seen_by=(viewer,)) for part in run)
        else:
            parts.extend(_other_run(tuple(run)))
    return tuple(parts)


def _known_to(part: Known | Pool, viewer: Viewer) -> bool:
    return isinstance(part, Known) and viewer in part.seen_by


def _other_run(hidden: Deck) -> Iterator[Pool]:
    """As many cards in one pool if there were several parts, else each in a pool of its own."""
    count = size(hidden)
    if len(hidden) > 1:
        yield Pool(count, _other_cards(count + 1))
    else:
        yield from (Pool(1, (card,)) for card in _other_cards(count))


# Other cards that could be there


def dealt_otherwise(game: Game, state: Any, viewer: Viewer) -> Iterator[Any]:
    """Other positions of the same game that look the same to the viewer.

    The hidden cards change places with others of their kin. In the first position as many places as
    can be have another face than before; the second is dealt at random, for whole hands to differ.
    """
    kin: dict[object, list[str]] = {}

    def collect(card: str, owner: Seat | None) -> str:
        kin.setdefault(game.kin(state, card, owner), []).append(card)
        return card

    _replaced(state, viewer, collect)
    for deal in (_other_faces, _shuffled):
        yield _replaced(state, viewer, _dealer(game, state, kin, deal))


def _dealer(
    game: Game,
    state: Any,
    kin: dict[object, list[str]],
    deal: Callable[[list[str]], list[str]],
) -> Replace:
    left = {key: iter(deal(cards)) for key, cards in kin.items()}
    return lambda card, owner: next(left[game.kin(state, card, owner)])


def _other_faces(cards: list[str]) -> list[str]:
    """Each place gets the face that is half of all cards further on, in alphabetical order."""
    places = sorted(range(len(cards)), key=cards.__getitem__)
    moved = {place: cards[other] for place, other in zip(places, _half_on(places), strict=True)}
    return [moved[place] for place in range(len(cards))]


def _half_on(places: list[int]) -> list[int]:
    half = len(places) // 2
    return places[half:] + places[:half]


def _shuffled(cards: list[str]) -> list[str]:
    return random.Random(len(cards)).sample(cards, len(cards))


def _replaced(state: Any, viewer: Viewer, replace: Replace) -> Any:
    """The position with every hidden card replaced, in the same order each time."""

    def one(card: Any, owner: Seat | None) -> Any:
        return replace(card, owner) if isinstance(card, str) and card != ANY else card

    def hide(value: Any, mark: Seen, owner: Seat | None) -> Any:
        if mark is Seen.DECK:
            return tuple(part(each, owner) for each in value)
        if isinstance(value, tuple):
            return tuple(one(card, owner) for card in value)
        return one(value, owner)

    def part(each: Known | Pool, owner: Seat | None) -> Known | Pool:
        if isinstance(each, Pool):
            return change(each, cards=tuple(sorted(one(card, owner) for card in each.cards)))
        return each if _known_to(each, viewer) else change(each, card=one(each.card, owner))

    return _changed(state, viewer, None, hide)
