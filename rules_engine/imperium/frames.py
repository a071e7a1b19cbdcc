"""What can be pending: the round's phases, turns, choices and chance requests, as plain records."""

from __future__ import annotations

from rules_engine.effects.tree import Effect, PaidOption
from rules_engine.kernel.game import Frame
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record


class Item(Record):
    """An effect that is due, and the card, space or track that it comes from.

    `boxed`: it is in the box of a card in play, and may be lost with the card.
    """

    effect: Effect
    source: str
    boxed: bool = False


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
    """The rest of an Agent turn: effects, deployment, Plot cards, its end."""

    seat: Seat
    items: tuple[Item, ...]


class RevealTurn(Frame, tag="reveal_turn"):
    """The rest of a Reveal turn: effects, acquiring, Plot cards, its end."""

    seat: Seat
    items: tuple[Item, ...]


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
    """The owner picks the Faction with which Influence is gained or lost."""

    seat: Seat
    amount: Quantity
    gain: bool


class SpyPlacement(Frame, tag="spy_placement"):
    """A Spy is to be placed; `recalled` if one was just taken back for it."""

    seat: Seat
    recalled: bool = False


class PickTrash(Frame, tag="pick_trash"):
    """A card is to be trashed."""

    seat: Seat


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


class EndCombat(Frame, tag="end_combat"):
    """Units leave the Conflict and markers go back."""


class Makers(Frame, tag="makers"):
    """Phase 4."""


class Recall(Frame, tag="recall"):
    """Phase 5."""


class EndgameIntrigues(Frame, tag="endgame_intrigues"):
    """Each player in turn may play Endgame Intrigue cards."""

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
    | SpyPlacement
    | PickTrash
    | AllianceTie
    | DrawFromDeck
    | DrawFromIntrigue
    | IntriguePlayed
    | Combat
    | CombatIntrigues
    | ResolveCombat
    | GiveRewards
    | TakeConflictCard
    | EndCombat
    | Makers
    | Recall
    | EndgameIntrigues
    | FinalScore
)
