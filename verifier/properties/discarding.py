"""Discarding from the hand, and what a card says about it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import Arrow, DiscardCards, Gain
from rules_engine.imperium.actions import Discard, EndTurn, Resolve, SortCard
from rules_engine.imperium.frames import Effects, Item, PickDiscard, RevealTurn, Run, SortCards
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.looking import FATES
from rules_engine.imperium.state import Deed, Player, State, ThisTurn, follows
from rules_engine.kernel.decks import Cards, without_card, zone
from rules_engine.kernel.game import Action, Frame, asked, legal, options
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.changes import same
from verifier.current import choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    claim_just,
    claim_open,
    full_table,
    plus,
)
from verifier.play import Line, line_from, next_state, play_out
from verifier.positions import NAMES, claim_only, printed, symbolic_state, unchanged, with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.discarding"
SOURCE = "imperial_basin"
HANDS = ((), ("dagger",), ("dagger", "diplomacy"), ("dagger", "dagger", "signet_ring"))


@proves(
    {
        "UPR-ICON-001": Twin(
            MODULE,
            'move_card(state, seat, card, "hand", "discard")',
            'move_card(state, seat, card, "hand", "in_play")',
        )
    },
)
def a_discarded_card_goes_from_the_hand_to_the_discard_pile() -> None:
    """Unsatisfiable iff a player who has to discard picks a card in hand, which is then discarded.

    Of all printed cards just those in hand are allowed, and each of them is offered once. The one
    picked is in the discard pile and no longer in hand; nothing else of anybody changes, and on
    the table only what is still to be done and what the turn remembers.
    """
    hand = choose("hand", (("dagger",), ("dagger", "dagger"), ("dagger", "diplomacy")))
    turn = choose("turn", (None, ThisTurn(OWNER, kind="agent")))
    frame = PickDiscard(OWNER, quantity("cards", 1), SOURCE)
    own = {"hand": hand, "discard": ("signet_ring",), "in_play": ("reconnaissance",)}
    before = with_cards((frame,), own, turn=turn)
    stage(before)
    for card in printed().cards:
        allowed = legal(IMPERIUM, before, Discard(OWNER, card)) is None
        claim(allowed == (card in hand), f"{card} can be discarded if it is in hand")
    offered = options(IMPERIUM, before)
    distinct = sorted(set(hand))
    claim(offered == tuple(Discard(OWNER, card) for card in distinct), "each is offered once")
    picked = choose("picked", distinct)
    stage(before, (Discard(OWNER, picked),))
    after = next_state(before, Discard(OWNER, picked))
    owner = after.players[OWNER]
    claim(owner.hand == without_card(hand, picked), "it is no longer in hand")
    claim(owner.discard == zone(("signet_ring", picked)), "it is in the discard pile")
    claim_only(before, after, ("hand", "discard"), ("turn", "pending"))


@proves(
    {
        "UPR-ICON-001": Twin(
            MODULE,
            "if len(player(state, seat).hand) < effect.amount:",
            "if not player(state, seat).hand:",
        )
    },
)
def a_discard_is_paid_in_full_or_not_at_all() -> None:
    """Unsatisfiable iff a cost of so many cards is allowed just with so many in hand, and paid.

    Then just so many go from the hand to the discard pile, whichever the player picks, and what
    they are paid for is gained.
    """
    hand = choose("hand", HANDS)
    cards, spice = quantity("cards", 1), quantity("spice")
    item = Item(Arrow(DiscardCards(cards), Gain(spice, "spice")), SOURCE)
    before = with_cards(
        (Effects(OWNER, (item,)),), {"hand": hand, "discard": ()}, turn=ThisTurn(OWNER)
    )
    pay = Resolve(OWNER, 0)
    stage(before)
    allowed = legal(IMPERIUM, before, pay) is None
    claim(allowed == (cards <= len(hand)), "it can be paid with enough cards in hand")
    if not allowed:
        return
    line, _, picked = _discarding(before, pay)
    after = line.state
    old, new = before.players[OWNER], after.players[OWNER]
    claim(len(new.discard) == cards, "so many are discarded")
    claim(new.discard == zone(picked), "they are those that the player picks")
    claim(zone(new.hand + new.discard) == hand, "they come from the hand")
    claim(new.spice == old.spice + spice, "what they are paid for is gained")
    claim_only(before, after, ("hand", "discard", "spice"), ("turn", "pending"))


# Spacing Guild's Favor

FAVOR = "spacing_guilds_favor"
PAYS = 2
"""The spice that Spacing Guild's Favor gives when it is discarded."""

PLAIN, OTHER = "dagger", "diplomacy"
"""Cards that say nothing about it."""

WHO: Seat = 0
PLAYERS = 3


def _about_to_discard(
    frame: Frame, hand: Cards = (), in_play: Cards = (), turn: ThisTurn | None = None
) -> State:
    """A position with these cards, no others in these zones, in which a frame comes next."""

    def cards(owner: Player) -> dict[str, Any]:
        own = {"hand": zone(hand), "in_play": zone(in_play)} if owner.seat == WHO else {}
        empty = ("hand", "in_play", "discard", "standing", "set_aside")
        return {**dict.fromkeys(empty, ()), **own}

    piles: dict[str, Any] = dict.fromkeys(("intrigue_discard", "trashed", "reserve"), ())
    return symbolic_state(PLAYERS, cards, pending=(frame,), turn=turn, **piles)


def _discarding(before: State, *first: Action) -> tuple[Line, tuple[State, ...], tuple[str, ...]]:
    """What is pending played out after some inputs: the states, and the cards picked to discard."""
    line = line_from(before)
    picked: tuple[str, ...] = ()
    for each in first:
        line = line.given(each)
    states = [line.state]
    while line.state.pending:
        given: Any = None
        if not asked(IMPERIUM, line.state).nobody():
            given = choose(f"pick {len(picked)}", options(IMPERIUM, line.state))
            picked = (*picked, given.card)
        line = line.given(given)
        states.append(line.state)
    return line, tuple(states), picked


def _claim_paid(before: State, after: State, spice: int, *moved: str) -> None:
    """The player has so much more spice; else only cards have moved between these zones."""
    gained = after.players[WHO].spice - before.players[WHO].spice
    claim(gained == spice, f"{NAMES[WHO]} gains {spice} spice")
    claim(not after.pending, "nothing is left to be done")
    for old, new in zip(before.players, after.players, strict=True):
        but = ("spice", *moved) if old.seat == WHO else ()
        claim(unchanged(old, new, *but), f"nothing else changes for {old.name}")


@proves(
    {
        "UPR-CLAR-008": Twin(
            "rules_engine.imperium.discarding",
            "    if items:\n        state",
            "    if items and frame.count == 1:\n        state",
        )
    },
)
def spacing_guilds_favor_pays_when_discarded_from_the_hand() -> None:
    """Unsatisfiable iff every Spacing Guild's Favor that an effect discards from the hand gives 2.

    That is 2 spice for each, and none for a card that says nothing about it, whichever cards are
    picked and in whichever order.
    """
    hand = choose("hand", ((FAVOR, PLAIN, OTHER), (FAVOR, FAVOR, PLAIN)))
    before = _about_to_discard(PickDiscard(WHO, choose("count", (1, 2, 3)), PLAIN), hand=hand)
    line, _, picked = _discarding(before)
    new = line.state.players[WHO]
    claim(new.discard == zone(picked), "the cards picked are discarded")
    claim(zone(new.hand + picked) == zone(hand), "none is lost")
    _claim_paid(before, line.state, PAYS * picked.count(FAVOR), "hand", "discard")


@proves(
    {
        "UPR-CLAR-008": Twin(
            "rules_engine.imperium.reveal_turn",
            "    state = all_cards_to_discard(state, seat)\n",
            """    from rules_engine.imperium.discarding import when_discarded
    from rules_engine.imperium.frames import Effects

    for card in player(state, seat).in_play:
        state = push(state, Effects(seat, when_discarded(state, card)))
    state = all_cards_to_discard(state, seat)
""",
        )
    },
)
def cleaning_up_does_not_pay_for_spacing_guilds_favor() -> None:
    """Unsatisfiable iff Clean Up moves all cards from play to the discard pile and gives no spice.

    Unspent Persuasion aside, nothing else changes for anybody, and nothing is left to be done.
    """
    in_play = choose("in play", ((FAVOR, PLAIN, OTHER), (FAVOR, FAVOR, PLAIN)))
    before = _about_to_discard(RevealTurn(WHO, ()), in_play=in_play, turn=ThisTurn(WHO, "reveal"))
    after = line_from(before).given(EndTurn(WHO)).state
    claim(after.players[WHO].in_play == (), "nothing is in play")
    claim(after.players[WHO].discard == zone(in_play), "all cards are in the discard pile")
    _claim_paid(before, after, 0, "in_play", "discard", "persuasion")


@proves(
    {
        "UPR-CLAR-008": Twin(
            "rules_engine.imperium.looking",
            "items = when_discarded(state, card) if counts else ()",
            "items = when_discarded(state, card)",
        )
    },
)
def discarding_from_the_deck_pays_only_as_ruled() -> None:
    """Unsatisfiable iff Spacing Guild's Favor gives no spice when it is discarded from the deck.

    It may be discarded. If the ruling `guilds_favor_from_deck` says `any_discard`, it gives 2 spice
    then. The other two cards are drawn and trashed in either way.
    """
    looked_at = zone((FAVOR, PLAIN, OTHER))
    before = _about_to_discard(SortCards(WHO, looked_at, FATES))
    discard = SortCard(WHO, FAVOR, "discard")
    claim(legal(IMPERIUM, before, discard) is None, "it may be discarded")
    after, _ = play_out(before, first=discard)
    claim(after.players[WHO].discard == (FAVOR,), "it is in the discard pile")
    paid = PAYS if follows(after, "guilds_favor_from_deck") == "any_discard" else 0
    _claim_paid(before, after, paid, "hand", "discard")


# Anybody, in anybody's turn


@proves(
    {
        "UPR-ICON-001": Twin(
            MODULE,
            'with_deed(state, seat, "discards", frame.source, card)',
            'with_deed(state, seat, "discards", card, frame.source)',
        ),
        "UPR-CLAR-008": Twin(
            MODULE,
            "        state = push(state, Effects(seat, items))\n    if frame.count",
            "        turn = seat if state.turn is None else state.turn.seat\n"
            "        state = push(state, Effects(turn, items))\n    if frame.count",
        ),
    },
    cases=TABLES,
)
def who_discards_has_the_effect_and_the_deed_in_the_own_turn(players: int) -> None:
    """Unsatisfiable iff so many cards, or all, go to the own discard pile, beside what is there.

    They are those that the player picks.

    What a card says about it comes to who discards it, whoever's turn it is, and after the last of
    them. Just in the own turn it is remembered which card was discarded for which source.
    Everybody is told; nothing else of anybody changes.
    """
    seat = any_seat(players)
    count = choose("count", (0, 1, 2, 3))
    turns = (None, busy_turn(seat, "agent"), busy_turn((seat + 1) % players, "agent"))
    turn = choose("turn", turns)
    spice = quantity("spice", 1)
    says = CardFace("says", "Says", when_discarded=(Gain(spice, "solari"),))
    own = {"hand": ("plain", says.id)}
    frame = Run(seat, Item(DiscardCards(count), SOURCE))
    before = full_table(
        seat, players, (frame,), own, cards=(says, CardFace("plain", "Plain")), turn=turn
    )
    old = before.players[seat]

    line, states, gone = _discarding(before)
    for one, other in pairwise(states):
        if not same(one.players[seat], other.players[seat], "solari"):
            here = len(one.players[seat].hand)
            claim(here == max(2 - count, 0), "it comes after the last one is discarded")
    told = tuple(event.facts["card"] for event in line.events if event.key == "discards")
    claim(told == gone, "it is told which cards are discarded")
    claim(len(gone) == min(count, 2), "so many are discarded, or all")
    left = tuple((Counter(own["hand"]) - Counter(gone)).elements())
    new: dict[str, Any] = {"hand": left, "discard": plus(old.discard, *gone)}
    if says.id in gone:
        new["solari"] = old.solari + spice
    if turn is not None and turn.seat == seat:
        deeds = tuple(Deed("discards", SOURCE, card) for card in gone)
        turn = change(turn, deeds=(*turn.deeds, *deeds))
    claim_just(before, line.state, {seat: new}, turn=turn)
    claim_open(line.events, players)
