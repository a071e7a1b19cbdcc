"""Look-ups in what is printed: the product's catalogue and the faces that a game adds."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.catalogue.faces import (
    CardFace,
    Catalogue,
    ConflictFace,
    ContractFace,
    IntrigueFace,
    LeaderFace,
    PostFace,
    SpaceFace,
    TrackFace,
)
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Seat


def printed(state: State) -> Catalogue:
    """The catalogue of the game's product."""
    return catalogue(state.config.product)


def card_face(state: State, card: str) -> CardFace:
    """A card's face."""
    for own in state.config.cards:
        if own.id == card:
            return own
    return printed(state).cards[card]


def knows_card(state: State, card: str) -> bool:
    """Whether there is such a card in this game."""
    return card in printed(state).cards or any(own.id == card for own in state.config.cards)


def intrigue_face(state: State, card: str) -> IntrigueFace:
    """An Intrigue card's face."""
    for own in state.config.intrigues:
        if own.id == card:
            return own
    return printed(state).intrigue[card]


def intrigue_faces(state: State) -> Iterator[IntrigueFace]:
    """Every Intrigue card of this game."""
    yield from state.config.intrigues
    yield from printed(state).intrigue.values()


def space_face(state: State, space: str) -> SpaceFace:
    """A board space."""
    return printed(state).spaces[space]


def post_face(state: State, post: str) -> PostFace:
    """An observation post."""
    return printed(state).posts[post]


def track_face(state: State, faction: str) -> TrackFace:
    """A Faction's track."""
    return printed(state).tracks[faction]


def conflict_face(state: State, card: str) -> ConflictFace:
    """A Conflict card's face."""
    for own in state.config.conflicts:
        if own.id == card:
            return own
    return printed(state).conflicts[card]


def leader_face(state: State, seat: Seat) -> LeaderFace | None:
    """A player's Leader, on the side that is up."""
    leader = state.players[seat].leader
    return None if leader is None else printed(state).leaders[leader]


def contract_face(state: State, contract: str) -> ContractFace:
    """A contract."""
    for own in state.config.contracts:
        if own.id == contract:
            return own
    return printed(state).contracts[contract]
