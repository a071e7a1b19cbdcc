"""Dune: Imperium as the kernel sees it: one table of frames, and the family's products."""

from __future__ import annotations

import functools
import typing
from collections.abc import Iterable, Iterator, Sequence
from itertools import product as combinations
from typing import Any

from rules_engine.catalogue.faces import (
    CardFace,
    Catalogue,
    ConflictFace,
    ContractFace,
    IntrigueFace,
)
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium import (
    acquire,
    agent_turn,
    agents,
    cards,
    choices,
    combat,
    conflict_cards,
    contracts,
    control,
    discarding,
    endgame,
    frames,
    held_intrigue,
    influence,
    intrigue,
    leaders,
    looking,
    makers,
    recall,
    reveal_turn,
    round,
    setup,
    spies,
    trashing,
    units,
    windows,
)
from rules_engine.imperium.actions import AnyInput, Domain
from rules_engine.imperium.faces import printed
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import Config, State
from rules_engine.kernel.game import Action, Answer, Frame, FrameRules, Game
from rules_engine.kernel.outcomes import Reason, Seat
from rules_engine.kernel.promised import promised
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
    frames.PickSeveral: choices.PICK_SEVERAL,
    frames.PickTrack: influence.PICK_TRACK,
    frames.SpyPlacement: spies.SPY_PLACEMENT,
    frames.PickSpies: spies.PICK_SPIES,
    frames.PickRetreat: units.PICK_RETREAT,
    frames.PickDeploy: units.PICK_DEPLOY,
    frames.PickFlip: conflict_cards.PICK_FLIP,
    frames.PickTrash: trashing.PICK_TRASH,
    frames.PickCopy: trashing.PICK_COPY,
    frames.PickDiscard: discarding.PICK_DISCARD,
    frames.PickIntrigue: held_intrigue.PICK_INTRIGUE,
    frames.Steal: held_intrigue.STEAL_INTRIGUE,
    frames.PickCard: acquire.PICK_CARD,
    frames.PickPlace: acquire.PICK_PLACE,
    frames.PickFromRow: acquire.PICK_FROM_ROW,
    frames.LookAtTop: looking.LOOK_AT_TOP,
    frames.SortCards: looking.SORT_CARDS,
    frames.PickAgent: agents.PICK_AGENT,
    frames.PickContract: contracts.PICK_CONTRACT,
    frames.FillContracts: contracts.FILL_CONTRACTS,
    frames.PickTraining: leaders.PICK_TRAINING,
    frames.AllianceTie: influence.ALLIANCE_TIE,
    frames.DrawFromDeck: cards.DRAW_FROM_DECK,
    frames.DrawFromIntrigue: cards.DRAW_FROM_INTRIGUE,
    frames.IntriguePlayed: intrigue.INTRIGUE_PLAYED,
    frames.Combat: combat.COMBAT,
    frames.CombatIntrigues: combat.COMBAT_INTRIGUES,
    frames.ResolveCombat: combat.RESOLVE_COMBAT,
    frames.GiveRewards: combat.GIVE_REWARDS,
    frames.TakeConflictCard: combat.TAKE_CONFLICT_CARD,
    frames.WinIntrigues: combat.WIN_INTRIGUES,
    frames.EndCombat: combat.END_COMBAT,
    frames.Makers: makers.MAKERS,
    frames.Recall: recall.RECALL,
    frames.EndgameIntrigues: endgame.ENDGAME_INTRIGUES,
    frames.FinalScore: endgame.FINAL_SCORE,
}


NUMBERS = tuple(range(-1, 14))


OwnFaces = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _own(config: Config) -> OwnFaces:
    """The cards, Intrigue cards, Conflicts and contracts that exist in this game only."""
    return (
        _ids(config.cards),
        _ids(config.intrigues),
        _ids(config.conflicts),
        _ids(config.contracts),
    )


def _ids(faces: Iterable[CardFace | IntrigueFace | ConflictFace | ContractFace]) -> tuple[str, ...]:
    return tuple([face.id for face in faces])


@functools.lru_cache(maxsize=64)
def _domains(
    product: str,
    cards: tuple[str, ...],
    intrigues: tuple[str, ...],
    conflicts: tuple[str, ...],
    contracts: tuple[str, ...],
) -> dict[object, tuple[str, ...]]:
    """What an action can name in a game, by the kind of thing."""
    faces = catalogue(product)
    return {
        Domain.CARD: (*faces.cards, *cards),
        Domain.INTRIGUE: (*faces.intrigue, *intrigues),
        Domain.SPACE: tuple(faces.spaces),
        Domain.POST: tuple(faces.posts),
        Domain.FACTION: tuple(faces.tracks),
        Domain.ZONE: (*trashing.ZONES, "deck"),
        Domain.CONTRACT: (*faces.contracts, *contracts),
        Domain.TRAINING: tuple(
            space.id for leader in faces.leaders.values() for space in leader.training
        ),
        Domain.WON: (*faces.conflicts, *conflicts, *faces.objectives),
        Domain.FATE: looking.FATES,
    }


@functools.lru_cache(maxsize=64)
def _names(product: str, *own: tuple[str, ...]) -> dict[object, frozenset[str]]:
    """The same, to look names up."""
    return {domain: frozenset(names) for domain, names in _domains(product, *own).items()}


@functools.cache
def named_fields(kind: type[Action | Answer]) -> dict[str, Domain]:
    """The fields of an action that name a thing, and its kind."""
    return {
        name: domain
        for name, hint in promised(kind).items()
        if (domain := _domain(hint)) is not None
    }


@functools.cache
def seat_fields(kind: type[Action | Answer]) -> tuple[str, ...]:
    """The fields of an action that name a player."""
    return tuple(name for name in SEATS if name in promised(kind))


def _domain(hint: Any) -> Domain | None:
    """The kind of thing that a field declares, also where it may be left out."""
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Domain):
            return mark
    return next(filter(None, map(_domain, typing.get_args(hint))), None)


def universe(state: State) -> tuple[Action | Answer, ...]:
    """Every action that can be written down, sensible or not: types times domains."""
    config = state.config
    return _universe(config.product, _own(config), len(state.players))


@functools.lru_cache(maxsize=2)
def _universe(product: str, own: OwnFaces, players: int) -> tuple[Action | Answer, ...]:
    return tuple(_written_down(catalogue(product), _domains(product, *own), range(players)))


def _written_down(
    faces: Catalogue, known: dict[object, tuple[str, ...]], seats: Sequence[Seat]
) -> Iterator[Action | Answer]:
    yield from (Answer(card) for card in (*known[Domain.CARD], *known[Domain.INTRIGUE]))
    yield from (Answer(card) for card in (*faces.conflicts, *faces.objectives, *faces.contracts))
    for kind in typing.get_args(AnyInput):
        if kind is not Answer:
            fields = [_values(kind, name, seats, known) for name in kind.__struct_fields__]
            yield from (kind(*values) for values in combinations(*fields))


def _values(
    kind: type[Action], name: str, seats: Sequence[Seat], known: dict[object, tuple[str, ...]]
) -> Sequence[Any]:
    if name in SEATS:
        return seats
    if name not in named_fields(kind):
        return NUMBERS
    values = known[named_fields(kind)[name]]
    return (None, *values) if name in OPTIONAL else values


SEATS = ("by", "to")
OPTIONAL = ("infiltrate",)


def strangers(state: State, given: Action | Answer) -> Iterator[Reason]:
    """The reasons against an input that names a card, place or player that does not exist."""
    known = _names(state.config.product, *_own(state.config))
    for name, domain in named_fields(type(given)).items():
        value = getattr(given, name)
        if value is not None and value not in known[domain]:
            yield Reason("no_such_thing", TURN_RULES, {"name": value, "kind": domain.value})
    for name in seat_fields(type(given)):
        if not 0 <= getattr(given, name) < len(state.players):
            yield Reason("no_such_player", TURN_RULES)


def kin(state: State, card: str, owner: Seat | None) -> object:
    """Which hidden cards could be each other, for all that those who see their backs can know.

    Everybody knows which cards of the Imperium Deck a player has, and which Conflicts come late.
    """
    faces = printed(state)
    if card in faces.conflicts:
        return faces.conflicts[card].level
    for name in ("intrigue", "objectives", "contracts"):
        if card in getattr(faces, name):
            return name
    return "cards", owner


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
    kin=kin,
    windows=windows.closed,
)
