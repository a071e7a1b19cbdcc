"""What a card says about being discarded, and which ways of discarding it mean."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.actions import EndTurn, SortCard
from rules_engine.imperium.frames import PickDiscard, RevealTurn, SortCards
from rules_engine.imperium.looking import FATES
from rules_engine.imperium.state import Player, State, ThisTurn, follows
from rules_engine.kernel.decks import Cards, zone
from rules_engine.kernel.game import Frame
from rules_engine.kernel.outcomes import Seat
from verifier.current import choose, claim
from verifier.play import line_from, play_out
from verifier.positions import NAMES, symbolic_state, unchanged
from verifier.registry import Twin, proves

FAVOR = "spacing_guilds_favor"
PAYS = 2
"""The spice that Spacing Guild's Favor gives when it is discarded."""

PLAIN, OTHER = "dagger", "diplomacy"
"""Cards that say nothing about it."""

WHO: Seat = 0
PLAYERS = 3
BOUNDS = "all quantities, 3 players without Leaders, the first of them discarding"


def _about_to(
    frame: Frame, hand: Cards = (), in_play: Cards = (), turn: ThisTurn | None = None
) -> State:
    """A position with these cards, no others in these zones, in which a frame comes next."""

    def cards(owner: Player) -> dict[str, Any]:
        own = {"hand": zone(hand), "in_play": zone(in_play)} if owner.seat == WHO else {}
        empty = ("hand", "in_play", "discard", "standing", "set_aside")
        return {**dict.fromkeys(empty, ()), **own}

    piles = dict.fromkeys(("intrigue_discard", "trashed", "reserve"), ())
    return symbolic_state(PLAYERS, cards, pending=(frame,), turn=turn, **piles)


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
    bounds=f"one to three cards discarded by an effect from a hand of three, with one or two of "
    f"Spacing Guild's Favor, outside of a turn; {BOUNDS}",
)
def spacing_guilds_favor_pays_when_discarded_from_the_hand() -> None:
    """Unsatisfiable iff every Spacing Guild's Favor that an effect discards from the hand gives 2.

    That is 2 spice for each, and none for a card that says nothing about it, whichever cards are
    picked and in whichever order.
    """
    hand = choose("hand", ((FAVOR, PLAIN, OTHER), (FAVOR, FAVOR, PLAIN)))
    before = _about_to(PickDiscard(WHO, choose("count", (1, 2, 3)), PLAIN), hand=hand)
    after, _ = play_out(before)
    discarded = after.players[WHO].discard.count(FAVOR)
    claim(discarded + after.players[WHO].hand.count(FAVOR) == hand.count(FAVOR), "none is lost")
    _claim_paid(before, after, PAYS * discarded, "hand", "discard")


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
    bounds=f"a Reveal turn with nothing more due, one or two of Spacing Guild's Favor among three "
    f"cards in play; {BOUNDS}",
)
def cleaning_up_does_not_pay_for_spacing_guilds_favor() -> None:
    """Unsatisfiable iff Clean Up moves all cards from play to the discard pile and gives no spice.

    Unspent Persuasion aside, nothing else changes for anybody, and nothing is left to be done.
    """
    in_play = choose("in play", ((FAVOR, PLAIN, OTHER), (FAVOR, FAVOR, PLAIN)))
    before = _about_to(RevealTurn(WHO, ()), in_play=in_play, turn=ThisTurn(WHO, "reveal"))
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
    bounds=f"three cards looked at on top of the deck, outside of a turn; {BOUNDS}",
)
def discarding_from_the_deck_pays_only_as_ruled() -> None:
    """Unsatisfiable iff Spacing Guild's Favor gives no spice when it is discarded from the deck.

    If the ruling `guilds_favor_from_deck` says `any_discard`, it gives 2 spice then. The other two
    cards are drawn and trashed in either way.
    """
    looked_at = zone((FAVOR, PLAIN, OTHER))
    before = _about_to(SortCards(WHO, looked_at, FATES))
    after, _ = play_out(before, first=SortCard(WHO, FAVOR, "discard"))
    claim(after.players[WHO].discard == (FAVOR,), "it is in the discard pile")
    paid = PAYS if follows(after, "guilds_favor_from_deck") == "any_discard" else 0
    _claim_paid(before, after, paid, "hand", "discard")
