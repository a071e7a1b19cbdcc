"""Looking at the top cards of the own deck, and dealing them out."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import SortCard
from rules_engine.imperium.cards import reveal_drawn, reveals_what_is_drawn
from rules_engine.imperium.discarding import when_discarded
from rules_engine.imperium.frames import Effects, Item, LookAtTop, SortCards
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import State, follows, player, with_player
from rules_engine.imperium.trashing import out_of_game, when_trashed
from rules_engine.kernel.decks import ANY, size, with_card, without_card, without_top
from rules_engine.kernel.drawing import draws_from
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Answer, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

FATES = ("draw", "discard", "trash")
"""What becomes of the cards looked at, one each."""

OWN_WORDS = cite("UPR-ROUND-005")
DRAW = cite("UPR-ICON-003", "UPR-ROUND-005")
DISCARD = cite("UPR-ROUND-005", "UPR-CLAR-008")


# Looking


def _look_by_effect(state: State, seat: Seat, _: tree.SortTopCards, __: str) -> Step[State]:
    """So many cards have to be in the deck: it is not made anew for this."""
    if size(player(state, seat).deck) < len(FATES):
        return Step(state, (Event("too_few_in_deck", OWN_WORDS, seat),))
    return Step(push(state, LookAtTop(seat, len(FATES))))


def _why_not_look(state: State, seat: Seat, _: tree.SortTopCards, __: str) -> Iterator[Reason]:
    if size(player(state, seat).deck) < len(FATES):
        yield Reason("too_few_in_deck", OWN_WORDS)


def _look(state: State, frame: LookAtTop, answer: Answer | None) -> Step[State]:
    """The top card is looked at by its owner alone; with the last one they are dealt out."""
    if answer is None:
        return Step(push(state, SortCards(frame.seat, frame.seen, FATES)))
    card = answer.outcome
    owner = player(state, frame.seat)
    state = with_player(state, change(owner, deck=without_top(owner.deck, card)))
    rest = change(frame, count=frame.count - 1, seen=with_card(frame.seen, card))
    event = Event("looks_at", OWN_WORDS, frame.seat, {"card": card}, secret=("card",))
    return Step(push(state, rest), (event,))


LOOK_AT_TOP = draws_from(
    lambda state, frame: player(state, frame.seat).deck,
    lambda _, frame: frame.count >= 1,
    _look,
    OWN_WORDS,
)


# Dealing out


def _legal(state: State, frame: SortCards, action: object) -> Refusal | None:
    if not isinstance(action, SortCard):
        return refusal([Reason("sort_cards", OWN_WORDS)])
    return refusal(_why_not(state, frame, action))


def _why_not(state: State, frame: SortCards, action: SortCard) -> Iterator[Reason]:
    if action.fate not in frame.left:
        yield Reason("fate_given", OWN_WORDS)
    if action.card not in frame.seen:
        if ANY in frame.seen:
            raise UnknownRead(f"the cards {player(state, frame.seat).name} looks at")
        yield Reason("not_looked_at", OWN_WORDS, {"card": action.card})


def _options(_: State, frame: SortCards) -> tuple[SortCard, ...]:
    return tuple(
        SortCard(frame.seat, card, fate)
        for card in dict.fromkeys(frame.seen)
        if card != ANY
        for fate in frame.left
    )


def _deal_out(state: State, frame: SortCards, action: SortCard) -> Step[State]:
    """One card is drawn, one discarded, one trashed, and nothing comes in between."""
    seen = without_card(frame.seen, action.card)
    left = tuple(fate for fate in frame.left if fate != action.fate)
    fates = {action.fate: action.card}
    if len(seen) == 1:
        # The last card has the last fate; which of the two was named tells nobody anything.
        fates, seen = {left[0]: seen[0], **fates}, ()
    then = frame.then
    events: tuple[Event, ...] = ()
    for fate in filter(fates.__contains__, FATES):
        state, items, told = _give(state, frame.seat, fates[fate], fate)
        then, events = then + items, events + told
    if seen:
        return Step(push(state, SortCards(frame.seat, seen, left, then)), events)
    return Step(push(state, Effects(frame.seat, then)) if then else state, events)


def _give(
    state: State, seat: Seat, card: str, fate: str
) -> tuple[State, tuple[Item, ...], tuple[Event, ...]]:
    """One of the cards looked at gets its fate; with what is to come of it afterwards."""
    if fate == "draw":
        return _draw(state, seat, card)
    if card == ANY:
        raise UnknownRead(f"the cards {player(state, seat).name} looks at")
    if fate == "discard":
        return _discard(state, seat, card)
    state, rules = out_of_game(state, card)
    event = Event("trashes", OWN_WORDS + rules, seat, {"card": card, "zone": "deck"})
    return state, when_trashed(state, card), (event,)


def _draw(state: State, seat: Seat, card: str) -> tuple[State, tuple[Item, ...], tuple[Event, ...]]:
    """The card comes to the hand unseen, or is revealed if it is drawn in the own Reveal turn."""
    owner = player(state, seat)
    state = with_player(state, change(owner, hand=with_card(owner.hand, card)))
    event = Event("draws", DRAW, seat, {"card": card}, secret=("card",))
    if not reveals_what_is_drawn(state, seat):
        return state, (), (event,)
    state, items, shown = reveal_drawn(state, seat, card)
    return state, items, (event, shown)


def _discard(
    state: State, seat: Seat, card: str
) -> tuple[State, tuple[Item, ...], tuple[Event, ...]]:
    """The card goes to the discard pile from the deck: a ruling says what it may say about that.

    UPR-CLAR-008
    """
    owner = player(state, seat)
    state = with_player(state, change(owner, discard=with_card(owner.discard, card)))
    counts = follows(state, "guilds_favor_from_deck") == "any_discard"
    items = when_discarded(state, card) if counts else ()
    return state, items, (Event("discards", DISCARD, seat, {"card": card}),)


SORT_CARDS = FrameRules(
    asks=lambda _, frame: asks(frame.seat), apply=_deal_out, legal=_legal, options=_options
)


MEANING: Meanings = {tree.SortTopCards: Meaning(_look_by_effect, OWN_WORDS, _why_not_look)}
