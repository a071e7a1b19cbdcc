"""What an adapter says of itself has to make sense; the message says what does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from conformance.faults import GARBAGE, AdapterFault
from conformance.messages import AnyAnswer, AnyCall, Describe, Described, Done
from conformance.target import Target, greeted
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import rulings
from truthsayer.codes import CODES

ABOUT = Described("mine", "1", ("uprising",))
RULING = next(iter(rulings().values()))


class Says:
    """A connection to something that gives one answer."""

    def __init__(self, answer: AnyAnswer) -> None:
        self.answer = answer
        self.waited: float | None = None

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer."""
        assert list(calls) == [Describe()]
        self.waited = seconds
        return [self.answer]

    def close(self) -> None:
        """Nothing to do."""


def test_a_good_description_is_taken_and_may_take_as_long_as_a_start() -> None:
    about = change(
        ABOUT,
        chance="report",
        step="turn",
        capabilities=("undo", "actions"),
        rulings={RULING.id: RULING.values[-1]},
        fields=("round", "players.hand"),
        features={"spies": (), "leaders": ("lady_jessica",), "actions": ("reveal",)},
    )
    connection = Says(about)
    assert greeted(connection, Target(seconds=1, start_seconds=33)) == about
    assert connection.waited == 33


WRONG: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "protocol": ({"protocol": 2}, "TS0820", "version 2 of the protocol", "version 1"),
    "no name": ({"name": ""}, "TS0821", "without `name`", ""),
    "no version": ({"version": ""}, "TS0821", "without `version`", ""),
    "no product": ({"products": ()}, "TS0821", "without `products`", ""),
    "product": ({"products": ("uprisng",)}, "TS0822", "product that", "mean `uprising`?"),
    "chance": ({"chance": "own"}, "TS0822", "way to take chance", "known: `inject`, `report`"),
    "step": ({"step": "round"}, "TS0822", "step that there is not: `round`", "`phase`"),
    "capability": ({"capabilities": ("undoing",)}, "TS0822", "`undoing`", "mean `undo`?"),
    "field": ({"fields": ("hands",)}, "TS0822", "field that there is not: `hands`", ""),
    "player field": ({"fields": ("players.hands",)}, "TS0822", "", "mean `players.hand`?"),
    "ruling": ({"rulings": {"no_such": "x"}}, "TS0822", "ruling that there is not", "known: "),
    "reading": ({"rulings": {RULING.id: "x"}}, "TS0822", f"reading of `{RULING.id}`", "known: "),
    "kind of thing": ({"features": {"leader": ()}}, "TS0822", "feature that", "mean `leaders`?"),
    "thing": ({"features": {"modules": ("chom",)}}, "TS0822", "its `modules`", "mean `choam`?"),
    "one of many": ({"features": {"cards": ("x",)}}, "TS0822", "`x`", "`truthsayer export --ids`"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_word_is_told_with_what_it_should_be(name: str) -> None:
    fields, code, message, remedy = WRONG[name]
    with pytest.raises(TruthsayerError) as wrong:
        greeted(Says(change(ABOUT, **fields)), Target())
    assert wrong.value.code == code
    assert code in CODES
    assert message in wrong.value.message
    assert remedy in wrong.value.help


def test_another_answer_is_no_description() -> None:
    with pytest.raises(AdapterFault, match="it answered `done`") as wrong:
        greeted(Says(Done()), Target())
    assert wrong.value.kind == GARBAGE
