"""Victory Points and the Score marker."""

from __future__ import annotations

from rules_engine.imperium.state import State, player, with_player
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

MARKER = cite("UPR-END-007")


def score(
    state: State, seat: Seat, points: Quantity, why: str, rules: tuple[str, ...] = ()
) -> Step[State]:
    """The Score marker moves with every Victory Point gained or lost. UPR-END-007

    `why` names where the points come from: a track, an Alliance, or an effect.
    """
    owner = player(state, seat)
    state = with_player(state, change(owner, victory_points=owner.victory_points + points))
    event = Event("scores", rules + MARKER, seat, {"points": points, "why": why})
    return Step(state, (event,))
