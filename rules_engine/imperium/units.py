"""Units and the Conflict: recruiting troops and deploying them."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.imperium.state import State, ThisTurn, player, with_player
from rules_engine.imperium.strength import move_marker
from rules_engine.kernel.numbers import Quantity, pick, smaller
from rules_engine.kernel.outcomes import Event, Reason, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

TROOPS = 12
"""Every player's troops: in supply, garrison and Conflict."""

FROM_GARRISON = 2
"""Units that may be deployed on a turn beyond those recruited in it."""

RECRUIT = cite("UPR-UNIT-005")
SHORTAGE = cite("UPR-UNIT-006")
DEPLOY = cite("UPR-UNIT-008", "UPR-UNIT-011", "UPR-UNIT-012")
LIMIT = cite("UPR-UNIT-013")
NO_COMBAT_SPACE = cite("UPR-UNIT-008", "UPR-UNIT-015")
WHAT_IS_THERE = cite("UPR-UNIT-011")


def recruit(state: State, seat: Seat, wanted: Quantity) -> Step[State]:
    """Troops move from supply to garrison, as many as the supply holds.

    UPR-UNIT-005, UPR-UNIT-006
    """
    owner = player(state, seat)
    recruited = smaller(wanted, owner.supply)
    changed = change(owner, supply=owner.supply - recruited, garrison=owner.garrison + recruited)
    state = _count_recruits(with_player(state, changed), seat, recruited)
    rules = RECRUIT + (SHORTAGE if recruited < wanted else ())
    return Step(state, (Event("recruits", rules, seat, {"troops": recruited}),))


def _count_recruits(state: State, seat: Seat, recruited: Quantity) -> State:
    """Remember troops recruited in one's own turn: they may all be deployed. UPR-UNIT-012"""
    turn = state.turn
    if turn is None or turn.seat != seat:
        return state
    return change(state, turn=change(turn, recruited=turn.recruited + recruited))


def allowance(turn: ThisTurn) -> Quantity:
    """How many more units may be deployed this turn. UPR-UNIT-012, UPR-UNIT-013"""
    return turn.recruited + FROM_GARRISON - turn.deployed


def why_not_deploy(state: State, seat: Seat, troops: Quantity) -> Iterator[Reason]:
    """The reasons against deploying so many troops now."""
    turn = state.turn
    if turn is None or turn.seat != seat or not turn.combat:
        yield Reason("no_combat_space", NO_COMBAT_SPACE)
        return
    if troops < 1:
        yield Reason("at_least_one", WHAT_IS_THERE)
    if troops > player(state, seat).garrison:
        yield Reason("not_in_garrison", WHAT_IS_THERE, {"troops": troops})
    if troops > allowance(turn):
        yield Reason("over_the_limit", LIMIT, {"limit": allowance(turn)})


def most_deployable(state: State, seat: Seat) -> Quantity:
    """The largest number of troops that may be deployed now."""
    turn = state.turn
    if turn is None or turn.seat != seat or not turn.combat:
        return 0
    return smaller(player(state, seat).garrison, allowance(turn))


def deploy(state: State, seat: Seat, troops: Quantity) -> Step[State]:
    """Troops move from the garrison to the Conflict. UPR-UNIT-011"""
    owner = player(state, seat)
    changed = change(owner, garrison=owner.garrison - troops, troops=owner.troops + troops)
    state = with_player(state, changed)
    if state.turn is not None:
        deployed = state.turn.deployed + troops
        state = change(state, turn=change(state.turn, deployed=deployed))
    moved = move_marker(state, seat)
    event = Event("deploys", DEPLOY, seat, {"troops": troops})
    return Step(moved.state, (event, *moved.events))


def deploy_from_supply(state: State, seat: Seat, rules: tuple[str, ...]) -> Step[State]:
    """One troop moves from supply straight into the Conflict, if there is one."""
    owner = player(state, seat)
    sent = pick(owner.supply > 0, 1, 0)
    changed = change(owner, supply=owner.supply - sent, troops=owner.troops + sent)
    event = Event("defends", rules, seat, {"troops": sent})
    return Step(with_player(state, changed), (event,))
