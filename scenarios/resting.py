"""Whether a position is at rest: a `then` line looks at one that is, or says what it leaves open.

A draw that waits, or an effect that is due, would make claims hold that are false as soon as it has
come. What no effect that is due would change can be looked at before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rules_engine.effects.text import say
from rules_engine.imperium import frames
from rules_engine.imperium.choices import can_resolve, due, optional
from rules_engine.imperium.combat import reward_items
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import asked, handle
from rules_engine.kernel.outcomes import Event, Refusal, Seat
from scenarios.groups import (
    LARGEST_GROUP,
    NeedsChoice,
    OrderMatters,
    TooManyEffects,
    finish_group,
    has_effects,
)

BETWEEN_EFFECTS = (
    frames.Turn,
    frames.AgentTurn,
    frames.RevealTurn,
    frames.CombatIntrigues,
    frames.EndgameIntrigues,
)
"""Where a player decides what comes next, and nothing that began before waits for it."""

GROUPS = (frames.AgentTurn, frames.RevealTurn, frames.Effects)

PHASES = (frames.PlayerTurns, frames.Combat, frames.Makers, frames.Recall, frames.RoundStart)
"""What comes after all that a turn or a Combat leaves open."""

SAY_OPEN = frozenset(("chance_asked", "is_asked", "due"))
"""Outcomes that say what a position leaves open."""


class Open(NamedTuple):
    """Something that a position leaves open: the outcome and the line that say so, how to go on.

    Where a player has to decide, what is allowed says how.
    """

    said_by: str
    line: str
    go_on: str = ""


def left_open(state: State) -> Iterator[Open]:
    """Chance or a decision inside an effect, and the effects that are due; nothing at rest."""
    if not state.pending:
        return
    top, who = state.pending[-1], asked(IMPERIUM, state)
    effects = [f'"{say(item.effect)}"' for item in effects_due(state)]
    if who.chance:
        yield Open("chance_asked", "chance is asked", "state what chance brings before it")
    elif not isinstance(top, BETWEEN_EFFECTS) and not (effects and isinstance(top, GROUPS)):
        yield Open("is_asked", f"{state.players[who.players[0]].name} is asked")
    if effects:
        line = f"{', '.join(effects)} {'is' if len(effects) == 1 else 'are'} due"
        yield Open("due", line, _resolve_first(state))


def _resolve_first(state: State) -> str:
    """How what is due is resolved before a look."""
    if not isinstance(state.pending[-1], GROUPS):
        return ""
    name = state.players[state.pending[-1].seat].name
    return f"add the line `{name} resolves all effects` to the `when` above"


def effects_due(state: State) -> Iterator[Item]:
    """Every effect that still has to be resolved: of groups, by itself, or as a reward to come."""
    for frame in state.pending:
        match frame:
            case frames.AgentTurn() | frames.RevealTurn():
                yield from due(state, frame.seat, frame.items)
            case frames.Effects():
                yield from due(state, frame.seat, frame.items, frame.committed)
            case frames.Run():
                yield frame.item
            case frames.GiveRewards(takings):
                for taking in takings:
                    yield from reward_items(state, taking)


def effects_offered(state: State, seat: Seat) -> Iterator[Item]:
    """Every effect of the group on top that its owner may resolve now, or leave."""
    top = state.pending[-1] if state.pending else None
    if isinstance(top, GROUPS) and top.seat == seat:
        for item in top.items:
            if optional(item.effect, committed=False) and can_resolve(state, seat, item):
                yield item


def changes_nothing(state: State, looks: Callable[[Any], bool]) -> bool:
    """Whether a look at a position finds the same after all that is due was resolved.

    `looks` is given what resolving it brought, or nothing for the position as it is. What asks for
    a decision, or ends differently in another order, may change anything.
    """
    before = looks(None)
    try:
        return looks(_all_resolved(state)) == before
    except (NeedsChoice, OrderMatters, TooManyEffects, UnknownRead):
        return False


class Reached(NamedTuple):
    """A position at rest, and what happened on the way."""

    state: State
    events: tuple[Event, ...]


def _all_resolved(state: State) -> Reached:
    """What all that is open comes to, whatever is drawn, up to the next phase."""
    events: tuple[Event, ...] = ()
    while state.pending and not isinstance(state.pending[-1], PHASES):
        if asked(IMPERIUM, state).nobody():
            stepped = handle(IMPERIUM, state)
            assert not isinstance(stepped, Refusal)
            state, events = stepped.state, events + stepped.events
        elif has_effects(state) and any(effects_due(state)):
            done = finish_group(state, (ANY,) * LARGEST_GROUP, optional_asks=False)
            if not done.order:
                raise NeedsChoice(state)
            state, events = done.state, events + done.events
        elif any(left_open(state)):
            raise NeedsChoice(state)
        else:
            break
    return Reached(state, events)
