"""What all shapes of frames are made of: inputs, amounts, turns, and some cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import actions, frames
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, Won
from rules_engine.kernel.decks import shuffled
from rules_engine.kernel.game import Amount, Frame, options
from verifier.any_effect import INSIDE
from verifier.any_position import (
    ANY_CARD,
    ANY_INTRIGUE,
    Slots,
    any_turn,
    conflict_won,
    imperium_cards,
    kept_intrigue,
)
from verifier.current import assume, choose, quantity
from verifier.positions import printed, some_leader
from verifier.tables import RED, actor
from verifier.watched import Lazy

Input = Callable[[State], Any]
"""Gives any input of a kind in a position; it need not be allowed."""


def offered(kind: type) -> Input:
    """Any input of a kind that the frame offers."""

    def pick(state: State) -> Any:
        found = [each for each in options(IMPERIUM, state) if _makes(each) == kind]
        assume(bool(found))
        option = choose("input", tuple(found))
        if not isinstance(option, Amount):
            return option
        make: Any = option.make
        return make(option.by, quantity("given"))

    return pick


def _makes(option: Any) -> type:
    return option.make if isinstance(option, Amount) else type(option)


def plain(kind: Any) -> Input:
    """The input of a kind that says nothing more."""
    return lambda _: kind(actor())


def troops(kind: Any) -> Input:
    """So many troops, any number."""
    return lambda _: kind(actor(), quantity("given"))


def one_of(kind: Any, names: Callable[[], tuple[Any, ...]]) -> Input:
    """An input that names one of some things."""
    return lambda _: kind(actor(), choose("input", names()))


@dataclass(frozen=True)
class Shape:
    """How any frame of a kind is made, what is below it, what it is asked, and where it stands.

    `alone`: it may go on by itself. `special`: slots for one kind of input alone.
    """

    make: Callable[[], Frame]
    inputs: dict[type, Input] = field(default_factory=dict)
    alone: bool = False
    below: Callable[[], tuple[Frame, ...]] = tuple
    slots: Callable[[], Slots] = dict
    owner: Callable[[], Slots] = dict
    others: Callable[[], Slots] = dict
    special: dict[type, Callable[[], Slots]] = field(default_factory=dict)


def amount() -> Any:
    """Any amount."""
    return quantity("amount")


def source() -> str:
    """Where an effect comes from, if it makes no difference: a Maker space."""
    return next(space.id for space in printed().spaces.values() if space.maker)


def no_turn() -> Slots:
    """Outside of all turns."""
    return {"turn": None}


def agent_turn() -> Slots:
    """In the own Agent turn."""
    return {"turn": any_turn(actor(), "agent")}


def reveal_turn() -> Slots:
    """In the own Reveal turn."""
    return {"turn": any_turn(actor(), "reveal")}


def undecided() -> Slots:
    """In the own turn, of which nothing is decided yet."""
    return {"turn": any_turn(actor(), "undecided")}


def holds_intrigue() -> Slots:
    """The owner holds an Intrigue card that can always be played, and another."""
    return {"intrigues": (ANY_INTRIGUE.id, kept_intrigue())}


def plays_intrigue(timing: str) -> Input:
    """The Intrigue card that can be played at any time, in any way for this time."""
    ways = tuple(at for at, way in enumerate(ANY_INTRIGUE.ways) if way.timing == timing)
    return lambda _: actions.PlayIntrigue(actor(), ANY_INTRIGUE.id, choose("input", ways))


def won() -> Slots:
    """Any battle icon, alone or with a wild one beside it, or none; one card is face down."""
    icons = {face.icon: face.id for face in printed().objectives.values()}
    wild = next(face.id for face in printed().conflicts.values() if face.icon == "wild")
    one = tuple((Won(card, icon),) for icon, card in icons.items())
    cards = (*one, (), *((*each, Won(wild, "wild")) for each in one))
    return {"won": Lazy("won", tuple(_sorted((conflict_won(0), *each)) for each in cards))}


def _sorted(cards: tuple[Won, ...]) -> tuple[Won, ...]:
    return tuple(sorted(cards, key=lambda each: each.card))


def due() -> tuple[Item, ...]:
    """Effects that are due: one that may be left, one that has to come, and one in a box."""
    return (
        Item(tree.Arrow(tree.Pay(amount(), "spice"), INSIDE), source()),
        Item(tree.Gain(quantity("gained"), "solari"), source()),
        Item(tree.May(INSIDE), ANY_CARD.id, boxed=True),
    )


def offers() -> tuple[str, ...]:
    """A card of the Row, one of the Reserve, one set aside."""
    return imperium_cards()[0], of_reserve(), imperium_cards()[8]


def sets_aside() -> Slots:
    """A card of the Row is set aside for the owner."""
    return {"set_aside": (imperium_cards()[8],)}


def in_box() -> tuple[Frame, ...]:
    """An own turn with what is due of a visit and of the boxes of two equal cards."""
    card = starting_cards()[1]
    visit = Item(tree.GainInfluence(1, "emperor"), "dutiful_service")
    boxes = tuple(Item(INSIDE, card, boxed=True, copy=copy) for copy in (0, 1))
    return (frames.AgentTurn(actor(), (visit, *boxes)),)


def starting_cards() -> tuple[str, ...]:
    """The cards that everyone starts with, each once."""
    return tuple(card.id for card in printed().cards.values() if card.starting)


def below_or_not() -> tuple[Frame, ...]:
    """The own turn below, or nothing."""
    return choose("below", ((), in_box()))


def deck_or_none() -> Slots:
    """Three cards in the deck, or none; the discard pile empty or not."""
    return {
        "deck": Lazy("deck", (shuffled(starting_cards()[:3]), ())),
        "discard": Lazy("discard", (starting_cards()[:1], ())),
    }


def trashable() -> Slots:
    """Cards in every zone, one of them with words about being trashed, or none at all."""
    said = next(face.id for face in printed().cards.values() if face.when_trashed)
    card = starting_cards()[1]
    return {
        "hand": Lazy("cards", ((said,), ())),
        "discard": Lazy("cards", ((card,), ())),
        "in_play": Lazy("cards", ((card, card), ())),
    }


def of_reserve() -> str:
    """A card of the Reserve."""
    return next(face.id for face in printed().cards.values() if face.reserve)


def training() -> Slots:
    """No Leader, or the one with a training track."""
    return some_leader(RED, "training")
