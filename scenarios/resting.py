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
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import asked
from rules_engine.kernel.outcomes import Seat
from scenarios.groups import (
    LARGEST_GROUP,
    Finished,
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


SAY_OPEN = frozenset(("chance_asked", "is_asked", "due"))
"""Outcomes that say what a position leaves open."""


class Open(NamedTuple):
    """What a position leaves open: the outcome and the line that say so, and how to go on.

    Where a player has to decide, what is allowed says how.
    """

    said_by: str
    line: str
    go_on: str = ""


def left_open(state: State) -> Open | None:
    """Chance, effects that are due, or a decision inside an effect; nothing at rest."""
    if not state.pending:
        return None
    who = asked(IMPERIUM, state)
    if who.chance:
        return Open("chance_asked", "chance is asked", "state what chance brings before it")
    name = state.players[who.players[0]].name
    effects = [f'"{say(item.effect)}"' for item in effects_due(state)]
    if effects and isinstance(state.pending[-1], GROUPS):
        line = f"{', '.join(effects)} {'is' if len(effects) == 1 else 'are'} due"
        return Open("due", line, f"add the line `{name} resolves all effects` to the `when` above")
    if isinstance(state.pending[-1], BETWEEN_EFFECTS):
        return None
    return Open("is_asked", f"{name} is asked")


def effects_due(state: State) -> Iterator[Item]:
    """Every effect that still has to be resolved, of all groups that are pending."""
    for frame in state.pending:
        if isinstance(frame, GROUPS):
            committed = isinstance(frame, frames.Effects) and frame.committed
            yield from due(state, frame.seat, frame.items, committed)


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
        done = _all_resolved(state)
    except (NeedsChoice, OrderMatters, TooManyEffects, UnknownRead):
        return False
    return looks(done) == before


def _all_resolved(state: State) -> Finished:
    """What the group on top comes to, whatever is drawn."""
    if not has_effects(state):
        raise NeedsChoice(state)
    return finish_group(state, (ANY,) * LARGEST_GROUP, optional_asks=False)
