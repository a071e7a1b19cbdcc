"""Which reading of an open point explains a divergence: there the reference does the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from conformance.cases import Case, Move, as_stated
from conformance.comparing import changed_paths, same, value_at
from conformance.messages import ACTIONS, INPUT, Described
from conformance.observing import observe
from conformance.playing import Connection, play, play_alone, play_on
from conformance.reference import Moved, OutOfPlace, Reference, drawn
from conformance.report import Followed
from conformance.results import GOOD, Divergence, Result
from conformance.showing import PASSES_ON
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import rulings
from scenarios.vectors.inputs import decision

Json = dict[str, Any]

Readings = dict[str, str]
"""A reading for each of some open points."""


def explained(
    case: Case,
    result: Result,
    adapter: Described,
    connection: Connection,
    likely: Iterable[str] = (),
    *,
    searched: bool = False,
    moved: Collection[str] = (),
) -> Result:
    """The result of a case that failed, with the readings under which it would not have.

    Mostly this is one. `likely` are readings that explained other cases: they are tried first, and
    all together, with one more. No others are tried if they were `searched` for such a divergence.
    The adapter plays only under readings by which it had to be what it was, and it has to show that
    it has what they decide: there, or elsewhere, where these fields have `moved`.
    """
    if result.divergence is None:
        return result
    found = result.divergence
    default = predicted(case, {})

    def conforms(readings: Readings) -> bool:
        other = predicted(case, readings)
        if default is None or other is None or not _predicts(other, default, found, adapter):
            return False
        again, played = play_on(other.case, adapter, connection)
        whole = predicted(played, readings)
        if again.outcome not in GOOD or whole is None:
            return False
        needed = _needed_fields(default, found, adapter)
        return needed <= fields_moved(whole, adapter).union(moved)

    tried = _tried(case.setup["rulings"], likely, searched)
    readings = next(filter(conforms, tried), None)
    if readings is None or play_alone(case, adapter, connection).outcome in GOOD:
        # What does not diverge every time is gone without any other reading.
        return result
    told = ", ".join(f"{name} = {value}" for name, value in _needed(readings, conforms).items())
    held = play(under(case, readings) or case, adapter, connection).held
    return change(result, divergence=change(found, ruling=told), held=held)


def family(divergence: Divergence) -> tuple[str, ...]:
    """What divergences have in common that are alike: where they show, and what decides them."""
    path = ".".join(part for part in divergence.path.split(".") if not part.isdigit())
    action = str(divergence.given.get("do", {}).get("action", ""))
    return (divergence.kind, path, action, *divergence.rules[:1])


def readings_of(ruling: str) -> list[str]:
    """The readings that explain a divergence, one by one."""
    return ruling.split(", ") if ruling else []


def _tried(
    followed: Mapping[str, str], likely: Iterable[str], searched: bool
) -> Iterator[Readings]:
    """Every other reading of every point, the likely ones first; then with the likely ones."""
    every = [(name, value) for name, each in rulings().items() for value in each.values]
    every = [(name, value) for name, value in every if followed.get(name) not in (None, value)]
    first = [pair for each in likely if (pair := _pair(each)) in every]
    others = [] if searched else every
    for name, value in dict.fromkeys([*first, *others]):
        yield {name: value}
    known = dict(first)
    if len(known) > 1:
        yield known
    if known and not searched:
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


class Predicted(NamedTuple):
    """A case as it goes under some readings: the states after the start and after each move.

    There is none after a move that is refused.
    """

    case: Case
    states: list[State | None]

    def state(self, number: int) -> State | None:
        """The position after a move, if that is accepted."""
        return self.states[number] if number < len(self.states) else None

    def observed(self, number: int) -> Json | None:
        """What is observed then."""
        state = self.state(number)
        return None if state is None else observe(state)


def under(case: Case, readings: Mapping[str, str]) -> Case | None:
    """The case as it goes under other readings; nothing if chance cannot be as it was.

    The adapter is told of the same setup and of the same inputs: it follows its own readings.
    """
    found = predicted(case, readings)
    return None if found is None else found.case


def predicted(case: Case, readings: Mapping[str, str]) -> Predicted | None:
    """How a case goes under other readings, besides those that it has."""
    other = change(case, readings=case.readings | dict(readings))
    game = Reference.start(other.followed, case.position, case.to_move)
    rest = drawn(random.Random(case.id))
    moves: list[Move] = []
    try:
        begun = game.begin(as_stated(list(case.chance), rest))
        states: list[State | None] = [game.state]
        for move in case.moves:
            done = game.give(move.given, as_stated(list(move.chance), rest))
            moves.append(change(move, refused=isinstance(done, Refusal)))
            if isinstance(done, Moved):
                moves[-1] = change(moves[-1], chance=done.chance)
            states.append(game.state if isinstance(done, Moved) else None)
    except OutOfPlace:
        return None
    return Predicted(change(other, moves=tuple(moves), chance=begun.chance), states)


def _predicts(other: Predicted, default: Predicted, found: Divergence, adapter: Described) -> bool:
    """Whether a divergence is what had to come under other readings, and not under the default."""
    at = found.move
    if adapter.step != INPUT:
        return any(_differ(other, default, number, adapter) for number in range(at + 1))
    if found.kind in ("refused", "accepted"):
        is_refused = other.state(at) is None
        return is_refused == (found.kind == "refused") and _differ(other, default, at, adapter)
    if found.kind == "field":
        predicts = other.observed(at)
        return predicts is not None and same(value_at(predicts, found.path), found.got)
    return any(_differ(other, default, number, adapter) for number in range(at + 1))


def _differ(one: Predicted, two: Predicted, number: int, adapter: Described) -> bool:
    """Whether two predictions are told apart after a move by what the adapter shows."""
    left, right = one.state(number), two.state(number)
    if left is None or right is None:
        return left is not right
    fields = frozenset(adapter.fields)
    if changed_paths(observe(left), observe(right), fields):
        return True
    return ACTIONS in adapter.capabilities and _listed(left) != _listed(right)


def _listed(state: State) -> list[Json]:
    return [decision(state, each) for each in actions(IMPERIUM, state)]


def _needed_fields(default: Predicted, found: Divergence, adapter: Described) -> frozenset[str]:
    """The fields that have to be seen to change, so that the adapter has what a reading is about.

    Who refuses something does so perhaps for want of it. So every field that it would have changed
    has to be observed, and to change somewhere else.
    """
    if found.kind != "refused" or adapter.step != INPUT:
        return frozenset()
    return _fields_changed(default, found.move)


def fields_moved(of: Predicted, adapter: Described) -> frozenset[str]:
    """The observed fields, whosever they are, that the inputs of a case change."""
    fields = frozenset(adapter.fields)
    each = (_fields_changed(of, number, fields) for number in range(1, len(of.states)))
    return frozenset[str]().union(*each)


def _fields_changed(
    of: Predicted, number: int, fields: frozenset[str] = frozenset()
) -> frozenset[str]:
    """The fields, whosever they are, that a move changes, but for who is asked."""
    after = of.observed(number)
    accepted = (each for each in reversed(of.states[:number]) if each is not None)
    before = next(accepted, None)
    if after is None or before is None:
        return frozenset()
    paths = changed_paths(observe(before), after, fields)
    return frozenset(
        ".".join(part for part in path.split(".") if not part.isdigit()) for path in paths
    ).difference(PASSES_ON)


def profile(results: Iterable[Result]) -> tuple[Followed, ...]:
    """The readings that explain most, the strongest first."""
    cases: dict[str, list[str]] = {}
    for each in results:
        if each.divergence is not None:
            for reading in readings_of(each.divergence.ruling):
                cases.setdefault(reading, []).append(each.id)
    strongest = sorted(cases.items(), key=lambda item: (-len(item[1]), item[0]))
    return tuple(Followed(*_pair(each), len(ids), tuple(ids)) for each, ids in strongest)
