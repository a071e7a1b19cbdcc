"""What an exploration looked at: tables, seats, unknowns, choices, and what was always empty.

Nothing of it is written by hand. It is put together from the unknowns and the positions that
something was claimed of (`claimed`), joined over paths, cases and explorations, so that no proof
can say that it covers more than it does.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args, get_origin

import msgspec

from rules_engine.imperium.setup import check_players
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import Pool
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record, change

FIRST_PLAYER = "first_player"
STRENGTH = "strength"

LONGEST = 280
"""What is covered is told in about three lines; the rest is in the data."""
MOST_NAMED = 8
"""So many things of a kind are named at most."""
ALL = 10_000
"""More than there are of anything."""

NO_ZONES = {
    "players", "makers", "controls", "alliances", "tracks", "pending", "reveal_order", "winners",
}  # fmt: skip
"""Tuples that are no place for cards or pieces."""
TOLD_ELSEWHERE = {"seat", "name", "players", FIRST_PLAYER}
"""What every position has, and is told of tables and seats."""


class Number(Record):
    """An unknown number and the bounds within which something was claimed of it."""

    name: str
    low: int
    high: int | None = None


class Choice(Record):
    """A choice, of how many options something was claimed, and those that have a word."""

    name: str
    count: int
    options: tuple[str, ...] = ()


class Fixed(Record):
    """Something that is no place for cards or pieces, and was the same in every position."""

    name: str
    value: str


class Seating(Record):
    """The tables and seats of the positions of some cases; without players, cases without one."""

    players: tuple[int, ...] = ()
    """The numbers of players."""
    acting: tuple[int, ...] = ()
    """The seats that had to act, by their frame or their input."""
    first: tuple[int, ...] = ()
    """The First Players, if anybody looked at who it is."""
    cases: int = 1
    """In so many cases it is this."""


class Covered(Record):
    """What was looked at, of whatever was explored together."""

    seatings: tuple[Seating, ...] = ()
    """What cases differ in, those first that are the most."""
    names: tuple[str, ...] = ()
    """How the players are called."""
    contenders: int = 0
    """So many players could have strength, if anybody looked at strengths."""
    numbers: tuple[Number, ...] = ()
    left_out: tuple[str, ...] = ()
    """Numbers of which some values, alone or together with others, are left out."""
    choices: tuple[Choice, ...] = ()
    below: int = 0
    """At most so many frames were pending below the top one."""
    most_held: int = 0
    """At most so many things were in one place."""
    empty: tuple[str, ...] = ()
    """Places of cards and pieces that were looked at or could be, and empty in every position."""
    filled: tuple[str, ...] = ()
    """Those with something in them in some position."""
    fixed: tuple[Fixed, ...] = ()
    """What else had one and the same value in every position: another may have been read."""
    varied: tuple[str, ...] = ()
    """What else was open, or differed between positions."""
    mixed: bool = False
    """Whether cases differ in what they cover: then no case covers all of it."""

    @property
    def staged(self) -> bool:
        """Whether there was a position at all."""
        return bool(self.players)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players of all cases."""
        return _union(each.players for each in self.seatings)

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that act, each in some case."""
        return _union(each.acting for each in self.seatings)

    @property
    def first(self) -> tuple[int, ...]:
        """The First Players, each in some case."""
        return _union(each.first for each in self.seatings)


# Joining


def joined(parts: Iterable[Covered]) -> Covered:
    """What all of them cover together."""
    every = list(parts)
    filled = {zone for each in every for zone in each.filled}
    fixed, varied = _fixed(
        (each for one in every for each in one.fixed),
        (each for one in every for each in one.varied),
    )
    return Covered(
        seatings=_seatings(seating for each in every for seating in each.seatings),
        names=tuple(sorted({name for each in every for name in each.names})),
        contenders=max((each.contenders for each in every), default=0),
        numbers=_numbers(number for each in every for number in each.numbers),
        left_out=tuple(sorted({name for each in every for name in each.left_out})),
        choices=_choices(choice for each in every for choice in each.choices),
        below=max((each.below for each in every), default=0),
        most_held=max((each.most_held for each in every), default=0),
        empty=tuple(sorted({zone for each in every for zone in each.empty} - filled)),
        filled=tuple(sorted(filled)),
        fixed=fixed,
        varied=varied,
        mixed=any(each.mixed for each in every)
        or len({(each.seatings, each.numbers, each.choices) for each in every}) > 1,
    )


def together(one: Covered, other: Covered) -> Covered:
    """What positions cover of which something is claimed in one and the same case."""
    both = joined([one, other])
    seating = Seating(both.players, both.acting, both.first)
    return change(both, seatings=(seating,), mixed=False)


def _seatings(seatings: Iterable[Seating]) -> tuple[Seating, ...]:
    """Each once, with all its cases."""
    found: Counter[Seating] = Counter()
    for each in seatings:
        found[change(each, cases=0)] += each.cases
    every = (change(each, cases=cases) for each, cases in found.items())
    return tuple(sorted(every, key=lambda one: (-one.cases, one.players, one.acting, one.first)))


def _union(parts: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sorted({each for part in parts for each in part}))


def _numbers(numbers: Iterable[Number]) -> tuple[Number, ...]:
    """Each number once, with the widest bounds within which it was any."""
    found: dict[str, Number] = {}
    for each in numbers:
        known = found.setdefault(each.name, each)
        high = None if known.high is None or each.high is None else max(known.high, each.high)
        found[each.name] = Number(each.name, min(known.low, each.low), high)
    return tuple(found[name] for name in sorted(found))


def _choices(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    found: dict[str, Choice] = {}
    for each in choices:
        known = found.setdefault(each.name, each)
        options = tuple(dict.fromkeys((*known.options, *each.options)))
        count = max(known.count, each.count, len(options))
        found[each.name] = Choice(each.name, count, options)
    return tuple(found[name] for name in sorted(found))


def _fixed(
    seen: Iterable[Fixed], varied: Iterable[str]
) -> tuple[tuple[Fixed, ...], tuple[str, ...]]:
    """What is one and the same wherever it is, and what is not."""
    values: dict[str, set[Fixed]] = {}
    for each in seen:
        values.setdefault(each.name, set()).add(each)
    differs = {*varied, *(name for name, found in values.items() if len(found) > 1)}
    fixed = {each for found in values.values() for each in found if each.name not in differs}
    return tuple(sorted(fixed, key=lambda each: each.name)), tuple(sorted(differs))


# Looking at a position without reading it


class Look:
    """What the positions showed so far that something was claimed of."""

    def __init__(self) -> None:
        self.staged = False
        self.players: set[int] = set()
        self.names: set[str] = set()
        self.seats: set[int] = set()
        self.seat_slots: set[str] = set()
        """Names of unknowns that say which seat acts."""
        self.first: set[int] = set()
        self.first_slots: set[str] = set()
        self.below = 0
        self.most_held = 0
        self.strengths: dict[str, set[str]] = {}
        """For each player with a strength, the unknowns that it depends on."""
        self.empty: set[str] = set()
        self.filled: set[str] = set()
        self.open: dict[str, set[str]] = {}
        """For each place that is still open, the unknowns that say what is in it."""
        self.fixed: set[Fixed] = set()
        """The values of what is no place, one or several of each thing."""
        self.varied: set[str] = set()
        """What is no place and was open."""
        self._held: dict[str, list[Any]] = {}
        """What was in the places of a player, or of the table, at the last look."""
        self._last: Any = None

    def at(self, position: Any, inputs: tuple[Any, ...]) -> None:
        """Take notice of a position and of who gives its inputs."""
        for each in inputs:
            self._seat(each)
        if position is self._last or not isinstance(position, State):
            return
        self._last = position
        self.staged = True
        pending = raw(position, "pending")
        if isinstance(pending, tuple) and pending:
            self._seat(pending[-1])
            self.below = max(self.below, len(pending) - 1)
        first = raw(position, FIRST_PLAYER)
        if isinstance(first, int):
            self.first.add(first)
        else:
            self.first_slots |= _unknowns(first)
        self._zones("", position, _zones_of(State))
        self._values("", position, _values_of(State))
        players = raw(position, "players")
        if isinstance(players, tuple):
            self.players.add(len(players))
            for each in players:
                self._player(each)

    def _player(self, player: Player) -> None:
        name = raw(player, "name")
        self.names.add(name)
        strength = raw(player, STRENGTH)
        if not (isinstance(strength, int) and strength == 0):
            self.strengths.setdefault(name, set()).update(_unknowns(strength))
        self._zones(f"{name}.", player, _zones_of(Player))
        self._values(f"{name}.", player, _values_of(Player))

    def _seat(self, record: Any) -> None:
        if "seat" not in getattr(type(record), "__struct_fields__", ()):
            return
        seat = raw(record, "seat")
        if isinstance(seat, int):
            self.seats.add(seat)
        else:
            self.seat_slots |= _unknowns(seat)

    def _zones(self, path: str, record: Any, zones: tuple[str, ...]) -> None:
        every = [raw(record, zone) for zone in zones]
        before = self._held.get(path)
        self._held[path] = every
        for at, held in enumerate(every):
            if before is not None and before[at] is held:
                continue
            zone = zones[at]
            self.most_held = max(self.most_held, _size(held))
            if _is_empty(held):
                self.empty.add(path + zone)
            elif isinstance(held, tuple):
                self.filled.add(path + zone)
            elif unknowns := _unknowns(held):
                self.open.setdefault(path + zone, set()).update(unknowns)

    def _values(self, path: str, record: Any, names: tuple[str, ...]) -> None:
        for name in names:
            value = raw(record, name)
            # What must not be read is not covered, and ends the proof.
            if hasattr(type(value), "read") and not _unknowns(value):
                continue
            if told := words((value,)):
                self.fixed.add(Fixed(path + name, *told))
            else:
                self.varied.add(path + name)


def _size(held: Any) -> int:
    """How many things are in a place, or can be; cards of a deck are told in parts."""
    if isinstance(held, tuple):
        return sum(map(_cards_in, held))
    options = getattr(held, "options", None)
    return max(map(_size, options), default=0) if isinstance(options, tuple) else 0


def _cards_in(part: Any) -> int:
    """How many cards a part of a place has for sure: a number that is open counts as one."""
    count = raw(part, "count") if isinstance(part, Pool) else 1
    return count if type(count) is int else 1


def _is_empty(held: Any) -> bool:
    """Whether nothing is in a place, or nothing can be in it."""
    if held is None or isinstance(held, tuple):
        return not held
    options = getattr(held, "options", None)
    return isinstance(options, tuple) and bool(options) and all(map(_is_empty, options))


def raw(record: Any, name: str) -> Any:
    """What a field holds, without reading it."""
    return object.__getattribute__(record, name)


def _unknowns(slot: Any) -> set[str]:
    """The names of the unknowns that a slot asks for when it is read; none if it must not be."""
    if hasattr(slot, "names"):
        return set(slot.names)
    may_be_read = hasattr(slot, "options") or hasattr(slot, "low")
    return {slot.path} if may_be_read else set()


@functools.cache
def _zones_of(kind: type[Record]) -> tuple[str, ...]:
    """The fields in which cards and pieces lie."""
    return tuple(
        each.name
        for each in msgspec.structs.fields(kind)
        if each.name not in NO_ZONES and _is_tuple(each.type)
    )


@functools.cache
def _values_of(kind: type[Record]) -> tuple[str, ...]:
    """The fields that are no places, and are told nowhere else."""
    return tuple(
        each.name
        for each in msgspec.structs.fields(kind)
        if not _is_tuple(each.type) and each.name not in TOLD_ELSEWHERE
    )


def _is_tuple(kind: Any) -> bool:
    while get_origin(kind) is not tuple and hasattr(kind, "__metadata__"):
        kind = get_args(kind)[0]
    return get_origin(kind) is tuple


def looked_at(
    look: Look,
    numbers: Iterable[Number],
    left_out: Iterable[str],
    options: Mapping[str, Choice],
    apart: str,
) -> Covered:
    """What an exploration covers: only what somebody asked for counts as looked at.

    Choices whose names begin with `apart` are told elsewhere.
    """
    asked = _numbers(numbers)
    known = {each.name for each in asked} | options.keys()
    read = {zone for zone, unknowns in look.open.items() if unknowns & known}
    fights = [each for each in look.strengths.values() if not each or each & known]
    looked_at_strength = any(each & known for each in look.strengths.values())
    filled = look.filled | read
    fixed, varied = _fixed(look.fixed, look.varied)
    seating = Seating(
        players=tuple(sorted(look.players)),
        acting=tuple(sorted(look.seats | _seats(look.seat_slots, options))),
        first=tuple(sorted(look.first | _seats(look.first_slots, options))),
    )
    return Covered(
        seatings=(seating,),
        names=tuple(sorted(look.names)),
        contenders=len(fights) if looked_at_strength else 0,
        numbers=asked,
        left_out=tuple(sorted({each.name for each in asked} & {*left_out})),
        choices=_choices(each for each in options.values() if not each.name.startswith(apart)),
        below=look.below,
        most_held=look.most_held,
        empty=tuple(sorted(look.empty - filled)),
        filled=tuple(sorted(filled)),
        fixed=fixed,
        varied=varied,
    )


def _seats(names: set[str], options: Mapping[str, Choice]) -> set[int]:
    """The seats among the options of choices."""
    chosen = (each for name in names if name in options for each in options[name].options)
    return {int(each) for each in chosen if each.isdigit()}


def words(options: Sequence[Any]) -> tuple[str, ...]:
    """Those options that are words or numbers by themselves, or nothing."""
    # A symbol says that it is a number, too.
    plain = (str, int, bool, type(None))
    told = (each for each in options if type(each) in plain)
    return tuple("none" if each is None else str(each) for each in told)


# In words


def in_words(covered: Covered, *, most: int = MOST_NAMED) -> str:
    """What is covered, in a sentence or two."""
    told = "; ".join(_parts(covered, most))
    return told if len(told) <= LONGEST or most == 1 else in_words(covered, most=most - 1)


def in_full(covered: Covered) -> str:
    """What is covered, and nothing left out."""
    return "; ".join([*_parts(covered, ALL), *_sizes(covered)])


def _sizes(covered: Covered) -> Iterator[str]:
    if covered.staged:
        frames = f"{covered.below} frames" if covered.below != 1 else "1 frame"
        yield f"at most {frames} pending below the top one"
        yield f"at most {covered.most_held} in one place"


def _parts(covered: Covered, most: int) -> Iterator[str]:
    yield _in_so_many_cases(covered.seatings, _tables_in_words) or NO_POSITION
    if covered.staged:
        acting = _in_so_many_cases(covered.seatings, _acting_in_words)
        if acting != NOBODY_ACTS:
            yield acting
        yield _in_so_many_cases(covered.seatings, _first_in_words)
    if covered.contenders:
        yield "1 contender" if covered.contenders == 1 else f"up to {covered.contenders} contenders"
    numbers = number_groups(covered)
    yield f"any {_listed(numbers, most)}" if numbers else "no unknown number"
    left_out = _grouped(dict.fromkeys(covered.left_out, ""), covered)
    if left_out:
        yield f"under assumptions about {_listed(left_out, most)}"
    choices = [f"{each.name} ({each.count})" for each in covered.choices if _is_open(each)]
    if choices:
        yield f"choices of {_listed(choices, most)}"
    if covered.mixed:
        yield "not all of it in every case"
    empty = zone_groups(covered)
    if empty:
        yield f"always empty: {_listed(empty, most)}"
    fixed = _grouped({each.name: f" ({each.value})" for each in covered.fixed}, covered)
    if fixed:
        yield f"always the same: {_listed(fixed, most)}"


def _in_so_many_cases(seatings: Sequence[Seating], told: Callable[[Seating], str]) -> str:
    """What is told of the seatings; where cases differ, in how many it is so."""
    found: Counter[str] = Counter()
    for each in seatings:
        found[told(each)] += each.cases
    if len(found) < 2:
        return "".join(found)
    (usual, count), *others = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    rest = [f"{words} in {cases}" for words, cases in others]
    return f"{usual} in {count} of {found.total()} cases, {', '.join(rest)}"


NO_POSITION = "no position"
NOBODY_ACTS = "nobody acts"


def _tables_in_words(seating: Seating) -> str:
    """The numbers of players; a table that setup refuses is no position of a game."""
    games = [str(each) for each in seating.players if is_a_game(each)]
    others = [str(each) for each in seating.players if not is_a_game(each)]
    told = [f"{_listed(games, MOST_NAMED)} players"] if games else []
    told += [f"tables of {_listed(others, MOST_NAMED)}, which setup refuses"] if others else []
    return "; ".join(told) or NO_POSITION


@functools.cache
def is_a_game(players: int) -> bool:
    """Whether setup makes a game for so many players."""
    try:
        check_players(players)
    except TruthsayerError:
        return False
    return True


def _is_open(choice: Choice) -> bool:
    return choice.name != FIRST_PLAYER and choice.count > 1


def _acting_in_words(seating: Seating) -> str:
    if not seating.acting:
        return NOBODY_ACTS
    acts = "act" if len(seating.acting) > 1 else "acts"
    return f"{_seats_in_words(seating.acting, seating)} {acts}"


def _first_in_words(seating: Seating) -> str:
    if not seating.first:
        return "First Player not looked at"
    if len(seating.first) == max(seating.players):
        return "any First Player"
    return f"First Player {_seats_in_words(seating.first, seating)}"


def _seats_in_words(seats: tuple[int, ...], seating: Seating) -> str:
    if len(seats) > 1 and len(seats) == max(seating.players):
        return "all seats"
    seat = "seats" if len(seats) > 1 else "seat"
    return f"{seat} {_listed([str(each + 1) for each in seats], MOST_NAMED)}"


def number_groups(covered: Covered) -> list[str]:
    """The unknown numbers with their bounds, those of several players told at once."""
    return _grouped({each.name: _bounds(each) for each in covered.numbers}, covered)


def _bounds(number: Number) -> str:
    if number.high is None:
        return f" (from {number.low})" if number.low else ""
    if number.low == number.high:
        return f" (only {number.low})"
    return f" ({number.low} to {number.high})"


def zone_groups(covered: Covered) -> list[str]:
    """The places that were always empty, those of several players told at once."""
    return _grouped(dict.fromkeys(covered.empty, ""), covered)


def _grouped(names: Mapping[str, str], covered: Covered) -> list[str]:
    """Names with what is said of them; `Red.spice` and `Blue.spice` become one."""
    owners = list(covered.names)
    found: dict[tuple[str, str], list[str]] = {}
    for name, said in names.items():
        owner, dot, what = name.partition(".")
        own = bool(dot) and owner in owners
        found.setdefault((what if own else name, said), []).append(owner if own else "")
    told = (f"{what}{said}{_whose(who, owners)}" for (what, said), who in found.items())
    return sorted(each.replace("_", " ") for each in told)


def _whose(who: list[str], owners: list[str]) -> str:
    named = sorted({each for each in who if each})
    if not named:
        return ""
    return " of every player" if named == owners else f" of {_listed(named, MOST_NAMED)}"


def _listed(items: Sequence[str], most: int) -> str:
    if len(items) > most + 1:
        items = [*items[:most], f"{len(items) - most} more"]
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
