"""Which rules decide a point at which an implementation is not where the reference is.

What the reference did tells most: the events that changed a field, and what led to them. Where it
left a field as it was, the rules about that field count, and those of the decision it waits for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from conformance import reading
from conformance.reference import Moved, Part
from rules_engine.effects.parse import parse
from rules_engine.imperium import actions, frames
from rules_engine.imperium.agent_turn import REQUIREMENT
from rules_engine.imperium.conditions import condition_rules
from rules_engine.imperium.contracts import COMPLETED_BY
from rules_engine.imperium.effects import rules_of
from rules_engine.imperium.faces import printed, space_face
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import Action, asked, handle, legal
from rules_engine.kernel.outcomes import Event, Refusal
from rules_engine.rulebook.index import cite

Json = dict[str, Any]
Rules = tuple[str, ...]

MOST = 12
"""A longer list of rules would name none."""

OF_EVERY_GAIN = cite("UPR-COST-007", "UPR-COST-008", "UPR-END-007")
"""They are behind whatever is gained or lost, so they are named last."""

FACE_DOWN = {"hand": cite("UPR-AGENT-001", "UPR-REVEAL-003"), "intrigues": cite("UPR-ICON-004")}
"""Why others do not see some cards: when they are shown, or that they are not."""

NOT_DUE: dict[type, Rules] = {
    frames.AgentTurn: cite("UPR-AGENT-006", "UPR-AGENT-009"),
    frames.RevealTurn: cite("UPR-REVEAL-005", "UPR-REVEAL-006"),
}
"""The rules about which effects a turn has."""

RESOURCES = cite("UPR-COST-007")
CONTRACTS = cite("UPR-CHOAM-007", "UPR-CHOAM-008")
ON_CARD = cite("UPR-ROUND-005")

OF_TABLE: dict[str, Rules] = {
    "round": cite("UPR-ROUND-001", "UPR-RECALL-004"),
    "first_player": cite("UPR-RECALL-003"),
    "turn": cite("UPR-ROUND-003"),
    "shield_wall": cite("UPR-WALL-004", "UPR-WALL-005"),
    "agents": cite("UPR-AGENT-001", "UPR-AGENT-013", "UPR-RECALL-002"),
    "spies": cite("UPR-SPY-002", "UPR-SPY-008", "UPR-SPY-020"),
    "makers": cite("UPR-MAKER-003", "UPR-MAKER-004", "UPR-MAKER-005"),
    "controls": cite("UPR-CTRL-002", "UPR-CTRL-003"),
    "alliances": cite("UPR-FACTION-009", "UPR-FACTION-010", "UPR-FACTION-011"),
    "conflict": cite("UPR-UNIT-001", "UPR-COMBAT-025"),
    "conflict_deck": cite("UPR-UNIT-001"),
    "row": cite("UPR-ACQ-010"),
    "imperium_deck": cite("UPR-ACQ-010"),
    "reserve": cite("UPR-ACQ-002", "UPR-ICON-012"),
    "intrigue_deck": cite("UPR-ICON-004"),
    "intrigue_discard": cite("UPR-ROUND-006", "UPR-ICON-002"),
    "contract_row": CONTRACTS,
    "contract_deck": CONTRACTS,
    "leader_contracts": cite("UPR-CHOAM-005"),
    "objectives": cite("UPR-COMBAT-028"),
    "trashed": cite("UPR-ICON-011", "UPR-ICON-012"),
    "trashed_intrigues": cite("UPR-ICON-010"),
    "first_reward": cite("UPR-COMBAT-011"),
    "winners": cite("UPR-END-004", "UPR-END-005"),
}
"""The rules about a field of the table: what changes it, and what does not."""

OF_PLAYER: dict[str, Rules] = {
    "solari": RESOURCES,
    "spice": RESOURCES,
    "water": RESOURCES,
    "victory_points": cite("UPR-END-007", "UPR-FACTION-004", "UPR-FACTION-005"),
    "tracks": cite("UPR-FACTION-002", "UPR-FACTION-003", "UPR-FACTION-015"),
    "supply": cite("UPR-UNIT-005", "UPR-COMBAT-031"),
    "garrison": cite("UPR-UNIT-005", "UPR-UNIT-011", "UPR-COMBAT-041"),
    "troops": cite("UPR-UNIT-011", "UPR-COMBAT-031"),
    "sandworms": cite("UPR-WORM-001", "UPR-WORM-009"),
    "strength": cite("UPR-STR-001", "UPR-STR-007", "UPR-STR-009", "UPR-STR-011"),
    "swords": cite("UPR-STR-006"),
    "persuasion": cite("UPR-ACQ-001", "UPR-ACQ-007"),
    "agents": cite("UPR-AGENT-001", "UPR-AGENT-013", "UPR-RECALL-002"),
    "spies": cite("UPR-SPY-002", "UPR-SPY-008", "UPR-SPY-020"),
    "maker_hooks": cite("UPR-ICON-007", "UPR-ICON-008"),
    "high_council": cite("UPR-BOARD-013"),
    "swordmaster": cite("UPR-AGENT-012", "UPR-BOARD-022"),
    "revealed": cite("UPR-REVEAL-001", "UPR-REVEAL-009"),
    "leader": cite("UPR-CLAR-003"),
    "memories": cite("UPR-AGENT-014"),
    "training": cite("UPR-CLAR-001", "UPR-CLAR-002"),
    "contracts": cite("UPR-CHOAM-007", "UPR-CHOAM-010"),
    "completed": cite("UPR-CHOAM-015", "UPR-CHOAM-016"),
    "standing": ON_CARD,
    "set_aside": ON_CARD,
    "hand": cite("UPR-ICON-001", "UPR-ICON-003"),
    "deck": cite("UPR-ICON-003"),
    "discard": cite("UPR-ICON-001", "UPR-REVEAL-008", "UPR-ACQ-008"),
    "in_play": cite("UPR-REVEAL-008", "UPR-REVEAL-010"),
    "intrigues": cite("UPR-ICON-004"),
    "won": cite("UPR-COMBAT-025", "UPR-COMBAT-028"),
}
"""The same for the fields of a player."""


def in_order(found: Iterable[str], case: Sequence[str], history: Sequence[Moved]) -> Rules:
    """The rules that were found, those first that the case is about.

    After them come other rules of the case that have been at work in it.
    """
    each = tuple(dict.fromkeys(found))
    special = [rule for rule in each if rule not in OF_EVERY_GAIN]
    ours = [rule for rule in each if rule in case]
    kept = dict.fromkeys((*ours, *special))
    at_work = {rule for moved in history for rule in moved.rules}
    also = [rule for rule in case if rule in at_work and rule not in kept]
    return tuple(dict.fromkeys((*list(kept)[:MOST], *also[:MOST], *each[:MOST])))


# A field


def of_field(path: str, history: Sequence[Moved]) -> Rules:
    """The rules behind a field after the last of some moves."""
    moved = history[-1]
    if path == "asked":
        return _of_who_is_asked(moved)
    seat = _seat(path)
    changes = [
        number
        for number, part in enumerate(moved.parts)
        if part.events and _value(part.before, path) != _value(part.after, path)
    ]
    if changes:
        return _back_from(moved.parts, changes[-1], seat)
    about_field = (OF_TABLE if seat is None else OF_PLAYER).get(path.split(".")[-1], ())
    return (*about_field, *_latest_about(seat, history), *of_waiting(moved.after))


def _of_who_is_asked(moved: Moved) -> Rules:
    who = asked(IMPERIUM, moved.after).players
    about = [event for event in reversed(moved.events) if event.player in who]
    return (*_rules(about), *of_waiting(moved.after), *_rules(reversed(moved.events)))


def _back_from(parts: Sequence[Part], last: int, seat: int | None) -> Rules:
    """The rules of what changed a field, and back from there of what led to it."""
    events = list(parts[last].events)
    for part in reversed(parts[:last]):
        events += [each for each in part.events if seat is None or each.player in (None, seat)]
    return _rules(events)


def _latest_about(seat: int | None, history: Sequence[Moved]) -> Rules:
    """The rules of what last happened to a player; where it is nobody's, of what last happened."""
    for moved in reversed(history):
        about = [event for event in moved.events if seat is None or event.player == seat]
        if about:
            return _rules(reversed(about))
    return ()


def of_input(moved: Moved) -> Rules:
    """The rules behind what an input does at once."""
    return next((_rules(part.events) for part in moved.parts if part.events), ())


def of_leak(path: str) -> Rules:
    """The rules by which others do not see some cards of a player."""
    return FACE_DOWN.get(path.split(".")[-1], ())


def _rules(events: Iterable[Event]) -> Rules:
    return tuple(dict.fromkeys(rule for event in events for rule in event.rules))


def _seat(path: str) -> int | None:
    parts = path.split(".")
    return int(parts[1]) if parts[0] == "players" and len(parts) > 1 else None


def _value(state: State, path: str) -> Any:
    parts = path.split(".")
    if parts[0] == "players" and len(parts) > 2:
        return getattr(state.players[int(parts[1])], parts[2])
    return getattr(state, parts[0], None)


# A decision


def of_waiting(state: State) -> Rules:
    """The rules of the decision that is waited for, and of the effects that it is about."""
    items = getattr(state.pending[-1], "items", ()) if state.pending else ()
    return (*_of_decision(state), *(rule for item in items for rule in rules_of(item.effect)))


def _of_decision(state: State) -> Rules:
    """The rules by which nothing else can be done now: an input that is none is refused by them."""
    if not state.pending:
        return ()
    top: Any = state.pending[-1]
    refused = IMPERIUM.frames[type(top)].legal(state, top, object())
    return () if refused is None else refused.rules


LEAVING = ("end_turn", "pass", "decline")


def leaves(said: Json) -> bool:
    """Whether a decision only ends something: it can be taken when nothing is left to be done."""
    return said.get("action") in LEAVING


def of_doing(state: State, action: Action, just_now: Rules) -> Rules:
    """The rules behind something that is allowed: of what it leads to, and of the decision.

    `just_now` are the rules of what has just happened: it depends on that what is allowed.
    """
    needed: Rules = ()
    if isinstance(action, actions.PlayAgent):
        requirement = space_face(state, action.space).requirement
        needed = () if requirement is None else (*REQUIREMENT, *condition_rules(requirement))
    return (*needed, *_first_events(state, action), *_of_decision(state), *just_now)


def _first_events(state: State, action: Action) -> Rules:
    """The rules of the first that happens by an action."""
    done = handle(IMPERIUM, state, action)
    while not isinstance(done, Refusal):
        if done.events or not done.state.pending or not asked(IMPERIUM, done.state).nobody():
            return _rules(done.events)
        done = handle(IMPERIUM, done.state)
    return done.rules


def against_doing(state: State, said: Json, just_now: Rules) -> Rules:
    """The rules against something that an implementation lists and the reference does not allow."""
    try:
        action = reading.action(state, said)
        refused = None if action is None else legal(IMPERIUM, state, action)
        effects = parse(said["effect"]) if "effect" in said else ()
    except (AttributeError, KeyError, TypeError, msgspec.ValidationError, TruthsayerError):
        return (*of_waiting(state), *just_now)
    if refused is not None:
        return refused.rules
    of_turn = NOT_DUE.get(type(state.pending[-1]), ()) if state.pending else ()
    about = (rule for effect in effects for rule in rules_of(effect))
    of_source = _of_source(state, said.get("source"))
    return (*of_source, *of_turn, *about, *_of_decision(state), *just_now)


def _of_source(state: State, source: Any) -> Rules:
    """The rules of the space or contract that an effect is on."""
    if source in printed(state).spaces:
        return space_face(state, source).rules
    if source in printed(state).contracts:
        return COMPLETED_BY[printed(state).contracts[source].completed_by]
    return ()
