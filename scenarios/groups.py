"""Groups of effects: resolving all of them, if the order makes no difference.

The check walks the *sets* of effects already resolved and merges equal positions, so that ten
effects take some thousand steps instead of millions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from rules_engine.effects.text import say
from rules_engine.imperium import frames
from rules_engine.imperium.actions import Resolve
from rules_engine.imperium.choices import can_resolve, optional
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Action, Answer, asked, handle
from rules_engine.kernel.outcomes import Event, Refusal
from rules_engine.kernel.records import Record, change

LARGEST_GROUP = 12


class NeedsChoice(Exception):
    """Resolving the group reaches a decision or a draw that was not stated, in this position.

    `effect` is the sentence of the effect that asks for it.
    """

    def __init__(self, state: State, effect: str = "") -> None:
        super().__init__("a choice was reached that is not stated")
        self.state = state
        self.effect = effect


class OrderMatters(Exception):
    """Two orders of the same effects end in different positions."""

    def __init__(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        super().__init__("the order of these effects matters")
        self.one = one
        self.other = other


class TooManyEffects(Exception):
    """A group that is too large to be tried in every order."""


class Finished(Record):
    """The position after a group, what happened, the answers of chance used, and one order.

    `inputs` are those by which the engine resolves the group in that order.
    """

    state: Any
    events: tuple[Event, ...]
    answers_used: int
    order: tuple[str, ...]
    inputs: tuple[Action | Answer, ...]


class _Way(NamedTuple):
    state: State
    events: tuple[Event, ...]
    used: int
    order: tuple[str, ...]
    inputs: tuple[Action | Answer, ...]


def is_group(state: State) -> bool:
    """Whether a group of effects is on top."""
    return isinstance(state.pending[-1], (frames.AgentTurn, frames.RevealTurn, frames.Effects))


def has_effects(state: State) -> bool:
    """Whether a group with effects left in it is on top."""
    return bool(state.pending) and is_group(state) and bool(group_items(state))


def group_items(state: State) -> tuple[Item, ...]:
    """The effects of the group on top."""
    top: Any = state.pending[-1]
    items: tuple[Item, ...] = top.items
    return items


def finish_group(state: State, answers: tuple[str, ...], *, optional_asks: bool) -> Finished:
    """Resolve every effect of the top group that is not optional, in every order.

    With `optional_asks` an optional effect counts as a decision that was not stated.
    """
    depth = len(state.pending)
    items = group_items(state)
    if len(items) > LARGEST_GROUP:
        raise TooManyEffects
    if optional_asks and _has_optional(state):
        raise NeedsChoice(state)
    level = {_key(state, 0): _Way(state, (), 0, (), ())}
    ends: dict[bytes, _Way] = {}
    while level:
        following: dict[bytes, _Way] = {}
        for key, way in level.items():
            further = _further(way, answers, depth)
            if not further:
                ends.setdefault(key, way)
            for each in further:
                following.setdefault(_key(each.state, each.used), each)
        level = following
    end, *others = ends.values()
    if others:
        raise OrderMatters(end.order, others[0].order)
    return Finished(*end)


def _has_optional(state: State) -> bool:
    """Whether anything in the top group may be left out, as the lines of an Intrigue card may."""
    top = state.pending[-1]
    if isinstance(top, frames.Effects) and top.lines:
        return True
    return any(optional(item.effect, committed=False) for item in group_items(state))


def _further(way: _Way, answers: tuple[str, ...], depth: int) -> list[_Way]:
    """The positions after one more effect."""
    state = way.state
    if len(state.pending) < depth or not is_group(state):
        return []
    if asked(IMPERIUM, state).nobody():
        sentence = "".join(say(item.effect) for item in group_items(state))
        return [_resolve(way, None, sentence, answers, depth)]
    top: Any = state.pending[-1]
    seat = top.seat
    found = []
    for index, item in enumerate(group_items(state)):
        if optional(item.effect, committed=False) or not can_resolve(state, seat, item):
            continue
        found.append(_resolve(way, Resolve(seat, index), say(item.effect), answers, depth))
    return found


def _resolve(
    way: _Way, action: Resolve | None, sentence: str, answers: tuple[str, ...], depth: int
) -> _Way:
    """Resolve one effect to its end, with the answers of chance that were stated."""
    state, events, used, inputs = way.state, way.events, way.used, way.inputs
    # The last effect of a group happens by itself.
    given: Any = None if asked(IMPERIUM, state).nobody() else action
    while True:
        done = handle(IMPERIUM, state, given)
        if isinstance(done, Refusal):
            raise NeedsChoice(state, sentence)
        state, events = done.state, events + done.events
        inputs = inputs if given is None else (*inputs, given)
        if len(state.pending) <= depth and (len(state.pending) < depth or is_group(state)):
            return _Way(state, events, used, (*way.order, sentence), inputs)
        who = asked(IMPERIUM, state)
        if who.nobody():
            given = None
        elif who.chance and used < len(answers):
            given = Answer(answers[used])
            used += 1
        else:
            raise NeedsChoice(state, sentence)


def _key(state: State, used: int) -> bytes:
    """Equal positions have equal keys; symbolic and unknown values count by what they stand for.

    Which of equal cards was resolved last matters only while it is being resolved.
    """
    if state.turn is not None:
        state = change(state, turn=change(state.turn, copy=0))
    return msgspec.msgpack.encode((state, used), enc_hook=repr)
