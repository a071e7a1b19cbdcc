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
from rules_engine.effects.nodes import Counted, Node, Test
from rules_engine.effects.products import TITLES, waits_for
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import check_leaders, check_players
from rules_engine.imperium.state import Config, Player, State
from rules_engine.kernel.decks import ANY, Known, Pool
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from rules_engine.kernel.replay import NOT_PLAYABLE
from rules_engine.rulebook.rulings import chosen
from server.answers.limits import check_position

PRODUCTS = ("uprising",)
LONGEST_NAME = 100
LARGEST = 1_000
"""No game has so many of anything. What is listed or repeated a number of times stays short."""

SEATS = frozenset(
    {"seat", "first_player", "holder", "next", "victim", "tied", "passed", "reveal_order",
     "winners", "seen_by"}
)  # fmt: skip
"""The fields that name players by their seats."""

CARDS = ("hand", "deck", "discard", "in_play", "set_aside", "row", "imperium_deck", "trashed",
         "acquired", "shown", "sword_cards", "seen")  # fmt: skip
INTRIGUES = ("intrigues", "standing", "intrigue_deck", "intrigue_discard", "trashed_intrigues")
CONTRACTS = ("contracts", "completed", "contract_row", "contract_deck", "leader_contracts", "held")


def read_position(text: str) -> State:
    """A position that the engine can play: well formed, and broken in nothing we can tell."""
    check_position(text)
    state: State = decoded("position", text, State)
    with playable():
        _check(state)
        for invariant in IMPERIUM.invariants:
            for broken in invariant.broken(state):
                raise _impossible(broken, invariant.rules)
    return state


def decoded(what: str, text: str, kind: Any) -> Any:
    """A record read from JSON; what is wrong is said with its path."""
    try:
        return msgspec.json.decode(text, type=kind)
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


def _check(state: State) -> None:
    """Refuse what no game has, the cheap checks first: later ones rely on them."""
    config = state.config
    check_product(config.product)
    chosen(dict(config.rulings.chosen))
    if config.cards or config.conflicts or config.intrigues:
        raise _impossible("it has cards of its own")
    seats = tuple(each.seat for each in state.players)
    if len(seats) != config.players or seats != tuple(range(len(seats))):
        raise _impossible("its players do not sit at seats counted from 0")
    check_names(each.name for each in state.players)
    for record in _records(state):
        _check_record(config, record)
    _check_leaders(state)


def _records(value: object) -> Iterator[Record]:
    """Every record in a value; an effect is one, whatever is in it."""
    if isinstance(value, tuple):
        for each in value:
            yield from _records(each)
    elif isinstance(value, Record):
        yield value
        if not isinstance(value, Node):
            for field in value.__struct_fields__:
                yield from _records(getattr(value, field))


def _check_record(config: Config, record: Record) -> None:
    if isinstance(record, Node):
        _check_effect(record)
        return
    if isinstance(record, Pool) and not 0 <= record.count <= len(record.cards):
        raise _impossible(f"{record.count} cards of a pool of {len(record.cards)}")
    for field in record.__struct_fields__:
        values = list(_plain(getattr(record, field)))
        _check_numbers(values)
        if field in SEATS and any(seat not in range(config.players) for seat in values):
            raise _impossible(f"`{field}` is no seat of its players")
        known = _names(config.product).get(field)
        if known is not None and not known.issuperset(values):
            raise _impossible(f"`{field}` has a name that {config.product} does not have")


def _check_numbers(values: Iterable[object]) -> None:
    if any(isinstance(value, int) and abs(value) > LARGEST for value in values):
        raise _impossible(f"a number is larger than {LARGEST}")


def _check_effect(effect: Node) -> None:
    """Refuse an effect that another product plays, or one that counts beyond reason."""
    product = waits_for(effect)
    if product is not None:
        raise _impossible(f"an effect of {TITLES[product]} is pending")
    _check_numbers(_numbers_in(effect))


def _numbers_in(value: object) -> Iterator[object]:
    if isinstance(value, Node | Test | Counted):
        for field in value.__struct_fields__:
            yield from _numbers_in(getattr(value, field))
    elif isinstance(value, tuple):
        for each in value:
            yield from _numbers_in(each)
    else:
        yield value


def _plain(value: Any) -> Iterator[object]:
    """The texts and numbers of a field; the cards, if it is a deck."""
    if isinstance(value, tuple):
        for each in value:
            yield from _plain(each)
    elif isinstance(value, Pool):
        yield from value.cards
    elif isinstance(value, Known):
        yield value.card
    elif value is not None and not isinstance(value, Record):
        yield value


@functools.cache
def _names(product: str) -> dict[str, frozenset[str]]:
    """What each field that names things of the game can have in it."""
    faces = catalogue(product)
    training = [space.id for leader in faces.leaders.values() for space in leader.training]
    groups: dict[str, Iterable[str]] = {
        **dict.fromkeys(CARDS, (*faces.cards, ANY)),
        **dict.fromkeys(INTRIGUES, (*faces.intrigue, ANY)),
        **dict.fromkeys(CONTRACTS, (*faces.contracts, ANY)),
        **dict.fromkeys(("conflict", "conflict_deck"), (*faces.conflicts, ANY)),
        "objectives": faces.objectives,
        "card": (*faces.cards, *faces.intrigue, *faces.conflicts, *faces.objectives, ANY),
        "training": training,
        "space": faces.spaces,
        "post": faces.posts,
        "faction": faces.tracks,
        "barred": faces.tracks,
    }
    return {field: frozenset(names) for field, names in groups.items()}


def _check_leaders(state: State) -> None:
    """Refuse Leaders that these players cannot have, and a token on a track that one lacks."""
    faces = catalogue(state.config.product).leaders
    fronts: dict[str | None, str | None]
    fronts = {face.turns_into: face.id for face in faces.values() if face.turns_into}
    leaders = [each.leader for each in state.players]
    check_leaders(state.config, tuple(fronts.get(leader, leader) for leader in leaders))
    for each in state.players:
        if each.training not in _track(state, each):
            raise _impossible(f"{each.name}'s Leader has another training track, or none")


def _track(state: State, owner: Player) -> tuple[str | None, ...]:
    """The spaces where a player's training token can be."""
    if owner.leader is None:
        return (None,)
    face = catalogue(state.config.product).leaders[owner.leader]
    return tuple(space.id for space in face.training) or (None,)
