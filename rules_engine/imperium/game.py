"""Dune: Imperium as the kernel sees it: one table of frames, and the family's products."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from itertools import product as combinations
from typing import Any

from rules_engine.imperium import (
    acquire,
    agent_turn,
    cards,
    choices,
    combat,
    control,
    endgame,
    frames,
    influence,
    intrigue,
    makers,
    recall,
    reveal_turn,
    round,
    setup,
    spies,
)
from rules_engine.imperium.actions import AnyInput, Domain
from rules_engine.imperium.faces import printed
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Action, Answer, Frame, FrameRules, Game
from rules_engine.rulebook.index import cite

FRAMES: dict[type[Frame], FrameRules] = {
    frames.DealObjectives: setup.DEAL_OBJECTIVES,
    frames.FillRow: acquire.FILL_ROW,
    frames.RoundStart: round.ROUND_START,
    frames.RevealConflict: round.REVEAL_CONFLICT,
    frames.Defend: control.DEFEND,
    frames.DrawHands: round.DRAW_HANDS,
    frames.PlayerTurns: round.PLAYER_TURNS,
    frames.Turn: agent_turn.TURN,
    frames.PickCost: agent_turn.PICK_COST,
    frames.Placed: agent_turn.PLACED,
    frames.GatherIntelligence: spies.GATHER_INTELLIGENCE,
    frames.AgentTurn: agent_turn.AGENT_TURN,
    frames.RevealTurn: reveal_turn.REVEAL_TURN,
    frames.Effects: choices.EFFECTS,
    frames.Run: choices.RUN_NOW,
    frames.Decide: choices.DECIDE,
    frames.ChooseOption: choices.CHOOSE_OPTION,
    frames.PickTrack: influence.PICK_TRACK,
    frames.SpyPlacement: spies.SPY_PLACEMENT,
    frames.PickTrash: cards.PICK_TRASH,
    frames.AllianceTie: influence.ALLIANCE_TIE,
    frames.DrawFromDeck: cards.DRAW_FROM_DECK,
    frames.DrawFromIntrigue: cards.DRAW_FROM_INTRIGUE,
    frames.IntriguePlayed: intrigue.INTRIGUE_PLAYED,
    frames.Combat: combat.COMBAT,
    frames.CombatIntrigues: combat.COMBAT_INTRIGUES,
    frames.ResolveCombat: combat.RESOLVE_COMBAT,
    frames.GiveRewards: combat.GIVE_REWARDS,
    frames.TakeConflictCard: combat.TAKE_CONFLICT_CARD,
    frames.EndCombat: combat.END_COMBAT,
    frames.Makers: makers.MAKERS,
    frames.Recall: recall.RECALL,
    frames.EndgameIntrigues: endgame.ENDGAME_INTRIGUES,
    frames.FinalScore: endgame.FINAL_SCORE,
}


def universe(state: State) -> Iterator[Action | Answer]:
    """Every action that can be written down, sensible or not: types times domains."""
    faces = printed(state)
    domains: dict[object, tuple[Any, ...]] = {
        Domain.CARD: tuple(faces.cards),
        Domain.INTRIGUE: tuple(faces.intrigue),
        Domain.SPACE: tuple(faces.spaces),
        Domain.POST: tuple(faces.posts),
        Domain.FACTION: tuple(faces.tracks),
        Domain.ZONE: (*cards.ZONES, "deck"),
    }
    seats = tuple(range(len(state.players)))
    numbers = tuple(range(-1, 14))
    for kind in typing.get_args(AnyInput):
        if kind is Answer:
            named = (*faces.cards, *faces.intrigue, *faces.conflicts, *faces.objectives)
            yield from (Answer(card) for card in named)
            continue
        hints = typing.get_type_hints(kind, include_extras=True)
        fields = [
            seats if name in ("by", "to") else _domain(hints[name], domains, numbers)
            for name in kind.__struct_fields__
        ]
        for values in combinations(*fields):
            yield kind(*values)


def _domain(
    hint: Any, domains: dict[object, tuple[Any, ...]], numbers: tuple[int, ...]
) -> tuple[Any, ...]:
    for mark in getattr(hint, "__metadata__", ()):
        if mark in domains:
            return domains[mark]
    inner = [part for part in typing.get_args(hint) if part is not type(None)]
    if inner:
        return (None, *_domain(inner[0], domains, numbers))
    return numbers


IMPERIUM = Game(
    name="imperium",
    state_type=State,
    input_type=AnyInput,
    frames=FRAMES,
    invariants=INVARIANTS,
    universe=universe,
    turn_rules=cite("UPR-ROUND-003"),
)
