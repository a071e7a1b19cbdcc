"""What a position may have in it: numbers, seats, names and effects that a game has.

Every call brings a position, so this has to be quick. The records of a position are defined a
second time, from their own definitions, with each number, seat and name narrowed down to what a
game of these players can have; the decoder then checks them while it reads. Only effects are walked
through.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, Literal, Union, cast

import msgspec
from msgspec import inspect

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import effects, things
from rules_engine.effects import tree
from rules_engine.effects.nodes import Counted, Node, Test
from rules_engine.effects.products import TITLES, waits_for
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY, Known, Pool
from rules_engine.kernel.records import Record

LARGEST = 1_000
"""No game has so many of anything. What is listed or repeated a number of times stays short."""

MOST_PENDING = 100
"""No game has so many things pending."""

MOST_PARTS = 50
"""No game has so many effects due, counted with those in them, that are printed nowhere."""

NUMBER = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]

SEATS = frozenset(
    {"seat", "first_player", "holder", "next", "victim", "tied", "passed", "reveal_order",
     "winners", "seen_by"}
)  # fmt: skip
"""The fields that name players by their seats."""

CARDS = ("hand", "deck", "discard", "in_play", "set_aside", "row", "imperium_deck", "trashed",
         "acquired", "shown", "sword_cards", "seen")  # fmt: skip
INTRIGUES = ("intrigues", "standing", "intrigue_deck", "intrigue_discard", "trashed_intrigues")
CONTRACTS = ("contracts", "completed", "contract_row", "contract_deck", "leader_contracts", "held")


class Strange(Exception):
    """Something that no position has, in words."""


def check_contents(text: str, state: State) -> None:
    """Find a number, a seat, a name or an effect that no game of these players has.

    The state is the one that the text says.
    """
    try:
        _narrow_decoder(state.config.product, state.config.players).decode(text)
    except msgspec.ValidationError as error:
        raise Strange(str(error)) from None
    unprinted = list(_unprinted(state))
    for effect in unprinted:
        _check_effect(effect)
    _check_work(state, unprinted)


# Effects


def _unprinted(state: State) -> Iterator[tree.Effect]:
    """Every effect in a position that its product does not print: few if any, in a game."""
    printed = _printed(state.config.product)
    for effect in chain(state.first_reward, *map(_effects, state.pending)):
        if effect not in printed:
            yield effect


def _effects(record: Record) -> Iterator[tree.Effect]:
    """Every effect in a record, whatever is in it."""
    for field in _with_effects(type(record)):
        value = getattr(record, field)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Node):
                yield cast("tree.Effect", each)
            else:
                yield from _effects(each)


@functools.cache
def _with_effects(kind: type[Record]) -> tuple[str, ...]:
    """The fields of a kind of record in which an effect can be."""
    return tuple(field.name for field in _info(kind).fields if _may_have_effects(field.type))


def _may_have_effects(kind: inspect.Type) -> bool:
    match kind:
        case inspect.StructType():
            return issubclass(kind.cls, Node) or bool(_with_effects(kind.cls))
        case inspect.VarTupleType():
            return _may_have_effects(kind.item_type)
        case inspect.UnionType():
            return any(map(_may_have_effects, kind.types))
        case _:
            return False


@functools.cache
def _printed(product: str) -> frozenset[object]:
    """Every effect that a product prints, and what is in it: most that are pending are such."""
    return frozenset(
        part
        for thing in things(catalogue(product))
        for effect in effects(thing.face)
        for part in tree.walk(effect)
    )


def _check_effect(effect: Node) -> None:
    """Refuse an effect that another product plays, or one that counts beyond reason."""
    product = waits_for(effect)
    if product is not None:
        raise Strange(f"an effect of {TITLES[product]} is pending")
    if any(abs(number) > LARGEST for number in _numbers(effect)):
        raise Strange(f"a number is larger than {LARGEST}")


def _check_work(state: State, unprinted: list[tree.Effect]) -> None:
    """Refuse a position in which more would happen by itself than in any game.

    A step is to take no time, and three opponents who make three others do something, and so on,
    could take hours.
    """
    if len(state.pending) > MOST_PENDING:
        raise Strange(f"more than {MOST_PENDING} things are pending")
    parts = 0
    for inside in map(tree.walk, unprinted):
        parts += len(inside)
        if parts > MOST_PARTS:
            raise Strange(f"more than {MOST_PARTS} effects are due that are printed nowhere")
        if sum(isinstance(each, tree.EachOpponent) for each in inside) > 1:
            raise Strange("an effect has opponents make their opponents do something")


def _numbers(value: object) -> Iterator[int]:
    if isinstance(value, Node | Test | Counted):
        for field in value.__struct_fields__:
            yield from _numbers(getattr(value, field))
    elif isinstance(value, tuple):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, int):
        yield value


# Everything else


@functools.cache
def _narrow_decoder(product: str, players: int) -> msgspec.json.Decoder[Any]:
    """Reads a position of so many players, and refuses what no such game has."""
    return msgspec.json.Decoder(_Narrowed(product, players).record(_info(State)))


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


class _Narrowed:
    """Types as narrow as a game of so many players allows; None where there is nothing to check."""

    def __init__(self, product: str, players: int) -> None:
        self._names = _names(product)
        self._seat = Annotated[int, msgspec.Meta(ge=0, le=players - 1)]

    def record(self, info: inspect.StructType, deck: str = "") -> Any:
        """A record with the fields that have to be checked: the decoder passes over the others.

        `deck` is the field that it is in, if it is a part of a deck.
        """
        fields = [
            (field.name, narrow, _default(field))
            for field in info.fields
            if (narrow := self._field(field.type, field.name, deck)) is not None
        ]
        namespace = {"__post_init__": _check_pool} if info.cls is Pool else None
        return msgspec.defstruct(
            info.cls.__name__,
            fields,
            tag=info.tag,
            tag_field=info.tag_field,
            namespace=namespace,
            kw_only=True,
            gc=False,
        )

    def _field(self, kind: inspect.Type, name: str, deck: str) -> Any:
        match kind:
            case inspect.StructType() if issubclass(kind.cls, Node):
                return None
            case inspect.StructType():
                return self.record(kind, name if kind.cls in (Known, Pool) else "")
            case inspect.VarTupleType():
                narrow = self._field(kind.item_type, name, deck)
                return None if narrow is None else tuple[narrow, ...]  # type: ignore[valid-type]
            case inspect.TupleType():
                return self._tuple([self._field(each, name, deck) for each in kind.item_types])
            case inspect.UnionType():
                return self._union(kind, name, deck)
            case inspect.IntType():
                return self._seat if name in SEATS else NUMBER
            case inspect.StrType():
                return self._name(name, deck)
            case _:
                return None

    def _tuple(self, narrow: list[Any]) -> Any:
        if not any(narrow):
            return None
        return tuple[tuple(Any if each is None else each for each in narrow)]  # type: ignore[misc]

    def _union(self, kind: inspect.UnionType, name: str, deck: str) -> Any:
        narrow = [self._field(each, name, deck) for each in kind.types]
        found = tuple(each for each in narrow if each is not None)
        if not found:
            return None
        optional = any(isinstance(each, inspect.NoneType) for each in kind.types)
        return Union[(*found, None)] if optional else Union[found]  # noqa: UP007 - made here

    def _name(self, name: str, deck: str) -> Any:
        """A text that is one of some names; a card of a deck is one of that deck."""
        known = self._names.get(name)
        if deck in self._names:
            known = self._names[deck] if known is None else known & self._names[deck]
        return None if known is None else Literal[tuple(sorted(known))]


def _info(kind: type[Record]) -> inspect.StructType:
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return found


def _default(field: inspect.Field) -> Any:
    """What a field has if it is left out; nothing if it must not be."""
    return msgspec.NODEFAULT if field.required else None


def _check_pool(pool: Any) -> None:
    if not 0 <= pool.count <= len(pool.cards):
        raise ValueError(f"{pool.count} cards of a pool of {len(pool.cards)}")
