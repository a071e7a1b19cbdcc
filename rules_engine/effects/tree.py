"""The closed tree of effects: what cards, board spaces, rewards and tracks can say.

Nodes are plain records. What a node means is said once per game, in that game's table of effects;
its sentence is in `text`, its notation in `grammar.lark`. Here are the kinds that Uprising prints
and those with effects inside; the others are in `expansions`, and `products` says whose they are.
"""

from __future__ import annotations

from rules_engine.effects.expansions import *  # noqa: F403 - the tree has all kinds
from rules_engine.effects.expansions import LaterCondition, LaterCount, LaterEffect
from rules_engine.effects.nodes import Counted, Node, Test
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.records import Record

ANY_FACTION = "any"
"""The owner picks the Faction."""

SPIED_ON = "spied_on"
"""Every Faction that the owner spies on."""

VISITED = "visited_space"
"""The space to which this turn's Agent was sent."""


# Resources, points and strength


class Gain(Node, tag="gain"):
    """Take resources, Persuasion or Victory Points."""

    amount: Quantity
    what: str


class Pay(Node, tag="pay"):
    """Give resources back to the bank."""

    amount: Quantity
    what: str


class Swords(Node, tag="swords"):
    """Add swords to one's strength."""

    amount: Quantity


class GainBonusSpice(Node, tag="gain_bonus_spice"):
    """Take all bonus spice from the space just visited."""


class DoubleBonusSpice(Node, tag="double_bonus_spice"):
    """Take as much again as the bonus spice that this turn's Agent harvested."""


# Units


class Recruit(Node, tag="recruit"):
    """Move troops, or other units, from the supply to the garrison."""

    amount: Quantity
    unit: str = "troop"


class Summon(Node, tag="summon"):
    """Put sandworms into the Conflict."""

    amount: Quantity


class DeployTroops(Node, tag="deploy_troops"):
    """Move up to so many troops from the garrison to the Conflict, outside the usual limit.

    `unit`: other units, too. `zone`: from there instead of the garrison.
    """

    most: Quantity
    unit: str = "troop"
    zone: str = "garrison"


class DeployRecruits(Node, tag="deploy_recruits"):
    """Allow the troops recruited this turn to be deployed, whatever space was visited."""


class Retreat(Node, tag="retreat"):
    """Move troops from the Conflict to the garrison: at least and at most so many.

    Without `most`, any number. `unit`: other units, too.
    """

    least: Quantity
    most: Quantity | None
    unit: str = "troop"


class ForbidDeployment(Node, tag="forbid_deployment"):
    """No unit of the owner may enter the Conflict for the rest of the turn."""


# Cards


class DrawCards(Node, tag="draw_cards"):
    """Draw from one's own deck."""

    amount: Quantity


class DrawIntrigue(Node, tag="draw_intrigue"):
    """Draw from the Intrigue Deck."""

    amount: Quantity


class DiscardCards(Node, tag="discard_cards"):
    """Discard from the hand."""

    amount: Quantity


class DiscardIntrigue(Node, tag="discard_intrigue"):
    """Discard Intrigue cards that one holds."""

    amount: Quantity


class TrashIntrigue(Node, tag="trash_intrigue"):
    """Trash an Intrigue card that one holds."""


class StealIntrigue(Node, tag="steal_intrigue"):
    """Take a random Intrigue card from every opponent who holds at least so many."""

    least: Quantity


class TrashCard(Node, tag="trash_card"):
    """Take one own card out of the game.

    `faction`: it has to belong to it. `zone`: it has to lie there. `other`: not the card itself.
    """

    faction: str | None = None
    zone: str | None = None
    other: bool = False


class TrashSelf(Node, tag="trash_self"):
    """Take the card that says so out of the game."""


class ReturnSelf(Node, tag="return_self"):
    """Take the card that says so from play back to the hand."""


class AcquireCard(Node, tag="acquire_card"):
    """Acquire a card of the Row or the Reserve without paying Persuasion.

    `cheapest` and `dearest` bound its cost. `to`: where it goes. `row`: only from the Row.
    `with_solari`: its cost is paid in Solari.
    """

    cheapest: Quantity = 0
    dearest: Quantity | None = None
    to: str = "discard"
    row: bool = False
    with_solari: bool = False


class SortTopCards(Node, tag="sort_top_cards"):
    """Look at the top three cards of one's deck: draw one, discard one, trash one."""


class TakeFromRow(Node, tag="take_from_row"):
    """Set a card of the Row aside, to be acquired for less on the own Reveal turn."""

    discount: Quantity


class WhenAcquiring(Node, tag="when_acquiring"):
    """For every card acquired on the own Reveal turn of this round, an effect."""

    effect: Effect


# Influence, Spies and Agents


class GainInfluence(Node, tag="gain_influence"):
    """Move up on a Faction's track."""

    amount: Quantity
    faction: str


class LoseInfluence(Node, tag="lose_influence"):
    """Move down on a Faction's track."""

    amount: Quantity
    faction: str


class VisitInfluence(Node, tag="visit_influence"):
    """The Influence for visiting this turn's space is so much in all, instead of 1."""

    amount: Quantity


class PlaceSpy(Node, tag="place_spy"):
    """Put a Spy on an observation post.

    `on`: the icons of spaces to one of which the post is linked, or the space just visited.
    `sharing`: another player's Spy may be there.
    """

    on: tuple[str, ...] = ()
    sharing: bool = False


class RecallSpies(Node, tag="recall_spies"):
    """Take so many own Spies back from their posts."""

    amount: Quantity


class RecallAgents(Node, tag="recall_agents"):
    """Take so many own Agents back, but not the one sent this turn."""

    amount: Quantity


# Tokens, seats and contracts


class TakeControl(Node, tag="take_control"):
    """Put a Control marker on a location."""

    space: str


class TakeMakerHooks(Node, tag="take_maker_hooks"):
    """Take a Maker Hooks token."""


class RemoveShieldWall(Node, tag="remove_shield_wall"):
    """Take the Shield Wall token off the board."""


class TakeSeat(Node, tag="take_seat"):
    """Take a seat on the High Council."""


class TakeSwordmaster(Node, tag="take_swordmaster"):
    """Take the third Agent."""


class TakeContract(Node, tag="take_contract"):
    """Take a CHOAM contract."""


class CompleteContract(Node, tag="complete_contract"):
    """Complete a contract that one holds."""

    contract: str


class FlipIcon(Node, tag="flip_icon"):
    """Turn down one of one's face-up cards with this battle icon or a wild one."""

    icon: str


class AddFirstReward(Node, tag="add_first_reward"):
    """The first reward of this Conflict gives something more."""

    effect: Effect


# Leaders


class UseSignet(Node, tag="use_signet"):
    """Use the Leader's Signet Ring ability."""


class Train(Node, tag="train"):
    """Move the Leader's token one space along the training track and take what it shows."""


class Memorise(Node, tag="memorise"):
    """Move a troop from the supply to the Leader's memories."""


class FlipLeader(Node, tag="flip_leader"):
    """Return all memories to the supply, draw a card for each, and turn the Leader over."""


class RepeatSpace(Node, tag="repeat_space"):
    """Resolve once more what is printed on the space just visited."""


# Structure


class May(Node, tag="may"):
    """An effect that its owner may decline."""

    effect: Effect


class If(Node, tag="if"):
    """An effect that applies only under a condition, tested when it is resolved."""

    condition: Condition
    effect: Effect
    otherwise: Effect | None = None


class Per(Node, tag="per"):
    """An effect that happens as often as there are such things."""

    count: Count
    effect: Effect


class Choose(Node, tag="choose"):
    """Exactly so many different ones of several effects, as the owner picks."""

    options: tuple[Effect, ...]
    picks: int = 1


class All(Node, tag="all"):
    """Several effects that are one: resolved together, in this order."""

    effects: tuple[Effect, ...]


class Arrow(Node, tag="arrow"):
    """A cost that may be paid, all of it, for an effect."""

    cost: Effect
    effect: Effect


class EachOpponent(Node, tag="each_opponent"):
    """An effect that every opponent carries out, clockwise."""

    effect: Effect


class For(Node, tag="for"):
    """An effect that someone else carries out; the words for whom are in the grammar's WHO."""

    who: str
    effect: Effect


class When(Node, tag="when"):
    """An effect that waits for something to happen; the words for it are in the grammar's TRIGGER.

    On a played card it waits for the next time, on a Leader or tile it applies every time.
    """

    trigger: str
    effect: Effect


class PaidOption(Record):
    """A cost and what it buys."""

    cost: Pay
    effect: Effect


class AtPlacement(Node, tag="at_placement"):
    """Costs of which one is picked and paid when the Agent is sent."""

    options: tuple[PaidOption, ...]


# Conditions


class InfluenceAtLeast(Test, tag="influence_at_least"):
    """So much Influence with a Faction."""

    faction: str
    amount: Quantity


class HoldsAlliance(Test, tag="holds_alliance"):
    """The owner holds the Alliance of a Faction, or of any."""

    faction: str


class BesideAlliance(Test, tag="beside_alliance"):
    """So much Influence with a Faction whose Alliance an opponent holds."""

    amount: Quantity


class AtLeast(Test, tag="at_least"):
    """There are at least so many of something; the words for it are in the grammar's MEASURE."""

    measure: str
    amount: Quantity


class Is(Test, tag="is"):
    """Something is so; the words for it are in the grammar's FLAG."""

    flag: str


class AnotherInPlay(Test, tag="another_in_play"):
    """Another card of a Faction, not the one that asks, is in play."""

    faction: str


class Discarded(Test, tag="discarded"):
    """A card of a Faction was discarded for the card that asks, this turn."""

    faction: str


class Trashed(Test, tag="trashed"):
    """A card with at least this cost was trashed for the card that asks, this turn."""

    cost: Quantity


class PlacedOn(Test, tag="placed_on"):
    """The card that asks placed a Spy, this turn, on a post linked to such a space."""

    kind: str


class Owns(Test, tag="owns"):
    """The owner has so many copies of a card, wherever they are."""

    card: str
    amount: Quantity


class Acquired(Test, tag="acquired"):
    """The owner acquired a card this turn."""

    card: str


class Not(Test, tag="not"):
    """A condition that does not hold."""

    condition: Condition


class Both(Test, tag="both"):
    """Two conditions that hold together."""

    one: Condition
    other: Condition


class SomeOf(Test, tag="some_of"):
    """At least so many of several conditions hold."""

    amount: int
    conditions: tuple[Condition, ...]


class CountAtLeast(Test, tag="count_at_least"):
    """There are at least so many of what can be counted."""

    count: Count
    amount: Quantity


class MoreThanOpponents(Test, tag="more_than_opponents"):
    """The owner has more of what can be counted than each opponent."""

    count: Count


Condition = (
    InfluenceAtLeast
    | HoldsAlliance
    | BesideAlliance
    | AtLeast
    | Is
    | AnotherInPlay
    | Discarded
    | Trashed
    | PlacedOn
    | Owns
    | Acquired
    | Not
    | Both
    | SomeOf
    | CountAtLeast
    | MoreThanOpponents
    | LaterCondition
)


# What can be counted


class Number(Counted, tag="number"):
    """So many of something; the words for it are in the grammar's MEASURE."""

    measure: str


class CardsInPlay(Counted, tag="cards_in_play"):
    """Own cards of a Faction in play, this one and those of Agent turns included."""

    faction: str


class CardsRevealed(Counted, tag="cards_revealed"):
    """Own cards of a Faction that were revealed this turn, this one included."""

    faction: str


class SwordCards(Counted, tag="sword_cards"):
    """Other own cards revealed this turn that gave at least one sword."""


class FaceUpIcons(Counted, tag="face_up_icons"):
    """Own face-up Conflict and Objective cards with a battle icon."""

    icon: str


Count = Number | CardsInPlay | CardsRevealed | SwordCards | FaceUpIcons | LaterCount

Effect = (
    Gain
    | Pay
    | Swords
    | GainBonusSpice
    | DoubleBonusSpice
    | Recruit
    | Summon
    | DeployTroops
    | DeployRecruits
    | Retreat
    | ForbidDeployment
    | DrawCards
    | DrawIntrigue
    | DiscardCards
    | DiscardIntrigue
    | TrashIntrigue
    | StealIntrigue
    | TrashCard
    | TrashSelf
    | ReturnSelf
    | AcquireCard
    | SortTopCards
    | TakeFromRow
    | WhenAcquiring
    | GainInfluence
    | LoseInfluence
    | VisitInfluence
    | PlaceSpy
    | RecallSpies
    | RecallAgents
    | TakeControl
    | TakeMakerHooks
    | RemoveShieldWall
    | TakeSeat
    | TakeSwordmaster
    | TakeContract
    | CompleteContract
    | FlipIcon
    | AddFirstReward
    | UseSignet
    | Train
    | Memorise
    | FlipLeader
    | RepeatSpace
    | May
    | If
    | Per
    | Choose
    | All
    | Arrow
    | EachOpponent
    | For
    | When
    | AtPlacement
    | LaterEffect
)


def parts(effect: Effect) -> tuple[Effect, ...]:
    """The effects directly inside an effect."""
    match effect:
        case (
            May(inner)
            | Per(effect=inner)
            | EachOpponent(inner)
            | For(effect=inner)
            | When(effect=inner)
            | WhenAcquiring(inner)
            | AddFirstReward(inner)
        ):
            return (inner,)
        case If(_, inner, otherwise):
            return (inner,) if otherwise is None else (inner, otherwise)
        case Choose(inner) | All(inner):
            return inner
        case Arrow(cost, inner):
            return (cost, inner)
        case AtPlacement(options):
            return tuple(part for option in options for part in (option.cost, option.effect))
        case _:
            return ()


def walk(effect: Effect) -> tuple[Effect, ...]:
    """The effect and everything inside it."""
    return (effect, *(deeper for part in parts(effect) for deeper in walk(part)))
