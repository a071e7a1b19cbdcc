"""A case in progress: what Gherkin steps do with the engine, by its own functions."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.frames import Combat, Makers, PlayerTurns, Recall, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import Player, State, ThisTurn, clockwise, player, with_player
from rules_engine.imperium.units import TROOPS
from rules_engine.kernel.decks import Deck, Pool, shuffled
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, Answer, settle, step
from rules_engine.kernel.outcomes import Event, Refusal, Seat
from rules_engine.kernel.records import change
from scenarios.groups import NeedsChoice, OrderMatters, TooManyEffects, finish_group, has_effects

PRODUCT = "uprising"


@functools.cache
def id_of(kind: str, name: str) -> str:
    """The id of something printed, by its name; a card that nobody printed is called by its own."""
    faces = getattr(catalogue(PRODUCT), kind).values()
    return next((str(face.id) for face in faces if face.name == name), name)


@functools.cache
def post_of(place: str) -> str:
    """The id of a post, by its name or by the only space that it is linked to."""
    linked = [
        post.id
        for post in catalogue(PRODUCT).posts.values()
        if post.name == place or id_of("spaces", place) in post.spaces
    ]
    (found,) = linked
    return found


def names_in(quoted: str) -> list[str]:
    """The names in a list like `"Dagger", "Diplomacy"`; `nothing` has none."""
    return [] if quoted == "nothing" else [name.strip('"') for name in quoted.split('", "')]


class Game:
    """The position, and the one before the last step that did something."""

    state: State
    before: State

    def __init__(self) -> None:
        self.turn_of: Seat | None = None
        self.begun = False
        self.events: list[Event] = []
        """What happened since then."""
        self.looked = True
        """Whether the last step looked at the position, so that the next one acts anew."""

    def seat(self, who: str) -> Seat:
        """The seat of a player."""
        return next(each.seat for each in self.state.players if each.name == who)

    def player(self, who: str) -> Player:
        """A player by name."""
        return player(self.state, self.seat(who))

    def change(self, who: str, **fields: object) -> None:
        """Give a player other values."""
        self.state = with_player(self.state, change(self.player(who), **fields))

    # Given

    def take_card(self, who: str, card: str) -> None:
        """Take a card out of the deck or the supply that has it at the start."""
        deck, supplies = _copies(self.player(who).deck), _copies(self.state.imperium_deck)
        if deck[card]:
            deck[card] -= 1
            self.change(who, deck=shuffled(deck.elements()))
        elif supplies[card]:
            supplies[card] -= 1
            self.state = change(self.state, imperium_deck=shuffled(supplies.elements()))
        else:
            stacks = self.state.reserve
            own = any(face.id == card for face in self.state.config.cards)
            assert own or any(stack.card == card and stack.left for stack in stacks), card
            reserve = (change(stack, left=stack.left - (stack.card == card)) for stack in stacks)
            self.state = change(self.state, reserve=tuple(reserve))

    def deck_without(self, cards: Iterable[str]) -> Deck:
        """The Imperium deck without these cards."""
        deck = _copies(self.state.imperium_deck)
        deck.subtract(cards)
        return shuffled(deck.elements())

    def take_intrigue(self, card: str) -> None:
        """Take a card out of the Intrigue deck."""
        deck = _copies(self.state.intrigue_deck)
        assert deck[card], card
        deck[card] -= 1
        self.state = change(self.state, intrigue_deck=shuffled(deck.elements()))

    def begin(self, seat: Seat | None) -> None:
        """What is given is whole: check it, and let a player take a turn."""
        if self.begun:
            return
        self.begun = True
        for each in self.state.players:
            supply = TROOPS - each.garrison - each.troops
            self.state = with_player(self.state, change(each, supply=supply))
        broken = [told for invariant in INVARIANTS for told in invariant.broken(self.state)]
        assert not broken, broken
        at_turn = seat if self.turn_of is None else self.turn_of
        if at_turn is not None:
            following = clockwise(self.state, at_turn)[1]
            pending = (Recall(), Makers(), Combat(), PlayerTurns(following), Turn(at_turn))
            turn = ThisTurn(at_turn)
            self.state = change(self.state, turn=turn, pending=pending, round=1)
        self.before = self.state

    # When

    def act(self, seat: Seat | None) -> None:
        """Something is about to happen."""
        self.begin(seat)
        if self.looked:
            self.looked, self.before, self.events = False, self.state, []

    def give(self, given: Action | Answer) -> None:
        """Give the engine an input."""
        done = step(IMPERIUM, self.state, given)
        assert not isinstance(done, Refusal), done
        self.take(done.state, done.events)

    def take(self, state: State, events: tuple[Event, ...]) -> None:
        """Go on from another position, until somebody has to answer."""
        done = settle(IMPERIUM, state, events)
        self.state = done.state
        self.events.extend(done.events)

    # Then

    def look(self, seat: Seat | None = None) -> None:
        """Somebody looks at the position: effects that leave nothing to decide happen first."""
        self.begin(seat)
        if self.looked:
            return
        self.looked = True
        while has_effects(self.state):
            try:
                done = finish_group(self.state, answers=(), optional_asks=True)
            except (NeedsChoice, OrderMatters, TooManyEffects, UnknownRead):
                return
            if not done.order:
                return
            self.take(done.state, done.events)

    def cited(self, who: str) -> set[str]:
        """The rules of what happened to a player."""
        about = (self.seat(who), None)
        return {rule for event in self.events if event.player in about for rule in event.rules}


def _copies(deck: Deck) -> Counter[str]:
    """How often a deck has each card."""
    return Counter(
        card for part in deck for card in (part.cards if isinstance(part, Pool) else (part.card,))
    )
