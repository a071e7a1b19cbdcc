"""Makes a case that fails as short as it can be found in a bounded number of tries."""

from __future__ import annotations

import random
from collections.abc import Callable

from conformance.cases import Case
from conformance.reference import Moved, Reference, drawn
from conformance.replaying import as_told, replay, starts_a_turn
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from scenarios.vectors.positions import position, setup, to_move

StillFails = Callable[[Case], bool]

TRIES = 120
"""How often it is asked whether a shorter case fails."""

GIVEN = 30_000
"""How many moves the reference is given to find what can be left out: it refuses most of it."""

LATE_STARTS = 12
"""From so many turns before the end it is tried to start."""


def shortest(case: Case, still_fails: StillFails, positions: bool = True) -> Case:
    """A case that fails as well and has as few moves as could be found; the same every time.

    `positions`: the adapter can start from one, so that a case can begin with a late turn.
    """
    search = _Search(still_fails)
    case = search.cut_after(case)
    if positions:
        case = search.started_late(case)
    return search.without_needless(case)


class _Search:
    """Tries shorter cases as long as there are tries left."""

    def __init__(self, still_fails: StillFails) -> None:
        self.still_fails = still_fails
        self.tries = TRIES
        self.given = GIVEN

    def fails(self, case: Case) -> bool:
        """Whether a case fails; when the tries are used up, none does."""
        if self.tries <= 0:
            return False
        self.tries -= 1
        return self.still_fails(case)

    def cut_after(self, case: Case) -> Case:
        """The case up to the move at which it fails, found by halving."""
        works, fails = -1, len(case.moves)
        while fails - works > 1:
            middle = (works + fails) // 2
            if self.fails(change(case, moves=case.moves[:middle])):
                fails = middle
            else:
                works = middle
        return change(case, moves=case.moves[:fails])

    def started_late(self, case: Case) -> Case:
        """The case from the latest start of a turn with which it still fails."""
        states = replay(case).states
        turns = [at for at, state in enumerate(states) if starts_a_turn(state)]
        for at in turns[: -LATE_STARTS - 1 : -1]:
            later = change(
                case,
                setup=setup(states[at]),
                position=position(states[at]),
                to_move=to_move(states[at]),
                moves=case.moves[at:],
                chance=(),
            )
            if self.fails(later):
                return later
        return case

    def without_needless(self, case: Case) -> Case:
        """The case without moves that it fails without: many at a time, then one by one."""
        size = max(len(case.moves) // 2, 1)
        while size:
            shorter = self._without_some(case, size)
            if shorter is None:
                size //= 2
            else:
                case = shorter
        return case

    def _without_some(self, case: Case, size: int) -> Case | None:
        """The case without so many moves in a row, if it still fails without some."""
        states = replay(case).states
        last = len(case.moves) - 1
        for first in range(last - size, -1, -1):
            shorter = self._without(case, states[first], first, first + size)
            if shorter is not None and self.fails(shorter):
                return shorter
        return None

    def _without(self, case: Case, state: State, first: int, end: int) -> Case | None:
        """The case without some moves; nothing if the rest cannot be played from this position.

        What the left out moves tell of chance may come later: a round that ends with fewer moves
        deals the same cards.
        """
        game = Reference(state)
        rest = drawn(random.Random(case.id))
        left_out = [each for move in case.moves[first:end] for each in move.chance]
        moves = list(case.moves[:first])
        for move in case.moves[end:]:
            self.given -= 1
            done = game.give(move.given, as_told((*move.chance, *left_out), rest))
            if isinstance(done, Refusal) != move.refused or self.given < 0:
                return None
            moves.append(change(move, chance=done.chance if isinstance(done, Moved) else ()))
        return change(case, moves=tuple(moves))
