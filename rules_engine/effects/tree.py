"""The closed tree of effects: what cards, board spaces, rewards and tracks can say.

Nodes are plain records. What a node means is said once per game, in that game's table of effects;
its sentence is in `text`, its notation in `grammar.lark`.
"""

from __future__ import annotations

from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.records import Record

ANY_FACTION = "any"
"""The owner picks the Faction."""


class Node(Record, tag=True, tag_field="kind"):
    """One node of an effect."""


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


class Recruit(Node, tag="recruit"):
    """Move troops from the supply to the garrison."""

    amount: Quantity


class Summon(Node, tag="summon"):
    """Put sandworms into the Conflict."""

    amount: Quantity


class DrawCards(Node, tag="draw_cards"):
    """Draw from one's own deck."""

    amount: Quantity


class DrawIntrigue(Node, tag="draw_intrigue"):
    """Draw from the Intrigue Deck."""

    amount: Quantity


class GainInfluence(Node, tag="gain_influence"):
    """Move up on a Faction's track."""

    amount: Quantity
    faction: str


class LoseInfluence(Node, tag="lose_influence"):
    """Move down on a Faction's track."""

    amount: Quantity
    faction: str


class PlaceSpy(Node, tag="place_spy"):
    """Put a Spy on an observation post."""


class TrashCard(Node, tag="trash_card"):
    """Take one own card out of the game."""


class TrashSelf(Node, tag="trash_self"):
    """Take the card that says so out of the game."""


class TakeControl(Node, tag="take_control"):
    """Put a Control marker on a location."""

    space: str


class TakeMakerHooks(Node, tag="take_maker_hooks"):
    """Take a Maker Hooks token."""


class RemoveShieldWall(Node, tag="remove_shield_wall"):
    """Take the Shield Wall token off the board."""


class GainBonusSpice(Node, tag="gain_bonus_spice"):
    """Take all bonus spice from the space just visited."""


class UseSignet(Node, tag="use_signet"):
    """Use the Leader's Signet Ring ability."""


class May(Node, tag="may"):
    """An effect that its owner may decline."""

    effect: Effect


class If(Node, tag="if"):
    """An effect that applies only under a condition, tested when it is resolved."""

    condition: Condition
    effect: Effect


class Choose(Node, tag="choose"):
    """Exactly one of several effects, as the owner picks."""

    options: tuple[Effect, ...]


class All(Node, tag="all"):
    """Several effects that are one: resolved together, in this order."""

    effects: tuple[Effect, ...]


class Arrow(Node, tag="arrow"):
    """A cost that may be paid, all of it, for an effect."""

    cost: Effect
    effect: Effect


class PaidOption(Record):
    """A cost and what it buys."""

    cost: Pay
    effect: Effect


class AtPlacement(Node, tag="at_placement"):
    """Costs of which one is picked and paid when the Agent is sent."""

    options: tuple[PaidOption, ...]


class InfluenceAtLeast(Record, tag="influence_at_least", tag_field="condition"):
    """So much Influence with a Faction."""

    faction: str
    amount: Quantity


class RecalledSpyThisTurn(Record, tag="recalled_spy_this_turn", tag_field="condition"):
    """A Spy of the owner came back to the supply this turn."""


class OwnsMakerHooks(Record, tag="maker_hooks", tag_field="condition"):
    """The owner has a Maker Hooks token."""


Condition = InfluenceAtLeast | RecalledSpyThisTurn | OwnsMakerHooks

Effect = (
    Gain
    | Pay
    | Swords
    | Recruit
    | Summon
    | DrawCards
    | DrawIntrigue
    | GainInfluence
    | LoseInfluence
    | PlaceSpy
    | TrashCard
    | TrashSelf
    | TakeControl
    | TakeMakerHooks
    | RemoveShieldWall
    | GainBonusSpice
    | UseSignet
    | May
    | If
    | Choose
    | All
    | Arrow
    | AtPlacement
)


def parts(effect: Effect) -> tuple[Effect, ...]:
    """The effects directly inside an effect."""
    match effect:
        case May(inner) | If(effect=inner):
            return (inner,)
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
