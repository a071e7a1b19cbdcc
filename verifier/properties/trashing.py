"""Trashing: which cards, from where, and where they go."""

from __future__ import annotations

from rules_engine.imperium.actions import Acquire, Decline, Trash
from rules_engine.imperium.frames import PickTrash, RevealTurn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Stack, State, ThisTurn
from rules_engine.kernel.decks import ANY, shuffled, without_card, zone
from rules_engine.kernel.game import legal, options
from verifier.current import choose, claim, stage
from verifier.effects import OWNER
from verifier.play import next_state
from verifier.positions import claim_only, printed, with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.trashing"
BOUNDS = "any quantities, 3 players without Leaders, the trashing player in the first seat"
ZONES = {
    "hand": ("dagger", "diplomacy"),
    "discard": ("dagger", "dagger", "signet_ring"),
    "in_play": ("reconnaissance",),
}
"""What a player has where a card can be trashed from."""


def _trashing(zones: dict[str, tuple[str, ...]], stacks: tuple[Stack, ...]) -> State:
    """The first player has to trash a card in the own Reveal turn.

    Two starting cards are in the deck, and every Reserve card that is in no zone and on no stack.
    """
    owned = [card for cards in zones.values() for card in cards]
    missing = [
        stack.card
        for stack in stacks
        for _ in range(printed().cards[stack.card].reserve - stack.left - owned.count(stack.card))
    ]
    own = {**zones, "deck": shuffled((*missing, "dagger", "seek_allies")), "set_aside": ()}
    return with_cards(
        (RevealTurn(OWNER, ()), PickTrash(OWNER)),
        own,
        reserve=stacks,
        trashed=("convincing_argument",),
        row=(),
        turn=ThisTurn(OWNER, kind="reveal"),
    )


def _full() -> tuple[Stack, ...]:
    """The stacks of the Reserve as they are at the start."""
    return tuple(Stack(card.id, card.reserve) for card in printed().cards.values() if card.reserve)


@proves(
    {
        "UPR-ICON-011": Twin(
            MODULE, 'ZONES = ("hand", "discard", "in_play")', 'ZONES = ("hand", "in_play")'
        )
    },
    bounds=f"{BOUNDS}; one to three starting cards in each zone, or one that was never named "
    "in hand and no other; no further word about which card",
)
def a_card_is_trashed_from_hand_discard_pile_or_play() -> None:
    """Unsatisfiable iff one card of the hand, the discard pile or in play leaves the game.

    Of all printed cards just those that are there are allowed in each of these places, each is
    offered once, and none in the deck. The one picked is in the box and one fewer where it was;
    nothing else of anybody changes, and on the table only what the turn remembers. Where the only
    card was never named it is not offered, and to trash none is neither offered nor allowed.
    """
    unnamed = _trashing({place: (ANY,) if place == "hand" else () for place in ZONES}, _full())
    stage(unnamed)
    claim(options(IMPERIUM, unnamed) == (), "nothing is offered where no card was named")
    claim(legal(IMPERIUM, unnamed, Decline(OWNER)) is not None, "a card that is there is trashed")
    before = _trashing(ZONES, _full())
    stage(before)
    possible = [
        Trash(OWNER, card, place) for place, cards in ZONES.items() for card in sorted(set(cards))
    ]
    offered = options(IMPERIUM, before)
    claim(len(offered) == len(possible), "each card is offered once")
    claim(set(offered) == set(possible), "just the cards that are there are offered")
    for card in printed().cards:
        for place in (*ZONES, "deck"):
            allowed = legal(IMPERIUM, before, Trash(OWNER, card, place)) is None
            there = card in ZONES.get(place, ())
            claim(allowed == there, f"{card} can be trashed from {place} if it is there")
    picked = choose("picked", possible)
    stage(before, (picked,))
    after = next_state(before, picked)
    owner = after.players[OWNER]
    for place, cards in ZONES.items():
        left = without_card(cards, picked.card) if place == picked.zone else cards
        claim(getattr(owner, place) == left, f"{place} has lost the card that was picked there")
    claim(after.trashed == zone(("convincing_argument", picked.card)), "it is out of the game")
    claim_only(before, after, (picked.zone,), ("trashed", "turn", "pending"))


@proves(
    {
        "UPR-ICON-012": Twin(
            MODULE,
            "change(stack, left=stack.left + 1) if stack.card == card else stack",
            "change(stack, left=stack.left + 1)",
        )
    },
    bounds=f"{BOUNDS}; each card of the Reserve in each place that cards are trashed from, the "
    "stacks empty, or full but for this card",
)
def a_trashed_reserve_card_goes_back_to_its_stack() -> None:
    """Unsatisfiable iff a trashed card of the Reserve is on its own stack again, and nowhere else.

    The stack has one card more, the other stack as many as before, the place it came from one
    fewer, and the box is unchanged. It can be acquired again for its cost. Nothing else of anybody
    changes.
    """
    full = _full()
    card = choose("card", [stack.card for stack in full])
    place = choose("place", tuple(ZONES))
    fewer = tuple(Stack(each.card, each.left - (each.card == card)) for each in full)
    empty = tuple(Stack(each.card, 0) for each in full)
    stacks = choose("stacks", (fewer, empty))
    zones = {**ZONES, place: zone((*ZONES[place], card))}
    before = _trashing(zones, stacks)
    given = Trash(OWNER, card, place)
    stage(before, (given,))
    after = next_state(before, given)
    for old, new in zip(stacks, after.reserve, strict=True):
        more = 1 if old.card == card else 0
        claim(new == Stack(old.card, old.left + more), f"the stack of {old.card} is right")
    claim(getattr(after.players[OWNER], place) == ZONES[place], "it has left its place")
    cost = {"prepare_the_way": 2, "the_spice_must_flow": 9}[card]
    again = legal(IMPERIUM, after, Acquire(OWNER, card)) is None
    claim(again == (cost <= before.players[OWNER].persuasion), "it can be acquired again")
    claim_only(before, after, (place,), ("reserve", "turn", "pending"))
