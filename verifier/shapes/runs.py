"""Any effect that happens now, with the position that it looks at."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.frames import Item
from verifier.any_effect import any_effect
from verifier.any_position import Slots, standing_intrigue
from verifier.positions import printed, some_leader
from verifier.shapes.common import (
    Shape,
    below_or_not,
    deck_or_none,
    source,
    starting_cards,
    training,
    trashable,
)
from verifier.tables import RED, actor


def _remembering() -> str:
    return next(face.id for face in printed().leaders.values() if face.turns_into is not None)


SOURCES: dict[type, Callable[[], str]] = {
    tree.TrashSelf: lambda: starting_cards()[1],
    tree.ReturnSelf: lambda: starting_cards()[1],
    tree.TrashCard: lambda: starting_cards()[1],
    tree.WhenAcquiring: standing_intrigue,
    tree.If: lambda: starting_cards()[1],
    tree.Per: lambda: starting_cards()[1],
}
"""Where an effect comes from, if that makes a difference to it."""


LOOKS_BELOW = (
    tree.GainInfluence,
    tree.VisitInfluence,
    tree.RepeatSpace,
    tree.FlipLeader,
    tree.TrashSelf,
)
"""Effects that look at the turn in progress among what is pending."""


OWNERS: dict[type, Callable[[], Slots]] = {
    tree.GainInfluence: lambda: some_leader(RED, "a bonus at 2"),
    tree.VisitInfluence: lambda: some_leader(RED, "a bonus at 2"),
    tree.Train: training,
    tree.UseSignet: training,
    tree.FlipLeader: lambda: {"leader": _remembering()},
    tree.TakeContract: lambda: some_leader(RED, "contracts"),
    tree.SortTopCards: deck_or_none,
    tree.TrashCard: trashable,
    tree.TrashSelf: trashable,
    tree.ReturnSelf: trashable,
}
"""What an effect looks at of its owner, besides numbers."""


BOARDS: dict[type, Callable[[], Slots]] = {
    tree.AddFirstReward: lambda: {"first_reward": (tree.TakeSeat(),)},
}
"""What an effect looks at of the board, besides numbers."""


def shape_of_run(kind: type) -> Shape:
    """How any effect of a kind is run."""
    return Shape(
        lambda: frames.Run(actor(), Item(any_effect(kind), SOURCES.get(kind, source)())),
        alone=True,
        below=below_or_not if kind in LOOKS_BELOW else tuple,
        slots=BOARDS.get(kind, dict),
        owner=OWNERS.get(kind, dict),
    )
