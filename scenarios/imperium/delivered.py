"""What players were really given or have given away, beside what was told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules_engine.imperium.state import State
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
