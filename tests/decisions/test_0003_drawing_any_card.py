"""Decision 0003: a card drawn as `any` is counted and stays in the pool; nothing may look at it."""

from __future__ import annotations

import pytest

from rules_engine.imperium.actions import Reveal
from rules_engine.imperium.frames import DrawFromDeck, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY, Pool, shuffled, size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Answer, settle, step
from tests.imperium.positions import after, at, bare, giving, in_turn, owner, refused

CARDS = ("dagger", "dagger", "diplomacy", "reconnaissance")


def drawing(count: int, cards: tuple[str, ...] = CARDS) -> State:
    """The first player draws from a small deck."""
    return at(giving(bare(), 0, deck=shuffled(cards)), DrawFromDeck(0, count))


def test_any_card_twice_and_then_a_dagger() -> None:
    end = after(drawing(3), Answer(ANY), Answer(ANY), Answer("dagger"))
    assert owner(end).hand == (ANY, ANY, "dagger")
    assert size(owner(end).deck) == 1
    assert owner(end).deck == (Pool(1, ("dagger", "diplomacy", "reconnaissance")),)


def test_the_pool_keeps_its_cards_and_the_count_sinks() -> None:
    once = after(drawing(2), Answer(ANY))
    assert owner(once).deck == (Pool(3, tuple(sorted(CARDS))),)


def test_a_card_can_be_drawn_as_often_as_there_are_copies() -> None:
    twice = after(drawing(4), Answer(ANY), Answer("dagger"), Answer("dagger"))
    assert refused(twice, Answer("dagger")).rules == ("UPR-ICON-003",)
    assert owner(after(twice, Answer("diplomacy"))).hand.count("dagger") == 2


def test_a_card_that_was_never_there_cannot_be_drawn() -> None:
    assert refused(drawing(1), Answer("strike_fleet")).rules
    assert refused(after(drawing(2), Answer(ANY)), Answer("strike_fleet")).rules


def test_drawn_cards_cannot_outnumber_the_deck() -> None:
    end = after(drawing(3, ("dagger", "diplomacy")), Answer(ANY), Answer("dagger"))
    assert end.pending == ()
    assert owner(end).hand == (ANY, "dagger")


def test_a_step_that_has_to_know_the_card_says_so() -> None:
    state = giving(bare(), 0, hand=(ANY, "dagger"))
    turn = at(in_turn(state, 0, kind="undecided"), Turn(0))
    with pytest.raises(UnknownRead) as raised:
        step(IMPERIUM, turn, Reveal(0))
    assert raised.value.path == "Ada's hand"
    assert raised.value.code == "TS0401"


def test_a_discard_pile_with_such_a_card_cannot_be_shuffled() -> None:
    state = at(giving(bare(), 0, deck=(), discard=(ANY,)), DrawFromDeck(0, 1))
    with pytest.raises(UnknownRead) as raised:
        settle(IMPERIUM, state)
    assert raised.value.path == "Ada's discard pile"
