"""Which reading of an open point explains a divergence: there the reference does the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from conformance.cases import Case, Move, as_stated
from conformance.messages import Described
from conformance.playing import Connection, play
from conformance.reference import Moved, OutOfPlace, Reference, drawn
from conformance.report import Followed
from conformance.results import GOOD, Result
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import rulings

Readings = dict[str, str]
"""A reading for each of some open points."""


def explained(
    case: Case,
    result: Result,
    adapter: Described,
    connection: Connection,
    likely: Iterable[str] = (),
) -> Result:
    """The result of a case that failed, with the readings under which it would not have.

    Mostly this is one. `likely` are readings that explained other cases: they are tried first, and
    all together, with one more.
    """
    if result.divergence is None:
        return result

    def conforms(readings: Readings) -> bool:
        other = under(case, readings)
        return other is not None and play(other, adapter, connection).outcome in GOOD

    found = next(filter(conforms, _tried(case.setup["rulings"], likely)), None)
    if found is None or play(case, adapter, connection).outcome in GOOD:
        # What does not diverge every time is gone without any other reading.
        return result
    told = ", ".join(f"{name} = {value}" for name, value in _needed(found, conforms).items())
    return change(result, divergence=change(result.divergence, ruling=told))


def readings_of(ruling: str) -> list[str]:
    """The readings that explain a divergence, one by one."""
    return ruling.split(", ") if ruling else []


def _tried(followed: Mapping[str, str], likely: Iterable[str]) -> Iterator[Readings]:
    """Every other reading of every point, the likely ones first; then with the likely ones."""
    every = [(name, value) for name, each in rulings().items() for value in each.values]
    every = [(name, value) for name, value in every if followed.get(name) not in (None, value)]
    first = [pair for each in likely if (pair := _pair(each)) in every]
    for name, value in dict.fromkeys([*first, *every]):
        yield {name: value}
    known = dict(first)
    if len(known) > 1:
        yield known
    if known:
        yield from (known | {name: value} for name, value in every if name not in known)


def _pair(reading: str) -> tuple[str, str]:
    name, value = reading.split(" = ")
    return name, value


def _needed(readings: Readings, conforms: Callable[[Readings], bool]) -> Readings:
    """The readings without those that it takes none of."""
    for name in list(readings):
        fewer = {other: value for other, value in readings.items() if other != name}
        if fewer and conforms(fewer):
            readings = fewer
    return readings


def under(case: Case, readings: Mapping[str, str]) -> Case | None:
    """The case as it goes under other readings; nothing if chance cannot be as it was.

    The adapter is told of the same setup and of the same inputs: it follows its own readings.
    """
    other = change(case, readings=dict(readings))
    game = Reference.start(other.followed, case.position, case.to_move)
    rest = drawn(random.Random(case.id))
    moves: list[Move] = []
    try:
        begun = game.begin(as_stated(list(case.chance), rest))
        for move in case.moves:
            done = game.give(move.given, as_stated(list(move.chance), rest))
            moves.append(change(move, refused=isinstance(done, Refusal)))
            if isinstance(done, Moved):
                moves[-1] = change(moves[-1], chance=done.chance)
    except OutOfPlace:
        return None
    return change(other, moves=tuple(moves), chance=begun.chance)


def profile(results: Iterable[Result]) -> tuple[Followed, ...]:
    """The readings that explain most, the strongest first."""
    told = Counter(
        reading
        for each in results
        if each.divergence is not None
        for reading in readings_of(each.divergence.ruling)
    )
    strongest = sorted(told.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Followed(*_pair(reading), count) for reading, count in strongest)
