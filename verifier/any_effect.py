"""An arbitrary effect of each kind: every printed one is an instance of it.

What is printed decides the shapes (units, zones, Factions, conditions, costs); amounts are any
numbers. An effect inside another is only handed on, so one stands for all of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from rules_engine.catalogue.things import effects, things
from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect
from rules_engine.imperium.effects import MEANING
from rules_engine.kernel.records import change
from verifier.current import choose, quantity
from verifier.positions import factions, printed

INSIDE = tree.RemoveShieldWall()
"""Stands for any effect inside another one: whoever hands it on does not look at it."""

AMOUNTS: dict[type, tuple[str, ...]] = {
    tree.Gain: ("amount",),
    tree.Pay: ("amount",),
    tree.Swords: ("amount",),
    tree.Recruit: ("amount",),
    tree.Summon: ("amount",),
    tree.DrawCards: ("amount",),
    tree.DrawIntrigue: ("amount",),
    tree.GainInfluence: ("amount",),
    tree.LoseInfluence: ("amount",),
    tree.RecallSpies: ("amount",),
    tree.RecallAgents: ("amount",),
    tree.DiscardCards: ("amount",),
    tree.DiscardIntrigue: ("amount",),
    tree.DeployTroops: ("most",),
    tree.Retreat: ("least", "most"),
    tree.StealIntrigue: ("least",),
    tree.TakeFromRow: ("discount",),
    tree.AcquireCard: ("cheapest", "dearest"),
}
"""The fields of an effect that may be any number, by its kind."""

NEVER_RUN = (tree.AtPlacement,)
"""Paid when the Agent is sent, by the frame `PickCost`: such an effect is never run."""


@functools.cache
def printed_effects() -> tuple[Effect, ...]:
    """Every effect on every face of the product, also inside another, each once."""
    found: dict[Effect, None] = {}
    for thing in things(printed()):
        for whole in effects(thing.face):
            found.update(dict.fromkeys(tree.walk(whole)))
    return tuple(found)


def shape_of(effect: Effect) -> Effect:
    """The effect without its numbers, and with the same effect wherever there is one inside."""
    names = [name for name in AMOUNTS.get(type(effect), ()) if getattr(effect, name) is not None]
    plain: Any = change(effect, **dict.fromkeys(names, 0))
    match plain:
        case tree.May():
            return tree.May(INSIDE)
        case tree.EachOpponent():
            return tree.EachOpponent(INSIDE)
        case tree.WhenAcquiring():
            return tree.WhenAcquiring(INSIDE)
        case tree.AddFirstReward():
            return tree.AddFirstReward(INSIDE)
        case tree.If(condition, _, otherwise):
            return tree.If(_open(condition), INSIDE, None if otherwise is None else INSIDE)
        case tree.Choose(options, picks):
            return tree.Choose((INSIDE,) * len(options), picks)
        case tree.All(parts):
            return tree.All(tuple(map(_part, parts)))
        case tree.Arrow(cost, _):
            return tree.Arrow(_cost(cost), INSIDE)
        case tree.VisitInfluence():
            return tree.VisitInfluence(0)
        case _:
            shape: Effect = plain
            return shape


def _open(condition: Condition) -> Condition:
    """A condition without its number, if it is about Influence."""
    match condition:
        case tree.InfluenceAtLeast(faction, _):
            return tree.InfluenceAtLeast(faction, 0)
        case _:
            return condition


def _part(effect: Effect) -> Effect:
    """A part of several effects that are one: a payment has to be seen, nothing else."""
    return shape_of(effect) if isinstance(effect, tree.Pay) else INSIDE


def _cost(cost: Effect) -> Effect:
    """A cost: whether it can be paid depends on its kind and its amounts.

    Several that are one stay as they are printed, because equal ones are counted.
    """
    return cost if isinstance(cost, tree.All) else shape_of(cost)


@functools.cache
def shapes(kind: type) -> tuple[Effect, ...]:
    """The shapes in which a kind of effect is printed; one that is not printed has an example."""
    own = (effect for effect in printed_effects() if isinstance(effect, kind))
    found = dict.fromkeys(map(shape_of, own))
    return tuple(found) or (NOT_PRINTED[kind](),)


NOT_PRINTED: dict[type, Callable[[], Effect]] = {
    tree.CompleteContract: lambda: tree.CompleteContract(_free_contract()),
}
"""Effects that the rules put among those of a turn, and no face prints."""


def _free_contract() -> str:
    """The contract that the position for contracts has in a player's hands."""
    aside = {each for face in printed().leaders.values() for each in face.contracts}
    return min(contract for contract in printed().contracts if contract not in aside)


EVERY_FACTION = (tree.GainInfluence, tree.LoseInfluence)
"""Kinds for which any Faction is tried, printed or not."""


def any_effect(kind: type) -> Any:
    """Any effect of a kind."""
    if kind in EVERY_FACTION:
        shape: Any = shapes(kind)[0]
        return with_amounts(change(shape, faction=choose("faction", _factions(kind))))
    return with_amounts(choose("effect", shapes(kind)))


def _factions(kind: type) -> tuple[str, ...]:
    """Every Faction, and the words for several."""
    said: Any = shapes(kind)
    return tuple(dict.fromkeys((*factions(), *(each.faction for each in said))))


def with_amounts(effect: Any, prefix: str = "") -> Any:
    """The effect with any numbers in place of its amounts."""
    kind = type(effect)
    match effect:
        case tree.VisitInfluence():
            return tree.VisitInfluence(quantity(f"{prefix}amount", 1))
        case tree.If(tree.InfluenceAtLeast(faction, _)):
            wanted = tree.InfluenceAtLeast(faction, quantity(f"{prefix}wanted"))
            return change(effect, condition=wanted)
        case tree.Arrow(tree.All()):
            return effect
        case tree.Arrow(cost, _):
            return change(effect, cost=with_amounts(cost, "cost "))
        case tree.All(parts):
            named = enumerate(parts)
            return tree.All(
                tuple(with_amounts(part, f"{prefix}part {at + 1} ") for at, part in named)
            )
        case _:
            names = [each for each in AMOUNTS.get(kind, ()) if getattr(effect, each) is not None]
            return change(effect, **{each: quantity(f"{prefix}{each}") for each in names})


def kinds() -> Iterator[type]:
    """The kinds of effect that are run."""
    return (kind for kind in MEANING if kind not in NEVER_RUN)
