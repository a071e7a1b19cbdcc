"""Units and the Conflict: recruiting troops, deploying them, and their retreat."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import Decline, Deploy, Retreat
from rules_engine.imperium.frames import PickDeploy, PickRetreat
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import (
    Player,
    State,
    ThisTurn,
    follows,
    own_turn,
    player,
    with_player,
)
from rules_engine.imperium.strength import lose_swords, move_marker
from rules_engine.kernel.game import NOBODY, Amount, Asks, FrameRules, asks, push
from rules_engine.kernel.numbers import Quantity, larger, smaller
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

TROOPS = 12
"""Every player's troops: in supply, garrison and Conflict."""

FROM_GARRISON = 2
"""Units that may be deployed on a turn beyond those recruited in it."""

RECRUIT = cite("UPR-UNIT-005")
SHORTAGE = cite("UPR-UNIT-006")
DEPLOY = cite("UPR-UNIT-008", "UPR-UNIT-011", "UPR-UNIT-012", "UPR-ICON-014")
LIMIT = cite("UPR-UNIT-013")
NO_COMBAT_SPACE = cite("UPR-UNIT-008", "UPR-UNIT-015")
SENT_ELSEWHERE = NO_COMBAT_SPACE + cite("UPR-ICON-014")
WHAT_IS_THERE = cite("UPR-UNIT-011")
BY_EFFECT = cite("UPR-UNIT-011", "UPR-ROUND-005")
FORBIDDEN = cite("UPR-CLAR-007", "UPR-UNIT-003")
RETREAT = cite("UPR-COMBAT-041")
NOT_THERE = RETREAT + cite("UPR-COST-003")


# Recruiting


def recruit(state: State, seat: Seat, wanted: Quantity) -> Step[State]:
    """Troops move from supply to garrison, as many as the supply holds.

    UPR-UNIT-005, UPR-UNIT-006
    """
    owner = player(state, seat)
    recruited = smaller(wanted, owner.supply)
    changed = change(owner, supply=owner.supply - recruited, garrison=owner.garrison + recruited)
    state = _count_recruits(with_player(state, changed), seat, recruited, wanted - recruited)
    rules = RECRUIT + (SHORTAGE if recruited < wanted else ())
    return Step(state, (Event("recruits", rules, seat, {"troops": recruited}),))


def _count_recruits(state: State, seat: Seat, recruited: Quantity, short: Quantity) -> State:
    """Remember troops recruited in one's own turn: they may all be deployed.

    UPR-UNIT-012, UPR-ICON-014
    """
    turn = own_turn(state, seat)
    if turn is None:
        return state
    changed = change(turn, recruited=turn.recruited + recruited, short=turn.short + short)
    return change(state, turn=changed)


def make_up_shortage(state: State, seat: Seat) -> Step[State]:
    """Troops that the supply lacked this turn are recruited when it has grown, if so ruled.

    UPR-UNIT-006
    """
    turn = own_turn(state, seat)
    if turn is None or follows(state, "recruit_shortage_makeup") == "lost":
        return Step(state)
    late = smaller(turn.short, player(state, seat).supply)
    if late < 1:
        return Step(state)
    state = change(state, turn=change(turn, short=turn.short - late))
    return recruit(state, seat, late)


# Deploying by right of the space


def allowance(turn: ThisTurn) -> Quantity:
    """How many more units may be deployed this turn. UPR-UNIT-012, UPR-UNIT-013"""
    others = FROM_GARRISON if turn.combat else 0
    return turn.recruited + others - turn.deployed


def deployment_forbidden(state: State, seat: Seat) -> bool:
    """Whether an effect keeps every unit of the player out for this turn. UPR-CLAR-007"""
    turn = own_turn(state, seat)
    return turn is not None and turn.forbidden


def why_not_deploy(state: State, seat: Seat, troops: Quantity) -> Iterator[Reason]:
    """The reasons against deploying so many troops now."""
    turn = own_turn(state, seat)
    if turn is None or not (turn.combat or turn.deployable):
        yield Reason("no_combat_space", why_no_combat_space(turn))
        return
    if turn.forbidden:
        yield Reason("deployment_forbidden", FORBIDDEN)
    if troops < 1:
        yield Reason("at_least_one", WHAT_IS_THERE)
    if troops > player(state, seat).garrison:
        yield Reason("not_in_garrison", WHAT_IS_THERE, {"troops": troops})
    if troops > allowance(turn):
        limit = {"limit": allowance(turn)}
        if turn.combat:
            yield Reason("over_the_limit", LIMIT, limit)
        else:
            yield Reason("only_recruits", NO_COMBAT_SPACE, limit)
    if turn.deployed > 0 and follows(state, "deploy_split") == "at_once":
        yield Reason("deployed_already", DEPLOY + LIMIT)


def why_no_combat_space(turn: ThisTurn | None) -> tuple[str, ...]:
    """The rules against deploying in a turn without a Combat space; recruits stay, if any came.

    UPR-UNIT-015, UPR-ICON-014
    """
    sent = turn is not None and turn.space is not None
    return SENT_ELSEWHERE if sent else NO_COMBAT_SPACE


def most_deployable(state: State, seat: Seat) -> Quantity:
    """The largest number of troops that may be deployed now."""
    turn = own_turn(state, seat)
    if turn is None or turn.forbidden or not (turn.combat or turn.deployable):
        return 0
    if turn.deployed > 0 and follows(state, "deploy_split") == "at_once":
        return 0
    return smaller(player(state, seat).garrison, allowance(turn))


def deploy(state: State, seat: Seat, troops: Quantity) -> Step[State]:
    """Troops move from the garrison to the Conflict, and the allowance of the turn shrinks.

    UPR-UNIT-011, UPR-UNIT-013
    """
    turn = own_turn(state, seat)
    if turn is not None:
        state = change(state, turn=change(turn, deployed=turn.deployed + troops))
    return _enter(state, seat, troops, DEPLOY)


def _enter(state: State, seat: Seat, troops: Quantity, rules: tuple[str, ...]) -> Step[State]:
    owner = player(state, seat)
    changed = change(owner, garrison=owner.garrison - troops, troops=owner.troops + troops)
    state = with_player(state, changed)
    turn = own_turn(state, seat)
    if turn is not None:
        state = change(state, turn=_peak(change(turn, staying=turn.staying + troops)))
    moved = move_marker(state, seat)
    event = Event("deploys", rules, seat, {"troops": troops})
    return Step(moved.state, (event, *moved.events))


def _peak(turn: ThisTurn) -> ThisTurn:
    """Remember the most units deployed this turn that were in the Conflict at one time."""
    return change(turn, most_deployed=larger(turn.most_deployed, turn.staying + turn.summoned))


def count_sandworms(state: State, seat: Seat, sandworms: Quantity) -> State:
    """Remember sandworms summoned in one's own turn: they are deployed units too. UPR-UNIT-003"""
    turn = own_turn(state, seat)
    if turn is None:
        return state
    return change(state, turn=_peak(change(turn, summoned=turn.summoned + sandworms)))


def deploy_from_supply(state: State, seat: Seat, rules: tuple[str, ...]) -> Step[State]:
    """One troop moves from supply, which has to have one, straight into the Conflict."""
    owner = player(state, seat)
    changed = change(owner, supply=owner.supply - 1, troops=owner.troops + 1)
    event = Event("defends", rules, seat, {"troops": 1})
    return Step(with_player(state, changed), (event,))


# Deploying by an effect: no Combat space is needed, and the allowance stays as it is


def _most_by_effect(state: State, frame: PickDeploy) -> Quantity:
    if deployment_forbidden(state, frame.seat):
        return 0
    return smaller(frame.most, player(state, frame.seat).garrison)


def _asks_deploy(state: State, frame: PickDeploy) -> Asks:
    return asks(frame.seat) if _most_by_effect(state, frame) >= 1 else NOBODY


def _legal_pick_deploy(state: State, frame: PickDeploy, action: object) -> Refusal | None:
    match action:
        case Decline():
            return None
        case Deploy(seat, troops):
            return refusal(_why_not_by_effect(state, frame, seat, troops))
        case _:
            return refusal([Reason("deploy_or_decline", BY_EFFECT)])


def _why_not_by_effect(
    state: State, frame: PickDeploy, seat: Seat, troops: Quantity
) -> Iterator[Reason]:
    if troops < 1:
        yield Reason("at_least_one", WHAT_IS_THERE)
    if troops > player(state, seat).garrison:
        yield Reason("not_in_garrison", WHAT_IS_THERE, {"troops": troops})
    if troops > frame.most:
        yield Reason("more_than_the_effect", BY_EFFECT, {"most": frame.most})


def _pick_deploy(state: State, frame: PickDeploy, action: object) -> Step[State]:
    """Troops move from the garrison to the Conflict as a card says. UPR-UNIT-011, UPR-ROUND-005"""
    if isinstance(action, Deploy):
        return _enter(state, frame.seat, action.troops, BY_EFFECT)
    rules = FORBIDDEN if deployment_forbidden(state, frame.seat) else BY_EFFECT
    return Step(state, (Event("deploys", rules, frame.seat, {"troops": 0}),))


PICK_DEPLOY = FrameRules(
    asks=_asks_deploy,
    apply=_pick_deploy,
    legal=_legal_pick_deploy,
    options=lambda state, frame: (
        Amount(Deploy, frame.seat, 1, _most_by_effect(state, frame)),
        Decline(frame.seat),
    ),
)


# Leaving the Conflict


def retreat(state: State, seat: Seat, troops: Quantity) -> Step[State]:
    """Troops move from the Conflict back to the garrison. UPR-COMBAT-041

    Those deployed this turn are the first to go; a ruling says whether others may then follow.
    """
    state = _leave(state, seat, troops, refund=follows(state, "retreat_does_not_refund") == "yes")
    moved = move_marker(state, seat)
    event = Event("retreats", RETREAT, seat, {"troops": troops})
    return Step(moved.state, (event, *moved.events))


def _leave(state: State, seat: Seat, troops: Quantity, refund: bool) -> State:
    before = player(state, seat)
    owner = change(before, garrison=before.garrison + troops, troops=before.troops - troops)
    state = with_player(state, lose_swords(state, before, owner))
    turn = own_turn(state, seat)
    if turn is None:
        return state
    if refund:
        turn = change(turn, deployed=larger(turn.deployed - troops, 0))
    return change(state, turn=change(turn, staying=larger(turn.staying - troops, 0)))


def why_not_take_back(state: State, seat: Seat, troops: Quantity) -> Iterator[Reason]:
    """The reasons against taking back so many of the troops deployed this turn."""
    if follows(state, "deploy_takeback") == "final":
        yield Reason("deployed_for_good", WHAT_IS_THERE)
    if troops < 1:
        yield Reason("at_least_one_back", WHAT_IS_THERE)
    if troops > _deployed_and_there(state, seat):
        yield Reason("not_deployed_this_turn", WHAT_IS_THERE, {"troops": troops})


def takeback_options(state: State, seat: Seat) -> tuple[Amount, ...]:
    """Taking back troops deployed this turn, as far as the ruling lets it be."""
    most = _deployed_and_there(state, seat)
    if follows(state, "deploy_takeback") == "final" or most < 1:
        return ()
    return (Amount(Retreat, seat, 1, most),)


def _deployed_and_there(state: State, seat: Seat) -> Quantity:
    """Troops deployed by right of this turn's space that have not left the Conflict."""
    turn = own_turn(state, seat)
    return 0 if turn is None else smaller(turn.deployed, turn.staying)


def take_back(state: State, seat: Seat, troops: Quantity) -> Step[State]:
    """Troops deployed this turn go back to the garrison, as if they had stayed. UPR-UNIT-011"""
    state = _leave(state, seat, troops, refund=True)
    turn = own_turn(state, seat)
    if turn is not None:
        state = change(state, turn=change(turn, most_deployed=turn.most_deployed - troops))
    moved = move_marker(state, seat)
    event = Event("takes_back", WHAT_IS_THERE, seat, {"troops": troops})
    return Step(moved.state, (event, *moved.events))


# How many retreat


def _most_retreating(owner: Player, frame: PickRetreat) -> Quantity:
    return smaller(frame.most, owner.troops)


def _asks_retreat(state: State, frame: PickRetreat) -> Asks:
    most = _most_retreating(player(state, frame.seat), frame)
    return asks(frame.seat) if most > frame.least else NOBODY


def _legal_retreat(state: State, frame: PickRetreat, action: object) -> Refusal | None:
    if not isinstance(action, Retreat):
        return refusal([Reason("say_how_many_retreat", RETREAT)])
    return refusal(_why_not_so_many(state, frame, action.troops))


def _why_not_so_many(state: State, frame: PickRetreat, troops: Quantity) -> Iterator[Reason]:
    if troops < frame.least or troops > frame.most:
        facts = {"least": frame.least, "most": frame.most}
        yield Reason("not_so_many_retreat", RETREAT, facts)
    if troops > player(state, frame.seat).troops:
        yield Reason("not_in_conflict", RETREAT, {"troops": troops})


def _pick_retreat(state: State, frame: PickRetreat, action: object) -> Step[State]:
    """The owner says how many troops retreat, unless it can only be one number."""
    if isinstance(action, Retreat):
        return retreat(state, frame.seat, action.troops)
    return retreat(state, frame.seat, _most_retreating(player(state, frame.seat), frame))


PICK_RETREAT = FrameRules(
    asks=_asks_retreat,
    apply=_pick_retreat,
    legal=_legal_retreat,
    options=lambda state, frame: (
        Amount(
            Retreat, frame.seat, frame.least, _most_retreating(player(state, frame.seat), frame)
        ),
    ),
)


# Effects on units


def _recruit(state: State, seat: Seat, effect: tree.Recruit, _: str) -> Step[State]:
    return recruit(state, seat, effect.amount)


def _deploy_by_effect(state: State, seat: Seat, effect: tree.DeployTroops, _: str) -> Step[State]:
    return Step(push(state, PickDeploy(seat, effect.most)))


def _deploy_recruits(state: State, seat: Seat, _: tree.DeployRecruits, __: str) -> Step[State]:
    """The recruits of this turn may be deployed wherever the Agent is. UPR-ROUND-005"""
    turn = own_turn(state, seat)
    if turn is not None:
        state = change(state, turn=change(turn, deployable=True))
    return Step(state, (Event("may_deploy_recruits", BY_EFFECT, seat),))


def _forbid(state: State, seat: Seat, _: tree.ForbidDeployment, __: str) -> Step[State]:
    """No unit of the player enters the Conflict for the rest of this turn. UPR-CLAR-007"""
    turn = own_turn(state, seat)
    if turn is not None:
        state = change(state, turn=change(turn, forbidden=True))
    return Step(state, (Event("may_not_deploy", FORBIDDEN, seat),))


def _retreat_by_effect(state: State, seat: Seat, effect: tree.Retreat, _: str) -> Step[State]:
    most = player(state, seat).troops if effect.most is None else effect.most
    return Step(push(state, PickRetreat(seat, effect.least, most)))


def _why_not_retreat(state: State, seat: Seat, effect: tree.Retreat, _: str) -> Iterator[Reason]:
    if player(state, seat).troops < effect.least:
        yield Reason("not_in_conflict", NOT_THERE, {"troops": effect.least})


MEANING: Meanings = {
    tree.Recruit: Meaning(_recruit, RECRUIT),
    tree.DeployTroops: Meaning(_deploy_by_effect, BY_EFFECT),
    tree.DeployRecruits: Meaning(_deploy_recruits, BY_EFFECT),
    tree.ForbidDeployment: Meaning(_forbid, FORBIDDEN),
    tree.Retreat: Meaning(_retreat_by_effect, RETREAT, _why_not_retreat),
}
