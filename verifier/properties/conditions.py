"""Effects with a condition: who may use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import (
    AnotherInPlay,
    Condition,
    Gain,
    HoldsAlliance,
    If,
    InfluenceAtLeast,
)
from rules_engine.imperium.actions import Accept, Choose
from rules_engine.imperium.frames import ChooseOption, Decide, Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Action, Frame, legal, options
from rules_engine.kernel.numbers import pick
from rules_engine.kernel.outcomes import Seat
from verifier.current import choose, claim, quantity
from verifier.effects import OWNER
from verifier.play import line_from, play_out
from verifier.positions import (
    NAMES,
    ally_of,
    claim_only,
    factions,
    influence_of,
    printed,
    symbolic_state,
    with_cards,
)
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.conditions"
PLAYERS = 3

Way = tuple[Callable[[Seat, If, str], Frame], Callable[[Seat], Action | None]]

WAYS: dict[str, Way] = {
    "at once": (lambda who, effect, source: Run(who, Item(effect, source)), lambda _: None),
    "as an option": (
        lambda who, effect, source: ChooseOption(who, (effect, Gain(0, "water")), source),
        lambda who: Choose(who, 0),
    ),
    "if one likes": (
        lambda who, effect, source: Decide(who, Item(effect, source)),
        lambda who: Accept(who),
    ),
}
"""How an effect with a condition comes up: the frame, and the input that uses the effect."""

CASES = tuple({"way": way} for way in WAYS)
BOUNDS = (
    "a gain of any Solari that happens at once, is one of two options or may be declined; all "
    "quantities, any holders, 3 players without Leaders, the first of them using it; tested when "
    "it is resolved"
)


def _claim_used_only_if(way: str, condition: Condition, met: Callable[[State, Seat], Any]) -> None:
    """The effect is used exactly by whom the condition lets use it, and else changes nothing."""
    who: Seat = 0
    amount = quantity("amount", 1)
    make, use = WAYS[way]
    source = next(iter(printed().spaces))
    frame = make(who, If(condition, Gain(amount, "solari")), source)
    before = symbolic_state(PLAYERS, pending=(frame,))
    allowed = met(before, who)
    line, given = line_from(before), use(who)
    if given is not None:
        offered = legal(IMPERIUM, before, given) is None
        claim(offered == allowed, f"{NAMES[who]} may use it exactly if the condition is met")
        claim((given in options(IMPERIUM, before)) == allowed, "it is offered exactly then")
        if not offered:
            return
    line = line.given(given)
    while line.state.pending:
        line = line.given(None)
    gained = line.state.players[who].solari - before.players[who].solari
    right = gained == pick(allowed, amount, 0)
    claim(right, f"{NAMES[who]} gains the Solari exactly if the condition is met")
    claim_only(before, line.state, ("solari",), ("pending",))


@proves(
    {
        "UPR-FACTION-013": Twin(
            MODULE,
            "return holder_of(state, faction) == seat",
            "return holder_of(state, faction) is not None",
        )
    },
    bounds=f"the Alliance of each Faction; {BOUNDS}",
    cases=CASES,
)
def only_the_holder_uses_an_effect_with_an_alliance(way: str) -> None:
    """Unsatisfiable iff such an effect can be used by the holder of the token and nobody else.

    The token is that of the Faction named, whatever Influence anybody has. For the holder the
    effect is allowed and happens. For others it is refused, or nothing changes.
    """
    faction = choose("faction", factions())

    def met(state: State, who: Seat) -> bool:
        return ally_of(state, faction) == who

    _claim_used_only_if(way, HoldsAlliance(faction), met)


@proves(
    {
        "UPR-FACTION-014": Twin(
            MODULE,
            "return influence(state, seat, faction) >= amount",
            "return influence(state, seat, faction) > amount",
        )
    },
    bounds=f"any Influence asked for, with each Faction; {BOUNDS}",
    cases=CASES,
)
def an_effect_with_influence_needs_that_much_of_it(way: str) -> None:
    """Unsatisfiable iff such an effect can be used exactly with so much Influence or more.

    The Influence is the player's own with the Faction named. With it the effect is allowed and
    happens; with less it is refused, or nothing changes.
    """
    faction = choose("faction", factions())
    needed = quantity("needed")

    def met(state: State, who: Seat) -> Any:
        return influence_of(state, faction, who) >= needed

    _claim_used_only_if(way, InfluenceAtLeast(faction, needed), met)


# The Fremen Bond

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
    "owner's hand and discard pile and in play for others; outside of a turn",
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
