"""Positions of callers: what has to be right in one before the engine plays it.

The engine checks neither names nor bounds, and whoever calls the service can write anything. No
error here quotes what the engine says about a position, for that could tell of hidden cards.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import check_leaders, check_players
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import decoder
from rules_engine.kernel.replay import NOT_PLAYABLE
from rules_engine.rulebook.rulings import chosen
from server.answers.contents import Strange, check_contents
from server.answers.limits import check_position

PRODUCTS = ("uprising",)
LONGEST_NAME = 100


def read_position(text: str) -> State:
    """A position that the engine can play: well formed, and broken in nothing we can tell."""
    check_position(text)
    state: State = decoded("position", text, State)
    with playable():
        _check(text, state)
        for invariant in IMPERIUM.invariants:
            for broken in invariant.broken(state):
                raise _impossible(broken, invariant.rules)
    return state


def decoded(what: str, text: str, kind: Any) -> Any:
    """A record read from JSON; what is wrong is said with its path."""
    try:
        return decoder(kind).decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise TruthsayerError(
            "TS0804",
            f"the {what} cannot be read: {error}",
            help=f"send {what}s as the engine gives them",
        ) from error


@contextmanager
def playable() -> Iterator[None]:
    """What the engine trips over in a position that no game has is bad input."""
    try:
        yield
    except Strange as strange:
        raise _impossible(str(strange)) from None
    except (LookupError, *NOT_PLAYABLE) as error:
        raise _impossible("the engine cannot play it") from error


def _impossible(why: str, rules: tuple[str, ...] = ()) -> TruthsayerError:
    return TruthsayerError(
        "TS0805",
        f"no game has this position: {why}",
        help="send a position as NewGame and Step give it",
        rules=rules,
    )


# Who plays what


def check_product(product: str) -> None:
    """Refuse a product that is not served."""
    if product not in PRODUCTS:
        raise TruthsayerError(
            "TS0806", f"no product `{product}`", help="known: " + ", ".join(PRODUCTS)
        )


def check_names(names: Iterable[str]) -> None:
    """Refuse so many players, or players whom nobody can tell apart by their names."""
    given = list(names)
    check_players(len(given))
    for name in given:
        if not name.strip() or len(name) > LONGEST_NAME or given.count(name) > 1:
            raise TruthsayerError(
                "TS0808",
                f"`{name[:LONGEST_NAME]}` cannot be a player's name here",
                help="give each player a short name of their own",
            )


# What is in a position


def _check(text: str, state: State) -> None:
    """Refuse what no game has, the cheap checks first: later ones rely on them."""
    config = state.config
    check_product(config.product)
    chosen(dict(config.rulings.chosen))
    if config.cards or config.conflicts or config.intrigues or config.contracts:
        raise _impossible("it has cards of its own")
    seats = tuple(each.seat for each in state.players)
    if len(seats) != config.players or seats != tuple(range(len(seats))):
        raise _impossible("its players do not sit at seats counted from 0")
    check_names(each.name for each in state.players)
    check_contents(text, state)
    _check_leaders(state)


def _check_leaders(state: State) -> None:
    """Refuse Leaders that these players cannot have, and a token on a track that one lacks."""
    fronts = _fronts(state.config.product)
    leaders = [each.leader for each in state.players]
    check_leaders(state.config, tuple(fronts.get(leader, leader) for leader in leaders))
    for each in state.players:
        if each.training not in _track(state, each):
            raise _impossible(f"{each.name}'s Leader has another training track, or none")


@functools.cache
def _fronts(product: str) -> dict[str | None, str | None]:
    """The front of each Leader who has a back."""
    faces = catalogue(product).leaders.values()
    return {face.turns_into: face.id for face in faces if face.turns_into}


def _track(state: State, owner: Player) -> tuple[str | None, ...]:
    """The spaces where a player's training token can be."""
    if owner.leader is None:
        return (None,)
    face = catalogue(state.config.product).leaders[owner.leader]
    return tuple(space.id for space in face.training) or (None,)
