"""Trashing: which card leaves the game, what it says about that, and what is lost with it."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import Choose, Decline, Trash
from rules_engine.imperium.cards import cards_in, due_boxes, holds, move_card
from rules_engine.imperium.faces import card_face
from rules_engine.imperium.frames import GROUPS, Effects, Item, PickCopy, PickTrash
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import Player, State, follows, player, with_deed, with_player
from rules_engine.imperium.strength import forget_sword_card
from rules_engine.kernel.decks import ANY, with_card, without_card
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

TRASH = cite("UPR-ICON-011")
TRASH_RESERVE = cite("UPR-ICON-012")
MAY_TRASH = cite("UPR-ICON-013")
IN_PLAY = cite("UPR-REVEAL-010")
OWN_WORDS = cite("UPR-ROUND-005")

ZONES = ("hand", "discard", "in_play")
"""Where a card can be trashed from."""


# A card leaves the game


def trash(state: State, seat: Seat, card: str, zone: str, source: str = "") -> Step[State]:
    """A card of a zone leaves the game, and what it says about being trashed happens.

    UPR-ICON-011, UPR-ICON-012
    """
    owner = player(state, seat)
    state = with_player(state, change(owner, **{zone: without_card(cards_in(owner, zone), card)}))
    if zone == "in_play":
        state = forget_sword_card(state, seat, card)
    state, rules = out_of_game(state, card)
    state = with_deed(state, seat, "trashes", source, card)
    state = then(state, seat, when_trashed(state, card))
    return Step(state, (Event("trashes", rules, seat, {"card": card, "zone": zone}),))


def out_of_game(state: State, card: str) -> tuple[State, tuple[str, ...]]:
    """A card that was taken from its zone is out; one of the Reserve goes back to its stack."""
    if all(stack.card != card for stack in state.reserve):
        return change(state, trashed=with_card(state.trashed, card)), TRASH
    reserve = tuple(
        change(stack, left=stack.left + 1) if stack.card == card else stack
        for stack in state.reserve
    )
    return change(state, reserve=reserve), TRASH + TRASH_RESERVE


def when_trashed(state: State, card: str) -> tuple[Item, ...]:
    """What a card says about being trashed; it is gone, and so no longer has a box."""
    return tuple(Item(effect, card) for effect in card_face(state, card).when_trashed)


def then(state: State, seat: Seat, items: tuple[Item, ...]) -> State:
    """The state in which some effects come next, in the order that their owner picks."""
    return push(state, Effects(seat, items)) if items else state


# Which card


def _zones(frame: PickTrash) -> tuple[str, ...]:
    return ZONES if frame.zone is None else (frame.zone,)


def _is_itself(owner: Player, frame: PickTrash, card: str, zone: str) -> bool:
    """Whether the card that says it would be trashed, and says that it must be another one."""
    own = frame.other and zone == "in_play" and card == frame.source
    return own and owner.in_play.count(card) <= 1


def fitting(state: State, frame: PickTrash) -> tuple[Trash, ...]:
    """The cards that the effect allows to be trashed, where they are."""
    owner = player(state, frame.seat)
    return tuple(
        Trash(frame.seat, card, zone)
        for zone in _zones(frame)
        for card in dict.fromkeys(cards_in(owner, zone))
        if card != ANY
        and (frame.faction is None or frame.faction in card_face(state, card).factions)
        and not _is_itself(owner, frame, card, zone)
    )


def _nothing_fits(state: State, frame: PickTrash) -> bool:
    """Whether no card can be trashed; it depends on cards that were never named."""
    if fitting(state, frame):
        return False
    owner = player(state, frame.seat)
    if all(ANY not in cards_in(owner, zone) for zone in _zones(frame)):
        return True
    if frame.faction is None:
        return False
    raise UnknownRead(f"{owner.name}'s cards")


def _why_not_card(state: State, frame: PickTrash, card: str, zone: str) -> Iterator[Reason]:
    owner = player(state, frame.seat)
    if zone not in _zones(frame):
        yield Reason("wrong_zone", TRASH, {"card": card, "zone": zone})
    elif not holds(owner, zone, card):
        yield Reason("no_such_card", TRASH, {"card": card, "zone": zone})
    elif _is_itself(owner, frame, card, zone):
        yield Reason("not_itself", OWN_WORDS, {"card": card})
    if frame.faction is not None and frame.faction not in card_face(state, card).factions:
        yield Reason("wrong_faction", OWN_WORDS, {"card": card, "faction": frame.faction})


def _legal(state: State, frame: PickTrash, action: object) -> Refusal | None:
    match action:
        case Trash(_, card, zone):
            return refusal(_why_not_card(state, frame, card, zone))
        case Decline() if _nothing_fits(state, frame):
            return None
        case Decline():
            return refusal([Reason("pick_card_to_trash", MAY_TRASH + TRASH)])
        case _:
            return refusal([Reason("pick_card_to_trash", TRASH)])


def _options(state: State, frame: PickTrash) -> tuple[Trash | Decline, ...]:
    return fitting(state, frame) or ((Decline(frame.seat),) if _nothing_fits(state, frame) else ())


def _asks(state: State, frame: PickTrash) -> Asks:
    """The owner, if there are cards at all: whether one of them fits may be hidden from others."""
    owner = player(state, frame.seat)
    return asks(frame.seat) if any(cards_in(owner, zone) for zone in _zones(frame)) else NOBODY


def _pick(state: State, frame: PickTrash, action: object) -> Step[State]:
    """The picked card is trashed. UPR-ICON-011"""
    if not isinstance(action, Trash):
        return Step(state, (Event("nothing_to_trash", TRASH, frame.seat),))
    card, zone = action.card, action.zone
    done = trash(state, frame.seat, card, zone, frame.source)
    if zone != "in_play":
        return done
    spared = _resolving(state) if frame.other and card == frame.source else None
    return Step(_lose_a_box(done.state, frame.seat, card, spared), done.events)


PICK_TRASH = FrameRules(asks=_asks, apply=_pick, legal=_legal, options=_options)


# What is lost with one of several equal cards in play


def _resolving(state: State) -> int | None:
    """Which of several equal cards the effect that is being resolved is on."""
    return None if state.turn is None else state.turn.copy


def _lost_with_cards(state: State) -> bool:
    return follows(state, "trashed_card_effects_lost") == "lost"


def _lose_a_box(state: State, seat: Seat, card: str, spared: int | None) -> State:
    """Of equal cards in play one was trashed: its owner says which, if that makes a difference.

    One whose box is used up goes first: nobody is rid of a duty by it.
    UPR-REVEAL-010, UPR-ICON-011
    """
    left = player(state, seat).in_play.count(card)
    if left == 0 or not _lost_with_cards(state):
        return state
    due = due_boxes(state, seat, card)
    used_up = left + 1 - len(due) - (1 if spared is not None and spared not in due else 0)
    if used_up >= 1:
        return state
    copies = {effects: copy for copy, effects in due.items() if copy != spared}
    if len(copies) == 1:
        return _without_box(state, seat, card, *copies.values())
    options = tuple(each[0] if len(each) == 1 else tree.All(each) for each in copies)
    return push(state, PickCopy(seat, card, options, tuple(copies.values())))


def _without_box(state: State, seat: Seat, card: str, copy: int) -> State:
    """The state without what was still due of one of several equal cards."""

    def stays(item: Item) -> bool:
        return not (item.boxed and item.source == card and item.copy == copy)

    pending = tuple(
        change(frame, items=tuple(filter(stays, frame.items)))
        if isinstance(frame, GROUPS) and frame.seat == seat
        else frame
        for frame in state.pending
    )
    return change(state, pending=pending)


def _legal_copy(_: State, frame: PickCopy, action: object) -> Refusal | None:
    if isinstance(action, Choose) and 0 <= action.option < len(frame.options):
        return None
    return refusal([Reason("pick_copy", IN_PLAY + TRASH, {"card": frame.card})])


def _pick_copy(state: State, frame: PickCopy, action: Choose) -> Step[State]:
    """What was still due of the card that was trashed is lost. UPR-REVEAL-010"""
    copy = frame.copies[action.option]
    return Step(_without_box(state, frame.seat, frame.card, copy))


PICK_COPY = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_pick_copy,
    legal=_legal_copy,
    options=lambda _, frame: tuple(
        Choose(frame.seat, option) for option in range(len(frame.options))
    ),
)


# Effects


def _frame(seat: Seat, effect: tree.TrashCard, source: str) -> PickTrash:
    return PickTrash(seat, effect.faction, effect.zone, effect.other, source)


def _trash_by_effect(state: State, seat: Seat, effect: tree.TrashCard, source: str) -> Step[State]:
    return Step(push(state, _frame(seat, effect, source)))


def _why_not_trash(
    state: State, seat: Seat, effect: tree.TrashCard, source: str
) -> Iterator[Reason]:
    if _nothing_fits(state, _frame(seat, effect, source)):
        yield Reason("nothing_to_trash", TRASH)


def _why_not_self(state: State, seat: Seat, _: object, source: str) -> Iterator[Reason]:
    if source not in player(state, seat).in_play:
        yield Reason("not_in_play", IN_PLAY, {"card": source})


def _trash_self(state: State, seat: Seat, _: tree.TrashSelf, source: str) -> Step[State]:
    """The card that says so is trashed; if it is gone already, nothing more happens."""
    if source not in player(state, seat).in_play:
        return Step(state)
    done = trash(state, seat, source, "in_play", source)
    copy = _resolving(state)
    if copy is None or not _lost_with_cards(state) or source not in _in_play(done.state, seat):
        return done
    return Step(_without_box(done.state, seat, source, copy), done.events)


def _in_play(state: State, seat: Seat) -> tuple[str, ...]:
    return player(state, seat).in_play


def _return_self(state: State, seat: Seat, _: tree.ReturnSelf, source: str) -> Step[State]:
    """The card that says so goes from play back to the hand; it can be played again."""
    if source not in player(state, seat).in_play:
        return Step(state)
    state = move_card(state, seat, source, "in_play", "hand")
    return Step(state, (Event("returns_to_hand", OWN_WORDS, seat, {"card": source}),))


MEANING: Meanings = {
    tree.TrashCard: Meaning(_trash_by_effect, TRASH + MAY_TRASH, _why_not_trash),
    tree.TrashSelf: Meaning(_trash_self, TRASH + MAY_TRASH, _why_not_self),
    tree.ReturnSelf: Meaning(_return_self, OWN_WORDS, _why_not_self),
}
