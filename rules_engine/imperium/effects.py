"""What each kind of effect does in Dune: Imperium: the meanings of all rule areas in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium import (
    acquire,
    agents,
    conflict_cards,
    contracts,
    control,
    council,
    discarding,
    held_intrigue,
    influence,
    leaders,
    looking,
    resources,
    sandworms,
    shield_wall,
    spies,
    trashing,
    units,
)
from rules_engine.imperium import cards as card_rules
from rules_engine.imperium.conditions import (
    condition_rules,
    count_rules,
    holds,
    how_many,
)
from rules_engine.imperium.frames import (
    ChooseOption,
    Decide,
    Item,
    PickSeveral,
    Run,
)
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.points import score
from rules_engine.imperium.state import State, clockwise, player, with_player
from rules_engine.imperium.strength import add_swords
from rules_engine.kernel.game import push
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Reason, Seat, Step, none
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

PERSUASION = cite("UPR-ACQ-001", "UPR-ACQ-005")
NOT_PAID = cite("UPR-COST-003", "UPR-COST-004")


def run(state: State, seat: Seat, item: Item) -> Step[State]:
    """Resolve an effect for its owner; what it leaves to be decided is pushed as a frame."""
    if item.boxed and state.turn is not None:
        state = change(state, turn=change(state.turn, copy=item.copy))
    return MEANING[type(item.effect)].run(state, seat, item.effect, item.source)


def rules_of(effect: Effect) -> tuple[str, ...]:
    """The rules that an effect stands on: its kind's, or those of what it tests or counts."""
    match effect:
        case tree.If(condition):
            return condition_rules(condition)
        case tree.Per(count):
            return count_rules(count)
        case _:
            return MEANING[type(effect)].rules


# What stands against an effect


def why_impossible(state: State, seat: Seat, effect: Effect, source: str) -> Iterator[Reason]:
    """The reasons why an effect, or a cost, cannot be carried out now. UPR-COST-003"""
    return MEANING[type(effect)].why_not(state, seat, effect, source)


def _why_not_all(state: State, seat: Seat, effect: tree.All, source: str) -> Iterator[Reason]:
    """Of several costs each has to be payable, and equal ones all together. UPR-COST-003"""
    for part, times in Counter(_added_up(effect.effects)).items():
        if times > 1 and isinstance(part, tree.LoseInfluence):
            yield from influence.why_not_lose_often(state, seat, part, times)
        else:
            yield from why_impossible(state, seat, part, source)


ADDED_UP = (
    tree.Pay,
    tree.DiscardCards,
    tree.DiscardIntrigue,
    tree.RecallSpies,
    tree.RecallAgents,
)
"""Costs that use up so many of one thing."""


def _added_up(costs: tuple[Effect, ...]) -> Iterator[Effect]:
    """The costs, those that use up the same thing as one: it has to be there for both.

    UPR-COST-003
    """
    totals: dict[Effect, Effect] = {}
    for cost in costs:
        if isinstance(cost, ADDED_UP):
            kind = change(cost, amount=0)
            so_far: Any = totals.get(kind, kind)
            totals[kind] = change(cost, amount=so_far.amount + cost.amount)
        else:
            yield cost
    yield from totals.values()


def why_not_buy(state: State, seat: Seat, effect: Effect, source: str) -> Iterator[Reason]:
    """The reasons why no cost can be paid for an effect now. UPR-COST-003"""
    for part in tree.walk(effect):
        if type(part) in MEANING:
            yield from MEANING[type(part)].why_not_buy(state, seat, part, source)


def payable(state: State, seat: Seat, cost: Effect, source: str) -> bool:
    """Whether all of a cost can be paid now. UPR-COST-003"""
    return none(why_impossible(state, seat, cost, source))


# Resources, points and strength


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


def _why_not_pay(state: State, seat: Seat, effect: tree.Pay, _: str) -> Iterator[Reason]:
    if not resources.can_pay(state, seat, effect.amount, effect.what):
        yield Reason("cannot_pay", NOT_PAID, {"amount": effect.amount, "what": effect.what})


# Structure


def _if(state: State, seat: Seat, effect: tree.If, source: str) -> Step[State]:
    if holds(state, seat, effect.condition, source):
        return Step(push(state, Run(seat, Item(effect.effect, source))))
    if effect.otherwise is not None:
        return Step(push(state, Run(seat, Item(effect.otherwise, source))))
    rules = condition_rules(effect.condition)
    return Step(state, (Event("condition_not_met", rules, seat),))


def _per(state: State, seat: Seat, effect: tree.Per, source: str) -> Step[State]:
    """The effect happens as often as there are such things."""
    times = how_many(state, seat, effect.count, source)
    counted = Event("counts", count_rules(effect.count), seat, {"times": times})
    state = contracts.note_count(state, seat, effect.count, source)
    again = times_over(effect.effect, times)
    runs = tuple(Run(seat, Item(each, source)) for each in reversed(again))
    return Step(push(state, *runs), (counted,))


def times_over(effect: Effect, times: Quantity) -> tuple[Effect, ...]:
    """An effect so many times: as one where its amount can be multiplied."""
    match effect:
        case (
            tree.Gain(amount)
            | tree.Swords(amount)
            | tree.DrawCards(amount)
            | tree.DrawIntrigue(amount)
            | tree.Recruit(amount)
        ):
            return (change(effect, amount=amount * times),)
        case _:
            return _repeated(effect, times)


def _repeated(effect: Effect, times: int) -> tuple[Effect, ...]:
    """An effect so many times, one after the other: the number has to be known."""
    return (effect,) * times


def _all(state: State, seat: Seat, effect: tree.All, source: str) -> Step[State]:
    frames = tuple(Run(seat, Item(part, source)) for part in reversed(effect.effects))
    return Step(push(state, *frames))


def _arrow(state: State, seat: Seat, effect: tree.Arrow, source: str) -> Step[State]:
    """A cost is paid, all of it, and then its effect comes. UPR-COST-003"""
    if not payable(state, seat, effect.cost, source):
        return Step(state, (Event("cannot_pay", NOT_PAID, seat),))
    then = Run(seat, Item(effect.effect, source))
    return Step(push(state, then, Run(seat, Item(effect.cost, source))))


def _choose(state: State, seat: Seat, effect: tree.Choose, source: str) -> Step[State]:
    if effect.picks == 1:
        return Step(push(state, ChooseOption(seat, effect.options, source)))
    return Step(push(state, PickSeveral(seat, effect.options, effect.picks, source)))


def _each_opponent(state: State, seat: Seat, effect: tree.EachOpponent, source: str) -> Step[State]:
    """Every opponent carries the effect out, clockwise from the one who says so."""
    opponents = clockwise(state, seat)[1:]
    item = Item(effect.effect, source)
    return Step(push(state, *(Run(other, item) for other in reversed(opponents))))


def _may(state: State, seat: Seat, effect: tree.May, source: str) -> Step[State]:
    return Step(push(state, Decide(seat, Item(effect.effect, source))))


def _at_placement(*_: object) -> Step[State]:
    raise TypeError("a cost picked at placement is paid when the Agent is sent, never resolved")


MEANING: Meanings = {
    tree.Gain: Meaning(_gain, resources.BANK),
    tree.Pay: Meaning(_pay, resources.BANK, _why_not_pay),
    tree.Swords: Meaning(
        lambda state, seat, effect, source: add_swords(state, seat, effect.amount, source),
        cite("UPR-STR-006"),
    ),
    tree.TakeControl: Meaning(
        lambda state, seat, effect, _: control.take_control(state, seat, effect.space),
        control.TAKE,
    ),
    tree.RemoveShieldWall: Meaning(
        lambda state, seat, _, __: shield_wall.remove(state, seat), shield_wall.REMOVE
    ),
    tree.May: Meaning(_may, cite("UPR-WALL-004", "UPR-ICON-013")),
    tree.If: Meaning(_if, cite("UPR-FACTION-013", "UPR-FACTION-014")),
    tree.Per: Meaning(_per, cite("UPR-ROUND-005")),
    tree.Choose: Meaning(_choose, cite("UPR-AGENT-009")),
    tree.All: Meaning(_all, cite("UPR-AGENT-009"), _why_not_all),
    tree.Arrow: Meaning(_arrow, cite("UPR-COST-003", "UPR-COST-004", "UPR-COST-005")),
    tree.EachOpponent: Meaning(_each_opponent, cite("UPR-ROUND-005")),
    tree.AtPlacement: Meaning(_at_placement, cite("UPR-COST-001")),
    **acquire.MEANING,
    **agents.MEANING,
    **card_rules.MEANING,
    **conflict_cards.MEANING,
    **contracts.MEANING,
    **council.MEANING,
    **discarding.MEANING,
    **held_intrigue.MEANING,
    **influence.MEANING,
    **leaders.MEANING,
    **looking.MEANING,
    **resources.MEANING,
    **sandworms.MEANING,
    **spies.MEANING,
    **trashing.MEANING,
    **units.MEANING,
}
"""The whole meaning of the effect language here: one entry for each kind of node."""
