"""What a player may see. Each field of a record declares it; nothing else decides.

A field without a declaration is open to all. `OWNER`: only the player whose record it is sees the
cards, everyone else how many there are. `DECK`: a card is seen by those who know it.
"""

from __future__ import annotations

import enum
import functools
import typing
from typing import Any

import msgspec

from rules_engine.kernel.decks import Known
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import Record


class Seen(enum.Enum):
    """Who sees a field."""

    OWNER = "owner"
    DECK = "deck"


@functools.cache
def declared(kind: type) -> dict[str, Seen]:
    """The fields of a record type that not everybody sees."""
    found = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        for mark in getattr(hint, "__metadata__", ()):
            if isinstance(mark, Seen):
                found[name] = mark
    return found


def view(state: Any, player: Seat) -> Any:
    """The position as this player may see it, as plain data."""
    return _shown(state, player, owner=None)


def view_event(event: Event, player: Seat) -> Event:
    """The event as this player may see it."""
    if event.player == player or not event.secret:
        return event
    facts = {name: value for name, value in event.facts.items() if name not in event.secret}
    return msgspec.structs.replace(event, facts=facts, secret=())


def _shown(value: Any, player: Seat, owner: Seat | None) -> Any:
    if isinstance(value, Record):
        owner = getattr(value, "seat", owner)
        marks = declared(type(value))
        shown = {}
        tag = type(value).__struct_config__
        if tag.tag_field is not None:
            shown[tag.tag_field] = tag.tag
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            shown[name] = _field(inner, marks.get(name), player, owner)
        return shown
    if isinstance(value, tuple):
        return [_shown(each, player, owner) for each in value]
    return value


def _field(value: Any, mark: Seen | None, player: Seat, owner: Seat | None) -> Any:
    if mark is Seen.OWNER and owner != player:
        return {"count": len(value)}
    if mark is Seen.DECK:
        return [card for part in value for card in _part(part, player)]
    return _shown(value, player, owner)


def _part(part: Any, player: Seat) -> list[str | None]:
    if isinstance(part, Known):
        return [part.card if player in part.seen_by else None]
    return [None] * part.count
