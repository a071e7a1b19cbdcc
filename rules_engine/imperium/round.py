"""The round: its five phases, the Conflict card, new hands, and whose turn it is."""

from __future__ import annotations

from rules_engine.imperium.control import defender
from rules_engine.imperium.frames import (
    Combat,
    Defend,
    DrawFromDeck,
    DrawHands,
    Makers,
    PlayerTurns,
    Recall,
    RevealConflict,
    RoundStart,
    Turn,
)
from rules_engine.imperium.state import State, ThisTurn, clockwise, player
from rules_engine.kernel.decks import without_top
from rules_engine.kernel.drawing import draws_from
from rules_engine.kernel.game import Answer, by_itself, push
from rules_engine.kernel.outcomes import Event, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

HAND = 5

PHASES = cite("UPR-ROUND-001")
CONFLICT = cite("UPR-UNIT-001")
DRAW_HANDS_RULES = cite("UPR-ROUND-002")
TURN_ORDER = cite("UPR-ROUND-003", "UPR-REVEAL-009")


def _start(state: State, _: RoundStart, __: object) -> Step[State]:
    """A round runs through Round Start, Player Turns, Combat, Makers and Recall. UPR-ROUND-001"""
    players = tuple(change(each, revealed=False) for each in state.players)
    state = change(state, players=players, round=state.round + 1, reveal_order=())
    state = push(
        state,
        Recall(),
        Makers(),
        Combat(),
        PlayerTurns(state.first_player),
        DrawHands(),
        RevealConflict(),
    )
    return Step(state, (Event("round", PHASES, None, {"round": state.round}),))


ROUND_START = by_itself(_start, PHASES)


# The Conflict card


def _turn_up(state: State, _: RevealConflict, answer: Answer | None) -> Step[State]:
    """A new Conflict card is turned up; the controller of its location may defend it.

    UPR-UNIT-001, UPR-CTRL-008
    """
    if answer is None:
        return Step(state)
    card = answer.outcome
    deck = without_top(state.conflict_deck, card)
    state = change(state, conflict_deck=deck, conflict=card)
    holder = defender(state)
    if holder is not None:
        state = push(state, Defend(holder))
    return Step(state, (Event("conflict", CONFLICT, None, {"card": card}),))


REVEAL_CONFLICT = draws_from(
    lambda state, _: state.conflict_deck, lambda _, __: True, _turn_up, CONFLICT
)


# New hands


def _draw_hands(state: State, _: DrawHands, __: object) -> Step[State]:
    """Every player draws five cards, from the First Player clockwise. UPR-ROUND-002"""
    order = reversed(clockwise(state, state.first_player))
    state = push(state, *(DrawFromDeck(seat, HAND) for seat in order))
    return Step(state, (Event("new_hands", DRAW_HANDS_RULES),))


DRAW_HANDS = by_itself(_draw_hands, DRAW_HANDS_RULES)


# Whose turn it is


def _next_turn(state: State, frame: PlayerTurns, _: object) -> Step[State]:
    """Turns go clockwise until everyone has taken a Reveal turn. UPR-ROUND-003"""
    for seat in clockwise(state, frame.next):
        if not player(state, seat).revealed:
            following = clockwise(state, seat)[1]
            state = change(state, turn=ThisTurn(seat))
            state = push(state, PlayerTurns(following), Turn(seat))
            return Step(state, (Event("turn", TURN_ORDER, seat),))
    return Step(state)


PLAYER_TURNS = by_itself(_next_turn, TURN_ORDER)
