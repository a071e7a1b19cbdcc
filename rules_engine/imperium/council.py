"""The High Council seat and the Swordmaster: what stays with a player for the rest of the game."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import State, player, with_player
from rules_engine.kernel.game import push
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

SEATS = 4
SEAT_PERSUASION = tree.Gain(2, "persuasion")
COUNCIL = "high_council"
"""What the Persuasion of a seat comes from."""

SEAT = cite("UPR-BOARD-013", "UPR-BOARD-023")
SWORDMASTER = cite("UPR-AGENT-012", "UPR-BOARD-022", "UPR-BOARD-026")


def seat_items(state: State, seat: Seat) -> tuple[Item, ...]:
    """A seat gives Persuasion on each of its owner's Reveal turns. UPR-BOARD-013"""
    return (Item(SEAT_PERSUASION, COUNCIL),) if player(state, seat).high_council else ()


def _take_seat(state: State, seat: Seat, _: tree.TakeSeat, __: str) -> Step[State]:
    """A seat is taken once; taken in the own Reveal turn it counts in that turn already.

    UPR-BOARD-013, UPR-BOARD-023
    """
    owner = player(state, seat)
    if owner.high_council:
        return Step(state, (Event("has_seat_already", SEAT, seat),))
    state = with_player(state, change(owner, high_council=True))
    turn = state.turn
    if turn is not None and turn.seat == seat and turn.kind == "reveal":
        state = push(state, *(Run(seat, item) for item in seat_items(state, seat)))
    return Step(state, (Event("takes_seat", SEAT, seat),))


def take_swordmaster(state: State, seat: Seat) -> Step[State]:
    """The third Agent is the player's from now on, and can be sent this very round.

    UPR-AGENT-012, UPR-BOARD-026
    """
    owner = player(state, seat)
    if owner.swordmaster:
        return Step(state, (Event("has_swordmaster_already", SWORDMASTER, seat),))
    state = with_player(state, change(owner, swordmaster=True, agents=owner.agents + 1))
    return Step(state, (Event("takes_swordmaster", SWORDMASTER, seat),))


MEANING: Meanings = {
    tree.TakeSeat: Meaning(_take_seat, SEAT),
    tree.TakeSwordmaster: Meaning(
        lambda state, seat, _, __: take_swordmaster(state, seat), SWORDMASTER
    ),
}
