"""Cards between deck, hand, play, discard pile and box."""

from __future__ import annotations

from rules_engine.imperium.actions import Trash
from rules_engine.imperium.faces import card_face
from rules_engine.imperium.frames import DrawFromDeck, DrawFromIntrigue, Effects, Item, PickTrash
from rules_engine.imperium.state import Player, State, follows, player, with_player
from rules_engine.kernel.decks import (
    ANY,
    Cards,
    shuffled,
    size,
    with_card,
    without_card,
    without_top,
)
from rules_engine.kernel.drawing import draws_from
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import NOBODY, Answer, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

DRAW = cite("UPR-ICON-003")
DRAW_INTRIGUE = cite("UPR-ICON-004")
TRASH = cite("UPR-ICON-011")
TRASH_RESERVE = cite("UPR-ICON-012")
REVEALED_WHEN_DRAWN = cite("UPR-REVEAL-003", "UPR-REVEAL-005")

ZONES = ("hand", "discard", "in_play")
"""Where a card can be trashed from."""


def cards_in(owner: Player, zone: str) -> Cards:
    """The cards of one of a player's zones."""
    found: Cards = getattr(owner, zone)
    return found


def holds(owner: Player, zone: str, card: str) -> bool:
    """Whether a card is in a zone; it depends on the zone if cards there were never named."""
    cards = cards_in(owner, zone)
    if card in cards:
        return True
    if ANY in cards:
        raise UnknownRead(f"{owner.name}'s {zone.replace('_', ' ')}")
    return False


def move_card(state: State, seat: Seat, card: str, start: str, end: str) -> State:
    """A card moves between two of a player's zones: nothing but drawing does so too."""
    owner = player(state, seat)
    left = without_card(cards_in(owner, start), card)
    owner = change(owner, **{start: left})
    return with_player(state, change(owner, **{end: with_card(cards_in(owner, end), card)}))


def all_cards_to_discard(state: State, seat: Seat) -> State:
    """Everything in play goes to the discard pile."""
    for card in player(state, seat).in_play:
        state = move_card(state, seat, card, "in_play", "discard")
    return state


# Drawing from the own deck


def _can_draw(owner: Player) -> bool:
    return size(owner.deck) > 0 or bool(owner.discard)


def _draw(state: State, frame: DrawFromDeck, answer: Answer | None) -> Step[State]:
    """Draw the top card; an empty deck is first made of the discard pile. UPR-ICON-003"""
    owner = player(state, frame.seat)
    if answer is None:
        if frame.count < 1 or not _can_draw(owner):
            return Step(state)
        if ANY in owner.discard:
            raise UnknownRead(f"{owner.name}'s discard pile")
        owner = change(owner, deck=owner.deck + shuffled(owner.discard), discard=())
        state = push(with_player(state, owner), frame)
        return Step(state, (Event("reshuffles", DRAW, frame.seat),))
    card = answer.outcome
    owner = change(owner, deck=without_top(owner.deck, card), hand=with_card(owner.hand, card))
    state = push(with_player(state, owner), change(frame, count=frame.count - 1))
    event = Event("draws", DRAW, frame.seat, {"card": card}, secret=("card",))
    if _reveals_what_is_drawn(state, frame.seat):
        return _reveal_drawn(state, frame.seat, card, event)
    return Step(state, (event,))


def _reveals_what_is_drawn(state: State, seat: Seat) -> bool:
    """In the own Reveal turn, as the ruling says."""
    turn = state.turn
    revealing = turn is not None and turn.seat == seat and turn.kind == "reveal"
    return revealing and follows(state, "draw_during_reveal") == "revealed"


def _reveal_drawn(state: State, seat: Seat, card: str, event: Event) -> Step[State]:
    """A card drawn in the own Reveal turn is revealed and used at once. UPR-REVEAL-005"""
    if card == ANY:
        raise UnknownRead(f"the card {player(state, seat).name} draws in the Reveal turn")
    state = move_card(state, seat, card, "hand", "in_play")
    items = tuple(Item(effect, card, boxed=True) for effect in card_face(state, card).reveal)
    shown = Event("reveals", REVEALED_WHEN_DRAWN, seat, {"card": card})
    return Step(push(state, Effects(seat, items)), (event, shown))


DRAW_FROM_DECK = draws_from(
    lambda state, frame: player(state, frame.seat).deck,
    lambda _, frame: frame.count >= 1,
    _draw,
    DRAW,
)


# Drawing Intrigue cards


def _draw_intrigue(state: State, frame: DrawFromIntrigue, answer: Answer | None) -> Step[State]:
    """Draw an Intrigue card; an empty deck is first made of the discard pile. UPR-ICON-004"""
    if answer is None:
        reshuffle = follows(state, "intrigue_deck_empty") == "reshuffle"
        if frame.count < 1 or not state.intrigue_discard or not reshuffle:
            return Step(state)
        deck = state.intrigue_deck + shuffled(state.intrigue_discard)
        state = push(change(state, intrigue_deck=deck, intrigue_discard=()), frame)
        return Step(state, (Event("reshuffles_intrigue", DRAW_INTRIGUE, frame.seat),))
    card = answer.outcome
    owner = player(state, frame.seat)
    owner = change(owner, intrigues=with_card(owner.intrigues, card))
    deck = without_top(state.intrigue_deck, card)
    state = with_player(change(state, intrigue_deck=deck), owner)
    event = Event("draws_intrigue", DRAW_INTRIGUE, frame.seat, {"card": card}, secret=("card",))
    return Step(push(state, change(frame, count=frame.count - 1)), (event,))


DRAW_FROM_INTRIGUE = draws_from(
    lambda state, _: state.intrigue_deck,
    lambda _, frame: frame.count >= 1,
    _draw_intrigue,
    DRAW_INTRIGUE,
)


# Trashing


def trash(state: State, seat: Seat, card: str, zone: str) -> Step[State]:
    """A card leaves the game; one of the Reserve goes back to its stack.

    UPR-ICON-011, UPR-ICON-012
    """
    owner = player(state, seat)
    state = with_player(state, change(owner, **{zone: without_card(cards_in(owner, zone), card)}))
    if any(stack.card == card for stack in state.reserve):
        reserve = tuple(
            change(stack, left=stack.left + 1) if stack.card == card else stack
            for stack in state.reserve
        )
        state, rules = change(state, reserve=reserve), TRASH + TRASH_RESERVE
    else:
        state, rules = change(state, trashed=with_card(state.trashed, card)), TRASH
    return Step(state, (Event("trashes", rules, seat, {"card": card, "zone": zone}),))


def anything_to_trash(state: State, seat: Seat) -> bool:
    """Whether there is a card that could be trashed."""
    return any(cards_in(player(state, seat), zone) for zone in ZONES)


def _legal_trash(state: State, frame: PickTrash, action: object) -> Refusal | None:
    if not isinstance(action, Trash) or action.zone not in ZONES:
        return refusal([Reason("pick_card_to_trash", TRASH)])
    if not holds(player(state, frame.seat), action.zone, action.card):
        return refusal([Reason("no_such_card", TRASH, {"card": action.card, "zone": action.zone})])
    return None


def _trash_options(state: State, frame: PickTrash) -> tuple[Trash, ...]:
    owner = player(state, frame.seat)
    return tuple(
        Trash(frame.seat, card, zone)
        for zone in ZONES
        for card in dict.fromkeys(cards_in(owner, zone))
        if card != ANY
    )


PICK_TRASH = FrameRules(
    asks=lambda state, frame: asks(frame.seat) if anything_to_trash(state, frame.seat) else NOBODY,
    apply=lambda state, frame, action: (
        Step(state) if action is None else trash(state, frame.seat, action.card, action.zone)
    ),
    legal=_legal_trash,
    options=_trash_options,
)
