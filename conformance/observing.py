"""The normalised projection of a position: what is compared with an implementation.

An observation has a key for each field below. Zones are lists of card ids in alphabetical order.
A deck is such a list too: nobody observes its order. Where the reference does not know which cards
are in a deck, it has their number alone, `{"count": 7}`, and so has what a viewer may not see.

Most of a position is as it was before the last input, and is not observed again: an observation
shares with others what they have in common, so nobody may change one.
"""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from rules_engine.effects.text import say
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import Deck, Known, size
from rules_engine.kernel.game import asked
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.views import Seen, declared, owns

Json = dict[str, Any]

FIELDS = (
    "round", "first_player", "asked", "turn", "shield_wall", "agents", "spies", "makers",
    "controls", "alliances", "conflict", "conflict_deck", "row", "imperium_deck", "reserve",
    "intrigue_deck", "intrigue_discard", "contract_row", "contract_deck", "leader_contracts",
    "objectives", "trashed", "trashed_intrigues", "first_reward", "winners",
)  # fmt: skip
"""What is observed of the table."""

DECKS = ("conflict_deck", "imperium_deck", "intrigue_deck", "contract_deck")

PLAYER_FIELDS = Player.__struct_fields__
"""What is observed of each player, in the list `players`."""

HIDDEN = declared(Player)
"""The fields of a player that not everybody sees."""


def observe(state: State) -> Json:
    """Everything that is observed of a position."""
    found = _table(state)
    found["players"] = [_player(each) for each in state.players]
    return found


def observe_as(state: State, viewer: Seat | None) -> Json:
    """What a player, or a spectator, may see of it."""
    found = _table(state)
    for name in DECKS:
        found[name] = {"count": size(getattr(state, name))}
    found["players"] = [_seen(each, viewer) for each in state.players]
    return found


def _table(state: State) -> Json:
    found = {
        **_board(tuple(getattr(state, name) for name in _PLAIN)),
        **{name: deck(getattr(state, name)) for name in DECKS},
    }
    found["first_reward"] = [say(effect) for effect in state.first_reward]
    found["asked"] = list(asked(IMPERIUM, state).players)
    found["turn"] = None if state.turn is None else state.turn.seat
    return found


_PLAIN = tuple(name for name in FIELDS if name not in (*DECKS, "first_reward", "asked", "turn"))


KEPT = 64
"""How many players and boards are known again: more than come up between two inputs."""


@functools.lru_cache(KEPT)
def _board(values: tuple[Any, ...]) -> Json:
    return _plain(dict(zip(_PLAIN, values, strict=True)))


def _plain(value: Any) -> Json:
    """A value as its JSON says it, so that it equals what is read from an adapter."""
    found: Json = msgspec.json.decode(msgspec.json.encode(value))
    return found


@functools.lru_cache(KEPT)
def _player(owner: Player) -> Json:
    found = _plain(owner)
    found["deck"] = deck(owner.deck)
    return found


def _seen(owner: Player, viewer: Seat | None) -> Json:
    found = dict(_player(owner))
    for name, mark in HIDDEN.items():
        if mark is Seen.DECK:
            found[name] = {"count": size(getattr(owner, name))}
        elif not owns(viewer, owner.seat):
            found[name] = {"count": len(getattr(owner, name))}
    return found


def deck(parts: Deck) -> Any:
    """The cards of a deck, or their number if it is not known which they are."""
    cards: list[str] = []
    for part in parts:
        if isinstance(part, Known):
            cards.append(part.card)
        elif part.count == len(part.cards):
            cards.extend(part.cards)
        else:
            return {"count": size(parts)}
    return sorted(cards)
