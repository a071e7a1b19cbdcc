"""The position of a Dune: Imperium game: one immutable value."""

from __future__ import annotations

from typing import Annotated

from rules_engine.catalogue.faces import CardFace, ConflictFace, ContractFace, IntrigueFace
from rules_engine.effects.tree import Effect
from rules_engine.imperium.frames import AnyFrame
from rules_engine.kernel.decks import Cards, Deck
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.rulings import Rulings
from rules_engine.kernel.views import Seen
from rules_engine.rulebook.rulings import default


class Config(Record):
    """What is fixed before the game: the product, the number of players, the rulings followed.

    `choam`: the CHOAM module is used. `promos`: promo cards are in the Imperium Deck. `cards`,
    `conflicts` and `intrigues` are faces that exist in this game only.
    """

    product: str
    players: int
    rulings: Rulings = Rulings()
    cards: tuple[CardFace, ...] = ()
    conflicts: tuple[ConflictFace, ...] = ()
    choam: bool = False
    promos: bool = False
    intrigues: tuple[IntrigueFace, ...] = ()
    contracts: tuple[ContractFace, ...] = ()


class Track(Record):
    """A player's cube on a Faction's track."""

    faction: str
    influence: Quantity


class Won(Record):
    """A Conflict or Objective card in a player's supply."""

    card: str
    icon: str | None
    face_up: bool = True


class Player(Record):
    """Everything that belongs to one player.

    `leader` is None in a game without Leaders. `memories` are troops, `training` the space of the
    training track, both of Leaders that have such a thing. `contracts` are held, `completed` ones
    lie face down. `standing` are Intrigue cards that stay face up until the own Reveal turn ends,
    `set_aside` cards of the Row that only this player can acquire.
    """

    seat: Seat
    name: str
    solari: Quantity
    spice: Quantity
    water: Quantity
    victory_points: Quantity
    tracks: tuple[Track, ...]
    supply: Quantity
    garrison: Quantity
    troops: Quantity
    sandworms: Quantity
    strength: Quantity
    swords: Quantity
    persuasion: Quantity
    agents: Quantity
    spies: Quantity
    maker_hooks: bool
    high_council: bool
    swordmaster: bool
    revealed: bool
    leader: str | None
    memories: Quantity
    training: str | None
    contracts: Cards
    completed: Cards
    standing: Cards
    set_aside: Cards
    hand: Annotated[Cards, Seen.OWNER]
    deck: Annotated[Deck, Seen.DECK]
    discard: Cards
    in_play: Cards
    intrigues: Annotated[Cards, Seen.OWNER]
    won: tuple[Won, ...]


class AgentAt(Record):
    """An Agent on a board space."""

    space: str
    seat: Seat


class SpyAt(Record):
    """A Spy on an observation post."""

    post: str
    seat: Seat


class Maker(Record):
    """Bonus spice lying on a Maker space."""

    space: str
    bonus_spice: Quantity


class Control(Record):
    """Whose Control marker is on a location."""

    space: str
    holder: Seat | None


class Alliance(Record):
    """Who holds a Faction's Alliance token."""

    faction: str
    holder: Seat | None


class Stack(Record):
    """A stack of the Reserve."""

    card: str
    left: int


class Deed(Record):
    """What a card did this turn and to what: conditions of the same card ask for it."""

    kind: str
    source: str
    what: str


class ThisTurn(Record):
    """What rules and cards need to know about the turn in progress.

    `short`: troops that the supply lacked. `harvested`: bonus spice taken by this turn's Agent.
    `staying`: troops deployed this turn that are still in the Conflict; `summoned`: sandworms.
    `most_deployed`: the most units deployed this turn that were in the Conflict at one time.
    `deployable`: an effect lets recruits be deployed from any space. `forbidden`: no unit may enter
    the Conflict. `shown`: cards revealed. `sword_cards`: those of them that gave a sword. `held`:
    contracts held when the Agent was sent. `copy`: which of several equal cards in play the box
    effect resolved last is on.
    """

    seat: Seat
    kind: str = "undecided"
    space: str | None = None
    combat: bool = False
    recruited: Quantity = 0
    short: Quantity = 0
    deployed: Quantity = 0
    staying: Quantity = 0
    summoned: Quantity = 0
    most_deployed: Quantity = 0
    deployable: bool = False
    forbidden: bool = False
    recalled_spy: bool = False
    spice: Quantity = 0
    harvested: Quantity = 0
    acquired: Cards = ()
    shown: Cards = ()
    sword_cards: Cards = ()
    held: Cards = ()
    deeds: tuple[Deed, ...] = ()
    copy: int = 0


class State(Record):
    """The whole position. `pending` is the stack of what is still to be done, the top one last.

    `leader_contracts` are set aside for the Leader who may take them. `first_reward` is what cards
    have added to the first reward of this Conflict.
    """

    config: Config
    players: tuple[Player, ...]
    first_player: Seat
    round: int
    shield_wall: bool
    agents: tuple[AgentAt, ...]
    spies: tuple[SpyAt, ...]
    makers: tuple[Maker, ...]
    controls: tuple[Control, ...]
    alliances: tuple[Alliance, ...]
    conflict: str | None
    conflict_deck: Annotated[Deck, Seen.DECK]
    row: Cards
    imperium_deck: Annotated[Deck, Seen.DECK]
    reserve: tuple[Stack, ...]
    intrigue_deck: Annotated[Deck, Seen.DECK]
    intrigue_discard: Cards
    contract_row: Cards
    contract_deck: Annotated[Deck, Seen.DECK]
    leader_contracts: Cards
    objectives: Cards
    trashed: Cards
    trashed_intrigues: Cards
    first_reward: tuple[Effect, ...]
    reveal_order: tuple[Seat, ...]
    winners: tuple[Seat, ...]
    turn: ThisTurn | None
    pending: tuple[AnyFrame, ...]


def player(state: State, seat: Seat) -> Player:
    """The player of a seat."""
    return state.players[seat]


def with_player(state: State, changed: Player) -> State:
    """The state with one player's record replaced."""
    seat = changed.seat
    return change(state, players=(*state.players[:seat], changed, *state.players[seat + 1 :]))


def own_turn(state: State, seat: Seat) -> ThisTurn | None:
    """The turn in progress, if it is this player's."""
    turn = state.turn
    return turn if turn is not None and turn.seat == seat else None


def with_deed(state: State, seat: Seat, kind: str, source: str, what: str) -> State:
    """The state in which it is noted what a card did, in the turn of the player it did it for."""
    turn = own_turn(state, seat)
    if turn is None:
        return state
    return change(state, turn=change(turn, deeds=(*turn.deeds, Deed(kind, source, what))))


def clockwise(state: State, start: Seat) -> tuple[Seat, ...]:
    """All seats in turn order from one of them."""
    count = len(state.players)
    return tuple((start + step) % count for step in range(count))


def follows(state: State, name: str) -> str:
    """The reading of an open point that this game follows."""
    return state.config.rulings.value(name, default(name))
