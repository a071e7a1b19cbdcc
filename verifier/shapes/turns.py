"""Any frame of a turn."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from rules_engine.catalogue.faces import SpaceFace
from rules_engine.effects import tree
from rules_engine.imperium import actions, frames
from rules_engine.imperium.frames import Item
from rules_engine.imperium.state import AgentAt, State
from rules_engine.kernel.game import Frame
from verifier.any_effect import INSIDE
from verifier.any_position import ANY_CARD, ANY_INTRIGUE, Slots, agents
from verifier.current import choose, choose_in_column
from verifier.positions import Computed, factions, printed
from verifier.shapes.common import (
    Input,
    Shape,
    agent_turn,
    amount,
    due,
    holds_intrigue,
    offered,
    offers,
    one_of,
    plain,
    plays_intrigue,
    reveal_turn,
    sets_aside,
    source,
    troops,
    undecided,
)
from verifier.tables import RED, actor, neighbour
from verifier.watched import Lazy


def _agents_met() -> Computed:
    """The owner's Agents at home or out; the other player's is on the space visited, or not."""
    usual, _ = agents()

    def board() -> tuple[AgentAt, ...]:
        there: tuple[AgentAt, ...] = choose_in_column(usual.path, usual.options)
        if not choose("met", (False, True)):
            return there
        met = (
            each if each.seat != neighbour() else AgentAt(_visited_space(), neighbour())
            for each in there
        )
        return tuple(sorted(met, key=lambda each: (each.space, each.seat)))

    return Computed((usual.path,), board)


def _paid_options() -> tuple[tree.PaidOption, ...]:
    what = choose("what", ("solari", "spice"))
    free = tree.PaidOption(tree.Pay(0, what), INSIDE)
    return free, tree.PaidOption(tree.Pay(amount(), what), INSIDE)


def _spied_on() -> str:
    """A space with a post on which the owner may have a Spy."""
    return next(iter(printed().posts.values())).spaces[0]


def _some_due() -> tuple[Item, ...]:
    return choose("due", ((), due()))


def _plays_agent(_: State) -> Any:
    """Any card, any space, with a Spy on a post linked to it or without."""
    space = _visited_space()
    post = choose("post", (None, *_linked_posts(space)))
    return actions.PlayAgent(actor(), ANY_CARD.id, space, post)


def _visited_space() -> str:
    return choose("space", _spaces())


def _linked_posts(space: str) -> tuple[str, ...]:
    return tuple(post.id for post in printed().posts.values() if space in post.spaces)[:1]


@functools.cache
def _spaces() -> tuple[str, ...]:
    """For each thing that a space can have which matters for sending an Agent, one that has it."""
    spaces = printed().spaces.values()
    found = (next(space.id for space in spaces if has(space)) for has in FEATURES)
    return tuple(dict.fromkeys(found))


FEATURES: tuple[Callable[[SpaceFace], Any], ...] = (
    lambda space: space.later_cost and space.requirement,
    lambda space: space.maker and space.cost,
    lambda space: space.icon in factions(),
    lambda space: any(isinstance(effect, tree.AtPlacement) for effect in space.effects),
)
"""A cost that changes and a requirement; a Maker space; a Faction's; a choice of costs."""


MOVES: dict[type, Input] = {
    actions.Deploy: troops(actions.Deploy),
    actions.Retreat: troops(actions.Retreat),
    actions.PlayIntrigue: plays_intrigue("plot"),
}
"""What can be done at any moment of the own turn."""


def _in_hand() -> Slots:
    """A card that opens every space, and an Intrigue card; an ability that looks at the visit."""
    return {"hand": (ANY_CARD.id,), **holds_intrigue(), **_visiting_leader()}


def _visiting_leader() -> Slots:
    """No Leader, or one whose ability or Signet Ring acts when an Agent is sent."""
    faces = printed().leaders.values()
    on_visit = next(face.id for face in faces if face.ability.when == "sends_agent")
    on_signet = next(face.id for face in faces if face.on_signet)
    return {"leader": Lazy(f"{RED}.leader", (None, on_visit, on_signet))}


TURNS: dict[type[Frame], Shape] = {
    frames.Turn: Shape(
        lambda: frames.Turn(actor()),
        {
            actions.PlayAgent: _plays_agent,
            actions.Reveal: plain(actions.Reveal),
            **MOVES,
        },
        below=lambda: (frames.PlayerTurns(neighbour()),),
        slots=undecided,
        owner=_in_hand,
        special={actions.PlayAgent: lambda: {"agents": _agents_met()}},
    ),
    frames.PickCost: Shape(
        lambda: frames.PickCost(actor(), _paid_options(), (), source()),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1))},
        slots=agent_turn,
    ),
    frames.Placed: Shape(
        lambda: frames.Placed(actor(), choose("space", tuple(printed().spaces)), _some_due()),
        alone=True,
        slots=agent_turn,
    ),
    frames.GatherIntelligence: Shape(
        lambda: frames.GatherIntelligence(actor(), _spied_on()),
        {
            actions.RecallSpy: offered(actions.RecallSpy),
            actions.Decline: plain(actions.Decline),
        },
        slots=agent_turn,
    ),
    frames.AgentTurn: Shape(
        lambda: frames.AgentTurn(actor(), _some_due()),
        {
            actions.Resolve: one_of(actions.Resolve, lambda: (0, 1, 2)),
            actions.EndTurn: plain(actions.EndTurn),
            **MOVES,
        },
        alone=True,
        below=lambda: (frames.PlayerTurns(neighbour()),),
        slots=agent_turn,
        owner=holds_intrigue,
    ),
    frames.RevealTurn: Shape(
        lambda: frames.RevealTurn(actor(), _some_due()),
        {
            actions.Resolve: one_of(actions.Resolve, lambda: (0, 1, 2)),
            actions.Acquire: one_of(actions.Acquire, offers),
            actions.EndTurn: plain(actions.EndTurn),
            **MOVES,
        },
        below=lambda: (frames.PlayerTurns(neighbour()),),
        slots=reveal_turn,
        owner=lambda: {**holds_intrigue(), **sets_aside(), "standing": (ANY_INTRIGUE.id,)},
    ),
}
"""The frames of a turn."""
