"""The rules that permit a decision, and those by which a player has just these decisions."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium import actions, frames
from rules_engine.imperium.effects import rules_of as effect_rules
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, handle, settle, turn_rules
from rules_engine.kernel.outcomes import Event, Refusal, Seat
from rules_engine.rulebook.index import cite
from scenarios.asking.position import source_of
from scenarios.asking.sources import deciding_first


def permitting(state: State, seat: Seat, action: Action) -> tuple[str, ...]:
    """The rules by which an allowed action is allowed, the one about it first."""
    events = _at_once(state, action)
    if isinstance(action, actions.PlayAgent) and action.infiltrate is not None:
        events = sorted(events, key=lambda event: event.key != "recalls_spy")
    own = _rules_of_effect(state.pending[-1], action)
    found = tuple(dict.fromkeys((*(rule for each in events for rule in each.rules), *own)))
    source = source_of(state.pending[-1], action)
    return deciding_first(state, seat, source, found) or turn_rules(IMPERIUM, state, seat)


def _rules_of_effect(top: Any, action: Action) -> tuple[str, ...]:
    """The rules of the effect that an action lets happen."""
    match action:
        case actions.Resolve(_, index):
            return effect_rules(top.items[index].effect)
        case actions.Choose(_, option) if isinstance(top, frames.ChooseOption | frames.PickSeveral):
            return effect_rules(top.options[option])
        case actions.Accept() if isinstance(top, frames.Decide):
            return effect_rules(top.item.effect)
        case _:
            return ()


def _at_once(state: State, action: Action) -> list[Event]:
    """What an allowed action does at once; if nothing, what follows from it by itself."""
    try:
        done = handle(IMPERIUM, state, action)
        assert not isinstance(done, Refusal)
        events = done.events or settle(IMPERIUM, done.state).events
    except UnknownRead:
        return []
    return list(events)


ORDER: dict[type, tuple[str, ...]] = {
    frames.AgentTurn: cite("UPR-AGENT-009"),
    frames.RevealTurn: cite("UPR-REVEAL-002", "UPR-REVEAL-006", "UPR-REVEAL-007"),
}
"""The rules by which the owner of a turn is free to do this or that in it."""


def why_only_these(state: State, seat: Seat) -> tuple[str, ...]:
    """The rules by which a player has just these decisions: those that keep out all others."""
    top = state.pending[-1]
    if type(top) in ORDER:
        return ORDER[type(top)]
    own = IMPERIUM.frames[type(top)]
    stranger = own.legal(state, top, actions.GiveAlliance(seat, seat))
    if own.turn_rules is not None or stranger is None:
        return turn_rules(IMPERIUM, state, seat)
    return stranger.reasons[-1].rules
