"""The Reveal turn: reveal cards, resolve their effects, acquire, clean up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.imperium import acquire, council, leaders
from rules_engine.imperium.actions import (
    Acquire,
    Deploy,
    EndTurn,
    PlayIntrigue,
    Resolve,
    Retreat,
)
from rules_engine.imperium.boxes import legal_next, next_options, resolve_next
from rules_engine.imperium.cards import all_cards_to_discard, move_card, reveal_boxes
from rules_engine.imperium.choices import due
from rules_engine.imperium.deployment import legal_move, move, move_options
from rules_engine.imperium.faces import space_face
from rules_engine.imperium.frames import Item, RevealTurn
from rules_engine.imperium.intrigue import play, play_options, why_not_play
from rules_engine.imperium.state import State, ThisTurn, player, with_player
from rules_engine.imperium.strength import move_marker
from rules_engine.imperium.turn_items import tested
from rules_engine.kernel.decks import ANY, Cards
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, none, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

REVEAL = cite("UPR-REVEAL-003", "UPR-REVEAL-004", "UPR-REVEAL-005", "UPR-STR-001")
ORDER = cite("UPR-REVEAL-002", "UPR-REVEAL-006")
CLEAN_UP = cite("UPR-REVEAL-008", "UPR-REVEAL-009", "UPR-REVEAL-010")
PERSUASION_LOST = cite("UPR-ACQ-007")
NO_MORE_AGENTS = cite("UPR-REVEAL-009", "UPR-REVEAL-002")


def begin(state: State, seat: Seat) -> Step[State]:
    """Every card in hand is put face up, and the Reveal boxes of just these cards are due.

    They are told from the cards played before, and from now on strength is totalled.
    UPR-REVEAL-003, UPR-REVEAL-004, UPR-REVEAL-005, UPR-STR-001
    """
    shown = player(state, seat).hand
    if ANY in shown:
        raise UnknownRead(f"{player(state, seat).name}'s hand")
    for card in shown:
        state = move_card(state, seat, card, "hand", "in_play")
    turn = change(state.turn or ThisTurn(seat), kind="reveal", shown=shown)
    state = change(state, turn=turn, reveal_order=_last(state, seat))
    state = with_player(state, change(player(state, seat), revealed=True))
    marked = move_marker(state, seat)
    event = Event("reveals", REVEAL, seat, {"cards": list(shown)})
    frame = RevealTurn(seat, _items(marked.state, seat, shown))
    return Step(push(marked.state, frame), (event, *marked.events))


def _items(state: State, seat: Seat, shown: Cards) -> tuple[Item, ...]:
    """The effects of a Reveal turn: of the cards, the Leader, the seat, and spaces with an Agent.

    UPR-REVEAL-005, UPR-BOARD-005, UPR-BOARD-013
    """
    spaces = tuple(
        Item(effect, at.space)
        for at in state.agents
        if at.seat == seat
        for effect in space_face(state, at.space).reveal
    )
    items = (*reveal_boxes(state, seat, shown), *leaders.reveal_items(state, seat), *spaces)
    return (*tested(state, seat, items), *council.seat_items(state, seat))


def _last(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The order of Reveal turns this round, with this player now the latest."""
    return (*(other for other in state.reveal_order if other != seat), seat)


def _legal(state: State, frame: RevealTurn, action: object) -> Refusal | None:
    match action:
        case Resolve():
            return legal_next(state, frame, action)
        case Acquire(seat, card):
            return refusal(acquire.why_not(state, seat, card))
        case PlayIntrigue():
            return refusal(why_not_play(state, action, "plot"))
        case Deploy() | Retreat():
            return legal_move(state, action)
        case EndTurn():
            if not none(due(state, frame.seat, frame.items)):
                return refusal([Reason("effects_are_due", ORDER)])
            return None
        case _:
            return refusal([Reason("reveal_in_progress", NO_MORE_AGENTS)])


def _options(state: State, frame: RevealTurn) -> Iterator[Any]:
    seat = frame.seat
    yield from next_options(state, frame)
    yield from acquire.options(state, seat)
    yield from move_options(state, seat)
    yield from play_options(state, seat, "plot")
    if none(due(state, seat, frame.items)):
        yield EndTurn(seat)


def _go_on(state: State, frame: RevealTurn, action: object) -> Step[State]:
    """Effects and purchases in any order, until the player ends the turn.

    UPR-REVEAL-006, UPR-REVEAL-007
    """
    match action:
        case Resolve(_, index):
            return resolve_next(state, frame, index)
        case Acquire(seat, card):
            return acquire.acquire(push(state, frame), seat, card)
        case PlayIntrigue():
            return play(push(state, frame), action)
        case Deploy() | Retreat():
            return move(push(state, frame), action)
        case _:
            return clean_up(state, frame.seat)


def clean_up(state: State, seat: Seat) -> Step[State]:
    """Cards in play go to the discard pile and unspent Persuasion is lost.

    UPR-REVEAL-008, UPR-ACQ-007
    """
    state = all_cards_to_discard(state, seat)
    state = with_player(state, change(player(state, seat), persuasion=0))
    event = Event("cleans_up", CLEAN_UP + PERSUASION_LOST, seat)
    over = acquire.end_of_reveal(state, seat)
    return Step(change(over.state, turn=None), (event, *over.events))


REVEAL_TURN = FrameRules(
    asks=lambda _, frame: asks(frame.seat), apply=_go_on, legal=_legal, options=_options
)
