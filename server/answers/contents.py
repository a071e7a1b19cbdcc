"""What the records of a position may have in them: numbers, seats and names that a game has.

A position has some hundred records of a few kinds, and every call brings one. So what to look at is
worked out once for each kind of record, from the types of its fields, and all records of a kind are
looked at together.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from msgspec import inspect

from rules_engine.catalogue.load import catalogue
from rules_engine.effects.nodes import Counted, Node, Test
from rules_engine.effects.products import TITLES, waits_for
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY, Pool, possibly_in
from rules_engine.kernel.records import Record

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
CONFLICTS = ("conflict", "conflict_deck")
OBJECTIVES = ("objectives",)
ANY_CARD = ("card",)
TRAINING = ("training",)
SPACES = ("space",)
POSTS = ("post",)
FACTIONS = ("faction", "barred")
FIELDS_WITH_NAMES = (
    CARDS, INTRIGUES, CONTRACTS, CONFLICTS, OBJECTIVES, ANY_CARD, TRAINING, SPACES, POSTS, FACTIONS,
)  # fmt: skip
"""The fields that name things of the game, by what they name."""


class Strange(Exception):
    """Something that no position has, in words."""


def check_contents(state: State) -> None:
    """Find a number, a seat, a name or an effect that no game of these players has."""
    product = state.config.product
    seats = frozenset((*range(state.config.players), None))
    waiting: dict[type[Record], list[Any]] = {State: [state]}
    while waiting:
        kind, records = waiting.popitem()
        plan = _plan(kind)
        for numbers in plan.numbers:
            _check_numbers(numbers(records))
        for group, values in plan.seats:
            if not seats.issuperset(values(records)):
                raise Strange(f"`{_first(group, seats, records)}` is no seat of its players")
        for group, values in plan.names:
            known = _names(product)[group[0]]
            if not known.issuperset(values(records)):
                field = _first(group, known, records)
                raise Strange(f"`{field}` has a name that {product} does not have")
        for effects in plan.effects:
            for effect in effects(records):
                _check_effect(effect)
        if kind is Pool:
            _check_pools(records)
        _go_on(plan, records, waiting)


def _go_on(plan: Plan, records: list[Any], waiting: dict[type[Record], list[Any]]) -> None:
    """Put what is inside some records to what is still to be looked at."""
    for kind, inside in plan.records:
        found = list(inside(records))
        if kind is not None and found:
            waiting.setdefault(kind, []).extend(found)
        elif found:
            for each in found:
                if each is not None:
                    waiting.setdefault(type(each), []).append(each)


def _first(group: tuple[str, ...], known: frozenset[Any], records: list[Any]) -> str:
    """The field of a group that has something else in it than what is known."""
    if len(group) == 1:
        return group[0]
    return next(
        field
        for field in group
        for value in map(attrgetter(field), records)
        if not known.issuperset(value if isinstance(value, tuple) else (value,))
    )


def _check_numbers(numbers: Iterable[int]) -> None:
    found = list(numbers)
    if found and (max(found) > LARGEST or min(found) < -LARGEST):
        raise Strange(f"a number is larger than {LARGEST}")


def _check_pools(pools: list[Pool]) -> None:
    for pool in pools:
        if not 0 <= pool.count <= len(pool.cards):
            raise Strange(f"{pool.count} cards of a pool of {len(pool.cards)}")


def _check_effect(effect: Node) -> None:
    """Refuse an effect that another product plays, or one that counts beyond reason."""
    product = waits_for(effect)
    if product is not None:
        raise Strange(f"an effect of {TITLES[product]} is pending")
    _check_numbers(each for each in _in_effect(effect) if isinstance(each, int))


def _in_effect(value: object) -> Iterator[object]:
    if isinstance(value, Node | Test | Counted):
        for field in value.__struct_fields__:
            yield from _in_effect(getattr(value, field))
    elif isinstance(value, tuple):
        for each in value:
            yield from _in_effect(each)
    else:
        yield value


# What to look at in a kind of record


Values = Callable[[list[Any]], Iterable[Any]]
"""Gives what some records have in one field or several, one after the other."""

Group = tuple[tuple[str, ...], Values]
"""Fields for which the same is known, and what records have in them."""


class Plan(NamedTuple):
    """What to look at in a kind of record."""

    numbers: tuple[Values, ...]
    seats: tuple[Group, ...]
    names: tuple[Group, ...]
    effects: tuple[Values, ...]
    records: tuple[tuple[type[Record] | None, Values], ...]
    """The records inside; of one kind, or of several and perhaps None."""


@functools.cache
def _plan(kind: type[Record]) -> Plan:
    """Work it out from the types of the fields."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    forms = {field.name: _form(field.type) for field in info.fields}
    numbers = [name for name, form in forms.items() if int in form.leaves and name not in SEATS]
    return Plan(
        numbers=(
            *_columns([name for name in numbers if not forms[name].many]),
            *(_numbers_in_tuples(name) for name in numbers if forms[name].many),
        ),
        seats=tuple(_groups([name for name in forms if name in SEATS], forms)),
        names=tuple(
            group
            for fields in FIELDS_WITH_NAMES
            for group in _groups([name for name in fields if name in forms], forms)
        ),
        effects=tuple(_column(name, form) for name, form in forms.items() if form.has(Node)),
        records=tuple(
            (form.only_kind(), _column(name, form))
            for name, form in forms.items()
            if form.has(Record) and not form.has(Node)
        ),
    )


class Form(NamedTuple):
    """What a field can hold: one value or a tuple, of which types."""

    leaves: frozenset[type]
    many: bool = False

    def has(self, kind: type) -> bool:
        """Whether there can be records of a kind in it."""
        return any(issubclass(leaf, kind) for leaf in self.leaves)

    def only_kind(self) -> type[Record] | None:
        """The one kind of record that is in it, if there is one."""
        return next(iter(self.leaves)) if len(self.leaves) == 1 else None


def _form(kind: inspect.Type) -> Form:
    match kind:
        case inspect.StructType():
            return Form(frozenset({kind.cls}))
        case inspect.VarTupleType():
            return Form(_form(kind.item_type).leaves, many=True)
        case inspect.TupleType():
            return Form(_leaves(kind.item_types), many=True)
        case inspect.UnionType():
            return Form(_leaves(kind.types), any(_form(each).many for each in kind.types))
        case _:
            return Form(frozenset({LEAVES[type(kind)]}))


def _leaves(kinds: Iterable[inspect.Type]) -> frozenset[type]:
    return frozenset(leaf for kind in kinds for leaf in _form(kind).leaves)


LEAVES: dict[type[inspect.Type], type] = {
    inspect.BoolType: bool,
    inspect.IntType: int,
    inspect.NoneType: type(None),
    inspect.StrType: str,
}


def _groups(names: list[str], forms: dict[str, Form]) -> Iterator[Group]:
    """Fields of which the same is known, as few groups as their forms allow."""
    decks = [name for name in names if forms[name].has(Pool)]
    for name in decks:
        yield (name,), _cards_in_decks(name)
    single = [name for name in names if not forms[name].many]
    for values in _columns(single):
        yield tuple(single), values
    tuples = [name for name in names if forms[name].many and name not in decks]
    for values in _columns(tuples):
        yield tuple(tuples), functools.partial(_flat, values)


def _columns(names: list[str]) -> Iterator[Values]:
    """What records have in some fields, one after the other; nothing if there is no field."""
    if names:
        get = attrgetter(*names)
        yield functools.partial(map, get) if len(names) == 1 else functools.partial(_each, get)


def _each(get: Callable[[Any], tuple[Any, ...]], records: list[Any]) -> Iterable[Any]:
    return chain.from_iterable(map(get, records))


def _flat(values: Values, records: list[Any]) -> Iterable[Any]:
    return chain.from_iterable(values(records))


def _column(name: str, form: Form) -> Values:
    """What records have in a field, and what is in it if it is a tuple."""
    (values,) = _columns([name])
    return functools.partial(_flat, values) if form.many else values


def _cards_in_decks(name: str) -> Values:
    return lambda records: (card for each in records for card in possibly_in(getattr(each, name)))


def _numbers_in_tuples(name: str) -> Values:
    return lambda records: (
        number
        for each in records
        for number in getattr(each, name) or ()
        if isinstance(number, int)
    )


@functools.cache
def _names(product: str) -> dict[str, frozenset[str | None]]:
    """What each field that names things of the game can have in it."""
    faces = catalogue(product)
    training = [space.id for leader in faces.leaders.values() for space in leader.training]
    groups: dict[tuple[str, ...], Iterable[str]] = {
        CARDS: (*faces.cards, ANY),
        INTRIGUES: (*faces.intrigue, ANY),
        CONTRACTS: (*faces.contracts, ANY),
        CONFLICTS: (*faces.conflicts, ANY),
        OBJECTIVES: faces.objectives,
        ANY_CARD: (*faces.cards, *faces.intrigue, *faces.conflicts, *faces.objectives, ANY),
        TRAINING: training,
        SPACES: faces.spaces,
        POSTS: faces.posts,
        FACTIONS: faces.tracks,
    }
    return {
        field: frozenset((*names, None)) for fields, names in groups.items() for field in fields
    }
