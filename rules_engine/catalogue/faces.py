"""What is printed on cards, board spaces, posts, tracks and tiles."""

from __future__ import annotations

from rules_engine.effects.tree import Condition, Effect, Pay
from rules_engine.kernel.records import Record


class CardFace(Record):
    """A card that is played on Agent turns and revealed.

    `ignores_influence`: played for an Agent turn, the space may ask for Influence one does not
    have. `choam`: only with the CHOAM module. `promo`: only if the game is told to use it.
    """

    id: str
    name: str
    agent_icons: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    cost: int | None = None
    agent: tuple[Effect, ...] = ()
    reveal: tuple[Effect, ...] = ()
    acquire: tuple[Effect, ...] = ()
    when_trashed: tuple[Effect, ...] = ()
    when_discarded: tuple[Effect, ...] = ()
    ignores_influence: bool = False
    starting: int = 0
    reserve: int = 0
    copies: int = 0
    choam: bool = False
    promo: bool = False


class Way(Record):
    """One way to play an Intrigue card; `lines` may each be used on their own."""

    timing: str
    effects: tuple[Effect, ...] = ()
    lines: tuple[Effect, ...] = ()


class IntrigueFace(Record):
    """An Intrigue card."""

    id: str
    name: str
    copies: int
    ways: tuple[Way, ...]
    choam: bool = False


class SpaceFace(Record):
    """A board space.

    `reveal` applies on the Reveal turn of a player whose Agent is there. `later_cost` replaces
    `cost` once any player has what the space gives.
    """

    id: str
    name: str
    icon: str
    rules: tuple[str, ...]
    effects: tuple[Effect, ...]
    combat: bool = False
    maker: bool = False
    control_bonus: tuple[Effect, ...] = ()
    control_rules: tuple[str, ...] = ()
    requirement: Condition | None = None
    cost: Pay | None = None
    later_cost: Pay | None = None
    reveal: tuple[Effect, ...] = ()


class PostFace(Record):
    """An observation post and the spaces it is linked to."""

    id: str
    name: str
    spaces: tuple[str, ...]


class TrackFace(Record):
    """A Faction's Influence track."""

    faction: str
    name: str
    at_four: tuple[Effect, ...]


class ConflictFace(Record):
    """A Conflict card."""

    id: str
    name: str
    first: tuple[Effect, ...]
    second: tuple[Effect, ...]
    third: tuple[Effect, ...]
    level: int = 0
    icon: str | None = None
    location: str | None = None


class ObjectiveFace(Record):
    """An Objective card."""

    id: str
    name: str
    icon: str
    players: tuple[int, ...]
    first_player: bool = False


class Ability(Record):
    """A Leader's own ability and when it applies.

    `when`: `reveal_turn`, `reaches_two` (Influence with `faction`), `sends_agent` (to a space with
    one of `icons`), `opponent_harvests` (an Agent of another player comes to a Maker space that the
    owner spies on) or `always` (the rules ask for it by what else the face says).
    """

    name: str
    when: str
    effects: tuple[Effect, ...] = ()
    faction: str | None = None
    icons: tuple[str, ...] = ()


class TrainingSpace(Record):
    """A space of a Leader's training track, and the spaces that come after it."""

    id: str
    name: str
    reward: tuple[Effect, ...]
    next: tuple[str, ...]


class LeaderFace(Record):
    """A Leader, or the other side of one.

    `on_signet` applies at once when the Signet Ring is played for an Agent turn. `without`: cards
    that the starting deck lacks. `contracts`: set aside for this Leader alone. `turns_into`: the
    other side. `back`: it is one, and nobody starts with it.
    """

    id: str
    name: str
    ability: Ability
    signet_name: str
    signet: tuple[Effect, ...]
    on_signet: tuple[Effect, ...] = ()
    training: tuple[TrainingSpace, ...] = ()
    without: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    turns_into: str | None = None
    back: bool = False
    choam: bool = False
    rules: tuple[str, ...] = ()


class ContractFace(Record):
    """A CHOAM contract: what completes it, and its reward.

    `completed_by`: `visit` (an Agent sent to `target`), `harvest` (so much spice on a Maker space),
    `acquire` (the card `target`) or `taking` (it is complete when taken).
    """

    id: str
    name: str
    copies: int
    completed_by: str
    reward: tuple[Effect, ...]
    target: str | None = None
    amount: int = 0


class Catalogue(Record):
    """Everything printed for one product, by id."""

    product: str
    cards: dict[str, CardFace]
    intrigue: dict[str, IntrigueFace]
    spaces: dict[str, SpaceFace]
    posts: dict[str, PostFace]
    tracks: dict[str, TrackFace]
    conflicts: dict[str, ConflictFace]
    objectives: dict[str, ObjectiveFace]
    leaders: dict[str, LeaderFace]
    contracts: dict[str, ContractFace]
