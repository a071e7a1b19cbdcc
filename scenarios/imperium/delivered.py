"""What players were really given or have given away, whatever was told of it.

An event announces; a position has it. Whoever looks only at the announcement does not notice what
was announced and lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules_engine.effects.tree import Effect
from rules_engine.imperium.combat import FIRST
from rules_engine.imperium.faces import conflict_face
from rules_engine.imperium.frames import (
    Effects,
    GiveRewards,
    ResolveCombat,
    TakeConflictCard,
    Taking,
)
from rules_engine.imperium.state import State, player
from rules_engine.kernel.outcomes import Event, Seat


class Trashed:
    """The cards that each player has trashed, from the start: those that have left the game."""

    def __init__(self, at_start: dict[Seat, tuple[str, ...]]) -> None:
        self.at_start = at_start
        self.by_seat = dict(at_start)

    def note(self, before: State, after: State, events: Iterable[Event]) -> None:
        """Of what is told to be trashed, remember what went where trashed cards go."""
        told = [event for event in events if event.key == "trashes"]
        if not told:
            return
        gone = _out(after)
        gone.subtract(_out(before))
        gone.update(_bought(before, events))
        for event in told:
            card, seat = event.facts["card"], event.player
            if seat is not None and gone[card] > 0:
                gone[card] -= 1
                self.by_seat[seat] = (*self.by_seat.get(seat, ()), card)


def _out(state: State) -> Counter[str]:
    """The cards out of the game; of the Reserve, they are back in their stack."""
    stacks = {stack.card: stack.left for stack in state.reserve}
    return Counter(state.trashed) + Counter(stacks)


def _bought(state: State, events: Iterable[Event]) -> Iterable[str]:
    """Cards that have left their stack of the Reserve meanwhile."""
    stacks = {stack.card for stack in state.reserve}
    bought = (event.facts["card"] for event in events if event.key == "acquires")
    return [card for card in bought if card in stacks]


class Spoils:
    """What became of a Conflict since the last `when`: who took which reward, and who the card."""

    def __init__(self) -> None:
        self.resolved = False
        self.taken: dict[Seat, str] = {}
        self.winner: Seat | None = None

    def note(self, before: State, after: State) -> None:
        """See what the frame on top has done: a Combat resolved, a reward or a card handed over."""
        match before.pending[-1:]:
            case (ResolveCombat(),):
                self.resolved = True
            case (GiveRewards(takings),) if takings and _handed_over(before, after, takings[0]):
                self.taken[takings[0].seat] = takings[0].reward
            case (TakeConflictCard(seat),) if _has_card(before, after, seat):
                self.winner = seat

    def rewards(self, now: State) -> dict[Seat, str]:
        """The reward of each player, taken or due to be handed over."""
        due = [frame.takings for frame in now.pending if isinstance(frame, GiveRewards)]
        return self.taken | {each.seat: each.reward for takings in due for each in takings}

    def winners(self, now: State) -> list[Seat]:
        """Who has taken the Conflict card, or is about to."""
        due = [frame.seat for frame in now.pending if isinstance(frame, TakeConflictCard)]
        return due if self.winner is None else [self.winner, *due]


def _handed_over(before: State, after: State, taking: Taking) -> bool:
    """Whether everything in the box of a reward is the player's to resolve now."""
    below = len(before.pending) - 1
    given = Counter(
        item.effect
        for frame in after.pending[below:]
        if isinstance(frame, Effects) and frame.seat == taking.seat
        for item in frame.items
    )
    return not Counter(_box(before, taking)) - given


def _box(state: State, taking: Taking) -> tuple[Effect, ...]:
    """What is printed in the box of a reward, and what cards have added to it."""
    assert state.conflict is not None
    box: tuple[Effect, ...] = getattr(conflict_face(state, state.conflict), taking.reward)
    return box + (state.first_reward if taking.reward == FIRST else ())


def _has_card(before: State, after: State, seat: Seat) -> bool:
    """Whether the Conflict card lies before the winner now."""
    return any(each.card == before.conflict for each in player(after, seat).won)
