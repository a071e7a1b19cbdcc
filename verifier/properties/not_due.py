"""Effects that are printed somewhere and not due: the reason is where, and when, they count."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import Arrow, Effect, Gain, Pay
from rules_engine.imperium.frames import AgentTurn, Effects, Item, PickTrack
from rules_engine.imperium.not_due import why_cost_not_due, why_effect_not_due
from rules_engine.imperium.state import Deed, State
from rules_engine.kernel.outcomes import Reason, Seat
from verifier.current import choose, claim, stage
from verifier.positions import printed
from verifier.registry import Twin, proves
from verifier.seats import after, anyone, counting, seated
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.not_due"
PLAYERS = 3
CARD, TRASHED, BOUGHT = "of_boxes", "of_trash", "of_purchase"
PAID = Arrow(Pay(1, "solari"), Gain(7, "spice"))
AGENT, REVEAL, ACQUIRE, GONE = (Gain(amount, "spice") for amount in (11, 12, 13, 14))
FACES = (
    CardFace(CARD, CARD, agent=(AGENT, PAID), reveal=(REVEAL,)),
    CardFace(TRASHED, TRASHED, reveal=(GONE,)),
    CardFace(BOUGHT, BOUGHT, acquire=(ACQUIRE,)),
)
REFINERY = "spice_refinery"
"""A space that lets a spice be paid when the Agent is sent."""
SPACE = "fremkit"
OF_SPACE = next(iter(printed().spaces[SPACE].effects))


def _turns(who: Seat, space: str) -> Lazy:
    """An own Agent or Reveal turn, or the next player's, in all of which the same has happened."""
    known: dict[str, Any] = {
        "acquired": (BOUGHT,),
        "deeds": (Deed("trashes", "dagger", TRASHED), Deed("discards", "dagger", "diplomacy")),
    }
    other = after(who, PLAYERS)
    return Lazy(
        "turn",
        (
            counting(who, "agent", space=space, **known),
            counting(who, "reveal", shown=(CARD,), **known),
            counting(who, "reveal", **known),
            counting(other, "agent", space=space, **known),
        ),
    )


def _asking(who: Seat, *below: Any, leader: str | None = None, space: str = SPACE) -> State:
    """A player has to pick a Faction, and nothing, or something, is due below."""
    own = {"in_play": (CARD,), "leader": leader}
    frames = (*below, PickTrack(who, 1, gain=True))
    before = seated(who, frames, own, {"in_play": ()}, cards=FACES, turn=_turns(who, space))
    stage(before)
    return before


def _told(reasons: Any) -> list[tuple[str, str]]:
    """The reasons by name, with the rule that each of them names first."""
    return [_named(reason) for reason in reasons]


def _named(reason: Reason) -> tuple[str, str]:
    return reason.key, reason.rules[0]


@proves(
    {
        "UPR-AGENT-006": Twin(
            MODULE,
            'if turn.kind == "reveal" and face.id in turn.shown:',
            'if turn.kind == "reveal":',
        ),
        "UPR-COST-005": Twin(
            MODULE,
            'yield Box(costs, Reason("no_longer_due", ONCE + rules))',
            'yield Box(costs, Reason("no_longer_due", rules))',
        ),
        "UPR-ACQ-012": Twin(
            MODULE,
            "turn = own_turn(state, seat) or ThisTurn(seat)",
            "turn = state.turn or ThisTurn(seat)",
        ),
        "UPR-REVEAL-010": Twin(
            MODULE,
            'if each.kind == "trashes"',
            'if each.kind == "discards"',
        ),
    },
)
def an_effect_that_is_not_due_is_told_why() -> None:
    """Unsatisfiable iff each box says why it is not due: used this turn, or another turn's.

    An Agent box counts on the turn it is played, a Reveal box of a card just revealed on that turn,
    and a cost once a turn. What was acquired, or is gone, is told for the own turn alone.
    """
    who = anyone(PLAYERS)
    before = _asking(who)
    turn = before.turn
    assert turn is not None
    own = turn.seat == who
    kind = turn.kind if own else ""
    revealed = kind == "reveal" and turn.shown == (CARD,)
    used = "no_longer_due"
    agent = (used if kind == "agent" else "not_this_box", "UPR-AGENT-006")
    paid = (used, "UPR-COST-005") if kind == "agent" else agent
    reveal = (used if revealed else "not_this_box", "UPR-REVEAL-005")
    wanted: dict[Effect, list[tuple[str, str]]] = {
        AGENT: [agent],
        REVEAL: [reveal],
        PAID: [paid],
        ACQUIRE: [("acquired_already", "UPR-ACQ-012")] if own else [],
        GONE: [("box_is_gone", "UPR-REVEAL-010")] if own else [],
        OF_SPACE: [(used, "UPR-AGENT-009")] if kind == "agent" else [],
        Gain(99, "spice"): [],
    }
    for effect, reasons in wanted.items():
        told = _told(why_effect_not_due(before, who, effect))
        claim(told == reasons, "each box says why it is not due")
    told = _told(why_cost_not_due(before, who, Pay(1, "solari")))
    claim(told == [paid], "the cost is that of its box")


@proves(
    {
        "UPR-AGENT-009": Twin(
            MODULE,
            "if isinstance(frame, GROUPS) and frame.seat == seat:",
            "if isinstance(frame, GROUPS):",
        ),
    },
)
def an_effect_that_waits_for_a_choice_is_told_so() -> None:
    """Unsatisfiable iff what is due to the player once the question is answered waits for it.

    What is due to another player does not.
    """
    who = anyone(PLAYERS)
    whose = choose("whose", (who, after(who, PLAYERS)))
    below = (AgentTurn(whose, (Item(AGENT, CARD),)), Effects(whose, (Item(PAID, CARD),)))
    before = _asking(who, *below)
    for effect in (AGENT, PAID):
        told = _told(why_effect_not_due(before, who, effect))
        waits = told == [("choice_first", "UPR-AGENT-009")]
        claim(waits == (whose == who), "what is due to the player waits for the choice")
        claim(len(told) == 1, "and nothing else is told")


@proves(
    {
        "UPR-COST-001": Twin(
            MODULE,
            "turn.space is not None and _offers(state, turn.space, cost):",
            "turn.space is not None:",
        ),
    },
)
def a_cost_of_the_space_is_paid_when_the_agent_is_sent() -> None:
    """Unsatisfiable iff a cost that the visited space offers is told to be paid when sending."""
    who, cost = anyone(PLAYERS), choose("cost", (Pay(1, "spice"), Pay(2, "spice")))
    before = _asking(who, space=REFINERY)
    turn = before.turn
    assert turn is not None
    visited = turn.seat == who and turn.space == REFINERY
    told = _told(why_cost_not_due(before, who, cost))
    late = visited and cost == Pay(1, "spice")
    claim(told == ([("paid_when_sent", "UPR-COST-001")] if late else []), "it was due at once")


@proves(
    {
        "UPR-AGENT-014": Twin(
            MODULE,
            "return bool(leaders.reveal_items(state, seat))",
            "return not leaders.reveal_items(state, seat)",
        ),
        "UPR-CLAR-003": Twin(
            MODULE,
            "yield Box((*other.ability.effects, *other.signet),",
            "yield Box((*face.ability.effects, *face.signet),",
        ),
    },
)
def what_a_leader_says_is_told_when_it_counts() -> None:
    """Unsatisfiable iff an ability is told to be used if it came with the turn, else not to count.

    The Signet ability counts by its icon alone, and the other side of a Leader only once it is up.
    """
    who, leader = anyone(PLAYERS), choose("leader", tuple(printed().leaders))
    before = _asking(who, leader=leader)
    turn = before.turn
    assert turn is not None
    face = printed().leaders[leader]
    kind = turn.kind if turn.seat == who else ""
    icon = printed().spaces[SPACE].icon
    came = (kind == "reveal" and face.ability.when == "reveal_turn") or (
        kind == "agent" and face.ability.when == "sends_agent" and icon in face.ability.icons
    )
    for effect in face.ability.effects:
        told = [reason.key for reason in why_effect_not_due(before, who, effect)]
        claim(told[:1] == ["no_longer_due" if came else "not_this_ability"], "it came or not")
    for effect in face.signet:
        told = [reason.key for reason in why_effect_not_due(before, who, effect)]
        claim("not_this_ability" in told, "the Signet ability counts by its icon")
    if face.turns_into is not None:
        for effect in printed().leaders[face.turns_into].ability.effects:
            told = [reason.key for reason in why_effect_not_due(before, who, effect)]
            claim(told == ["other_side"], "the other side is not up")
