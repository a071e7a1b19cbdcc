"""One position for every kind of effect and for every printed effect, ready to be played out."""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable, Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import PickFaction
from rules_engine.imperium.frames import (
    AgentTurn,
    AllianceTie,
    Effects,
    Item,
    PickCost,
    PickTrack,
    Run,
    TakeConflictCard,
)
from rules_engine.imperium.state import Alliance, Player, State
from rules_engine.kernel.game import Action, Frame
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

LIMITS = (
    "the owner of the effect in the first seat, decks of two cards, Spies all at home or all out"
)
"""What the positions here leave out, for the bounds of the properties that use them."""

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
        (
            tree.PaidOption(tree.Pay(0, "solari"), tree.PlaceSpy()),
            tree.PaidOption(tree.Pay(_amount(), "solari"), tree.Summon(_amount())),
        )
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
    found: dict[str, tuple[Effect, str]] = {}
    for whole, source in _all_printed():
        for effect in (whole, *_bought(whole)):
            found.setdefault(_sentence(effect, source), (effect, source))
    return found


def _sentence(effect: Effect, source: str) -> str:
    """The effect in words, with its source where that makes a difference."""
    parts = tree.walk(effect)
    by_source = any(isinstance(part, tree.TrashSelf | tree.GainBonusSpice) for part in parts)
    return f"{say(effect)} ({source})" if by_source else say(effect)


def _bought(effect: Effect) -> tuple[Effect, ...]:
    """What is resolved later in the Agent turn, and so is played out by itself."""
    if isinstance(effect, tree.AtPlacement):
        return tuple(option.effect for option in effect.options)
    return ()


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


FRAMES: dict[str, Callable[[], Frame]] = {
    "pick a track": lambda: PickTrack(OWNER, _amount(), choose("gain", (True, False))),
    "a tie for an Alliance": lambda: AllianceTie(
        OWNER, choose("faction", factions()), (OWNER + 1, OWNER + 2)
    ),
    "take the Conflict card": lambda: TakeConflictCard(OWNER),
    "a group of effects": lambda: Effects(
        OWNER, (Item(tree.Gain(_amount(), "vp"), ""), Item(tree.Summon(_amount()), ""))
    ),
}
"""Frames that are played out by themselves, because an effect can lead to them in many ways."""

APART = (PickTrack, Effects, AgentTurn)
"""Where playing out an effect ends: what comes then is one of the other cases."""


def everything() -> tuple[str, ...]:
    """Every kind of node, every such frame and every printed effect: together, all that effects do.

    A step of any play is a step of one of them, so what holds of each step here holds of a play.
    """
    return (*kind_names(), *FRAMES, *printed_effects())


def pending_for(name: str) -> Frame:
    """The frame to be played out for a kind of node, a frame, or a printed effect."""
    if name in FRAMES:
        return FRAMES[name]()
    if name in printed_effects():
        return frame_for(*printed_effects()[name])
    effect = next(make for kind, make in KINDS.items() if kind.__name__ == name)()
    return frame_for(effect, _source(effect))


def _source(effect: Effect) -> str:
    """A source that the effect can come from."""
    if isinstance(effect, tree.TrashSelf):
        card: str = few_cards()["in_play"][0]
        return card
    return next(space.id for space in printed().spaces.values() if space.maker)


def frame_for(effect: Effect, source: str) -> Frame:
    """The frame that resolves an effect; a cost picked at placement has one of its own."""
    if isinstance(effect, tree.AtPlacement):
        return PickCost(OWNER, effect.options, (), source)
    return Run(OWNER, Item(effect, source))


def about_to_happen(frame: Frame, players: int, **slots: Any) -> State:
    """A position in which a frame of the first player comes next."""
    board, supplies = some_spies(OWNER, players)

    def more(owner: Player) -> dict[str, Any]:
        cards = few_cards() if owner.seat == OWNER else {}
        return {"spies": supplies[owner.seat], **cards}

    known: dict[str, Any] = {
        "spies": board,
        "turn": turns(OWNER, OWNER + 1),
        "reserve": (),
        "trashed": (),
        "pending": (frame,),
        **few_intrigues(),
    }
    if isinstance(frame, AllianceTie):
        # The token is set aside until the tie is decided, whatever Influence the players have.
        known["alliances"] = tuple(Alliance(faction, None) for faction in factions())
    return symbolic_state(players, more, **{**known, **slots})


def resolve(
    state: State, watch: Watch | None = None, first: Action | None = None
) -> tuple[State, tuple[Event, ...]]:
    """Play out what is pending along every path, up to what is played out by itself."""
    if isinstance(state.pending[-1], PickTrack):
        # Any Faction that is allowed; to list the options would fork over all tracks at once.
        first = PickFaction(OWNER, choose("picked", factions()))
    return play_out(state, apart=APART, first=first, watch=watch)
