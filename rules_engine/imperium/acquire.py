"""Acquiring cards from the Imperium Row and the Reserve, and setting one of the Row aside."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.catalogue.faces import IntrigueFace
from rules_engine.catalogue.load import catalogue
from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium import contracts, resources
from rules_engine.imperium.actions import Accept, Acquire, Decline, TakeFromRow
from rules_engine.imperium.faces import card_face, intrigue_face
from rules_engine.imperium.frames import Effects, FillRow, Item, PickCard, PickFromRow, PickPlace
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import State, own_turn, player, with_player
from rules_engine.kernel.decks import ANY, Cards, on_top, with_card, without_card, without_top
from rules_engine.kernel.drawing import draws_from
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import NOBODY, Answer, Asks, FrameRules, asks, push
from rules_engine.kernel.numbers import Quantity, larger, most
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

ROW = 5

WHERE_FROM = cite("UPR-ACQ-002")
OUT_OF_THE_GAME = cite("UPR-ICON-011", "UPR-ICON-012")
PRICE = cite("UPR-ACQ-001", "UPR-ACQ-004")
TOO_DEAR = cite("UPR-ACQ-004", "UPR-ACQ-001")
ANY_MOMENT = cite("UPR-REVEAL-007")
TO_DISCARD = cite("UPR-ACQ-008", "UPR-ACQ-009")
ACQUIRE_BOX = cite("UPR-ACQ-012")
REFILL = cite("UPR-ACQ-010", "UPR-ACQ-011")
OWN_WORDS = cite("UPR-ROUND-005")
PLAYED = cite("UPR-ROUND-006")


# What is there, and what it costs


def offered(state: State, seat: Seat, card: str) -> bool:
    """Whether a card is in the Row, on a Reserve stack, or set aside for this player.

    UPR-ACQ-002
    """
    if card in player(state, seat).set_aside or card in _left_in_reserve(state):
        return True
    return not of_reserve(state, card) and in_row(state, card)


def of_reserve(state: State, card: str) -> bool:
    """Whether a card lies on a stack beside the board, so that it never comes to the Row."""
    return any(stack.card == card for stack in state.reserve)


def in_row(state: State, card: str) -> bool:
    """Whether a card is in the Row; it depends on the Row if cards there were never named."""
    if card in state.row:
        return True
    if ANY in state.row:
        raise UnknownRead("the Imperium Row")
    return False


def _there(state: State, seat: Seat) -> Cards:
    """The cards that this player could acquire, each once."""
    return _named((*state.row, *_left_in_reserve(state), *player(state, seat).set_aside))


def _left_in_reserve(state: State) -> Cards:
    """The cards of which the Reserve has copies."""
    return tuple(stack.card for stack in state.reserve if stack.left > 0)


def _named(cards: Cards) -> Cards:
    """Each of some cards once, without those that were never named."""
    return tuple(card for card in dict.fromkeys(cards) if card != ANY)


def printed_cost(state: State, card: str) -> Quantity:
    """The cost on a card's face; cards without one are never offered."""
    cost = card_face(state, card).cost
    return 0 if cost is None else cost


def price(state: State, seat: Seat, card: str) -> Quantity:
    """The Persuasion that a card costs this player: less if it was set aside."""
    cost = printed_cost(state, card)
    if card in player(state, seat).set_aside:
        return larger(0, cost - discount(state.config.product))
    return cost


def discount(product: str) -> Quantity:
    """How much less a card costs that was set aside, as the cards that set one aside say."""
    return most(
        part.discount
        for face in catalogue(product).intrigue.values()
        for effect in _effects(face)
        for part in tree.walk(effect)
        if isinstance(part, tree.TakeFromRow)
    )


def _effects(face: IntrigueFace) -> Iterator[Effect]:
    for way in face.ways:
        yield from (*way.effects, *way.lines)


# With Persuasion


def why_not(state: State, seat: Seat, card: str) -> Iterator[Reason]:
    """The reasons against acquiring a card."""
    if not offered(state, seat, card):
        gone = OUT_OF_THE_GAME if card in state.trashed else ()
        yield Reason("not_offered", WHERE_FROM + gone, {"card": card})
        return
    cost = price(state, seat, card)
    if cost > player(state, seat).persuasion:
        yield Reason("too_expensive", TOO_DEAR, {"card": card, "cost": cost})


def options(state: State, seat: Seat) -> tuple[Acquire, ...]:
    """The cards that the player can acquire now."""
    persuasion = player(state, seat).persuasion
    return tuple(
        Acquire(seat, card)
        for card in _there(state, seat)
        if price(state, seat, card) <= persuasion
    )


def acquire(state: State, seat: Seat, card: str) -> Step[State]:
    """A card is paid with Persuasion and put on the discard pile; what is left buys others.

    UPR-ACQ-001, UPR-ACQ-006, UPR-ACQ-008
    """
    owner = player(state, seat)
    if _in_two_places(state, seat, card) and printed_cost(state, card) <= owner.persuasion:
        return Step(push(state, PickPlace(seat, card, "discard", bought=True)))
    return _buy(state, seat, card, aside=card in owner.set_aside)


def _buy(state: State, seat: Seat, card: str, aside: bool) -> Step[State]:
    owner = player(state, seat)
    cost = price(state, seat, card) if aside else printed_cost(state, card)
    paid = change(owner, persuasion=owner.persuasion - cost)
    return take(with_player(state, paid), seat, card, "discard", PRICE + ANY_MOMENT, aside)


# Equal cards in the Row and set aside


def _in_two_places(state: State, seat: Seat, card: str) -> bool:
    return card in player(state, seat).set_aside and card in state.row


def _legal_place(_: State, frame: PickPlace, action: object) -> Refusal | None:
    if isinstance(action, Accept | Decline):
        return None
    return refusal([Reason("pick_place", WHERE_FROM + OWN_WORDS, {"card": frame.card})])


def _pick_place(state: State, frame: PickPlace, action: Accept | Decline) -> Step[State]:
    """The card set aside is acquired, or the equal one of the Row. UPR-ACQ-002, UPR-ROUND-005"""
    seat, card, aside = frame.seat, frame.card, isinstance(action, Accept)
    if frame.bought:
        return _buy(state, seat, card, aside)
    return take(state, seat, card, frame.to, WHERE_FROM + OWN_WORDS, aside)


PICK_PLACE = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_pick_place,
    legal=_legal_place,
    options=lambda _, frame: (Accept(frame.seat), Decline(frame.seat)),
)


# However it is paid


def take(
    state: State, seat: Seat, card: str, to: str, rules: tuple[str, ...], aside: bool
) -> Step[State]:
    """A card becomes the player's; a gap in the Row is filled, then its Acquire box applies once.

    UPR-ACQ-008, UPR-ACQ-010, UPR-ACQ-012
    """
    state = _noted(_put(_taken(state, seat, card, aside), seat, card, to), seat, card)
    box = tuple(Item(effect, card) for effect in card_face(state, card).acquire)
    state = contracts.after_acquiring(state, seat, card)
    gap = () if aside or of_reserve(state, card) else (FillRow(),)
    state = push(state, Effects(seat, box + _said_about_it(state, seat)), *gap)
    where = TO_DISCARD if to == "discard" else OWN_WORDS
    cited = rules + where + (ACQUIRE_BOX if box else ())
    return Step(state, (Event("acquires", cited, seat, {"card": card}),))


def _taken(state: State, seat: Seat, card: str, aside: bool) -> State:
    """The card leaves the place where it was."""
    owner = player(state, seat)
    if aside:
        return with_player(state, change(owner, set_aside=without_card(owner.set_aside, card)))
    if not of_reserve(state, card):
        return change(state, row=without_card(state.row, card))
    reserve = tuple(
        change(stack, left=stack.left - 1) if stack.card == card else stack
        for stack in state.reserve
    )
    return change(state, reserve=reserve)


def _put(state: State, seat: Seat, card: str, to: str) -> State:
    """The card comes to the discard pile, the hand or the top of the deck: everybody saw it."""
    owner = player(state, seat)
    if to == "hand":
        return with_player(state, change(owner, hand=with_card(owner.hand, card)))
    if to == "deck_top":
        everybody = tuple(range(len(state.players)))
        return with_player(state, change(owner, deck=on_top(owner.deck, (card,), everybody)))
    return with_player(state, change(owner, discard=with_card(owner.discard, card)))


def _noted(state: State, seat: Seat, card: str) -> State:
    """In the own turn it is noted what was acquired: cards ask for it."""
    turn = own_turn(state, seat)
    if turn is None:
        return state
    return change(state, turn=change(turn, acquired=with_card(turn.acquired, card)))


def _said_about_it(state: State, seat: Seat) -> tuple[Item, ...]:
    """What Intrigue cards that stand face up say about a card acquired in the own Reveal turn."""
    turn = own_turn(state, seat)
    if turn is None or turn.kind != "reveal":
        return ()
    return tuple(
        Item(effect.effect, card)
        for card in player(state, seat).standing
        for effect in _effects(intrigue_face(state, card))
        if isinstance(effect, tree.WhenAcquiring)
    )


# The Row is filled up


def _fill(state: State, frame: FillRow, answer: Answer | None) -> Step[State]:
    """A gap in the Row is filled from the top of the Imperium Deck. UPR-ACQ-010"""
    if answer is None:
        return Step(state)
    card = answer.outcome
    deck = without_top(state.imperium_deck, card)
    state = change(state, imperium_deck=deck, row=with_card(state.row, card))
    return Step(push(state, frame), (Event("row_filled", REFILL, None, {"card": card}),))


FILL_ROW = draws_from(
    lambda state, _: state.imperium_deck, lambda state, _: len(state.row) < ROW, _fill, REFILL
)


# By an effect


def _why_not_by_effect(state: State, frame: PickCard, card: str) -> Iterator[Reason]:
    effect, cost = frame.effect, printed_cost(state, card)
    aside = card in player(state, frame.seat).set_aside
    not_of_row = effect.row and of_reserve(state, card) and not aside
    if not_of_row or not offered(state, frame.seat, card):
        yield Reason("not_offered", WHERE_FROM + OWN_WORDS, {"card": card})
    if cost < effect.cheapest or (effect.dearest is not None and cost > effect.dearest):
        yield Reason("wrong_cost", OWN_WORDS, {"card": card, "cost": cost})
    if effect.with_solari and not resources.can_pay(state, frame.seat, cost, "solari"):
        facts = {"card": card, "amount": cost, "what": "solari"}
        yield Reason("cannot_pay", OWN_WORDS, facts)


def _acquirable(state: State, frame: PickCard) -> tuple[Acquire, ...]:
    """The cards that the effect allows to be acquired."""
    owner = player(state, frame.seat)
    there = (*state.row, *owner.set_aside) if frame.effect.row else _there(state, frame.seat)
    return tuple(Acquire(frame.seat, card) for card in _named(there) if _allows(state, frame, card))


def _allows(state: State, frame: PickCard, card: str) -> bool:
    """Whether a card costs what the effect says, and no more than its player can pay for it."""
    effect, cost = frame.effect, printed_cost(state, card)
    most_paid = player(state, frame.seat).solari if effect.with_solari else effect.dearest
    return (
        effect.cheapest <= cost
        and (effect.dearest is None or cost <= effect.dearest)
        and (most_paid is None or cost <= most_paid)
    )


def _asks_card(state: State, frame: PickCard) -> Asks:
    """The player is asked if a card fits; once one of the Reserve does, the Row does not matter."""
    can = (
        any(_allows(state, frame, card) for card in _in_reserve(state, frame))
        or ANY in state.row
        or _acquirable(state, frame)
    )
    return asks(frame.seat) if can else NOBODY


def _in_reserve(state: State, frame: PickCard) -> Cards:
    """The cards of the Reserve among which the effect lets one pick."""
    return () if frame.effect.row else _left_in_reserve(state)


def _legal_card(state: State, frame: PickCard, action: object) -> Refusal | None:
    if not isinstance(action, Acquire):
        return refusal([Reason("pick_card_to_acquire", OWN_WORDS)])
    return refusal(_why_not_by_effect(state, frame, action.card))


def _acquire_by_effect(state: State, frame: PickCard, action: Acquire | None) -> Step[State]:
    """The picked card comes without Persuasion; if no card fits, nothing happens. UPR-ROUND-005"""
    if action is None:
        return Step(state, (Event("nothing_to_acquire", OWN_WORDS, frame.seat),))
    paid: Step[State] = Step(state)
    if frame.effect.with_solari:
        cost = printed_cost(state, action.card)
        paid = resources.pay(state, frame.seat, cost, "solari")
    done = _take_by_effect(paid.state, frame, action.card)
    return Step(done.state, paid.events + done.events)


def _take_by_effect(state: State, frame: PickCard, card: str) -> Step[State]:
    seat, to = frame.seat, frame.effect.to
    if _in_two_places(state, seat, card):
        return Step(push(state, PickPlace(seat, card, to, bought=False)))
    aside = card in player(state, seat).set_aside
    return take(state, seat, card, to, WHERE_FROM + OWN_WORDS, aside)


PICK_CARD = FrameRules(
    asks=_asks_card, apply=_acquire_by_effect, legal=_legal_card, options=_acquirable
)


# A card of the Row is set aside


def _legal_aside(state: State, _: PickFromRow, action: object) -> Refusal | None:
    if not isinstance(action, TakeFromRow):
        return refusal([Reason("pick_card_of_row", OWN_WORDS)])
    if not in_row(state, action.card):
        return refusal([Reason("not_in_row", OWN_WORDS, {"card": action.card})])
    return None


def _set_aside(state: State, frame: PickFromRow, action: TakeFromRow | None) -> Step[State]:
    """The card is out of the other players' reach, and the Row is filled up. UPR-ACQ-010"""
    if action is None:
        return Step(state)
    card = action.card
    owner = player(state, frame.seat)
    owner = change(owner, set_aside=with_card(owner.set_aside, card))
    state = change(with_player(state, owner), row=without_card(state.row, card))
    event = Event("sets_aside", OWN_WORDS + REFILL, frame.seat, {"card": card})
    return Step(push(state, FillRow()), (event,))


PICK_FROM_ROW = FrameRules(
    asks=lambda state, frame: asks(frame.seat) if state.row else NOBODY,
    apply=_set_aside,
    legal=_legal_aside,
    options=lambda state, frame: tuple(TakeFromRow(frame.seat, card) for card in _named(state.row)),
)


# The end of the Reveal turn


def end_of_reveal(state: State, seat: Seat) -> Step[State]:
    """Intrigue cards that stood face up are discarded; cards still set aside leave the game.

    UPR-ROUND-006
    """
    owner = player(state, seat)
    over = tuple(
        Event("discards_intrigue", PLAYED + OWN_WORDS, seat, {"card": card})
        for card in owner.standing
    )
    gone = tuple(
        Event("set_aside_leaves", OWN_WORDS, seat, {"card": card}) for card in owner.set_aside
    )
    state = change(
        with_player(state, change(owner, standing=(), set_aside=())),
        intrigue_discard=tuple(sorted(state.intrigue_discard + owner.standing)),
        trashed=tuple(sorted(state.trashed + owner.set_aside)),
    )
    return Step(state, over + gone)


MEANING: Meanings = {
    tree.AcquireCard: Meaning(
        lambda state, seat, effect, source: Step(push(state, PickCard(seat, effect, source))),
        WHERE_FROM + OWN_WORDS,
    ),
    tree.TakeFromRow: Meaning(
        lambda state, seat, _, __: Step(push(state, PickFromRow(seat))), OWN_WORDS
    ),
    tree.WhenAcquiring: Meaning(
        lambda state, seat, _, source: Step(
            state, (Event("stands", OWN_WORDS, seat, {"card": source}),)
        ),
        OWN_WORDS,
    ),
}
