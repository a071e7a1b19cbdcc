"""Units: the inputs that an adapter takes at once, as a case has them and as it is compared.

Most scenarios end in the middle of a turn. An adapter of larger steps cannot be compared there, so
the unit is ended by inputs that do as little as can be done. An input that has to be refused makes
a unit that has to be refused as a whole, if there is no place in the unit where it is allowed.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from conformance import reading
from conformance.cases import Case, Move
from conformance.messages import COMBAT, INPUT, PHASE, TURN
from conformance.reference import Chooser, Moved, Reference, drawn, merged, stated
from conformance.relaxing import allowing
from conformance.replaying import as_told
from rules_engine.imperium import actions as inputs
from rules_engine.imperium import frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, actions, asked, legal
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from scenarios.vectors.inputs import decision

Json = dict[str, Any]

RESTS: dict[str, tuple[type, ...]] = {
    TURN: (frames.Turn, frames.CombatIntrigues),
    COMBAT: (frames.Turn,),
    PHASE: (frames.Turn,),
}
"""The decisions before which an adapter of larger steps can be at rest."""

OVER: dict[str, type] = {
    TURN: frames.PlayerTurns,
    COMBAT: frames.PlayerTurns,
    PHASE: frames.RoundStart,
}
"""What comes when a unit that began with a turn is over."""

LONGEST = 200
"""Inputs that end a unit: a phase of player turns takes about so many."""

ORDERS = 48
"""In so many positions of a unit it is tried whether an input is allowed there after all."""


class Given(NamedTuple):
    """A unit that is given at once, or one input.

    `number` counts the moves of the case up to its last one, or to the one that is refused; that is
    `move`. `after` is where the game is then.
    """

    number: int
    move: Move
    inputs: tuple[Json, ...]
    chance: tuple[Json, ...]
    outcome: Moved | Refusal
    after: State


class Units:
    """A case unit by unit. `case` has the inputs that end units, as far as they have come."""

    def __init__(self, case: Case, reference: Reference, step: str) -> None:
        self.case = case
        self._left = deque(case.moves)
        self._reference = reference
        self._step = step
        self._rest = drawn(random.Random(case.id))

    def __iter__(self) -> Iterator[Given]:
        """What is given, one after the other. A unit that does not end is left out."""
        self.case = change(self.case, moves=())
        while self._left:
            yield from self._single() if self._step == INPUT else self._unit_if_known()

    @property
    def is_over(self) -> bool:
        """Whether no more of the case is left."""
        return not self._left

    def _single(self) -> Iterator[Given]:
        move = self._left.popleft()
        self._note(move)
        outcome = self._reference.give(move.given, stated(move.chance))
        chance = outcome.chance if isinstance(outcome, Moved) else ()
        yield Given(
            len(self.case.moves), move, (move.given,), chance, outcome, self._reference.state
        )

    def _note(self, move: Move) -> None:
        self.case = change(self.case, moves=(*self.case.moves, move))

    def _unit_if_known(self) -> Iterator[Given]:
        """A unit, unless what ends it depends on something that the case does not say."""
        unit = Unit(self._reference, self._step)
        try:
            yield from self._unit(unit)
        except UnknownRead:
            self._leave_out(unit)

    def _unit(self, unit: Unit) -> Iterator[Given]:
        """Units that are refused, and then the one with all that is allowed."""
        refusals: list[_Refused] = []
        while not unit.ended:
            move = self._next(unit)
            if move is None:
                self._leave_out(unit)
                return
            outcome = unit.give(move, self._chance(move))
            told = outcome.chance if isinstance(outcome, Moved) else ()
            self._note(change(move, chance=told, refused=isinstance(outcome, Refusal)))
            if isinstance(outcome, Refusal):
                number = len(self.case.moves)
                refusals.append(_Refused(number, move, outcome, len(unit.inputs), unit.state))
                if not unit.inputs and not self._left:
                    break
        for each in refusals:
            whole = unit.with_refused(each) if unit.is_never_allowed(each) else None
            if whole is not None:
                yield Given(each.number, each.move, *whole, each.outcome, unit.before)
        if unit.inputs:
            number = len(self.case.moves)
            last = self.case.moves[-1]
            yield Given(number, last, unit.inputs, unit.chance, unit.moved(), unit.state)

    def _leave_out(self, unit: Unit) -> None:
        """Leave out a unit that does not end, and what comes after it."""
        self._reference.state = unit.before
        self._left.clear()

    def _chance(self, move: Move) -> Chooser:
        return as_told(move.chance, self._rest)

    def _next(self, unit: Unit) -> Move | None:
        """The next input of the case that belongs to the unit, or one that brings it to its end."""
        if self._left and not ("begin" in self._left[0].given and unit.inputs):
            return self._left.popleft()
        return unit.ending()


KIND = ("action", "by")

_Whole = tuple[tuple[Json, ...], tuple[Json, ...]]
"""Inputs from which none is missing, and what chance brings in them."""


class _Refused(NamedTuple):
    """An input that is refused, after so many inputs of its unit."""

    number: int
    move: Move
    outcome: Refusal
    at: int
    state: State


class Unit:
    """A unit as it is played on the reference, with what is accepted of it."""

    def __init__(self, reference: Reference, step: str) -> None:
        self._reference = reference
        self._step = step
        self._in_turn = False
        self._given = 0
        self._moved: list[Moved] = []
        self.before = reference.state
        self.inputs: tuple[Json, ...] = ()
        self.ended = False

    @property
    def state(self) -> State:
        """Where the game is now."""
        return self._reference.state

    @property
    def chance(self) -> tuple[Json, ...]:
        """All that chance has brought."""
        return tuple(each for moved in self._moved for each in moved.chance)

    def moved(self) -> Moved:
        """What the whole unit led to."""
        return merged(self._moved)

    def give(self, move: Move, chance: Chooser) -> Moved | Refusal:
        """Take an input; a refusal leaves everything as it was."""
        top = self.state.pending[-1] if self.state.pending else None
        outcome = self._reference.give(move.given, chance)
        if isinstance(outcome, Moved):
            self.inputs += (move.given,)
            self._moved.append(outcome)
            self._in_turn |= "do" in move.given and isinstance(top, frames.Turn)
            if any(isinstance(each.before.pending[-1], OVER[self._step]) for each in outcome.parts):
                self._in_turn = False
            self.ended = self._is_at_rest()
        return outcome

    def _is_at_rest(self) -> bool:
        if not self.state.pending:
            return True
        return not self._in_turn and isinstance(self.state.pending[-1], RESTS[self._step])

    def ending(self) -> Move | None:
        """An input that brings the unit to its end; nothing if there is none."""
        self._given += 1
        listed = actions(IMPERIUM, self.state)
        if not listed or self._given > LONGEST:
            return None
        return Move({"do": decision(self.state, min(listed, key=_effort))})

    def with_refused(self, refused: _Refused) -> _Whole | None:
        """The inputs of a unit that is whole, but for one that is refused; and chance.

        It goes on as it would if the input were allowed, or else it is ended without the input.
        Nothing that comes after it may be a second reason to refuse the unit.
        """
        before, given = self.inputs[: refused.at], refused.move.given
        after = self._if_allowed(refused)
        if after is None and refused.at == 0:
            return (given,), ()
        after = after or self._ended_without(refused)
        if after is None:
            return None
        drawn_before = merged(self._moved[: refused.at]).chance if refused.at else ()
        return (*before, *after[0]), (*drawn_before, *after[1])

    def _ended_without(self, refused: _Refused) -> _Whole | None:
        """The input that is refused, and what has to be done without it until the unit is over.

        What it would be in place of is left out: who takes it is asked for that no more.
        """
        given = refused.move.given
        rest = self._from_within(refused.state)._played(None)
        if rest is None:
            return None
        others = list(rest[0])
        instead = next((each for each in others if _is_alike(each, given)), None)
        if instead is not None:
            others.remove(instead)
        if any(_is_alike(each, given) for each in others):
            return None
        return (given, *others), rest[1]

    def _from_within(self, state: State) -> Unit:
        """A unit that goes on from a position in the middle of one."""
        unit = Unit(Reference(state), self._step)
        unit._in_turn = True
        return unit

    def _played(self, move: Move | None) -> _Whole | None:
        """The inputs up to the end of the unit, from one on if there is one; and chance."""
        move = move or self.ending()
        chance = drawn(random.Random(0))
        while not self.ended and move is not None:
            try:
                self.give(move, chance)
            except UnknownRead:
                return None
            move = self.ending()
        return (self.inputs, self.chance) if self.ended else None

    def _if_allowed(self, refused: _Refused) -> _Whole | None:
        """How the unit would go on with the input that is refused, if it were allowed."""
        position = allowing(refused.state, refused.move.given.get("do", {}))
        if position is None:
            return None
        unit = self._from_within(position)
        unit._in_turn = refused.at > 0
        return unit._played(refused.move)

    def is_never_allowed(self, refused: _Refused) -> bool:
        """Whether an input is refused at every place of the unit, so that no order excuses it.

        What begins a unit is at its only place.
        """
        said = refused.move.given.get("do")
        if said is not None and _is_nothing(said):
            return False
        if refused.at == 0:
            return True
        if said is None or said["by"] not in asked(IMPERIUM, refused.state).players:
            return False
        of_turn = (*self._of_turn(refused.at), *_from(refused.state))
        return all(_is_refused(state, said) for state in of_turn)

    def _of_turn(self, at: int) -> Iterator[State]:
        """Where the unit was before each of its inputs up to one, and on to the end of the turn."""
        for number, moved in enumerate(self._moved):
            yield moved.before
            if number >= at and self.inputs[number].get("do", {}).get("action") == "end_turn":
                return


def _is_nothing(said: Json) -> bool:
    """Whether a decision is to do nothing: who is told all decisions at once need not see it."""
    return said["action"] in ("deploy", "retreat") and said.get("troops") == 0


def _is_alike(one: Json, other: Json) -> bool:
    """Whether two inputs are of the same kind; of effects, each is its own."""
    first, second = one.get("do", {}), other.get("do", {})
    same = ("action", "by", "effect", "source") if first.get("action") == "resolve" else KIND
    return bool(first) and all(first.get(key) == second.get(key) for key in same)


def _is_refused(state: State, said: Json) -> bool:
    action = reading.action(state, said)
    return action is None or legal(IMPERIUM, state, action) is not None


def _from(state: State) -> Iterator[State]:
    """Positions of the same turn that come from this one, the nearest first."""
    todo, seen = deque([state]), {state}
    while todo:
        each = todo.popleft()
        yield each
        for action in actions(IMPERIUM, each):
            if len(seen) >= ORDERS or isinstance(action, inputs.EndTurn):
                continue
            game = Reference(each)
            game.take(action, drawn(random.Random(0)))
            if game.state not in seen:
                seen.add(game.state)
                todo.append(game.state)


EFFORTS: tuple[tuple[type[Action], ...], ...] = (
    (inputs.EndTurn, inputs.Pass),
    (inputs.Reveal, inputs.Decline),
    (inputs.Resolve, inputs.Choose),
    (),
    (inputs.Accept, inputs.Deploy, inputs.Retreat),
    (inputs.PlayAgent, inputs.PlayIntrigue, inputs.Acquire),
)
"""Inputs that end a unit, those that do the least first; others stand in the empty place."""


def _effort(action: Action) -> int:
    known = (at for at, kinds in enumerate(EFFORTS) if isinstance(action, kinds))
    return next(known, EFFORTS.index(()))


def planned(
    left: deque[Move],
    state: State,
    step: str,
    chance: Chooser,
    choose: Callable[[State], Move | None],
) -> tuple[Move, ...]:
    """The next unit for an adapter with a chance of its own, as it would go with some chance.

    It has what is left of a case, or what is chosen, and inputs that end it. What is refused only
    counts where a unit begins: later it depends on the chance that comes. Nothing is left if the
    game is over.
    """
    unit = Unit(Reference(state), step)
    moves: list[Move] = []
    is_of_case = bool(left)
    while not unit.ended:
        if left and not ("begin" in left[0].given and moves):
            move: Move | None = left.popleft()
        else:
            move = None if is_of_case else choose(unit.state)
            move = move or (unit.ending() if moves else None)
        if move is None:
            return ()
        if isinstance(unit.give(move, chance), Moved):
            moves.append(move)
        elif not moves:
            return (move,)
    return tuple(moves)


def in_whole_units(case: Case, step: str) -> Case:
    """The case with the inputs that end its units, as an adapter of such steps is given it."""
    if step == INPUT:
        return case
    reference = Reference.start(case.followed, case.position, case.to_move)
    reference.begin(as_told(case.chance, drawn(random.Random(case.id))))
    units = Units(case, reference, step)
    for _ in units:
        pass
    return units.case
