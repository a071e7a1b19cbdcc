"""The position of a Dune: Imperium game: one immutable value."""

from __future__ import annotations

from typing import Annotated

from rules_engine.catalogue.faces import CardFace, ConflictFace
from rules_engine.imperium.frames import AnyFrame
from rules_engine.kernel.decks import Cards, Deck
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.rulings import Rulings
from rules_engine.kernel.views import Seen
from rules_engine.rulebook.rulings import ruling


class Config(Record):
    """What is fixed before the game: the product, the number of players, the rulings followed.

    `cards` and `conflicts` are faces that exist in this game only.
    """

    product: str
    players: int
    rulings: Rulings = Rulings()
    cards: tuple[CardFace, ...] = ()
    conflicts: tuple[ConflictFace, ...] = ()


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
    """Everything that belongs to one player."""

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
    revealed: bool
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


class ThisTurn(Record):
    """What rules and cards need to know about the turn in progress."""

    seat: Seat
    kind: str = "undecided"
    space: str | None = None
    combat: bool = False
    recruited: Quantity = 0
    deployed: Quantity = 0
    recalled_spy: bool = False


class State(Record):
    """The whole position. `pending` is the stack of what is still to be done, the top one last."""

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
    objectives: Cards
    trashed: Cards
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


def clockwise(state: State, start: Seat) -> tuple[Seat, ...]:
    """All seats in turn order from one of them."""
    count = len(state.players)
    return tuple((start + step) % count for step in range(count))


def follows(state: State, name: str) -> str:
    """The reading of an open point that this game follows."""
    return state.config.rulings.value(name, ruling(name).default)
