"""What can be pending: the round's phases, turns, choices and chance requests, as plain records."""

from __future__ import annotations

from typing import Annotated

from rules_engine.effects.tree import AcquireCard, Effect, PaidOption
from rules_engine.kernel.decks import Cards
from rules_engine.kernel.game import Frame
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record
from rules_engine.kernel.views import Seen


class Item(Record):
    """An effect that is due, and the card, space or track that it comes from.

    `boxed`: it is in the box of a card in play, and may be lost with the card. `copy` tells equal
    cards apart.
    """

    effect: Effect
    source: str
    boxed: bool = False
    copy: int = 0


# Setup and the round


class DealObjectives(Frame, tag="deal_objectives"):
    """Chance: each seat in turn is dealt an Objective."""

    seat: Seat


class FillRow(Frame, tag="fill_row"):
    """Chance: the Imperium Row is filled up to five cards."""


class RoundStart(Frame, tag="round_start"):
    """Phase 1."""


class RevealConflict(Frame, tag="reveal_conflict"):
    """Chance: the top Conflict card is turned up."""


class Defend(Frame, tag="defend"):
    """The controller of the contested location may send a troop from supply."""

    seat: Seat


class DrawHands(Frame, tag="draw_hands"):
    """Every player draws a new hand."""


class PlayerTurns(Frame, tag="player_turns"):
    """Phase 2: whose turn comes next."""

    next: Seat


class Turn(Frame, tag="turn"):
    """A player decides what kind of turn to take."""

    seat: Seat


class PickCost(Frame, tag="pick_cost"):
    """The visitor picks which cost of the space to pay."""

    seat: Seat
    options: tuple[PaidOption, ...]
    items: tuple[Item, ...]
    space: str


class Placed(Frame, tag="placed"):
    """An Agent was sent: the controller's bonus, then Gather Intelligence, then the effects."""

    seat: Seat
    space: str
    items: tuple[Item, ...]


class GatherIntelligence(Frame, tag="gather_intelligence"):
    """A linked Spy may be recalled for a card."""

    seat: Seat
    space: str


class AgentTurn(Frame, tag="agent_turn"):
    """The rest of an Agent turn: effects, deployment, Plot cards, its end.

    `begun`: the box whose effects come first, under the ruling that says so.
    """

    seat: Seat
    items: tuple[Item, ...]
    begun: tuple[str, int] | None = None


class RevealTurn(Frame, tag="reveal_turn"):
    """The rest of a Reveal turn: effects, acquiring, Plot cards, its end.

    `begun`: the box whose effects come first, under the ruling that says so.
    """

    seat: Seat
    items: tuple[Item, ...]
    begun: tuple[str, int] | None = None


# Effects and choices


class Effects(Frame, tag="effects"):
    """A group of effects whose owner picks the order.

    `committed`: arrows have to be paid. `lines`: each is optional, but one has to be used.
    """

    seat: Seat
    items: tuple[Item, ...]
    committed: bool = False
    lines: bool = False
    used: bool = False


GROUPS = (PickCost, Placed, AgentTurn, RevealTurn, Effects)
"""The frames that hold effects which are due."""


class Run(Frame, tag="run"):
    """An effect that happens now."""

    seat: Seat
    item: Item


class Decide(Frame, tag="decide"):
    """An effect that its owner may decline."""

    seat: Seat
    item: Item


class ChooseOption(Frame, tag="choose_option"):
    """One of several effects has to be picked."""

    seat: Seat
    options: tuple[Effect, ...]
    source: str


class PickTrack(Frame, tag="pick_track"):
    """The owner picks the Faction with which Influence is gained or lost, none of the `barred`."""

    seat: Seat
    amount: Quantity
    gain: bool
    barred: tuple[str, ...] = ()


class PickSeveral(Frame, tag="pick_several"):
    """Several different options have to be picked, all of them before the first is resolved."""

    seat: Seat
    options: tuple[Effect, ...]
    picks: int
    source: str
    picked: tuple[int, ...] = ()


class SpyPlacement(Frame, tag="spy_placement"):
    """A Spy is to be placed; `recalled` if one was just taken back for it.

    `on` and `sharing` as the effect says; `source` is the card that says it.
    """

    seat: Seat
    recalled: bool = False
    on: tuple[str, ...] = ()
    sharing: bool = False
    source: str = ""


class PickSpies(Frame, tag="pick_spies"):
    """So many own Spies are to be recalled."""

    seat: Seat
    count: Quantity


class PickTrash(Frame, tag="pick_trash"):
    """A card is to be trashed, one of those that the effect allows."""

    seat: Seat
    faction: str | None = None
    zone: str | None = None
    other: bool = False
    source: str = ""


class PickCopy(Frame, tag="pick_copy"):
    """One of several equal cards in play was trashed: which one, by the effects lost with it.

    `copies` are the numbers of the cards that the options stand for.
    """

    seat: Seat
    card: str
    options: tuple[Effect, ...]
    copies: tuple[int, ...]


class PickDiscard(Frame, tag="pick_discard"):
    """So many cards are to be discarded from the hand."""

    seat: Seat
    count: Quantity
    source: str


class PickIntrigue(Frame, tag="pick_intrigue"):
    """So many held Intrigue cards are to be given up: discarded, or trashed."""

    seat: Seat
    count: Quantity
    trash: bool = False


class Steal(Frame, tag="steal"):
    """Chance: which Intrigue card is taken from an opponent."""

    seat: Seat
    victim: Seat


class PickCard(Frame, tag="pick_card"):
    """A card is to be acquired by an effect."""

    seat: Seat
    effect: AcquireCard
    source: str


class PickPlace(Frame, tag="pick_place"):
    """Equal cards are in the Row and set aside: which of the two is acquired.

    `to`: where it goes. `bought`: it is still to be paid with Persuasion.
    """

    seat: Seat
    card: str
    to: str
    bought: bool


class PickFromRow(Frame, tag="pick_from_row"):
    """A card of the Row is to be set aside."""

    seat: Seat


class LookAtTop(Frame, tag="look_at_top"):
    """Chance: so many more cards from the top of the own deck are looked at."""

    seat: Seat
    count: Quantity
    seen: Annotated[Cards, Seen.OWNER] = ()


class SortCards(Frame, tag="sort_cards"):
    """The cards looked at are to be dealt out: one drawn, one discarded, one trashed.

    `left` are the fates not yet given. `then` is what those dealt out say, which comes afterwards.
    """

    seat: Seat
    seen: Annotated[Cards, Seen.OWNER]
    left: tuple[str, ...]
    then: tuple[Item, ...] = ()


class PickRetreat(Frame, tag="pick_retreat"):
    """How many troops retreat."""

    seat: Seat
    least: Quantity
    most: Quantity


class PickDeploy(Frame, tag="pick_deploy"):
    """How many troops an effect brings from the garrison into the Conflict."""

    seat: Seat
    most: Quantity


class PickAgent(Frame, tag="pick_agent"):
    """So many own Agents are to be recalled."""

    seat: Seat
    count: Quantity


class PickContract(Frame, tag="pick_contract"):
    """A contract is to be taken."""

    seat: Seat


class FillContracts(Frame, tag="fill_contracts"):
    """Chance: the face-up contracts are filled up to two."""


class PickTraining(Frame, tag="pick_training"):
    """The Leader's token goes on along a path of choice."""

    seat: Seat


class PickFlip(Frame, tag="pick_flip"):
    """A face-up card with this battle icon, or a wild one, is to be turned down."""

    seat: Seat
    icon: str


class AllianceTie(Frame, tag="alliance_tie"):
    """The old holder says which of the tied players takes the token."""

    seat: Seat
    faction: str
    tied: tuple[Seat, ...]


class DrawFromDeck(Frame, tag="draw_from_deck"):
    """Chance: so many cards are drawn from the own deck."""

    seat: Seat
    count: Quantity


class DrawFromIntrigue(Frame, tag="draw_from_intrigue"):
    """Chance: so many Intrigue cards are drawn."""

    seat: Seat
    count: Quantity


class IntriguePlayed(Frame, tag="intrigue_played"):
    """An Intrigue card that is discarded when its effects are resolved."""

    seat: Seat
    card: str


# Combat and the end of the round


class Combat(Frame, tag="combat"):
    """Phase 3."""


class CombatIntrigues(Frame, tag="combat_intrigues"):
    """A player with units may play Combat Intrigue cards or pass; `passed` did so in a row.

    Who has played on this chance may play more or end it, which is not a pass.
    """

    seat: Seat
    passed: tuple[Seat, ...] = ()
    played: bool = False


class ResolveCombat(Frame, tag="resolve_combat"):
    """The strengths are ranked."""


class Taking(Record):
    """A player and the reward that this player takes."""

    seat: Seat
    reward: str


class GiveRewards(Frame, tag="give_rewards"):
    """The rewards are taken one player after the other."""

    takings: tuple[Taking, ...]


class TakeConflictCard(Frame, tag="take_conflict_card"):
    """The winner takes the Conflict card and looks for a battle icon match."""

    seat: Seat


class WinIntrigues(Frame, tag="win_intrigues"):
    """The winner may play Intrigue cards that act on winning."""

    seat: Seat


class EndCombat(Frame, tag="end_combat"):
    """Units leave the Conflict and markers go back."""


class Makers(Frame, tag="makers"):
    """Phase 4."""


class Recall(Frame, tag="recall"):
    """Phase 5."""


class EndgameIntrigues(Frame, tag="endgame_intrigues"):
    """Each player in turn may play Endgame Intrigue cards and match a wild battle icon."""

    seat: Seat


class FinalScore(Frame, tag="final_score"):
    """The winner is found."""


AnyFrame = (
    DealObjectives
    | FillRow
    | RoundStart
    | RevealConflict
    | Defend
    | DrawHands
    | PlayerTurns
    | Turn
    | PickCost
    | Placed
    | GatherIntelligence
    | AgentTurn
    | RevealTurn
    | Effects
    | Run
    | Decide
    | ChooseOption
    | PickTrack
    | PickSeveral
    | SpyPlacement
    | PickSpies
    | PickTrash
    | PickCopy
    | PickDiscard
    | PickIntrigue
    | Steal
    | PickCard
    | PickPlace
    | PickFromRow
    | LookAtTop
    | SortCards
    | PickRetreat
    | PickDeploy
    | PickAgent
    | PickContract
    | FillContracts
    | PickTraining
    | PickFlip
    | AllianceTie
    | DrawFromDeck
    | DrawFromIntrigue
    | IntriguePlayed
    | Combat
    | CombatIntrigues
    | ResolveCombat
    | GiveRewards
    | TakeConflictCard
    | WinIntrigues
    | EndCombat
    | Makers
    | Recall
    | EndgameIntrigues
    | FinalScore
)
