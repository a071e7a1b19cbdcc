"""Positions in which an effect happens next, ready to be played out."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium.frames import (
    AgentTurn,
    AllianceTie,
    Effects,
    Item,
    PickCost,
    PickTrack,
    Run,
)
from rules_engine.imperium.state import Alliance, Player, State
from rules_engine.kernel.game import Action, Frame
from rules_engine.kernel.outcomes import Event, Seat
from verifier.play import Watch, play_out
from verifier.positions import (
    covered_config,
    factions,
    few_cards,
    few_cards_of_others,
    few_intrigues,
    few_to_acquire,
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


APART = (PickTrack, Effects, AgentTurn)
"""Where playing out an effect ends: what comes then is another effect, or the rest of a turn."""


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
    """Play out what is pending along every path, up to other effects and the rest of a turn."""
    return play_out(state, apart=APART, first=first, watch=watch)
