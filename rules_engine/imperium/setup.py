"""Setup: what everyone starts with, and what chance deals before the first round."""

from __future__ import annotations

from rules_engine.catalogue.faces import CardFace, ConflictFace
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.frames import DealObjectives, FillRow, RoundStart
from rules_engine.imperium.spies import SPIES
from rules_engine.imperium.state import (
    Alliance,
    Config,
    Control,
    Maker,
    Player,
    Stack,
    State,
    Track,
    Won,
    clockwise,
    player,
    with_player,
)
from rules_engine.imperium.units import TROOPS
from rules_engine.kernel.decks import Deck, Pool, shuffled, without_card, zone
from rules_engine.kernel.game import CHANCE, Answer, FrameRules, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.index import cite

GARRISON = 3
AGENTS = 2
WATER = 1
CONFLICTS_BY_LEVEL = {1: 1, 2: 5, 3: 4}
"""How many Conflict cards of each level are in the deck, from top to bottom."""

FIRST_PLAYER = cite("UPR-ROUND-003")
OBJECTIVE = cite("UPR-COMBAT-028")


def starting_points(players: int) -> int:
    """The Score marker starts on 1 with four players, and for the Allies of six, else on 0."""
    return 1 if players in (4, 6) else 0


def new_player(config: Config, seat: Seat, name: str) -> Player:
    """A player as setup leaves one, the deck shuffled and no card drawn."""
    printed = catalogue(config.product)
    deck = [card.id for card in printed.cards.values() for _ in range(card.starting)]
    return Player(
        seat=seat,
        name=name,
        solari=0,
        spice=0,
        water=WATER,
        victory_points=starting_points(config.players),
        tracks=tuple(Track(faction, 0) for faction in printed.tracks),
        supply=TROOPS - GARRISON,
        garrison=GARRISON,
        troops=0,
        sandworms=0,
        strength=0,
        swords=0,
        persuasion=0,
        agents=AGENTS,
        spies=SPIES,
        maker_hooks=False,
        revealed=False,
        hand=(),
        deck=shuffled(deck),
        discard=(),
        in_play=(),
        intrigues=(),
        won=(),
    )


def starting_state(
    product: str,
    names: tuple[str, ...],
    rulings: Rulings,
    cards: tuple[CardFace, ...] = (),
    conflicts: tuple[ConflictFace, ...] = (),
) -> State:
    """The position before anything is dealt. UPR-WALL-001, UPR-FACTION-001"""
    config = Config(product, len(names), rulings, cards, conflicts)
    printed = catalogue(product)
    return State(
        config=config,
        players=tuple(new_player(config, seat, name) for seat, name in enumerate(names)),
        first_player=0,
        round=0,
        shield_wall=True,
        agents=(),
        spies=(),
        makers=tuple(Maker(face.id, 0) for face in printed.spaces.values() if face.maker),
        controls=tuple(
            Control(face.id, None) for face in printed.spaces.values() if face.control_bonus
        ),
        alliances=tuple(Alliance(faction, None) for faction in printed.tracks),
        conflict=None,
        conflict_deck=conflict_deck(product),
        row=(),
        imperium_deck=shuffled(
            card.id for card in printed.cards.values() for _ in range(card.copies)
        ),
        reserve=tuple(
            Stack(card.id, card.reserve) for card in printed.cards.values() if card.reserve
        ),
        intrigue_deck=shuffled(
            card.id for card in printed.intrigue.values() for _ in range(card.copies)
        ),
        intrigue_discard=(),
        objectives=zone(
            face.id for face in printed.objectives.values() if len(names) in face.players
        ),
        trashed=(),
        reveal_order=(),
        winners=(),
        turn=None,
        pending=(),
    )


def conflict_deck(product: str) -> Deck:
    """Level I over level II over level III; the rest of each level stays in the box unseen."""
    by_level: dict[int, list[str]] = {level: [] for level in CONFLICTS_BY_LEVEL}
    for face in catalogue(product).conflicts.values():
        by_level[face.level].append(face.id)
    return tuple(
        Pool(min(CONFLICTS_BY_LEVEL[level], len(cards)), zone(cards))
        for level, cards in by_level.items()
        if cards
    )


def new_game(product: str, names: tuple[str, ...], rulings: Rulings) -> State:
    """A game about to be dealt: Objectives, the Imperium Row, then the first round."""
    state = starting_state(product, names, rulings)
    return push(state, RoundStart(), FillRow(), DealObjectives(0))


# Objectives


def _legal(state: State, _: DealObjectives, answer: Answer) -> Refusal | None:
    if answer.outcome in state.objectives:
        return None
    return refusal([Reason("not_in_deck", FIRST_PLAYER, {"card": answer.outcome})])


def _deal(state: State, frame: DealObjectives, answer: Answer) -> Step[State]:
    """Everyone is dealt an Objective; the one with the First Player mark starts. UPR-ROUND-003"""
    card = answer.outcome
    face = catalogue(state.config.product).objectives[card]
    owner = change(player(state, frame.seat), won=(Won(card, face.icon),))
    state = with_player(state, owner)
    state = change(state, objectives=without_card(state.objectives, card))
    if face.first_player:
        state = change(state, first_player=frame.seat)
    following = clockwise(state, frame.seat)[1]
    if following:
        state = push(state, DealObjectives(following))
    return Step(state, (Event("objective", OBJECTIVE, frame.seat, {"card": card}),))


DEAL_OBJECTIVES = FrameRules(
    asks=lambda _, __: CHANCE,
    apply=_deal,
    legal=_legal,
    options=lambda state, _: tuple(Answer(card) for card in dict.fromkeys(state.objectives)),
)
