"""Dune: Imperium as the kernel sees it: one table of frames, and the family's products."""

from __future__ import annotations

import functools
import typing
from collections.abc import Iterator
from itertools import product as combinations
from typing import Any

from rules_engine.catalogue.load import catalogue
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
from rules_engine.imperium.state import Config, State
from rules_engine.kernel.game import Action, Answer, Frame, FrameRules, Game
from rules_engine.kernel.outcomes import Reason, Seat
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


NUMBERS = tuple(range(-1, 14))


def domains(config: Config) -> dict[object, tuple[str, ...]]:
    """What an action can name in a game, by the kind of thing."""
    return _domains(config.product, tuple(own.id for own in config.cards))


@functools.lru_cache(maxsize=64)
def _domains(product: str, own_cards: tuple[str, ...]) -> dict[object, tuple[str, ...]]:
    faces = catalogue(product)
    return {
        Domain.CARD: (*faces.cards, *own_cards),
        Domain.INTRIGUE: tuple(faces.intrigue),
        Domain.SPACE: tuple(faces.spaces),
        Domain.POST: tuple(faces.posts),
        Domain.FACTION: tuple(faces.tracks),
        Domain.ZONE: (*cards.ZONES, "deck"),
    }


@functools.cache
def named_fields(kind: type[Action]) -> dict[str, Domain]:
    """The fields of an action that name a thing, and its kind."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {name: domain for name, hint in hints.items() if (domain := _domain(hint)) is not None}


def _domain(hint: Any) -> Domain | None:
    """The kind of thing that a field declares, also where it may be left out."""
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Domain):
            return mark
    return next(filter(None, map(_domain, typing.get_args(hint))), None)


def universe(state: State) -> Iterator[Action | Answer]:
    """Every action that can be written down, sensible or not: types times domains."""
    faces, known = printed(state), domains(state.config)
    yield from (Answer(card) for card in (*known[Domain.CARD], *known[Domain.INTRIGUE]))
    yield from (Answer(card) for card in (*faces.conflicts, *faces.objectives))
    seats = tuple(range(len(state.players)))
    for kind in typing.get_args(AnyInput):
        if kind is not Answer:
            fields = [_values(kind, name, seats, known) for name in kind.__struct_fields__]
            yield from (kind(*values) for values in combinations(*fields))


def _values(
    kind: type[Action], name: str, seats: tuple[Seat, ...], known: dict[object, tuple[str, ...]]
) -> tuple[Any, ...]:
    if name in SEATS:
        return seats
    if name not in named_fields(kind):
        return NUMBERS
    values = known[named_fields(kind)[name]]
    return (None, *values) if name in OPTIONAL else values


SEATS = ("by", "to")
OPTIONAL = ("infiltrate",)


def strangers(state: State, given: Action | Answer) -> Iterator[Reason]:
    """The reasons against an action that names a card, place or player that does not exist."""
    if isinstance(given, Answer):
        return
    known = domains(state.config)
    for name, domain in named_fields(type(given)).items():
        value = getattr(given, name)
        if value is not None and value not in known[domain]:
            yield Reason("no_such_thing", TURN_RULES, {"name": value, "kind": domain.value})
    for name in SEATS:
        if not 0 <= getattr(given, name, 0) < len(state.players):
            yield Reason("no_such_player", TURN_RULES)


TURN_RULES = cite("UPR-ROUND-003")

IMPERIUM = Game(
    name="imperium",
    state_type=State,
    input_type=AnyInput,
    frames=FRAMES,
    invariants=INVARIANTS,
    universe=universe,
    turn_rules=TURN_RULES,
    strangers=strangers,
)
