"""The engine as a case drives it: every input with what it leads to, part by part."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from conformance import reading
from conformance.observing import observe
from rules_engine.imperium.game import IMPERIUM, TURN_RULES
from rules_engine.imperium.state import State
from rules_engine.kernel.chance import likelihoods
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Action, Answer, asked, handle
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Step
from rules_engine.kernel.records import Record
from scenarios.vectors.inputs import chance as chance_json

Json = dict[str, Any]

SHUFFLED = {"reshuffles": "shuffle", "reshuffles_intrigue": "shuffle_intrigue"}
"""Events that tell that a discard pile became a deck."""


class Part(Record):
    """One frame that was treated, and what happened."""

    before: State
    after: State
    events: tuple[Event, ...]


class Moved(Record):
    """What an accepted input led to, up to the next decision, with all that chance brought."""

    before: State
    after: State
    parts: tuple[Part, ...]
    chance: tuple[Json, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened."""
        return tuple(event for part in self.parts for event in part.events)

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that decided something, each once."""
        return tuple(dict.fromkeys(rule for event in self.events for rule in event.rules))


Chooser = Callable[[State], Answer]
"""Says what chance brings."""


class OutOfPlace(Exception):
    """Chance brought something that it was not asked for, or that is not possible."""

    def __init__(self, message: str, rules: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.rules = rules


class Stated:
    """Chance as somebody tells it; a mark that something was shuffled is no answer."""

    def __init__(self, answers: Iterable[Json]) -> None:
        self.left = [each for each in answers if each.get("kind") not in SHUFFLED.values()]
        """What was told and has not come yet."""

    def __call__(self, state: State) -> Answer:
        """The next answer, if it is one to what is asked for."""
        asked_for = chance_json(state, Answer(""))
        if not self.left:
            raise OutOfPlace(f"nothing is told of {_said(asked_for)}")
        told = self.left.pop(0)
        if {**told, "outcome": ""} != asked_for or not isinstance(told.get("outcome"), str):
            raise OutOfPlace(f"it tells of {_said(told)} where {_said(asked_for)} comes")
        return Answer(told["outcome"])


def stated(answers: Iterable[Json]) -> Stated:
    """Chance as somebody tells it."""
    return Stated(answers)


def _said(answer: Json) -> str:
    words = [f"`{answer.get('kind')}`"]
    words += [f"for seat {answer['player']}"] if "player" in answer else []
    return " ".join(words)


def drawn(draw: random.Random) -> Chooser:
    """Chance that is fair and the same for the same seed."""

    def choose(state: State) -> Answer:
        outcomes = likelihoods(IMPERIUM, state)
        return Answer(draw.choices(list(outcomes), list(outcomes.values()))[0])

    return choose


class Reported:
    """Chance as an adapter tells it; whose cards come first is the adapter's own affair."""

    def __init__(self, answers: Iterable[Json]) -> None:
        self.left = [each for each in answers if each.get("kind") not in SHUFFLED.values()]
        """What was told and not asked for so far."""

    def __call__(self, state: State) -> Answer:
        """The first answer to what is asked for."""
        asked_for = chance_json(state, Answer(""))
        for place, told in enumerate(self.left):
            if {**told, "outcome": ""} == asked_for:
                outcome = self.left.pop(place).get("outcome")
                if not isinstance(outcome, str) or outcome == ANY:
                    raise OutOfPlace(f"{_said(asked_for)} brings no card, but `{outcome}`")
                return Answer(outcome)
        raise OutOfPlace(f"nothing is told of {_said(asked_for)}")


class Reference:
    """A game that is played on the engine."""

    def __init__(self, state: State) -> None:
        self.state = state

    @classmethod
    def start(cls, setup: Json, position: Json | None, to_move: int | None) -> Reference:
        """The game as a start tells it; nothing has gone on by itself yet."""
        if position is None:
            return cls(reading.from_setup(setup))
        return cls(reading.from_position(setup, position, to_move))

    def observation(self) -> Json:
        """What is compared."""
        return observe(self.state)

    def begin(self, chance: Chooser) -> Moved:
        """Go on to the first decision."""
        return self._on(self.state, [], chance)

    def give(self, given: Json, chance: Chooser) -> Moved | Refusal:
        """Take an input and go on to the next decision; a refusal leaves everything as it was."""
        before = self.state
        if "begin" in given:
            return self._on(reading.begun(before, given["begin"]), [], chance)
        if "effect" in given:
            return self._on(reading.told(before, given["effect"]), [], chance)
        if "do" not in given:
            return self._on(before, [], chance)
        action = reading.action(before, given["do"])
        if action is None:
            return Refusal((Reason("not_there", TURN_RULES),))
        return self.take(action, chance)

    def take(self, action: Action, chance: Chooser) -> Moved | Refusal:
        """Take a decision of the engine's own."""
        before = self.state
        done = handle(IMPERIUM, before, action)
        if isinstance(done, Refusal):
            return done
        return self._on(done.state, [Part(before, done.state, done.events)], chance)

    def _on(self, state: State, parts: list[Part], chance: Chooser) -> Moved:
        """Go on, by itself and by chance, until a player has to decide or the game is over."""
        before = self.state
        brought: list[Json] = []
        while state.pending and not (who := asked(IMPERIUM, state)).players:
            try:
                answer = chance(state) if who.chance else None
            except OutOfPlace as wrong:
                rules = asking_rules(type(state.pending[-1]), parts) + _outcome_rules(state)
                raise OutOfPlace(str(wrong), tuple(dict.fromkeys(rules))) from wrong
            if answer is not None:
                brought.append(chance_json(state, answer))
            done = handle(IMPERIUM, state, answer)
            if isinstance(done, Refusal):
                outcome = answer.outcome if answer else ""
                raise OutOfPlace(f"`{outcome}` is not possible there", done.rules)
            parts.append(Part(state, done.state, done.events))
            brought += _shuffles(done)
            state = done.state
        self.state = state
        return Moved(before, state, tuple(parts), tuple(brought))


def merged(several: Sequence[Moved]) -> Moved:
    """What several inputs led to, one after the other."""
    parts = tuple(part for each in several for part in each.parts)
    chance = tuple(brought for each in several for brought in each.chance)
    return Moved(several[0].before, several[-1].after, parts, chance)


def given_in_turn(
    game: Reference, inputs: Iterable[Json], chance: Chooser
) -> list[Moved] | Refusal:
    """Give inputs one after the other; if one is refused, everything is as it was."""
    before = game.state
    done: list[Moved] = []
    for each in inputs:
        outcome = game.give(each, chance)
        if isinstance(outcome, Refusal):
            game.state = before
            return outcome
        done.append(outcome)
    return done


def _shuffles(done: Step[State]) -> list[Json]:
    return [
        {"kind": SHUFFLED[event.key], **({} if event.player is None else {"player": event.player})}
        for event in done.events
        if event.key in SHUFFLED
    ]


def asking_rules(frame: type | tuple[type, ...], parts: Iterable[Part]) -> tuple[str, ...]:
    """The rules by which chance was asked last for what a frame of this kind brings.

    They are those of what asked for it, and of what it brought so far.
    """
    found: list[Event] = []
    for part in parts:
        if isinstance(part.before.pending[-1], frame):
            found += part.events
        elif _waits(part.after, frame) and not _waits(part.before, frame):
            found = list(part.events)
    return tuple(dict.fromkeys(rule for event in found for rule in event.rules))


def _waits(state: State, frame: type | tuple[type, ...]) -> bool:
    return any(isinstance(each, frame) for each in state.pending)


def _outcome_rules(state: State) -> tuple[str, ...]:
    """The rules behind what chance brings here, whatever it is."""
    for outcome in likelihoods(IMPERIUM, state):
        done = handle(IMPERIUM, state, Answer(outcome))
        if isinstance(done, Step):
            return tuple(rule for event in done.events for rule in event.rules)
    return ()
