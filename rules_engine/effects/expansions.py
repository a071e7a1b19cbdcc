"""Nodes without others inside them that Uprising's own faces do not print, by the product that
brings them first. They are part of the closed tree: `tree` has them all.
"""

from __future__ import annotations

from rules_engine.effects.nodes import Counted, Node, Test
from rules_engine.kernel.numbers import Quantity

# The base game


class AcquireNamed(Node, tag="acquire_named"):
    """Acquire a certain card of the Reserve without paying for it."""

    card: str


class PutAcquired(Node, tag="put_acquired"):
    """The card just acquired goes there instead."""

    to: str


class ReturnCard(Node, tag="return_card"):
    """Take one own card back to the hand.

    `faction`: it has to belong to it. `zone`: it has to lie there. `other`: not the card itself.
    """

    faction: str | None
    zone: str
    other: bool = False


class LookAtDeck(Node, tag="look_at_deck"):
    """Look at the top card of one's own deck."""


class LoseUnits(Node, tag="lose_units"):
    """Move own units back to the supply: from the zone, or from garrison and Conflict alike."""

    amount: Quantity
    unit: str = "troop"
    zone: str | None = None


class Discount(Node, tag="discount"):
    """Pay so much less for a card, a board space, or the spaces with an icon."""

    what: str
    amount: Quantity


class EnterOccupied(Node, tag="enter_occupied"):
    """Agents of opponents do not block the owner's Agents, this turn, on any space.

    `on`: only on spaces with one of these icons.
    """

    on: tuple[str, ...] = ()


class ChangeTurn(Node, tag="change_turn"):
    """Do nothing more this turn (`pass`), or take another turn right after it (`again`)."""

    to: str


class TakeToken(Node, tag="take_token"):
    """Take a token or piece of which there is one; the words for it are in the grammar's TOKEN."""

    token: str


class Tracks(Counted, tag="tracks"):
    """Influence tracks on which the owner has at least, or at most, so much Influence."""

    least: Quantity = 0
    most: Quantity | None = None


class CardsOwned(Counted, tag="cards_owned"):
    """The owner's copies of a card, wherever they are."""

    card: str


# Rise of Ix


class Advance(Node, tag="advance"):
    """Go so many steps on a track; each is that track's own.

    `shipping`: move the freighter on, or bring it back for its rewards. `tleilaxu`, `research`:
    move on along the tracks of Immortality.
    """

    track: str
    amount: Quantity


class AcquireTech(Node, tag="acquire_tech"):
    """Acquire a tech tile for so much less; `with_solari`: it may be paid in Solari."""

    discount: Quantity
    with_solari: bool = False


class Negotiate(Node, tag="negotiate"):
    """Put so many troops of the supply among the negotiators."""

    amount: Quantity


class FlipSelf(Node, tag="flip_self"):
    """Turn the tile that says so down; it is turned up again in the next round."""


class KeepIntrigue(Node, tag="keep_intrigue"):
    """Look at so many Intrigue cards of the deck's top, keep one, put the others back on top."""

    of: Quantity


class BuryIntrigue(Node, tag="bury_intrigue"):
    """Put so many held Intrigue cards under the Intrigue Deck; without `amount`, any number."""

    amount: Quantity | None


class PlaceSnoopers(Node, tag="place_snoopers"):
    """Put one of the Leader's snoopers on every track, at so much Influence."""

    influence: Quantity


class TakeSnooper(Node, tag="take_snooper"):
    """Move the snooper just reached to the Leader's topmost free slot and take what it shows."""


class TrackBonus(Node, tag="track_bonus"):
    """Take what the track of the snooper just reached gives at four Influence."""


class AgentsOn(Counted, tag="agents_on"):
    """Own Agents on spaces with one of these icons."""

    icons: tuple[str, ...]


# Immortality


class AllowDeployment(Node, tag="allow_deployment"):
    """Units may be deployed this turn as from a Combat space, whatever space was visited."""


class Grafted(Test, tag="grafted"):
    """The card that asks is grafted; with `factions`, to a card of one of them."""

    factions: tuple[str, ...] = ()


# Rivals and the six-player game


class RevealNext(Node, tag="reveal_next"):
    """Reveal one more card of the House Hagal deck."""


class ReplaceTleilaxu(Node, tag="replace_tleilaxu"):
    """Remove the leftmost or rightmost card of the Tleilaxu Row and put a new one there."""

    place: str


class Trade(Node, tag="trade"):
    """With one of the team, give and get any amount of one thing each."""


class Reinforce(Node, tag="reinforce"):
    """Recruit so many troops, split between the team's Allies; each may be deployed."""

    amount: Quantity


LaterCondition = Grafted

LaterCount = Tracks | CardsOwned | AgentsOn

LaterEffect = (
    AcquireNamed
    | PutAcquired
    | ReturnCard
    | LookAtDeck
    | LoseUnits
    | Discount
    | EnterOccupied
    | ChangeTurn
    | TakeToken
    | Advance
    | AcquireTech
    | Negotiate
    | FlipSelf
    | KeepIntrigue
    | BuryIntrigue
    | PlaceSnoopers
    | TakeSnooper
    | TrackBonus
    | AllowDeployment
    | RevealNext
    | ReplaceTleilaxu
    | Trade
    | Reinforce
)
