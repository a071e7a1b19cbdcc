"""What a player may do with troops at any moment of the own turn: deploy, and maybe take back."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.imperium import units
from rules_engine.imperium.actions import Deploy, Retreat
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Amount
from rules_engine.kernel.outcomes import Refusal, Seat, Step, refusal


def legal_move(state: State, action: Deploy | Retreat) -> Refusal | None:
    """Whether so many troops may be deployed, or taken back, now."""
    why_not = units.why_not_deploy if isinstance(action, Deploy) else units.why_not_take_back
    return refusal(why_not(state, action.by, action.troops))


def move_options(state: State, seat: Seat) -> Iterator[Amount]:
    """How many troops may be deployed, or taken back, now."""
    most = units.most_deployable(state, seat)
    if most >= 1:
        yield Amount(Deploy, seat, 1, most)
    yield from units.takeback_options(state, seat)


def move(state: State, action: Deploy | Retreat) -> Step[State]:
    """Troops go to the Conflict, or back from it."""
    deploy_or_not = units.deploy if isinstance(action, Deploy) else units.take_back
    return deploy_or_not(state, action.by, action.troops)
