"""A case that an adapter cannot play says what is lacking."""

from __future__ import annotations

from typing import Any

from conformance.cases import Case
from conformance.messages import Described
from conformance.playing import play
from conformance.results import UNSUPPORTED
from tests.conformance.runs import COMBAT


class Nobody:
    """A connection that must not be used."""

    def ask(self, calls: object) -> list[object]:
        """Nothing may be asked."""
        raise AssertionError(calls)

    def close(self) -> None:
        """There is nothing to end."""


def test_a_case_tells_every_capability_that_it_needs() -> None:
    setup: dict[str, Any] = {"cards": [{}], "conflicts": [], "intrigues": []}
    case = Case("a", "A", (COMBAT,), setup, position={}, to_move=0, moves=())
    found = play(case, Described("sand", "1.2", ("uprising",)), Nobody())  # type: ignore[arg-type]
    assert (found.outcome, found.lacks) == (UNSUPPORTED, ("own_cards", "position"))
    assert found.detail == "it needs own_cards, position"
