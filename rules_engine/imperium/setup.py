"""Setup: what everyone starts with, and what chance deals before the first round."""

from __future__ import annotations

import functools

from rules_engine.catalogue.faces import (
    CardFace,
    Catalogue,
    ConflictFace,
    ContractFace,
    IntrigueFace,
    LeaderFace,
)
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.frames import DealObjectives, FillContracts, FillRow, RoundStart
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
from rules_engine.kernel.decks import Cards, Deck, Pool, shuffled, without_card, zone
from rules_engine.kernel.errors import TruthsayerError
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

PLAYERS = (3, 4)
"""How many can play by the rules there are."""

WHO_CAN_PLAY = (
    "name three or four players; one and two wait for Rivals, six for the six-player game"
)

FIRST_PLAYER = cite("UPR-ROUND-003")
OBJECTIVE = cite("UPR-COMBAT-028")
SHADDAM = cite("UPR-CHOAM-005")
FRONT = cite("UPR-CLAR-003")

Leaders = tuple[str | None, ...]
"""Each player's Leader; a player of a position may have none that is named."""


def starting_points(players: int) -> int:
    """The Score marker starts on 1 with four players, and for the Allies of six, else on 0."""
    return 1 if players in (4, 6) else 0


# Who plays


def check_players(count: int) -> None:
    """Refuse a game for a number of players whose rules are not there yet."""
    if count not in PLAYERS:
        raise TruthsayerError("TS0204", f"no game for {count} players", help=WHO_CAN_PLAY)


def check_leaders(config: Config, leaders: Leaders) -> None:
    """Refuse Leaders that these players cannot have. UPR-CHOAM-005, UPR-CLAR-003"""
    if len(leaders) != config.players:
        count = f"{len(leaders)} Leaders for {config.players} players"
        raise TruthsayerError("TS0205", count, help="name one Leader for each player, or none")
    for leader in (each for each in leaders if each is not None):
        message, rules = _wrong_leader(config, leaders, leader)
        if message:
            allowed = ", ".join(face.id for face in _leaders_to_choose(config))
            raise TruthsayerError("TS0205", message, help=f"there are: {allowed}", rules=rules)


def _wrong_leader(config: Config, leaders: Leaders, leader: str) -> tuple[str, tuple[str, ...]]:
    """What is wrong with a player's Leader, and the rules that say so; nothing if all is well."""
    face = catalogue(config.product).leaders.get(leader)
    if face is None:
        return f"no Leader `{leader}`", ()
    if face.back:
        return f"`{leader}` is the back of a Leader, and nobody starts with it", FRONT
    if face.choam and not config.choam:
        return f"`{leader}` is a Leader of the CHOAM module, which is not used", SHADDAM
    if leaders.count(leader) > 1:
        return f"two players have the Leader `{leader}`", ()
    return "", ()


def _leaders_to_choose(config: Config) -> tuple[LeaderFace, ...]:
    """The Leaders that a player of this game can have. UPR-CHOAM-005"""
    faces = catalogue(config.product).leaders.values()
    return tuple(face for face in faces if not face.back and (config.choam or not face.choam))


# What everyone starts with


def new_player(config: Config, seat: Seat, name: str, leader: str | None = None) -> Player:
    """A player as setup leaves one, the deck shuffled and no card drawn. UPR-CLAR-001"""
    printed = catalogue(config.product)
    face = None if leader is None else printed.leaders[leader]
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
        high_council=False,
        swordmaster=False,
        revealed=False,
        leader=leader,
        memories=0,
        training=face.training[0].id if face is not None and face.training else None,
        contracts=(),
        completed=(),
        standing=(),
        set_aside=(),
        hand=(),
        deck=_starting_deck(config.product, () if face is None else face.without),
        discard=(),
        in_play=(),
        intrigues=(),
        won=(),
    )


@functools.cache
def _starting_deck(product: str, without: Cards) -> Deck:
    """The cards that everyone starts with, except those that a Leader goes without; made once."""
    return shuffled(
        card.id
        for card in catalogue(product).cards.values()
        for _ in range(card.starting)
        if card.id not in without
    )


def starting_state(
    product: str,
    names: tuple[str, ...],
    rulings: Rulings,
    cards: tuple[CardFace, ...] = (),
    conflicts: tuple[ConflictFace, ...] = (),
    intrigues: tuple[IntrigueFace, ...] = (),
    contracts: tuple[ContractFace, ...] = (),
    *,
    choam: bool = False,
    leaders: Leaders | None = None,
    promos: bool = False,
) -> State:
    """The position before anything is dealt. UPR-WALL-001, UPR-FACTION-001"""
    config = Config(
        product, len(names), rulings, cards, conflicts, choam, promos, intrigues, contracts
    )
    chosen: Leaders = (None,) * len(names) if leaders is None else leaders
    check_leaders(config, chosen)
    printed = catalogue(product)
    set_aside = _set_aside(printed, chosen)
    return State(
        config=config,
        players=tuple(
            new_player(config, seat, name, chosen[seat]) for seat, name in enumerate(names)
        ),
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
        imperium_deck=_imperium_deck(config),
        reserve=tuple(
            Stack(card.id, card.reserve) for card in printed.cards.values() if card.reserve
        ),
        intrigue_deck=_intrigue_deck(config),
        intrigue_discard=(),
        contract_row=(),
        contract_deck=_contract_deck(printed, set_aside) if choam else (),
        leader_contracts=set_aside,
        objectives=zone(
            face.id for face in printed.objectives.values() if len(names) in face.players
        ),
        trashed=(),
        trashed_intrigues=(),
        first_reward=(),
        reveal_order=(),
        winners=(),
        turn=None,
        pending=(),
    )


def _imperium_deck(config: Config) -> Deck:
    """Some cards are added for the CHOAM module, promo cards if one wants them. UPR-CHOAM-004"""
    return _deck_of("cards", config.product, config.choam, config.promos)


def _intrigue_deck(config: Config) -> Deck:
    """Some cards are added for the CHOAM module. UPR-CHOAM-003"""
    return _deck_of("intrigue", config.product, config.choam, config.promos)


@functools.cache
def _deck_of(kind: str, product: str, choam: bool, promos: bool) -> Deck:
    """Every copy of every card of a kind that is used; made once, for it is always the same."""
    faces: dict[str, CardFace | IntrigueFace] = getattr(catalogue(product), kind)
    return shuffled(
        card.id
        for card in faces.values()
        if (choam or not card.choam) and (promos or not getattr(card, "promo", False))
        for _ in range(card.copies)
    )


def _set_aside(printed: Catalogue, leaders: Leaders) -> Cards:
    """The contracts that a Leader in the game keeps from being shuffled. UPR-ROUND-005"""
    return zone(
        contract
        for leader in filter(None, leaders)
        for contract in printed.leaders[leader].contracts
    )


def _contract_deck(printed: Catalogue, set_aside: Cards) -> Deck:
    """All other contracts, face down. UPR-CHOAM-002"""
    contracts = zone(face.id for face in printed.contracts.values() for _ in range(face.copies))
    for contract in set_aside:
        contracts = without_card(contracts, contract)
    return shuffled(contracts)


@functools.cache
def conflict_deck(product: str) -> Deck:
    """Level I over level II over level III; the rest of each level stays in the box unseen."""
    faces = catalogue(product).conflicts.values()
    by_level = {
        level: [face.id for face in faces if face.level == level] for level in CONFLICTS_BY_LEVEL
    }
    return tuple(
        Pool(min(CONFLICTS_BY_LEVEL[level], len(cards)), zone(cards))
        for level, cards in by_level.items()
        if cards
    )


def new_game(
    product: str,
    names: tuple[str, ...],
    rulings: Rulings,
    *,
    choam: bool = False,
    leaders: tuple[str, ...] | None = None,
    promos: bool = False,
) -> State:
    """A game about to be dealt: Objectives, the Imperium Row, contracts, then the first round."""
    check_players(len(names))
    state = starting_state(product, names, rulings, choam=choam, leaders=leaders, promos=promos)
    return push(state, *DEALING)


DEALING = (RoundStart(), FillContracts(), FillRow(), DealObjectives(0))
"""What is still to be done when nothing is dealt yet; the last one comes first."""


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
