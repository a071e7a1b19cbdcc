"""The effects of a turn in progress: what joins them while it lasts."""

from __future__ import annotations

from rules_engine.effects.tree import Gain, May
from rules_engine.imperium.actions import EndTurn
from rules_engine.imperium.frames import DrawFromDeck, Effects, Item, RevealTurn, Turn
from rules_engine.imperium.state import ThisTurn
from rules_engine.kernel.decks import shuffled
from verifier.current import choose, claim, stage
from verifier.effects import OWNER
from verifier.play import next_state
from verifier.positions import claim_only, with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.turn_items"
CARD, LATE = "dagger", "diplomacy"
OF_CARD = Item(Gain(1, "spice"), CARD, boxed=True)
OF_LATE_CARD = (
    Item(May(Gain(1, "solari")), LATE, boxed=True),
    Item(May(Gain(1, "water")), LATE, boxed=True),
)


@proves(
    {
        "UPR-REVEAL-006": Twin(
            MODULE,
            "after = change(before, items=before.items + items)",
            "after = change(before, items=items)",
        )
    },
    bounds="any quantities, 3 players, the player in the first seat; no effect or one due in the "
    "Reveal turn in progress, the own or another's, to which no play leads; two effects of a card "
    "drawn in it, both optional, and one more card to draw",
)
def what_is_left_of_a_card_drawn_late_is_due_with_the_own_turn() -> None:
    """Unsatisfiable iff what a player leaves in the box of a card drawn late joins the own turn.

    It is due there behind what was due before, and all that is still to come, under the turn and
    above it, stays as it is. The turn of another player is joined by nothing. Nothing else of
    anybody changes, and nothing on the table.
    """
    who = choose("who", (OWNER, OWNER + 1))
    due = choose("due", ((), (OF_CARD,)))
    under, above = Turn(OWNER + 2), DrawFromDeck(OWNER, 1)
    before = with_cards(
        (under, RevealTurn(who, due), above, Effects(OWNER, OF_LATE_CARD)),
        {"in_play": (CARD, LATE), "deck": shuffled((CARD,))},
        turn=ThisTurn(who, kind="reveal"),
    )
    given = EndTurn(OWNER)
    stage(before, (given,))
    after = next_state(before, given)
    joined = due + OF_LATE_CARD if who == OWNER else due
    claim(after.pending == (under, RevealTurn(who, joined), above), "it joins the own turn alone")
    claim_only(before, after, (), ("pending",))
