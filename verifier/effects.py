"""One position for every kind of effect and for every printed effect, ready to be played out."""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable, Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import PlayIntrigue
from rules_engine.imperium.frames import Item, PickCost, Run
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.game import Amount, Frame
from rules_engine.kernel.outcomes import Event, Seat
from verifier.current import choose, quantity
from verifier.play import Watch, play_out
from verifier.positions import (
    factions,
    few_cards,
    few_intrigues,
    printed,
    some_spies,
    symbolic_state,
    turns,
)

OWNER: Seat = 0
"""Whose effects they are."""

RESOURCES = ("solari", "spice", "water", "persuasion", "vp")


def _amount() -> Any:
    return quantity("amount")


def _faction() -> str:
    return choose("faction", (tree.ANY_FACTION, *factions()))


KINDS: dict[type, Callable[[], Effect]] = {
    tree.Gain: lambda: tree.Gain(_amount(), choose("what", RESOURCES)),
    tree.Pay: lambda: tree.Pay(_amount(), choose("what", RESOURCES[:3])),
    tree.Swords: lambda: tree.Swords(_amount()),
    tree.Recruit: lambda: tree.Recruit(_amount()),
    tree.Summon: lambda: tree.Summon(_amount()),
    tree.DrawCards: lambda: tree.DrawCards(_amount()),
    tree.DrawIntrigue: lambda: tree.DrawIntrigue(_amount()),
    tree.GainInfluence: lambda: tree.GainInfluence(_amount(), _faction()),
    tree.LoseInfluence: lambda: tree.LoseInfluence(_amount(), _faction()),
    tree.PlaceSpy: tree.PlaceSpy,
    tree.TrashCard: tree.TrashCard,
    tree.TrashSelf: tree.TrashSelf,
    tree.TakeControl: lambda: tree.TakeControl(choose("space", _controlled())),
    tree.TakeMakerHooks: tree.TakeMakerHooks,
    tree.RemoveShieldWall: tree.RemoveShieldWall,
    tree.GainBonusSpice: tree.GainBonusSpice,
    tree.UseSignet: tree.UseSignet,
    tree.May: lambda: tree.May(tree.RemoveShieldWall()),
    tree.If: lambda: tree.If(choose("condition", _conditions()), tree.Summon(_amount())),
    tree.Choose: lambda: tree.Choose((tree.Gain(_amount(), "vp"), tree.Summon(_amount()))),
    tree.All: lambda: tree.All((tree.RemoveShieldWall(), tree.Summon(_amount()))),
    tree.Arrow: lambda: tree.Arrow(tree.Pay(_amount(), "spice"), tree.Gain(_amount(), "vp")),
    tree.AtPlacement: lambda: tree.AtPlacement(
        (tree.PaidOption(tree.Pay(_amount(), "solari"), tree.Summon(_amount())),)
    ),
}
"""For every kind of node an effect with any amounts."""


def _controlled() -> tuple[str, ...]:
    return tuple(space.id for space in printed().spaces.values() if space.control_bonus)


def _conditions() -> tuple[tree.Condition, ...]:
    return (
        tree.InfluenceAtLeast(factions()[0], _amount()),
        tree.RecalledSpyThisTurn(),
        tree.OwnsMakerHooks(),
    )


@functools.cache
def printed_effects() -> dict[str, tuple[Effect, str]]:
    """Every effect that is printed somewhere, by its sentence, with a source it comes from."""
    return {f"{source}: {say(effect)}": (effect, source) for effect, source in _all_printed()}


def _all_printed() -> Iterator[tuple[Effect, str]]:
    faces = printed()
    for card in faces.cards.values():
        yield from ((each, card.id) for each in (*card.agent, *card.reveal, *card.acquire))
    for intrigue in faces.intrigue.values():
        for way in intrigue.ways:
            yield from ((each, intrigue.id) for each in (*way.effects, *way.lines))
    for space in faces.spaces.values():
        yield from ((each, space.id) for each in (*space.effects, *space.control_bonus))
    for track in faces.tracks.values():
        yield from ((each, track.faction) for each in track.at_four)
    for conflict in faces.conflicts.values():
        rewards = (*conflict.first, *conflict.second, *conflict.third)
        yield from ((each, conflict.id) for each in rewards)


def kind_names() -> tuple[str, ...]:
    """The name of every kind of node; a kind without an example is an error."""
    kinds: tuple[type, ...] = typing.get_args(tree.Effect)
    missing = [kind.__name__ for kind in kinds if kind not in KINDS]
    if missing:
        raise LookupError(f"no example of {', '.join(missing)}")
    return tuple(kind.__name__ for kind in kinds)


def example(name: str) -> tuple[Effect, str]:
    """The effect of this name and its source: a kind of node, or a printed effect."""
    if name in printed_effects():
        return printed_effects()[name]
    made = next(make for kind, make in KINDS.items() if kind.__name__ == name)()
    return made, _source(made)


def _source(effect: Effect) -> str:
    """A source that the effect can come from."""
    if isinstance(effect, tree.TrashSelf):
        return few_cards()["in_play"][0]  # type: ignore[no-any-return]
    return next(space.id for space in printed().spaces.values() if space.maker)


def frame_for(effect: Effect, source: str) -> Frame:
    """The frame that resolves an effect; a cost picked at placement has one of its own."""
    if isinstance(effect, tree.AtPlacement):
        return PickCost(OWNER, effect.options, (), source)
    return Run(OWNER, Item(effect, source))


def about_to_resolve(effect: Effect, source: str, players: int, **slots: Any) -> State:
    """A position in which an effect of the first player happens now."""
    board, supplies = some_spies(OWNER, players)

    def more(owner: Player) -> dict[str, Any]:
        cards = few_cards() if owner.seat == OWNER else {}
        return {"spies": supplies[owner.seat], **cards}

    known: dict[str, Any] = {
        "spies": board,
        "turn": turns(OWNER, OWNER + 1),
        "reserve": (),
        "trashed": (),
        "pending": (frame_for(effect, source),),
        **few_intrigues(),
    }
    return symbolic_state(players, more, **{**known, **slots})


def resolve(state: State, watch: Watch | None = None) -> tuple[State, tuple[Event, ...]]:
    """Play an effect to its end along every path; deploying and Plot cards are no part of it."""
    return play_out(state, watch=watch, offers=_belongs_to_effects)


def _belongs_to_effects(option: object) -> bool:
    return not isinstance(option, Amount | PlayIntrigue)
