"""Conditions of effects: the Fremen Bond."""

from __future__ import annotations

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import AnotherInPlay, Gain, If
from rules_engine.imperium.frames import Item, Run
from verifier.current import choose, claim, quantity
from verifier.effects import OWNER
from verifier.play import play_out
from verifier.positions import claim_only, with_cards
from verifier.registry import Twin, proves

FREMEN = "fremen"
ASKER = CardFace("asker", "Asker", factions=(FREMEN,))
FRIEND = CardFace("friend", "Friend", factions=("emperor", FREMEN))
STRANGER = CardFace("stranger", "Stranger", factions=("emperor",))

IN_PLAY = {
    ("asker",): False,
    ("asker", "stranger"): False,
    ("asker", "asker"): True,
    ("asker", "friend"): True,
    ("asker", "friend", "friend", "stranger"): True,
    ("friend", "stranger"): True,
    ("stranger",): False,
    (): False,
}
"""Cards in play, and whether one of them is a Fremen card other than the one that asks."""


@proves(
    {
        "UPR-ICON-005": Twin(
            "rules_engine.imperium.conditions",
            "return found - 1 if itself else found",
            "return found",
        )
    },
    bounds="any quantities, 3 players, the owner in the first seat; up to four cards in play, also "
    "equal ones, of the Fremen, of another Faction or of both; Fremen cards also in the "
    "owner's hand and discard pile and in play for others",
)
def a_fremen_bond_needs_another_fremen_card_in_play() -> None:
    """Unsatisfiable iff a bond gives its effect just if the owner has another Fremen card in play.

    The card that asks does not count, an equal one does. Fremen cards of the owner elsewhere and
    of other players do not. Without one nothing happens; nothing else ever changes.
    """
    cards = choose("in play", tuple(IN_PLAY))
    amount = quantity("amount")
    bond = If(AnotherInPlay(FREMEN), Gain(amount, "water"))
    own = {"in_play": cards, "hand": ("friend",), "discard": ("friend",)}
    others = {"in_play": ("friend",)}
    faces = (ASKER, FRIEND, STRANGER)
    frame = Run(OWNER, Item(bond, ASKER.id, boxed=True))
    before = with_cards((frame,), own, others, cards=faces, turn=None)
    after, _ = play_out(before)
    gained = amount if IN_PLAY[cards] else 0
    old, new = before.players[OWNER], after.players[OWNER]
    claim(new.water == old.water + gained, "the effect comes just with another Fremen card")
    claim_only(before, after, ("water",), ("pending",))
