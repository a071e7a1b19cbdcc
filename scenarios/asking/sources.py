"""The rules that give effect to what is printed: on a space, a track, a contract or a card."""

from __future__ import annotations

from collections.abc import Iterable

from rules_engine.imperium.faces import printed
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.rulebook.index import cite

HOW_IT_IS_DONE = cite(
    "UPR-COST-007",
    "UPR-COST-008",
    "UPR-UNIT-005",
    "UPR-ICON-003",
    "UPR-ICON-004",
    "UPR-ACQ-001",
    "UPR-ACQ-005",
    "UPR-FACTION-003",
    "UPR-FACTION-015",
    "UPR-STR-006",
    "UPR-ROUND-005",
    "UPR-AGENT-009",
)
"""Rules about how a thing is done. That it is done is said by what the effect stands on."""

BONUS_AT_FOUR = cite("UPR-FACTION-006")
CONTRACT = cite("UPR-CHOAM-015")
AGENT_BOX = cite("UPR-AGENT-006")
REVEAL_BOX = cite("UPR-REVEAL-005")
ACQUIRE_BOX = cite("UPR-ACQ-012")


def deciding_first(
    state: State,
    seat: Seat | None,
    source: str | None,
    rules: tuple[str, ...],
    events: Iterable[Event] = (),
) -> tuple[str, ...]:
    """Rules of an effect, the deciding one first: that of what the effect stands on.

    `events` are those among which it happened.
    """
    if source is None or any(rule not in HOW_IT_IS_DONE for rule in rules):
        return rules
    own = [event for event in events if event.player == seat]
    return tuple(dict.fromkeys((*_said_by(state, source, own), *rules)))


def _said_by(state: State, source: str, own: list[Event]) -> tuple[str, ...]:
    faces, config = printed(state), state.config
    if source in faces.spaces:
        return faces.spaces[source].rules
    if source in faces.tracks:
        return BONUS_AT_FOUR
    if source in faces.contracts:
        return CONTRACT
    if source in faces.leaders:
        return faces.leaders[source].rules
    if source in faces.intrigue or any(each.id == source for each in config.intrigues):
        return _of(own, "plays_intrigue")
    if source in faces.conflicts or any(each.id == source for each in config.conflicts):
        return _of(own, "reward")
    return _of_card(state, own)


def _of(own: list[Event], key: str) -> tuple[str, ...]:
    """The rules of an event of a kind."""
    return next((event.rules for event in own if event.key == key), ())


def _of_card(state: State, own: list[Event]) -> tuple[str, ...]:
    """A card of the deck is acquired, revealed or played."""
    keys = {event.key for event in own}
    if "acquires" in keys:
        return ACQUIRE_BOX
    kind = "" if state.turn is None else state.turn.kind
    if "reveals" in keys or kind == "reveal":
        return REVEAL_BOX
    return AGENT_BOX if "sends_agent" in keys or kind == "agent" else ()
