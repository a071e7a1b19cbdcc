"""Cards looked at: what becomes of the last of them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from rules_engine.imperium.actions import SortCard
from rules_engine.imperium.frames import SortCards
from rules_engine.imperium.state import ThisTurn
from verifier.current import choose, claim
from verifier.effects import OWNER
from verifier.play import line_from
from verifier.positions import claim_only, with_cards
from verifier.registry import Twin, proves

PLACES = {"draw": "hand", "discard": "discard", "trash": "trashed"}
"""Where a card comes to by each fate."""


@proves(
    {
        "UPR-ROUND-005": Twin(
            "rules_engine.imperium.looking", "if len(seen) == 1:", "if len(seen) == 0:"
        ),
    },
    bounds="any quantities, 3 players, the first of them dealing out two different starting cards "
    "in any two ways, in the own Agent turn and with no other cards",
)
def the_last_card_looked_at_gets_the_last_fate() -> None:
    """Unsatisfiable iff with the last but one of the cards looked at the last one is dealt out too.

    Each is where its fate takes it, and nothing is left to be done. Nothing else changes.
    """
    first, last = choose("fates", tuple(permutations(PLACES, 2)))
    own: dict[str, Any] = {"hand": (), "discard": ()}
    frame = SortCards(OWNER, ("dagger", "diplomacy"), tuple(sorted((first, last))))
    before = with_cards((frame,), own, turn=ThisTurn(OWNER, kind="agent"), trashed=(), reserve=())
    card = choose("card", ("dagger", "diplomacy"))
    other = "diplomacy" if card == "dagger" else "dagger"
    after = line_from(before).given(SortCard(OWNER, card, first)).state
    owner = after.players[OWNER]
    cards = {"draw": owner.hand, "discard": owner.discard, "trash": after.trashed}
    wanted = {first: (card,), last: (other,)}
    for fate in PLACES:
        claim(cards[fate] == wanted.get(fate, ()), f"the {PLACES[fate]} pile is as it should be")
    claim(after.pending == (), "nothing is left to be done")
    claim_only(before, after, ("hand", "discard"), ("trashed", "pending"))
