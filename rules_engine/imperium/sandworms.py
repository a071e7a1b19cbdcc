"""Sandworms and Maker Hooks."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.shield_wall import PROTECTS, protects_conflict
from rules_engine.imperium.state import State, player, with_player
from rules_engine.imperium.strength import move_marker
from rules_engine.imperium.units import FORBIDDEN, count_sandworms, deployment_forbidden
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

SUMMON = cite("UPR-WORM-001", "UPR-WORM-002", "UPR-WORM-007", "UPR-WORM-008")
TAKE_HOOKS = cite("UPR-ICON-007")


def summon(state: State, seat: Seat, sandworms: Quantity) -> Step[State]:
    """Sandworms come from the bank straight into the Conflict, unless the Shield Wall shelters it.

    Who needs Maker Hooks for it is told by a condition before the icon, never by the icon itself.
    UPR-WORM-001, UPR-WORM-004, UPR-WORM-005, UPR-WORM-006, UPR-WALL-003
    """
    if protects_conflict(state):
        return Step(state, (Event("no_sandworm", PROTECTS, seat),))
    if deployment_forbidden(state, seat):
        return Step(state, (Event("may_not_deploy", FORBIDDEN, seat),))
    owner = player(state, seat)
    state = with_player(state, change(owner, sandworms=owner.sandworms + sandworms))
    state = count_sandworms(state, seat, sandworms)
    moved = move_marker(state, seat)
    event = Event("summons", SUMMON, seat, {"sandworms": sandworms})
    return Step(moved.state, (event, *moved.events))


def take_maker_hooks(state: State, seat: Seat) -> Step[State]:
    """A player takes a Maker Hooks token, unless the player has one. UPR-ICON-007"""
    owner = player(state, seat)
    if owner.maker_hooks:
        return Step(state, (Event("has_hooks_already", TAKE_HOOKS, seat),))
    state = with_player(state, change(owner, maker_hooks=True))
    return Step(state, (Event("takes_hooks", TAKE_HOOKS, seat),))


MEANING: Meanings = {
    tree.Summon: Meaning(lambda state, seat, effect, _: summon(state, seat, effect.amount), SUMMON),
    tree.TakeMakerHooks: Meaning(
        lambda state, seat, _, __: take_maker_hooks(state, seat), TAKE_HOOKS
    ),
}
