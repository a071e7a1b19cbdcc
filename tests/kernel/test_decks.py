"""Decks of parts: what is known is known, the rest is a pool."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.kernel.decks import (
    ANY,
    Deck,
    Known,
    Pool,
    can_be_on_top,
    on_top,
    shuffled,
    size,
    top_copies,
    top_faces,
    with_card,
    without_card,
    without_top,
    zone,
)

FACES = st.sampled_from(["dagger", "diplomacy", "signet", "sietch"])
CARDS = st.lists(FACES, max_size=8)


@given(CARDS, FACES)
def test_a_zone_is_sorted_and_keeps_copies(cards: list[str], card: str) -> None:
    there = zone(cards)
    more = with_card(there, card)
    assert list(more) == sorted([*cards, card])
    assert without_card(more, card) == there


def test_a_card_that_is_not_there_cannot_be_taken() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        without_card(("dagger",), "signet")


@given(CARDS)
def test_a_shuffle_forgets_the_order(cards: list[str]) -> None:
    assert shuffled(cards) == shuffled(reversed(cards))
    assert size(shuffled(cards)) == len(cards)


def test_an_empty_deck_has_no_parts_and_no_top() -> None:
    assert shuffled([]) == ()
    assert top_faces(()) == ()
    assert not can_be_on_top((), ANY)
    with pytest.raises(IndexError):
        without_top((), "dagger")


@given(CARDS)
def test_drawing_a_shuffled_deck_to_its_end_gives_just_its_cards(cards: list[str]) -> None:
    deck, drawn = shuffled(cards), []
    while size(deck):
        card = top_faces(deck)[-1]
        drawn.append(card)
        deck = without_top(deck, card)
    assert sorted(drawn) == sorted(cards)
    assert deck == ()


def test_copies_count_for_chance_and_faces_are_listed_once() -> None:
    deck = shuffled(["dagger", "signet", "dagger"])
    assert top_faces(deck) == ("dagger", "signet")
    assert top_copies(deck) == Counter(dagger=2, signet=1)


def test_a_known_card_lies_where_it_is() -> None:
    deck = on_top(shuffled(["dagger"]), ["signet", "sietch"], seen_by=(1,))
    assert deck[:2] == (Known("signet", (1,)), Known("sietch", (1,)))
    assert size(deck) == 3
    assert top_faces(deck) == ("signet",)
    assert top_copies(deck) == Counter(signet=1)
    assert not can_be_on_top(deck, "dagger")
    assert top_faces(without_top(deck, "signet")) == ("sietch",)


def test_a_pool_may_be_larger_than_its_count() -> None:
    deck: Deck = (Pool(1, ("siege", "skirmish")), Pool(1, ("storm",)))
    after = without_top(deck, "siege")
    assert size(after) == 1
    assert top_faces(after) == ("storm",)
    assert top_copies(after) == Counter(storm=1)


def test_an_unnamed_card_stays_in_the_pool() -> None:
    deck = shuffled(["dagger", "signet"])
    once = without_top(deck, ANY)
    assert once == (Pool(1, ("dagger", "signet")),)
    assert can_be_on_top(once, "dagger")
    assert size(without_top(once, "dagger")) == 0
