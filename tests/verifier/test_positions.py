"""What positions with a few cards leave open, and how a change that should not be is noticed."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.catalogue.faces import CardFace
from rules_engine.imperium.faces import card_face
from rules_engine.imperium.frames import Combat
from rules_engine.imperium.state import State, player, with_player
from rules_engine.kernel.records import change
from verifier.current import claim, quantity
from verifier.positions import claim_only, with_cards
from verifier.verdicts import PROVED, REFUTED, settle

RED, BLUE = 0, 1
OWN = {"hand": ("dagger",)}


def _position() -> State:
    return with_cards((Combat(),), OWN, {"hand": ()}, row=("dagger",))


def _with(state: State, seat: int, **fields: Any) -> State:
    return with_player(state, change(player(state, seat), **fields))


def test_a_position_that_stays_as_it_is_needs_no_field_to_be_read() -> None:
    def run() -> None:
        before = _position()
        claim_only(before, _with(before, RED, hand=("dagger",)))

    found = settle(run)
    assert found.verdict == PROVED
    assert found.paths == 1


CHANGES: dict[str, Callable[[State], State]] = {
    "a quantity of the first player": lambda state: _with(
        state, RED, solari=player(state, RED).solari + quantity("more")
    ),
    "a quantity of another player": lambda state: _with(
        state, BLUE, spice=player(state, BLUE).spice + quantity("more")
    ),
    "cards of another player": lambda state: _with(state, BLUE, hand=("dagger",)),
    "cards on the table": lambda state: change(state, row=()),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_that_is_not_named_is_refuted(what: str) -> None:
    def run() -> None:
        before = _position()
        claim_only(before, CHANGES[what](before), ("hand",), ("pending",), others=("water",))

    assert settle(run).verdict == REFUTED


def test_a_change_that_is_named_is_allowed_to_those_it_is_named_for() -> None:
    def run() -> None:
        before = _position()
        after = change(_with(_with(before, RED, hand=()), BLUE, water=7), row=())
        claim_only(before, after, ("hand",), ("row",), others=("water",))

    assert settle(run).verdict == PROVED


def test_a_card_of_this_game_only_may_say_any_number() -> None:
    def run() -> None:
        face = CardFace("own", "Own", cost=quantity("cost", 3))
        state = with_cards((Combat(),), {"hand": ("own",)}, cards=(face,))
        cost = card_face(state, "own").cost
        assert cost is not None
        claim(cost >= 3, "the cost is what it was said to be")

    assert settle(run).verdict == PROVED
