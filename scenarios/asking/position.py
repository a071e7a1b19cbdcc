"""A scenario in progress whose questions are answered: what came from where, and what was read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium import actions, frames
from rules_engine.imperium.choices import due
from rules_engine.imperium.conditions import condition_rules
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Action, Answer, asked, handle, legal
from rules_engine.kernel.outcomes import Event, Refusal, Seat
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from scenarios.groups import group_items, has_effects
from scenarios.language.syntax import Line, Scenario
from scenarios.language.values import Environment
from scenarios.run import Run

_READ: ContextVar[set[str] | None] = ContextVar("_READ", default=None)
"""The rulings that were read since somebody began to listen."""


class HeardRulings(Rulings, frozen=True):
    """The rulings of a scenario, which remember which of them were read."""

    def value(self, name: str, default: str) -> str:
        """The value that this game follows."""
        heard = _READ.get()
        if heard is not None:
            heard.add(name)
        return super().value(name, default)


@contextmanager
def heard() -> Iterator[set[str]]:
    """The rulings that are read meanwhile."""
    found: set[str] = set()
    token = _READ.set(found)
    try:
        yield found
    finally:
        _READ.reset(token)


class Told(NamedTuple):
    """Something that happened, and the card, space, track, contract or Leader that said so."""

    event: Event
    source: str | None
    conditions: tuple[str, ...] = ()
    """The rules about the condition that the effect has, which was met."""


class Left(NamedTuple):
    """An effect that was still there when its group was left, and the position then."""

    state: State
    seat: Seat
    item: Item


Order = list[tuple[Effect, str]]
"""Effects in the order in which they were resolved, each with what said it."""


class Asked(Run):
    """A scenario in progress whose questions are answered; what it expects is not looked at.

    `follows`: for each `when`, the order in which to resolve effects of which nobody decides it.
    """

    def __init__(
        self,
        case: Scenario,
        answer: Callable[[Asked, Line], None],
        follows: list[Order] | None = None,
    ) -> None:
        self.orders: list[Order] = []
        self.follows = follows or []
        self.told: list[Told] = []
        self.left: list[Left] = []
        self.refused: Refusal | None = None
        """Why the last input was refused, if it was."""
        self.answer = answer
        self._conditions: tuple[str, ...] = ()
        self.source: str | None = None
        """What says what was done last, and so what is asked next."""
        self._given = 0
        super().__init__(case, Environment(), lambda *_: None)
        config = self.state.config
        listening = change(config, rulings=HeardRulings(config.rulings.chosen))
        self.state = self.before = change(self.state, config=listening)

    def look(self, line: Line) -> None:
        """Pass over an expectation."""

    def question(self, line: Line) -> None:
        """Answer a question about the position here."""
        self.answer(self._asked_of(line), line)

    def _asked_of(self, line: Line) -> Asked:
        """The position that a question is about.

        Where nothing happens and nothing is claimed, no line but the question says whose turn it
        is. So each question is about the turn of whom it names, whatever else is asked.
        """
        if any(step.section != "ask" for step in self.scenario.steps):
            return self
        return Asked(dataclasses.replace(self.scenario, steps=[line]), self.answer)

    def do(self, lines: list[Line]) -> None:
        """Carry out a `when` block."""
        self.told, self.left, self._given = [], [], 0
        self.orders.append([])
        super().do(lines)
        block = len(self.orders) - 1
        for wanted in self.follows[block] if block < len(self.follows) else ():
            self._resolve(wanted)

    def _resolve(self, wanted: tuple[Effect, str]) -> None:
        """Resolve an effect if it is still due and can be."""
        state = self.state
        items = group_items(state) if has_effects(state) else ()
        places = [at for at, item in enumerate(items) if (item.effect, item.source) == wanted]
        players = asked(IMPERIUM, state).players
        if not places or not players or self.stopped is not None:
            return
        action = actions.Resolve(players[0], places[0])
        done = handle(IMPERIUM, state, action)
        if not isinstance(done, Refusal):
            self.inputs.append(action)
            self.take(done.state, done.events)
            self.settle()

    def give(self, line: Line, given: Action | Answer) -> None:
        """Give the engine an input, and remember why it was refused."""
        self.refused = None if self.stopped is not None else legal(IMPERIUM, self.state, given)
        super().give(line, given)

    def take(
        self, state: State, events: tuple[Event, ...], inputs: tuple[Action | Answer, ...] = ()
    ) -> None:
        """Go on from another position, and note where each event came from."""
        if inputs:
            self._trace(inputs, len(events))
        else:
            given = self.inputs[-1] if len(self.inputs) > self._given else None
            self._note(self.state, given, events)
        super().take(state, events, inputs)
        self._given = len(self.inputs)

    def _trace(self, inputs: tuple[Action | Answer, ...], events: int) -> None:
        """Several inputs at once, once more one by one, as far as these events go."""
        state, before = self.state, len(self.told)
        for number, given in enumerate(inputs, start=1):
            if isinstance(given, actions.Resolve):
                item = group_items(state)[given.index]
                self.orders[-1].append((item.effect, item.source))
            state = self._step(state, given)
            while state.pending and asked(IMPERIUM, state).nobody():
                if number == len(inputs) and len(self.told) - before >= events:
                    break
                state = self._step(state, None)

    def _step(self, state: State, given: Action | Answer | None) -> State:
        done = handle(IMPERIUM, state, given)
        assert not isinstance(done, Refusal)
        self._note(state, given, done.events)
        after: State = done.state
        return after

    def _note(self, state: State, given: Action | Answer | None, events: tuple[Event, ...]) -> None:
        """Remember what a frame told, and what was left in it."""
        top: Any = state.pending[-1] if state.pending else None
        if not isinstance(top, ASKED_BY_EFFECTS):
            before, self.source = self.source, source_of(top, given)
            effect = _begun(top, given)
            if effect is not None or self.source != before:
                self._conditions = () if effect is None else _rules_of_condition(effect)
        self.told += [Told(event, self.source, self._conditions) for event in events]
        if isinstance(given, actions.EndTurn):
            self.left += [Left(state, top.seat, item) for item in getattr(top, "items", ())]


ASKED_BY_EFFECTS = (
    frames.PickTrack,
    frames.PickSpies,
    frames.PickIntrigue,
    frames.Steal,
    frames.PickPlace,
    frames.PickFromRow,
    frames.LookAtTop,
    frames.SortCards,
    frames.PickRetreat,
    frames.PickDeploy,
    frames.PickAgent,
    frames.PickContract,
    frames.PickTraining,
    frames.PickFlip,
    frames.DrawFromDeck,
    frames.DrawFromIntrigue,
    frames.FillContracts,
    frames.FillRow,
)
"""What an effect leaves to be done next: it does not say itself where it comes from."""


def _begun(top: Any, given: object) -> Effect | None:
    """The effect of a group that a player resolves, or that comes by itself."""
    if not isinstance(top, GROUPS) or not (given is None or isinstance(given, actions.Resolve)):
        return None
    index = given.index if isinstance(given, actions.Resolve) else 0
    return top.items[index].effect if index < len(top.items) else None


def _rules_of_condition(effect: Effect) -> tuple[str, ...]:
    """The rules about the conditions before what an effect does."""
    match effect:
        case tree.If(condition, inner, None):
            return (*condition_rules(condition), *_rules_of_condition(inner))
        case tree.May(inner):
            return _rules_of_condition(inner)
        case _:
            return ()


GROUPS = (frames.AgentTurn, frames.RevealTurn, frames.Effects)


def source_of(top: Any, given: object) -> str | None:
    """What says what a frame does now."""
    match top:
        case frames.AgentTurn() | frames.RevealTurn() | frames.Effects():
            index = given.index if isinstance(given, actions.Resolve) else 0
            own = isinstance(given, actions.Resolve) or given is None
            return top.items[index].source if own and index < len(top.items) else None
        case frames.Run() | frames.Decide():
            return top.item.source
        case frames.PickCost() | frames.Placed():
            return top.space
        case _:
            found: str | None = getattr(top, "source", None)
            return found


def due_effects(state: State) -> Iterator[str]:
    """The effects that have to be resolved now, in words."""
    if has_effects(state):
        top: Any = state.pending[-1]
        for item in due(state, top.seat, group_items(state)):
            yield say(item.effect)


@contextmanager
def standing_at(run: Run, state: State) -> Iterator[None]:
    """Look at another position for a while: the run itself stays where it is."""
    here = run.state
    run.state = state
    try:
        yield
    finally:
        run.state = here
