"""What a player or a spectator may see. Each field of a record declares it; nothing else decides.

A field without a declaration is open to all. `OWNER`: only the player whose record it is sees the
cards, everyone else how many there are; a single value is hidden wholly. The record says in `seat`
whose it is, or else the record that it is part of, and so does a pending frame. `DECK`: a card is
seen by those who know it.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable
from typing import Any

from rules_engine.kernel.decks import Known
from rules_engine.kernel.game import Action, Answer
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.promised import promised
from rules_engine.kernel.records import Record, change

Viewer = Seat | None
"""Who looks on: a player, or a spectator, who sees only what everybody sees."""


class Seen(enum.Enum):
    """Who sees a field."""

    OWNER = "owner"
    DECK = "deck"


@functools.cache
def declared(kind: type[Record]) -> dict[str, Seen]:
    """The fields of a record type that not everybody sees."""
    found = {}
    for name, hint in promised(kind).items():
        for mark in getattr(hint, "__metadata__", ()):
            if isinstance(mark, Seen):
                found[name] = mark
    return found


def owns(viewer: Viewer, owner: Seat | None) -> bool:
    """Whether a record is the viewer's own. What belongs to nobody is not a spectator's."""
    return owner is not None and viewer == owner


def view(state: Any, viewer: Viewer) -> Any:
    """The position as this player, or a spectator, may see it, as plain data."""
    return _shown(state, viewer, owner=None)


def view_of(record: Record, field: str, viewer: Viewer) -> Any:
    """One field of a player's record as another, or the owner, may see it."""
    mark = declared(type(record)).get(field)
    return _field(getattr(record, field), mark, viewer, getattr(record, "seat", None))


def view_event(event: Event, viewer: Viewer) -> Event:
    """The event as this player, or a spectator, may see it."""
    if not event.secret or owns(viewer, event.player):
        return event
    facts = {name: value for name, value in event.facts.items() if name not in event.secret}
    return change(event, facts=facts, secret=())


def view_actions(listed: Iterable[Action | Answer], viewer: Viewer) -> tuple[Action, ...]:
    """Of the inputs allowed now, those a player is told of: the own ones.

    What others may do tells of their cards, and what chance may answer of the decks.
    """
    return tuple(each for each in listed if isinstance(each, Action) and owns(viewer, each.by))


@functools.cache
def _tag(kind: type[Record]) -> dict[str, Any]:
    """What tells a record type from others in its place, if anything does."""
    config = kind.__struct_config__
    return {} if config.tag_field is None else {config.tag_field: config.tag}


@functools.cache
def _fields(kind: type[Record]) -> tuple[tuple[str, Seen | None], ...]:
    """The fields of a record type and who sees each."""
    return tuple((name, declared(kind).get(name)) for name in kind.__struct_fields__)


def _shown(value: Any, viewer: Viewer, owner: Seat | None) -> Any:
    if isinstance(value, tuple):
        return [_shown(each, viewer, owner) for each in value]
    if isinstance(value, Record):
        owner = getattr(value, "seat", owner)
        shown = dict(_tag(type(value)))
        for name, mark in _fields(type(value)):
            shown[name] = _field(getattr(value, name), mark, viewer, owner)
        return shown
    return value


def _field(value: Any, mark: Seen | None, viewer: Viewer, owner: Seat | None) -> Any:
    if mark is None:
        return _shown(value, viewer, owner)
    if mark == Seen.DECK:
        return [card for part in value for card in _part(part, viewer)]
    if owns(viewer, owner):
        return _shown(value, viewer, owner)
    return {"count": len(value)} if isinstance(value, tuple) else None


def _part(part: Any, viewer: Viewer) -> list[str | None]:
    if isinstance(part, Known):
        return [part.card if viewer in part.seen_by else None]
    return [None] * part.count
