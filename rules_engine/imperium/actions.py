"""What a player can do. Each field declares its domain, so that a law can try every value."""

from __future__ import annotations

import enum
from typing import Annotated

from rules_engine.kernel.game import Action, Answer
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat


class Domain(enum.Enum):
    """The kinds of thing that an action can name."""

    CARD = "card"
    INTRIGUE = "intrigue"
    SPACE = "space"
    POST = "post"
    FACTION = "faction"
    ZONE = "zone"
    CONTRACT = "contract"
    TRAINING = "training"
    WON = "won"
    FATE = "fate"


CardId = Annotated[str, Domain.CARD]
IntrigueId = Annotated[str, Domain.INTRIGUE]
SpaceId = Annotated[str, Domain.SPACE]
PostId = Annotated[str, Domain.POST]
FactionId = Annotated[str, Domain.FACTION]
ZoneId = Annotated[str, Domain.ZONE]
ContractId = Annotated[str, Domain.CONTRACT]
TrainingId = Annotated[str, Domain.TRAINING]
FateId = Annotated[str, Domain.FATE]
WonId = Annotated[str, Domain.WON]


class PlayAgent(Action, tag="play_agent"):
    """Play a card to send an Agent to a space, recalling a Spy to Infiltrate if one is named."""

    card: CardId
    space: SpaceId
    infiltrate: PostId | None = None


class Reveal(Action, tag="reveal"):
    """Take the Reveal turn."""


class Resolve(Action, tag="resolve"):
    """Resolve one of the effects that are due, by its place in the list."""

    index: int


class Choose(Action, tag="choose"):
    """Pick one of the options offered, by its place in the list."""

    option: int


class Accept(Action, tag="accept"):
    """Do what one may do."""


class Decline(Action, tag="decline"):
    """Leave what one may do."""


class Deploy(Action, tag="deploy"):
    """Move troops from the garrison to the Conflict."""

    troops: Quantity


class PickFaction(Action, tag="pick_faction"):
    """Pick the Faction whose track moves."""

    faction: FactionId


class PlaceSpy(Action, tag="place_spy"):
    """Put a Spy on a post."""

    post: PostId


class RecallSpy(Action, tag="recall_spy"):
    """Take a Spy back from a post."""

    post: PostId


class Trash(Action, tag="trash"):
    """Take a card of a zone out of the game."""

    card: CardId
    zone: ZoneId


class Discard(Action, tag="discard"):
    """Discard a card from the hand."""

    card: CardId


class GiveUpIntrigue(Action, tag="give_up_intrigue"):
    """Discard or trash a held Intrigue card, as the effect says."""

    card: IntrigueId


class SortCard(Action, tag="sort_card"):
    """Say what becomes of a card that was looked at: it is drawn, discarded or trashed."""

    card: CardId
    fate: FateId


class TakeFromRow(Action, tag="take_from_row"):
    """Set a card of the Imperium Row aside."""

    card: CardId


class Retreat(Action, tag="retreat"):
    """Move troops from the Conflict back to the garrison."""

    troops: Quantity


class RecallAgent(Action, tag="recall_agent"):
    """Take an own Agent back from a space."""

    space: SpaceId


class TakeContract(Action, tag="take_contract"):
    """Take a contract."""

    contract: ContractId


class Train(Action, tag="train"):
    """Move the Leader's token to a space of the training track."""

    space: TrainingId


class Flip(Action, tag="flip"):
    """Turn down a won Conflict card or an Objective."""

    card: WonId


class Acquire(Action, tag="acquire"):
    """Buy a card of the Imperium Row or the Reserve."""

    card: CardId


class PlayIntrigue(Action, tag="play_intrigue"):
    """Play an Intrigue card in one of its ways."""

    card: IntrigueId
    way: int


class GiveAlliance(Action, tag="give_alliance"):
    """Say which of the tied players takes the Alliance token."""

    to: Seat


class Pass(Action, tag="pass"):
    """Do nothing with one's chance."""


class EndTurn(Action, tag="end_turn"):
    """End the turn, or leave the optional rest of a group of effects."""


AnyInput = (
    PlayAgent
    | Reveal
    | Resolve
    | Choose
    | Accept
    | Decline
    | Deploy
    | PickFaction
    | PlaceSpy
    | RecallSpy
    | Trash
    | Discard
    | GiveUpIntrigue
    | SortCard
    | TakeFromRow
    | Retreat
    | RecallAgent
    | TakeContract
    | Train
    | Flip
    | Acquire
    | PlayIntrigue
    | GiveAlliance
    | Pass
    | EndTurn
    | Answer
)
