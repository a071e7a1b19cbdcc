"""Decks without a hidden order: what is known is known, the rest is a pool that chance draws from.

A deck is a tuple of parts from top to bottom. A part is one known card with the players who know
it, or so many cards out of a pool. A pool may be larger than its count: the Conflict Deck leaves
cards in the box, and a card drawn as `any` stays in the pool because nobody said which it was.
Zones of cards are sorted tuples of faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record, change

ANY = "any"
"""A card that a scenario leaves open: it is held and counted, and nothing may look at it."""

SORTED = "sorted"
"""Marks a field whose order means nothing: it is kept sorted, and a law looks after it."""

Cards = Annotated[tuple[str, ...], SORTED]


class Known(Record, tag="known", tag_field="part"):
    """One card of a deck whose face some players know."""

    card: str
    seen_by: tuple[Seat, ...]


class Pool(Record, tag="pool", tag_field="part"):
    """So many cards out of these, in unknown order."""

    count: int
    cards: Cards


Deck = tuple[Known | Pool, ...]


def zone(cards: Iterable[str]) -> Cards:
    """The cards as a zone: order does not matter, copies do."""
    return tuple(sorted(cards))


def with_card(cards: Cards, card: str) -> Cards:
    """The zone with one more card."""
    return tuple(sorted((*cards, card)))


def without_card(cards: Cards, card: str) -> Cards:
    """The zone with one copy of the card fewer."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def shuffled(cards: Iterable[str]) -> Deck:
    """A deck of these cards in unknown order: a shuffle merges everything into one pool."""
    pool = zone(cards)
    return (Pool(len(pool), pool),) if pool else ()


def size(deck: Deck) -> int:
    """How many cards the deck has."""
    count = 0
    for part in deck:
        count += 1 if isinstance(part, Known) else part.count
    return count


def possibly_in(deck: Deck) -> tuple[str, ...]:
    """The cards of a deck, and what else is in its pools, from top to bottom."""
    cards: tuple[str, ...] = ()
    for part in deck:
        cards += (part.card,) if isinstance(part, Known) else part.cards
    return cards


def top_faces(deck: Deck) -> Cards:
    """The faces that the top card can have, each once."""
    for part in deck:
        if isinstance(part, Known):
            return (part.card,)
        if part.count:
            return tuple(dict.fromkeys(part.cards))
    return ()


def top_copies(deck: Deck) -> Counter[str]:
    """How many copies there are of each face that the top card can have."""
    for part in deck:
        if isinstance(part, Known):
            return Counter((part.card,))
        if part.count:
            return Counter(part.cards)
    return Counter()


def can_be_on_top(deck: Deck, card: str) -> bool:
    """Whether the top card can turn out to be this one, or may stay unnamed."""
    faces = top_faces(deck)
    return card in faces or (card == ANY and bool(faces))


def without_top(deck: Deck, card: str) -> Deck:
    """The deck after its top card turned out to be this one."""
    for at, part in enumerate(deck):
        if isinstance(part, Known):
            return deck[:at] + deck[at + 1 :]
        if part.count:
            left = part.cards if card == ANY else without_card(part.cards, card)
            smaller = change(part, count=part.count - 1, cards=left)
            kept = (smaller,) if smaller.cards else ()
            return deck[:at] + kept + deck[at + 1 :]
    raise IndexError("the deck is empty")


def on_top(deck: Deck, cards: Iterable[str], seen_by: tuple[Seat, ...]) -> Deck:
    """The deck with these known cards on top of it, the first one uppermost."""
    return tuple(Known(card, seen_by) for card in cards) + deck
