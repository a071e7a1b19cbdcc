"""The effects of a turn in progress: what joins them while it lasts."""

from __future__ import annotations

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import (
    Both,
    Effect,
    Gain,
    If,
    InfluenceAtLeast,
    Is,
    May,
    Not,
    Trashed,
)
from rules_engine.imperium.actions import EndTurn, PlayAgent, Reveal
from rules_engine.imperium.frames import DrawFromDeck, Effects, Item, Placed, RevealTurn, Turn
from rules_engine.imperium.state import ThisTurn, follows
from rules_engine.kernel.decks import shuffled
from rules_engine.kernel.records import change
from verifier.current import choose, claim, stage
from verifier.effects import OWNER
from verifier.play import next_state
from verifier.positions import AGENTS, claim_only, influence_of, with_cards
from verifier.registry import Twin, proves
from verifier.seats import anyone, done_by, seated

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


# When a condition is tested


FRIEND = InfluenceAtLeast("fremen", 2)
HOOKED = Is("maker_hooks")
DEED = Trashed(1)
"""Two conditions that can be tested at any time, and one about what the turn has yet to bring."""
ONE, OTHER = Gain(1, "spice"), Gain(2, "water")
NESTED = If(FRIEND, If(HOOKED, ONE, OTHER))
DEEDS: tuple[Effect, ...] = (
    If(DEED, ONE),
    If(Not(DEED), ONE, OTHER),
    If(Both(DEED, FRIEND), ONE),
    If(Both(FRIEND, DEED), ONE),
)
BOX: tuple[Effect, ...] = (If(FRIEND, ONE, OTHER), If(Not(HOOKED), ONE), NESTED, *DEEDS, ONE)
TESTED = CardFace("tested", "Tested", agent_icons=("landsraad",), agent=BOX, reveal=BOX)
OPEN = "assembly_hall"
"""A space that the card opens, which costs nothing."""


@proves(
    {
        "UPR-FACTION-013": Twin(
            MODULE,
            "chosen = effect.effect if holds(state, seat, effect.condition, source) else "
            "effect.otherwise",
            "chosen = effect.effect",
        ),
        "UPR-FACTION-014": Twin(
            MODULE,
            "return _about_deeds(one) or _about_deeds(other)",
            "return _about_deeds(one) and _about_deeds(other)",
        ),
        "UPR-AGENT-006": Twin(
            "rules_engine.imperium.agent_turn",
            "items = (*tested(state, seat, items), *contracts",
            "items = (*items, *contracts",
        ),
    },
)
def conditions_are_tested_when_the_ruling_says() -> None:
    """Unsatisfiable iff a turn begins with conditions as printed, or tested, as the ruling says.

    That is so of the Agent box of the card played and of the Reveal box of a card revealed. Under
    `condition_check_time` `when_resolved` all are as printed. Else each that can be tested at the
    start is, for the player whose turn it is: what it comes to is due, or nothing. Conditions about
    what the turn has yet to bring wait in any case.
    """
    who, given = anyone(3), choose("turn", (Reveal(OWNER), PlayAgent(OWNER, TESTED.id, OPEN)))
    own = {"hand": (TESTED.id,), "in_play": (), "high_council": False, "agents": AGENTS}
    before = seated(
        who,
        (Turn(who),),
        {**own, "contracts": ()},
        {"agents": AGENTS},
        cards=(TESTED,),
        turn=ThisTurn(who),
        agents=(),
        reveal_order=(),
    )
    after, _ = done_by(before, change(given, by=who))
    frame = after.pending[-1]
    assert isinstance(frame, RevealTurn | Placed)
    due = [item.effect for item in frame.items if item.source == TESTED.id]
    if follows(before, "condition_check_time") == "when_resolved":
        claim(due == [*BOX], "all is as printed")
        return
    hooked, friend = before.players[who].maker_hooks, influence_of(before, "fremen", who) >= 2
    first = [ONE if friend else OTHER]
    second = [] if hooked else [ONE]
    third = ([ONE] if hooked else [OTHER]) if friend else []
    claim(due == [*first, *second, *third, *DEEDS, ONE], "what they come to is due")
