"""What a kind of frame relies on when it comes up: whoever brings it up has to see to it.

A step starts from a position in which this holds, and every step has to leave it true of the frame
that comes next. So it is assumed where it is needed and claimed wherever it could fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.influence import influence
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import size
from rules_engine.kernel.game import Frame
from verifier.current import current, truth_value
from verifier.numbers import all_of
from verifier.positions import (
    ALLIES,
    printed,
)

LOOKED_AT = 3
"""How many cards are looked at by the effect that deals them out."""


SHOWN_BY = "each_frame_finds_what_it_relies_on"
"""The property that claims it of every step; where a step begins it is taken for granted."""


def assume_relied_on(state: State) -> None:
    """Take for granted what the frame that comes next relies on.

    This alone is taken for granted, and shown step by step, so that nothing goes in a circle.
    """
    current().assume(truth_value(relied_on(state)), SHOWN_BY)


def relied_on(state: State) -> bool:
    """Whether what the frame that comes next relies on is so, and all payments are covered."""
    if not state.pending:
        return True
    *below, top = state.pending
    conditions = (each.holds(state, top) for each in RELIES if isinstance(top, each.kinds))
    held: bool = all_of(*conditions, *(_payment(state, frame) for frame in below))
    return held


def _payment(state: State, frame: Frame) -> Any:
    """A payment that waits for the other parts of its cost is covered all the time."""
    match frame:
        case frames.Run(seat, frames.Item(tree.Pay() as cost)):
            return _there(state.players[seat], cost)
        case _:
            return True


def _no_turn(state: State, _: Frame) -> Any:
    return state.turn is None


def _nobody_revealed(state: State, _: Frame) -> Any:
    return not any(each.revealed for each in state.players)


def _empty_conflict(state: State, _: Frame) -> Any:
    """No unit is in the Conflict, no sword counts and no card is current: the Combat is over."""
    return state.conflict is None and all_of(*(_has_left(each) for each in state.players))


def _has_left(owner: Player) -> Any:
    return all_of(owner.troops == 0, owner.sandworms == 0, owner.swords == 0, owner.strength == 0)


def _nothing_won(state: State, frame: frames.DealObjectives) -> Any:
    return state.players[frame.seat].won == ()


def _run(state: State, frame: frames.Run) -> Any:
    """What is paid is there, and Persuasion comes in the own Reveal turn."""
    effect, owner = frame.item.effect, state.players[frame.seat]
    match effect:
        case tree.Pay():
            return _there(owner, effect)
        case tree.All(parts):
            return all_of(*(_there(owner, part) for part in parts if isinstance(part, tree.Pay)))
        case tree.Gain(_, "persuasion"):
            return _own_reveal_turn(state, frame.seat)
        case tree.Per(effect=tree.Gain(_, "persuasion")):
            return _own_reveal_turn(state, frame.seat)
        case _:
            return True


def _there(owner: Player, cost: tree.Pay) -> Any:
    return getattr(owner, cost.what) >= cost.amount


def _own_reveal_turn(state: State, seat: int) -> bool:
    turn = state.turn
    return turn is not None and turn.seat == seat and turn.kind == "reveal"


def _free_token(state: State, frame: frames.AllianceTie) -> Any:
    """Nobody holds the token, and each of the tied players may."""
    free = all(each.holder is None for each in state.alliances if each.faction == frame.faction)
    standing = (influence(state, seat, frame.faction) >= ALLIES for seat in frame.tied)
    return all_of(free, *standing)


def _in_both_places(state: State, frame: frames.PickPlace) -> Any:
    """Equal cards are in the Row and set aside, and the one in the Row can be paid."""
    owner, card = state.players[frame.seat], frame.card
    there = card in state.row and card in owner.set_aside
    cost = printed().cards[card].cost or 0
    return all_of(there, owner.persuasion >= cost) if frame.bought else there


def _enough_in_deck(state: State, frame: frames.LookAtTop) -> Any:
    deck = size(state.players[frame.seat].deck)
    return all_of(frame.count <= deck, frame.count + len(frame.seen) == LOOKED_AT)


def _as_many_fates(_: State, frame: frames.SortCards) -> Any:
    return len(frame.seen) == len(frame.left) >= 2


BETWEEN_CONFLICTS = (frames.Makers, frames.Recall, frames.RoundStart, frames.RevealConflict)
BEFORE_ANY_TURN = (frames.RevealConflict, frames.Defend)
OUTSIDE_TURNS = (
    *BETWEEN_CONFLICTS,
    frames.DealObjectives,
    frames.Defend,
    frames.DrawHands,
    frames.PlayerTurns,
    frames.Combat,
    frames.CombatIntrigues,
    frames.ResolveCombat,
    frames.GiveRewards,
    frames.TakeConflictCard,
    frames.WinIntrigues,
    frames.EndCombat,
    frames.EndgameIntrigues,
    frames.FinalScore,
)


class Reliance(NamedTuple):
    """What some kinds of frame rely on, as a condition and in words."""

    kinds: Any
    holds: Callable[[State, Any], Any]
    words: str


RELIES = (
    Reliance(OUTSIDE_TURNS, _no_turn, "no turn is in progress"),
    Reliance(BEFORE_ANY_TURN, _nobody_revealed, "nobody has revealed"),
    Reliance(
        BETWEEN_CONFLICTS,
        _empty_conflict,
        "no Conflict is current, and nobody has a unit, a sword or strength",
    ),
    Reliance(frames.DealObjectives, _nothing_won, "its player has no Objective yet"),
    Reliance(
        frames.Run, _run, "what is paid is there, and Persuasion comes in the own Reveal turn"
    ),
    Reliance(frames.AllianceTie, _free_token, "the token is free, the tied players have 4 or more"),
    Reliance(frames.PickPlace, _in_both_places, "the card is in both places, and can be paid"),
    Reliance(frames.LookAtTop, _enough_in_deck, "the cards to be looked at are in the deck"),
    Reliance(frames.SortCards, _as_many_fates, "there are as many cards as fates"),
)
"""What each kind of frame relies on, if anything."""


def words_for(frame: type[Frame]) -> tuple[str, ...]:
    """What a kind of frame relies on, in words."""
    return tuple(each.words for each in RELIES if issubclass(frame, each.kinds))
