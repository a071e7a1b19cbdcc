"""Which reading of an open point explains a divergence: there the reference does the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from conformance.cases import Case, Move, as_stated
from conformance.messages import Described
from conformance.playing import Connection, play
from conformance.reference import Moved, OutOfPlace, Reference, drawn
from conformance.report import Followed
from conformance.results import GOOD, Result
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import rulings


def explained(
    case: Case,
    result: Result,
    adapter: Described,
    connection: Connection,
    likely: Iterable[str] = (),
) -> Result:
    """The result of a case that failed, with the reading under which it would not have.

    `likely` are readings that explained other cases: they are tried first.
    """
    if result.divergence is None:
        return result
    for name, value in _readings(case.setup["rulings"], likely):
        other = under(case, {name: value})
        if other is None:
            continue
        if play(other, adapter, connection).outcome in GOOD:
            told = f"{name} = {value}"
            return change(result, divergence=change(result.divergence, ruling=told))
    return result


def _readings(followed: Mapping[str, str], likely: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every other reading of every point, those that explained something before first."""
    first = [tuple(each.split(" = ")) for each in likely]
    every = [(name, value) for name, each in rulings().items() for value in each.values]
    for name, value in dict.fromkeys([*first, *every]):
        if followed.get(name) not in (None, value):
            yield name, value


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
        each.divergence.ruling for each in results if each.divergence and each.divergence.ruling
    )
    found = []
    for ruling, count in told.most_common():
        name, value = ruling.split(" = ")
        found.append(Followed(name, value, count))
    return tuple(found)
