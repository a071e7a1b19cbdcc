"""Our adapter in this process, and a case for it that takes no file."""

from __future__ import annotations

import random
from collections.abc import Sequence

from conformance.adapters.reference import Adapter
from conformance.cases import Case, Move
from conformance.messages import AnyAnswer, AnyCall
from conformance.reference import Reference, drawn

SETUP = {
    "product": "uprising",
    "players": ["Paul", "Jessica", "Leto"],
    "rulings": {},
    "modules": [],
    "leaders": [],
    "cards": [],
    "conflicts": [],
    "intrigues": [],
}
NOT_IN_HAND = {"action": "play_agent", "by": 0, "card": "the_spice_must_flow", "space": "arrakeen"}


class InProcess:
    """A way to our own adapter that needs no program."""

    def __init__(self) -> None:
        self._adapter = Adapter()

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Its answers to a batch."""
        del seconds
        return [self._adapter.answer(call) for call in calls]

    def close(self) -> None:
        """There is nothing to end."""


def small_case() -> Case:
    """The beginning of a game: an input that is refused, then a Reveal turn."""
    game = Reference.start(SETUP, None, None)
    begun = game.begin(drawn(random.Random(1)))
    seat = game.observation()["asked"][0]
    refused = Move({"do": {**NOT_IN_HAND, "by": seat}}, refused=True)
    reveals = Move({"do": {"action": "reveal", "by": seat}})
    return Case("small", "A small case", (), SETUP, None, None, (refused, reveals), begun.chance)
