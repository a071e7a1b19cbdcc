"""Discarding from the hand."""

from __future__ import annotations

from rules_engine.effects.tree import Arrow, DiscardCards, Gain
from rules_engine.imperium.actions import Discard, Resolve
from rules_engine.imperium.frames import Effects, Item, PickDiscard
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import ThisTurn
from rules_engine.kernel.decks import without_card, zone
from rules_engine.kernel.game import legal, options
from verifier.current import choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.play import next_state, play_out
from verifier.positions import claim_only, printed, with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.discarding"
BOUNDS = "any quantities, 3 players, the discarding player in the first seat, starting cards"
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
    bounds=f"{BOUNDS}; any number of cards to discard, one or two in hand, one in the discard pile "
    "and one in play, in the own Agent turn or in no turn",
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
    bounds=f"{BOUNDS}; a cost of any number of cards, 1 or more, and up to three in hand",
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
    after, _ = play_out(before, first=pay)
    old, new = before.players[OWNER], after.players[OWNER]
    claim(len(new.discard) == cards, "so many are discarded")
    claim(zone(new.hand + new.discard) == hand, "they come from the hand")
    claim(new.spice == old.spice + spice, "what they are paid for is gained")
    claim_only(before, after, ("hand", "discard", "spice"), ("turn", "pending"))
