"""What is printed on cards, board spaces, posts, tracks and tiles."""

from __future__ import annotations

from rules_engine.effects.tree import Condition, Effect, Pay
from rules_engine.kernel.records import Record


class CardFace(Record):
    """A card that is played on Agent turns and revealed."""

    id: str
    name: str
    agent_icons: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    cost: int | None = None
    agent: tuple[Effect, ...] = ()
    reveal: tuple[Effect, ...] = ()
    acquire: tuple[Effect, ...] = ()
    starting: int = 0
    reserve: int = 0
    copies: int = 0


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


class SpaceFace(Record):
    """A board space."""

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
