"""One position for every kind of effect and for every printed effect, ready to be played out.

Effects consist of effects. Each is played out by itself, up to the effects inside it: those are
cases of their own, with their own position, so that nothing is proved twice.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import PickFaction
from rules_engine.imperium.effects import MEANING
from rules_engine.imperium.frames import (
    AgentTurn,
    AllianceTie,
    Effects,
    Item,
    PickCost,
    PickTrack,
    Run,
    SortCards,
    TakeConflictCard,
)
from rules_engine.imperium.looking import FATES
from rules_engine.imperium.state import Alliance, Player, State
from rules_engine.kernel.game import Action, Frame
from rules_engine.kernel.outcomes import Event, Seat
from verifier.current import choose, quantity
from verifier.play import Watch, play_out
from verifier.positions import (
    covered_config,
    factions,
    few_cards,
    few_cards_of_others,
    few_intrigues,
    few_to_acquire,
    printed,
    remembering_leader,
    some_agents,
    some_contracts,
    some_leader,
    some_spies,
    symbolic_state,
    turns,
)

OWNER: Seat = 0
"""Whose effects they are."""

EFFECTS = (
    "every kind of effect with any amounts (1 for each thing counted) and every printed effect, "
    "also those inside another, each up to the effects inside it"
)
"""What the cases of `everything` are, for the bounds of the properties that use them."""

LIMITS = (
    "the owner of the effect in the first seat, decks of two cards, few cards and contracts, the "
    "owner's Spies and Agents all at home or all out, no Leader or, for the owner, one that the "
    "effect looks at"
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
    tree.RecallSpies: lambda: tree.RecallSpies(_amount()),
    tree.VisitInfluence: lambda: tree.VisitInfluence(quantity("amount", 1)),
    tree.DeployTroops: lambda: tree.DeployTroops(_amount()),
    tree.DeployRecruits: tree.DeployRecruits,
    tree.ForbidDeployment: tree.ForbidDeployment,
    tree.Retreat: lambda: tree.Retreat(_amount(), choose("most", (None, quantity("most troops")))),
    tree.DoubleBonusSpice: tree.DoubleBonusSpice,
    tree.FlipIcon: lambda: tree.FlipIcon(choose("icon", _icons())),
    tree.AddFirstReward: lambda: tree.AddFirstReward(tree.Gain(_amount(), "vp")),
    tree.TrashCard: tree.TrashCard,
    tree.TrashSelf: tree.TrashSelf,
    tree.ReturnSelf: tree.ReturnSelf,
    tree.DiscardCards: lambda: tree.DiscardCards(_amount()),
    tree.DiscardIntrigue: lambda: tree.DiscardIntrigue(_amount()),
    tree.TrashIntrigue: tree.TrashIntrigue,
    tree.StealIntrigue: lambda: tree.StealIntrigue(_amount()),
    tree.AcquireCard: lambda: tree.AcquireCard(dearest=_amount()),
    tree.TakeFromRow: lambda: tree.TakeFromRow(_amount()),
    tree.WhenAcquiring: lambda: tree.WhenAcquiring(tree.Gain(_amount(), "vp")),
    tree.SortTopCards: tree.SortTopCards,
    tree.TakeControl: lambda: tree.TakeControl(choose("space", _controlled())),
    tree.TakeMakerHooks: tree.TakeMakerHooks,
    tree.RemoveShieldWall: tree.RemoveShieldWall,
    tree.GainBonusSpice: tree.GainBonusSpice,
    tree.RecallAgents: lambda: tree.RecallAgents(_amount()),
    tree.TakeSeat: tree.TakeSeat,
    tree.TakeSwordmaster: tree.TakeSwordmaster,
    tree.TakeContract: tree.TakeContract,
    tree.CompleteContract: lambda: tree.CompleteContract(next(iter(printed().contracts))),
    tree.UseSignet: tree.UseSignet,
    tree.Train: tree.Train,
    tree.Memorise: tree.Memorise,
    tree.FlipLeader: tree.FlipLeader,
    tree.RepeatSpace: tree.RepeatSpace,
    tree.May: lambda: tree.May(tree.RemoveShieldWall()),
    tree.If: lambda: tree.If(choose("condition", _conditions()), tree.Summon(_amount())),
    tree.Choose: lambda: tree.Choose((tree.Gain(_amount(), "vp"), tree.Summon(_amount()))),
    tree.Per: lambda: tree.Per(tree.Number("sandworms_in_conflict"), tree.Gain(1, "vp")),
    tree.EachOpponent: lambda: tree.EachOpponent(tree.Recruit(_amount())),
    tree.All: lambda: tree.All((tree.RemoveShieldWall(), tree.Summon(_amount()))),
    tree.Arrow: lambda: tree.Arrow(tree.Pay(_amount(), "spice"), tree.Gain(_amount(), "vp")),
    tree.AtPlacement: lambda: tree.AtPlacement(
        (
            tree.PaidOption(tree.Pay(0, "solari"), tree.PlaceSpy()),
            tree.PaidOption(tree.Pay(_amount(), "solari"), tree.Summon(_amount())),
        )
    ),
}
"""For every kind of node an effect with any amounts, but for what is had of each thing counted."""


def is_of_a_kind(effect: Effect) -> bool:
    """Whether the example of its kind is this very effect, for some amount and some name."""
    match effect:
        case tree.Gain(_, what):
            return what in RESOURCES
        case tree.Pay(_, what):
            return what in RESOURCES[:3]
        case tree.GainInfluence(_, faction) | tree.LoseInfluence(_, faction):
            return faction in (tree.ANY_FACTION, *factions())
        case tree.FlipIcon(icon):
            return icon in _icons()
        case tree.TakeControl(space):
            return space in _controlled()
        case tree.TrashSelf() | tree.ReturnSelf() | tree.GainBonusSpice():
            return False
        case tree.Recruit(unit=unit) | tree.Retreat(unit=unit):
            return unit == "troop"
        case tree.DeployTroops(unit=unit, zone=zone):
            return (unit, zone) == ("troop", "garrison")
        case _:
            kind: type = type(effect)
            example = KINDS[kind]
            return kind in AMOUNTS or (example is kind and effect == example())


AMOUNTS = (
    tree.Swords,
    tree.Summon,
    tree.DrawCards,
    tree.DrawIntrigue,
    tree.VisitInfluence,
    tree.RecallSpies,
    tree.RecallAgents,
    tree.DiscardCards,
    tree.DiscardIntrigue,
    tree.StealIntrigue,
    tree.TakeFromRow,
)
"""The kinds that say nothing but an amount."""


def _looked_at() -> tuple[str, ...]:
    """Three cards of different kinds from the top of a deck."""
    first, second, third, *_ = (card.id for card in printed().cards.values() if card.starting)
    return first, second, third


def _controlled() -> tuple[str, ...]:
    return tuple(space.id for space in printed().spaces.values() if space.control_bonus)


def _icons() -> tuple[str, ...]:
    return tuple(sorted({face.icon for face in printed().objectives.values()}))


def _conditions() -> tuple[tree.Condition, ...]:
    return (
        tree.InfluenceAtLeast(factions()[0], _amount()),
        tree.Is("recalled_spy_this_turn"),
        tree.Is("maker_hooks"),
    )


@functools.cache
def printed_effects() -> dict[str, tuple[Effect, str]]:
    """Every effect that is printed, also inside another, by its sentence, with a source of it."""
    found: dict[str, tuple[Effect, str]] = {}
    for whole, source in _all_printed():
        for effect in tree.walk(whole):
            found.setdefault(_sentence(effect, source), (effect, source))
    return found


def _sentence(effect: Effect, source: str) -> str:
    """The effect in words, with its source where that makes a difference."""
    parts = tree.walk(effect)
    kinds = (tree.TrashSelf, tree.ReturnSelf, tree.GainBonusSpice)
    by_source = any(isinstance(part, kinds) for part in parts)
    return f"{say(effect)} ({source})" if by_source else say(effect)


def _all_printed() -> Iterator[tuple[Effect, str]]:
    faces = printed()
    for card in faces.cards.values():
        left = (*card.when_trashed, *card.when_discarded)
        boxes = (*card.agent, *card.reveal, *card.acquire, *left)
        yield from ((each, card.id) for each in boxes)
    for intrigue in faces.intrigue.values():
        for way in intrigue.ways:
            yield from ((each, intrigue.id) for each in (*way.effects, *way.lines))
    for space in faces.spaces.values():
        on_space = (*space.effects, *space.control_bonus, *space.reveal)
        yield from ((each, space.id) for each in on_space)
    for track in faces.tracks.values():
        yield from ((each, track.faction) for each in track.at_four)
    for conflict in faces.conflicts.values():
        rewards = (*conflict.first, *conflict.second, *conflict.third)
        yield from ((each, conflict.id) for each in rewards)
    for leader in faces.leaders.values():
        trained = (each for space in leader.training for each in space.reward)
        own = (*leader.ability.effects, *leader.on_signet, *leader.signet, *trained)
        yield from ((each, leader.id) for each in own)
    for contract in faces.contracts.values():
        yield from ((each, contract.id) for each in contract.reward)


def kind_names() -> tuple[str, ...]:
    """The name of every kind of node; a kind without an example is an error."""
    missing = [kind.__name__ for kind in MEANING if kind not in KINDS]
    if missing:
        raise LookupError(f"no example of {', '.join(missing)}")
    return tuple(kind.__name__ for kind in KINDS)


FRAMES: dict[str, Callable[[], Frame]] = {
    "pick a track": lambda: PickTrack(OWNER, _amount(), choose("gain", (True, False))),
    "a tie for an Alliance": lambda: AllianceTie(
        OWNER, choose("faction", factions()), (OWNER + 1, OWNER + 2)
    ),
    "take the Conflict card": lambda: TakeConflictCard(OWNER),
    "cards to deal out": lambda: SortCards(OWNER, _looked_at(), FATES),
    "a group of effects": lambda: Effects(
        OWNER, (Item(tree.Gain(_amount(), "vp"), ""), Item(tree.Summon(_amount()), ""))
    ),
}
"""Frames that are played out by themselves, because an effect can lead to them in many ways."""

APART = (PickTrack, Effects, AgentTurn)
"""Where playing out an effect ends: what comes then is one of the other cases."""


def everything() -> tuple[str, ...]:
    """Every kind of node, every such frame and every printed effect: together, all that effects do.

    Printed effects that are of a kind played out with all its amounts are left out. A step of any
    play is a step of one of them, so what holds of each step here holds of a play.
    """
    others = (name for name, (effect, _) in printed_effects().items() if not is_of_a_kind(effect))
    return (*kind_names(), *FRAMES, *others)


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
    if isinstance(effect, tree.TrashSelf | tree.ReturnSelf):
        card: str = few_cards()["in_play"][0]
        return card
    return next(space.id for space in printed().spaces.values() if space.maker)


def may_deploy(state: State) -> bool:
    """Whether no effect of the owner's turn keeps units out of the Conflict."""
    turn = state.turn
    return turn is None or turn.seat != OWNER or not turn.forbidden


def frame_for(effect: Effect, source: str) -> Frame:
    """The frame that resolves an effect; a cost picked at placement has one of its own."""
    if isinstance(effect, tree.AtPlacement):
        return PickCost(OWNER, effect.options, (), source)
    return Run(OWNER, Item(effect, source))


def _leader(name: str, frame: Frame) -> dict[str, Any]:
    """The Leaders that what comes next looks at."""
    effects = tree.walk(frame.item.effect) if isinstance(frame, Run) else ()
    kinds = {type(effect) for effect in effects}
    if kinds & {tree.Memorise, tree.FlipLeader}:
        return remembering_leader(name)
    if kinds & {tree.UseSignet, tree.Train}:
        return some_leader(name, "training")
    if tree.TakeContract in kinds:
        return some_leader(name, "contracts")
    return some_leader(name, "a bonus at 2")


def about_to_happen(
    frame: Frame, players: int, conflicts: tuple[ConflictFace, ...] = (), **slots: Any
) -> State:
    """A position in which a frame of the first player comes next; `conflicts` are added."""
    board, supplies = some_spies(OWNER, players)
    choam, contracts, held = some_contracts(OWNER, OWNER + 1)
    sent, agents = some_agents(OWNER)

    def more(owner: Player) -> dict[str, Any]:
        theirs = {"spies": supplies[owner.seat], **held(owner.seat)}
        if owner.seat != OWNER:
            return {**theirs, **few_cards_of_others(owner.seat)}
        return {**theirs, **few_cards(), **agents, **_leader(owner.name, frame)}

    known: dict[str, Any] = {
        "config": covered_config(players, conflicts, choam),
        **contracts,
        "agents": sent,
        "spies": board,
        "turn": turns(OWNER, OWNER + 1),
        "reserve": (),
        "trashed": (),
        "trashed_intrigues": (),
        "pending": (frame,),
        **few_intrigues(),
        **few_to_acquire(),
    }
    if isinstance(frame, AllianceTie):
        # The token is set aside until the tie is decided, whatever Influence the players have.
        known["alliances"] = tuple(Alliance(faction, None) for faction in factions())
    return symbolic_state(players, more, **{**known, **slots})


def resolve(
    state: State, watch: Watch | None = None, first: Action | None = None
) -> tuple[State, tuple[Event, ...]]:
    """Play out what is pending along every path, up to what is played out by itself."""
    return play_out(state, apart=APART, first=first, watch=watch)


def resolve_alone(state: State, watch: Watch | None = None) -> tuple[State, tuple[Event, ...]]:
    """Play out what is pending along every path, up to the effects inside it.

    Only more of the same, or of other cases, may wait below those: it would go unseen.
    """
    first = None
    played: set[type[Frame]] = set()

    def see(before: State, after: State, events: tuple[Event, ...]) -> None:
        played.add(type(before.pending[-1]))
        if watch is not None:
            watch(before, after, events)

    if isinstance(state.pending[-1], PickTrack):
        # Any Faction that is allowed; to list the options would fork over all tracks at once.
        first = PickFaction(OWNER, choose("picked", factions()))
    end, events = play_out(state, apart=(*APART, Run), first=first, watch=see)
    unseen = {type(frame) for frame in end.pending} - played - {*APART, Run}
    assert not unseen, f"not played out: {unseen}"
    return end, events
