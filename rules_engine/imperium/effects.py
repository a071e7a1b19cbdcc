"""What each kind of effect does in Dune: Imperium, and the rules it stands on.

`RUN` and `CITE` are the whole meaning of the effect language here: one entry for each kind of node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect
from rules_engine.imperium import control, influence, resources, sandworms, shield_wall, units
from rules_engine.imperium.cards import trash
from rules_engine.imperium.faces import printed
from rules_engine.imperium.frames import (
    ChooseOption,
    Decide,
    DrawFromDeck,
    DrawFromIntrigue,
    Item,
    PickTrack,
    PickTrash,
    Run,
    SpyPlacement,
)
from rules_engine.imperium.points import score
from rules_engine.imperium.state import State, player, with_player
from rules_engine.imperium.strength import add_swords
from rules_engine.kernel.game import push
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

ENOUGH_INFLUENCE = cite("UPR-FACTION-014")
RECALLED_SPY = cite("UPR-SPY-008")
PERSUASION = cite("UPR-ACQ-001", "UPR-ACQ-005")
NOT_PAID = cite("UPR-COST-003", "UPR-COST-004")


def run(state: State, seat: Seat, item: Item) -> Step[State]:
    """Resolve an effect for its owner; what it leaves to be decided is pushed as a frame."""
    return RUN[type(item.effect)](state, seat, item.effect, item.source)


def rules_of(effect: Effect) -> tuple[str, ...]:
    """The rules that a kind of effect stands on."""
    return CITE[type(effect)]


# Conditions


def holds(state: State, seat: Seat, condition: Condition) -> bool:
    """Whether a condition is met now."""
    match condition:
        case tree.InfluenceAtLeast(faction, amount):
            return influence.influence(state, seat, faction) >= amount
        case tree.RecalledSpyThisTurn():
            turn = state.turn
            return turn is not None and turn.seat == seat and turn.recalled_spy
        case tree.OwnsMakerHooks():
            return player(state, seat).maker_hooks


def condition_rules(condition: Condition) -> tuple[str, ...]:
    """The rules behind a condition."""
    match condition:
        case tree.InfluenceAtLeast():
            return ENOUGH_INFLUENCE
        case tree.RecalledSpyThisTurn():
            return RECALLED_SPY
        case tree.OwnsMakerHooks():
            return sandworms.HOOKS_NEEDED


# Costs


def payable(state: State, seat: Seat, cost: Effect) -> bool:
    """Whether all of a cost can be paid now. UPR-COST-003"""
    match cost:
        case tree.Pay(amount, what):
            return resources.can_pay(state, seat, amount, what)
        case tree.LoseInfluence(amount, faction):
            return _can_lose_somewhere(state, seat, faction, amount)
        case tree.All(parts):
            return all(payable(state, seat, part) for part in parts)
        case _:
            raise TypeError(cost)


def _can_lose_somewhere(state: State, seat: Seat, faction: str, amount: Quantity) -> bool:
    if faction != tree.ANY_FACTION:
        return influence.can_lose(state, seat, faction, amount)
    tracks = player(state, seat).tracks
    return any(influence.can_lose(state, seat, track.faction, amount) for track in tracks)


# Kinds of effect


def _gain(state: State, seat: Seat, effect: tree.Gain, source: str) -> Step[State]:
    if effect.what == "vp":
        return score(state, seat, effect.amount, source)
    if effect.what == "persuasion":
        return gain_persuasion(state, seat, effect.amount)
    return resources.gain(state, seat, effect.amount, effect.what)


def gain_persuasion(state: State, seat: Seat, amount: Quantity) -> Step[State]:
    """Persuasion is collected for acquiring cards. UPR-ACQ-001, UPR-ACQ-005"""
    owner = player(state, seat)
    state = with_player(state, change(owner, persuasion=owner.persuasion + amount))
    facts = {"amount": amount, "what": "persuasion"}
    return Step(state, (Event("gains", PERSUASION, seat, facts),))


def _pay(state: State, seat: Seat, effect: tree.Pay, _: str) -> Step[State]:
    return resources.pay(state, seat, effect.amount, effect.what)


def _gain_influence(
    state: State, seat: Seat, effect: tree.GainInfluence, source: str
) -> Step[State]:
    if effect.faction == tree.ANY_FACTION:
        return Step(push(state, PickTrack(seat, effect.amount, gain=True)))
    rules = influence.VISIT if source in printed(state).spaces else influence.MOVE
    return influence.gain(state, seat, effect.faction, effect.amount, rules)


def _lose_influence(state: State, seat: Seat, effect: tree.LoseInfluence, _: str) -> Step[State]:
    if effect.faction != tree.ANY_FACTION:
        return influence.lose(state, seat, effect.faction, effect.amount)
    if not _can_lose_somewhere(state, seat, effect.faction, effect.amount):
        return Step(state)
    return Step(push(state, PickTrack(seat, effect.amount, gain=False)))


def _trash_self(state: State, seat: Seat, _: tree.TrashSelf, source: str) -> Step[State]:
    """The card that says so is in play; if it is gone already, nothing more happens."""
    if source in player(state, seat).in_play:
        return trash(state, seat, source, "in_play")
    return Step(state)


def _bonus_spice(state: State, seat: Seat, _: tree.GainBonusSpice, source: str) -> Step[State]:
    """All bonus spice on the visited space is the visitor's. UPR-MAKER-005"""
    for maker in state.makers:
        if maker.space == source:
            taken = resources.gain(state, seat, maker.bonus_spice, "spice", CITE[type(_)])
            makers = tuple(
                change(each, bonus_spice=0) if each.space == source else each
                for each in state.makers
            )
            return Step(change(taken.state, makers=makers), taken.events)
    return Step(state)


def _if(state: State, seat: Seat, effect: tree.If, source: str) -> Step[State]:
    if holds(state, seat, effect.condition):
        return Step(push(state, Run(seat, Item(effect.effect, source))))
    rules = condition_rules(effect.condition)
    return Step(state, (Event("condition_not_met", rules, seat),))


def _all(state: State, seat: Seat, effect: tree.All, source: str) -> Step[State]:
    frames = tuple(Run(seat, Item(part, source)) for part in reversed(effect.effects))
    return Step(push(state, *frames))


def _arrow(state: State, seat: Seat, effect: tree.Arrow, source: str) -> Step[State]:
    """A cost is paid, all of it, and then its effect comes. UPR-COST-003"""
    if not payable(state, seat, effect.cost):
        return Step(state, (Event("cannot_pay", NOT_PAID, seat),))
    then = Run(seat, Item(effect.effect, source))
    return Step(push(state, then, Run(seat, Item(effect.cost, source))))


def _no_leader(state: State, seat: Seat, _: tree.UseSignet, __: str) -> Step[State]:
    """The ability is the Leader's; a game without Leaders has none. UPR-AGENT-014"""
    return Step(state, (Event("no_leader", CITE[tree.UseSignet], seat),))


def _at_placement(*_: object) -> Step[State]:
    raise TypeError("a cost picked at placement is paid when the Agent is sent, never resolved")


Runner = Callable[[State, Seat, Any, str], Step[State]]

RUN: dict[type, Runner] = {
    tree.Gain: _gain,
    tree.Pay: _pay,
    tree.Swords: lambda state, seat, effect, _: add_swords(state, seat, effect.amount),
    tree.Recruit: lambda state, seat, effect, _: units.recruit(state, seat, effect.amount),
    tree.Summon: lambda state, seat, effect, _: sandworms.summon(state, seat, effect.amount),
    tree.DrawCards: lambda state, seat, effect, _: Step(
        push(state, DrawFromDeck(seat, effect.amount))
    ),
    tree.DrawIntrigue: lambda state, seat, effect, _: Step(
        push(state, DrawFromIntrigue(seat, effect.amount))
    ),
    tree.GainInfluence: _gain_influence,
    tree.LoseInfluence: _lose_influence,
    tree.PlaceSpy: lambda state, seat, _, __: Step(push(state, SpyPlacement(seat))),
    tree.TrashCard: lambda state, seat, _, __: Step(push(state, PickTrash(seat))),
    tree.TrashSelf: _trash_self,
    tree.TakeControl: lambda state, seat, effect, _: control.take_control(
        state, seat, effect.space
    ),
    tree.TakeMakerHooks: lambda state, seat, _, __: sandworms.take_maker_hooks(state, seat),
    tree.RemoveShieldWall: lambda state, seat, _, __: shield_wall.remove(state, seat),
    tree.GainBonusSpice: _bonus_spice,
    tree.UseSignet: _no_leader,
    tree.May: lambda state, seat, effect, source: Step(
        push(state, Decide(seat, Item(effect.effect, source)))
    ),
    tree.If: _if,
    tree.Choose: lambda state, seat, effect, source: Step(
        push(state, ChooseOption(seat, effect.options, source))
    ),
    tree.All: _all,
    tree.Arrow: _arrow,
    tree.AtPlacement: _at_placement,
}

CITE: dict[type, tuple[str, ...]] = {
    tree.Gain: resources.BANK,
    tree.Pay: resources.BANK,
    tree.Swords: cite("UPR-STR-006"),
    tree.Recruit: units.RECRUIT,
    tree.Summon: sandworms.SUMMON,
    tree.DrawCards: cite("UPR-ICON-003"),
    tree.DrawIntrigue: cite("UPR-ICON-004"),
    tree.GainInfluence: influence.VISIT + influence.MOVE,
    tree.LoseInfluence: influence.MOVE,
    tree.PlaceSpy: cite("UPR-SPY-002"),
    tree.TrashCard: cite("UPR-ICON-011", "UPR-ICON-013"),
    tree.TrashSelf: cite("UPR-ICON-011", "UPR-ICON-013"),
    tree.TakeControl: control.TAKE,
    tree.TakeMakerHooks: sandworms.TAKE_HOOKS,
    tree.RemoveShieldWall: shield_wall.REMOVE,
    tree.GainBonusSpice: cite("UPR-MAKER-005"),
    tree.UseSignet: cite("UPR-AGENT-014"),
    tree.May: cite("UPR-WALL-004", "UPR-ICON-013"),
    tree.If: cite("UPR-FACTION-013", "UPR-FACTION-014"),
    tree.Choose: cite("UPR-AGENT-009"),
    tree.All: cite("UPR-AGENT-009"),
    tree.Arrow: cite("UPR-COST-003", "UPR-COST-004", "UPR-COST-005"),
    tree.AtPlacement: cite("UPR-COST-001"),
}
