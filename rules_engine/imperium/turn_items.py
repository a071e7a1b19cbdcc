"""The effects of a turn in progress: when their conditions are tested, and what joins them."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect
from rules_engine.imperium.conditions import holds
from rules_engine.imperium.faces import printed, space_face
from rules_engine.imperium.frames import AgentTurn, Item, RevealTurn
from rules_engine.imperium.state import State, follows
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change

DEEDS = (tree.Discarded, tree.Trashed, tree.PlacedOn, tree.Acquired)
"""Conditions about what the turn itself has yet to bring: they are never tested beforehand."""


def turn_frame(state: State, seat: Seat) -> AgentTurn | RevealTurn | None:
    """The Agent or Reveal turn of a player that is in progress."""
    for frame in reversed(state.pending):
        if isinstance(frame, AgentTurn | RevealTurn):
            return frame if frame.seat == seat else None
    return None


def add_to_turn(state: State, seat: Seat, items: tuple[Item, ...]) -> State:
    """More effects are due in the player's turn; outside of one nothing changes."""
    before = turn_frame(state, seat)
    if before is None:
        return state
    after = change(before, items=before.items + items)
    at = len(state.pending) - 1 - state.pending[::-1].index(before)
    return change(state, pending=(*state.pending[:at], after, *state.pending[at + 1 :]))


def is_visit_influence(state: State, item: Item) -> bool:
    """Whether an effect is the Influence that a visit to a Faction's space brings."""
    if item.source not in printed(state).spaces or not isinstance(item.effect, tree.GainInfluence):
        return False
    return item.effect.faction == space_face(state, item.source).icon


# When a condition is tested


def tested(state: State, seat: Seat, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The effects that a turn begins with: their conditions may be tested now, as the ruling says.

    UPR-FACTION-013, UPR-FACTION-014
    """
    if follows(state, "condition_check_time") == "when_resolved":
        return items
    return tuple(
        change(item, effect=effect)
        for item in items
        for effect in _decided(state, seat, item.effect, item.source)
    )


def _decided(state: State, seat: Seat, effect: Effect, source: str) -> Iterator[Effect]:
    """An effect without its condition: what it comes to, or nothing."""
    if not isinstance(effect, tree.If) or _about_deeds(effect.condition):
        yield effect
        return
    chosen = effect.effect if holds(state, seat, effect.condition, source) else effect.otherwise
    if chosen is not None:
        yield from _decided(state, seat, chosen, source)


def _about_deeds(condition: Condition) -> bool:
    match condition:
        case tree.Not(inner):
            return _about_deeds(inner)
        case tree.Both(one, other):
            return _about_deeds(one) or _about_deeds(other)
        case _:
            return isinstance(condition, DEEDS)
