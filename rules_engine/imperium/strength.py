"""Setting your strength: units and swords, shown by the Combat marker."""

from __future__ import annotations

from typing import NamedTuple

from rules_engine.imperium.state import Player, State, follows, own_turn, player, with_player
from rules_engine.kernel.decks import with_card, without_card
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

TROOP = 2
SANDWORM = 3
END_OF_TRACK = 20

TOTAL = cite("UPR-STR-002", "UPR-STR-003", "UPR-STR-004", "UPR-STR-005", "UPR-STR-006")
SWORD = cite("UPR-STR-006")
NO_UNITS = cite("UPR-STR-007", "UPR-STR-008", "UPR-COMBAT-009")
MARKER = cite("UPR-STR-009", "UPR-STR-011")
TURNED_OVER = cite("UPR-STR-010")


class MarkerAt(NamedTuple):
    """Where a Combat marker is on its track, and whether it is turned to its +20 side."""

    turned: bool
    stands_on: Quantity


def marker_of(total: Quantity) -> MarkerAt:
    """Above 20 the marker is turned over and counts on from the start of its track. UPR-STR-010"""
    turned = total > END_OF_TRACK
    return MarkerAt(turned, pick(turned, total - END_OF_TRACK, total))


def units(owner: Player) -> Quantity:
    """The units a player has in the Conflict: those elsewhere count nothing.

    UPR-UNIT-003, UPR-UNIT-007, UPR-STR-003
    """
    return owner.troops + owner.sandworms


def strength(owner: Player) -> Quantity:
    """Two for a troop, three for a sandworm, one for a sword; nothing without a unit.

    UPR-STR-002, UPR-STR-004, UPR-STR-005, UPR-STR-006, UPR-STR-007
    """
    total = TROOP * owner.troops + SANDWORM * owner.sandworms + owner.swords
    return pick(units(owner) > 0, total, 0)


def move_marker(state: State, seat: Seat) -> Step[State]:
    """The Combat marker follows units and swords once the player has revealed, also above 20.

    Without a unit in the Conflict it stands on 0.
    UPR-STR-007, UPR-STR-008, UPR-STR-010, UPR-STR-011
    """
    owner = player(state, seat)
    if not owner.revealed:
        return Step(state)
    now = strength(owner)
    if owner.strength == now:
        return Step(state)
    gone = NO_UNITS if now == 0 else ()
    event = Event("strength", gone + TOTAL + MARKER, seat, {"strength": now})
    return Step(with_player(state, change(owner, strength=now)), (event,))


def add_swords(state: State, seat: Seat, swords: Quantity, source: str = "") -> Step[State]:
    """Each sword is worth one strength. UPR-STR-006"""
    owner = player(state, seat)
    state = with_player(state, change(owner, swords=owner.swords + swords))
    state = _remember_sword_card(state, seat, swords, source)
    moved = move_marker(state, seat)
    event = Event("swords", SWORD, seat, {"swords": swords})
    return Step(moved.state, (event, *moved.events))


def lose_swords(state: State, before: Player, after: Player) -> Player:
    """A player whose last unit has left the Conflict, without swords if the ruling says so.

    UPR-STR-008
    """
    if not (units(before) > 0 and units(after) < 1):
        return after
    lost = follows(state, "swords_after_last_unit") == "lost"
    return change(after, swords=0) if lost else after


def _remember_sword_card(state: State, seat: Seat, swords: Quantity, source: str) -> State:
    """Remember which of the cards revealed this turn gave a sword: other cards count them."""
    turn = own_turn(state, seat)
    if turn is None or source not in turn.shown or swords < 1:
        return state
    given = turn.sword_cards.count(source)
    if given >= turn.shown.count(source):
        return state
    return change(state, turn=change(turn, sword_cards=with_card(turn.sword_cards, source)))


def forget_sword_card(state: State, seat: Seat, card: str) -> State:
    """A card revealed this turn was trashed: it no longer counts among those that gave a sword.

    One played for an Agent turn goes before its equals, and a ruling may keep the count.
    UPR-REVEAL-010
    """
    turn = own_turn(state, seat)
    if turn is None or follows(state, "leadership_trashed_card") == "counted":
        return state
    left = player(state, seat).in_play.count(card)
    if card not in turn.sword_cards or left >= turn.shown.count(card):
        return state
    return change(state, turn=change(turn, sword_cards=without_card(turn.sword_cards, card)))
