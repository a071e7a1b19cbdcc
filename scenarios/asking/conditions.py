"""Why something is refused or impossible, with the condition or the amount that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect
from rules_engine.imperium import actions, frames
from rules_engine.imperium.choices import why_not_resolve
from rules_engine.imperium.conditions import MEASURES, condition_rules, holds
from rules_engine.imperium.faces import intrigue_face, printed, space_face
from rules_engine.imperium.influence import holder_of, influence
from rules_engine.imperium.resources import owned
from rules_engine.imperium.state import State, own_turn, player
from rules_engine.imperium.units import allowance
from rules_engine.kernel.decks import Cards
from rules_engine.kernel.game import Action
from rules_engine.kernel.outcomes import Reason, Refusal, Seat
from rules_engine.rulebook.index import cite
from scenarios.asking.said import Part
from scenarios.words import card_name, reason_words

MEASURED = {
    "spies_on_board": ("Spy on the board", "Spies on the board"),
    "units_in_conflict": ("unit in the Conflict", "units in the Conflict"),
    "sandworms_in_conflict": ("sandworm in the Conflict", "sandworms in the Conflict"),
    "completed_contracts": ("completed contract", "completed contracts"),
    "units_deployed_this_turn": ("unit deployed this turn", "units deployed this turn"),
    "spice_gained_this_turn": ("spice gained this turn", "spice gained this turn"),
    "agents_to_recall": ("other Agent on the board", "other Agents on the board"),
    "strength": ("strength", "strength"),
    "deck_size": ("card in the deck", "cards in the deck"),
}
"""What conditions count, one of it and several."""

FLAGGED = {
    "high_council": "a seat on the High Council",
    "swordmaster": "the Swordmaster",
    "maker_hooks": "Maker Hooks",
    "recalled_spy_this_turn": "a Spy recalled this turn",
    "at_maker_space": "an Agent sent to a Maker space this turn",
    "at_faction_space": "an Agent sent to a Faction's space this turn",
    "spying_on_maker_space": "a Spy on a post linked to a Maker space",
}
"""What conditions ask for that is or is not so."""

RESOURCES = {"solari": "Solari", "persuasion": "Persuasion"}


# Conditions


def failing(state: State, seat: Seat, condition: Condition, source: str) -> Condition:
    """The part of a condition that is not met."""
    if isinstance(condition, tree.Both) and holds(state, seat, condition.one, source):
        return failing(state, seat, condition.other, source)
    return condition.one if isinstance(condition, tree.Both) else condition


def unmet(state: State, seat: Seat, condition: Condition, source: str = "") -> Part:
    """What a condition asks for and what there is instead, with the rules behind the condition."""
    failed = failing(state, seat, condition, source)
    return Part(_needs(state, seat, failed), condition_rules(failed))


def _needs(state: State, seat: Seat, condition: Condition) -> str:
    name = player(state, seat).name
    match condition:
        case tree.InfluenceAtLeast(faction, amount):
            track = printed(state).tracks[faction].name
            has = influence(state, seat, faction)
            return f"it needs {amount} Influence with the {track}, and {name} has {has}"
        case tree.HoldsAlliance(faction) if faction in printed(state).tracks:
            holder = holder_of(state, faction)
            who = "nobody" if holder is None else player(state, holder).name
            return f"it needs the {printed(state).tracks[faction].name} Alliance, which {who} holds"
        case tree.AtLeast(measure, amount):
            has = MEASURES[measure](state, seat)
            return f"it needs {counted(amount, *MEASURED[measure])}, and {name} has {has}"
        case tree.Is(flag):
            return f"it needs {FLAGGED[flag]}, which {name} has not"
        case tree.Not(inner):
            return f"it is only for a player without {_asked_for(state, inner)}"
        case _:
            return f"it needs {_asked_for(state, condition)}"


def _asked_for(state: State, condition: Condition) -> str:
    """What a condition asks for, as a thing."""
    match condition:
        case tree.InfluenceAtLeast(faction, amount):
            return f"{amount} Influence with the {printed(state).tracks[faction].name}"
        case tree.HoldsAlliance():
            return "an Alliance"
        case tree.BesideAlliance(amount):
            return f"{amount} Influence with a Faction whose Alliance another player holds"
        case tree.AtLeast(measure, amount):
            return counted(amount, *MEASURED[measure])
        case tree.Is(flag):
            return FLAGGED[flag]
        case tree.AnotherInPlay(faction):
            return f"another {printed(state).tracks[faction].name} card in play"
        case tree.Discarded(faction):
            return f"a discarded {printed(state).tracks[faction].name} card"
        case tree.Trashed(cost):
            return f"a trashed card that costs {cost} or more"
        case tree.PlacedOn(kind):
            return f"a Spy placed on a {kind.replace('_', ' ')} post"
        case tree.Owns(card, amount):
            return f"{amount} copies of {card_name(state, card)}"
        case tree.Acquired(card):
            return f"{card_name(state, card)} acquired this turn"
        case tree.Not(inner):
            return f"not {_asked_for(state, inner)}"
        case tree.Both(one, other):
            return f"{_asked_for(state, one)} and {_asked_for(state, other)}"
        case _:
            raise TypeError(condition)


def counted(number: Any, one: str, several: str) -> str:
    """So many of something."""
    return f"{number!r} {one if number == 1 else several}"


# Reasons

MOMENTS = {
    "plot": cite("UPR-ROUND-004"),
    "combat": cite("UPR-COMBAT-007"),
    "won": cite("UPR-COMBAT-008"),
    "endgame": cite("UPR-END-003"),
}
"""The rule that says when an Intrigue card is played, by its timing."""


def reasons(state: State, seat: Seat, action: Action, refusal: Refusal) -> list[Part]:
    """Every reason of a refusal, the deciding one first, each with what failed."""
    return [part for each in refusal.reasons for part in _in_full(state, seat, action, each)]


def _in_full(state: State, seat: Seat, action: Action, reason: Reason) -> Iterator[Part]:
    """A reason with the condition or amount that failed, if it is about one."""
    if reason.key == "condition_or_cost" and isinstance(action, actions.PlayIntrigue):
        way = intrigue_face(state, action.card).ways[action.way]
        effects = (*way.effects, *way.lines)
        name = card_name(state, action.card)
        for part in impossible(state, seat, effects[0], action.card):
            yield Part(f"{name}: {part.words}", (*part.rules, *reason.rules))
        return
    if reason.key == "wrong_time":
        first = MOMENTS[reason.facts["timing"]]
        rules = tuple(dict.fromkeys((*first, *reason.rules)))
        yield Part(reason_words(state, reason), rules)
        return
    if reason.key == "condition_not_met":
        found = next(_conditions(state, seat, action), None)
        if found is not None:
            yield Part(found.words, (*reason.rules, *found.rules))
            return
    yield _with_amount(state, seat, reason)


def impossible(state: State, seat: Seat, effect: Effect, source: str) -> Iterator[Part]:
    """What stands against resolving an effect now."""
    for reason in why_not_resolve(state, seat, effect, source):
        if reason.key == "condition_not_met":
            yield from _unmet_in(state, seat, effect, source)
        else:
            yield _with_amount(state, seat, reason)


def _unmet_in(state: State, seat: Seat, effect: Effect, source: str) -> Iterator[Part]:
    """The condition on the way to what an effect does that is not met."""
    match effect:
        case tree.If(condition, inner, otherwise):
            if holds(state, seat, condition, source):
                yield from _unmet_in(state, seat, inner, source)
            elif otherwise is None:
                yield unmet(state, seat, condition, source)
            else:
                yield from _unmet_in(state, seat, otherwise, source)
        case tree.May(inner) | tree.Arrow(_, inner):
            yield from _unmet_in(state, seat, inner, source)


def _conditions(state: State, seat: Seat, action: Action) -> Iterator[Part]:
    """The condition that stands against an action, found in the effect that it is about."""
    top: Any = state.pending[-1]
    match action:
        case actions.Resolve(_, index) if 0 <= index < len(getattr(top, "items", ())):
            item = top.items[index]
            yield from _unmet_in(state, seat, item.effect, item.source)
        case actions.Choose(_, option) if isinstance(top, frames.ChooseOption | frames.PickSeveral):
            yield from _unmet_in(state, seat, top.options[option], top.source)
        case actions.Accept() if isinstance(top, frames.Decide):
            yield from _unmet_in(state, seat, top.item.effect, top.item.source)


def _with_amount(state: State, seat: Seat, reason: Reason) -> Part:
    """A reason in words, and how much there is of what is wanting."""
    said = AMOUNTS.get(reason.key)
    words = reason_words(state, reason)
    return Part(words if said is None else said(state, seat, reason, words), reason.rules)


def _resource(state: State, seat: Seat, reason: Reason, _: str) -> str:
    what, amount = reason.facts["what"], reason.facts["amount"]
    called = RESOURCES.get(what, what)
    space = reason.facts.get("space")
    who = "it" if space is None else space_face(state, space).name
    owner = player(state, seat)
    return f"{who} costs {amount!r} {called}, and {owner.name} has {owned(owner, what)!r}"


def _persuasion(state: State, seat: Seat, _: Reason, words: str) -> str:
    owner = player(state, seat)
    return f"{words}, and {owner.name} has {owner.persuasion!r}"


def _requirement(state: State, seat: Seat, reason: Reason, words: str) -> str:
    face = space_face(state, reason.facts["space"])
    if face.requirement is None:
        return words
    return f"{face.name}: {unmet(state, seat, face.requirement).words}"


def _garrison(state: State, seat: Seat, _: Reason, words: str) -> str:
    return f"{words}: {player(state, seat).garrison!r}"


def _limit(state: State, seat: Seat, _: Reason, words: str) -> str:
    turn = own_turn(state, seat)
    left = None if turn is None else allowance(turn)
    return words if left is None else f"{words}: {left!r} more now"


def _held(field: str, noun: str) -> Callable[[State, Seat, Reason, str], str]:
    """What is wanting is a number of cards: so many there are."""

    def said(state: State, seat: Seat, _: Reason, words: str) -> str:
        cards: Cards = getattr(player(state, seat), field)
        return f"{words}: {player(state, seat).name} has {len(cards)} {noun}"

    return said


AMOUNTS: dict[str, Callable[[State, Seat, Reason, str], str]] = {
    "cannot_pay": _resource,
    "cannot_pay_space": _resource,
    "too_expensive": _persuasion,
    "requirement_not_met": _requirement,
    "not_in_garrison": _garrison,
    "over_the_limit": _limit,
    "only_recruits": _limit,
    "too_few_in_hand": _held("hand", "in hand"),
    "too_few_intrigues": _held("intrigues", "Intrigue cards"),
}
"""Reasons that are about an amount or a requirement, told with what there is."""


def together(parts: list[Part]) -> Part:
    """Several reasons as one: the rules of the first one decide."""
    rules = tuple(dict.fromkeys(rule for part in parts for rule in part.rules))
    return Part("; ".join(dict.fromkeys(part.words for part in parts)), rules)
