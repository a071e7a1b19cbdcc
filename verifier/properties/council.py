"""The High Council seat and the Swordmaster: whose they are, and what they give at once."""

from __future__ import annotations

from typing import Any

from rules_engine.effects.tree import Effect, Gain, TakeSeat, TakeSwordmaster
from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.state import AgentAt, Player, State
from verifier.changes import only
from verifier.current import choose, claim
from verifier.positions import printed, symbolic_state, unchanged
from verifier.registry import Twin, proves
from verifier.seats import TABLES, after, anyone, claim_told, counting, done_alone
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.council"
COUNCIL = "high_council"


def _taking(effect: Effect, players: int) -> tuple[State, int]:
    """A player of any seat is about to take a seat or the Swordmaster, in whosever turn."""
    who = anyone(players)
    own = tuple(counting(who, kind) for kind in ("agent", "reveal"))
    out = zip(sorted(printed().spaces), range(players), strict=False)
    others = counting(after(who, players), "reveal")
    has = choose("swordmaster", (False, True))

    def more(each: Player) -> dict[str, Any]:
        third = has and each.seat == who
        return {"swordmaster": third, "agents": 2 if third else 1}

    before = symbolic_state(
        players,
        more,
        agents=tuple(AgentAt(space, seat) for space, seat in out),
        turn=Lazy("turn", (None, *own, others)),
        pending=(Run(who, Item(effect, next(iter(printed().spaces)))),),
    )
    return before, who


@proves(
    {
        "UPR-BOARD-013": Twin(
            MODULE,
            'if turn is not None and turn.seat == seat and turn.kind == "reveal":',
            'if turn is not None and turn.kind == "reveal":',
        )
    },
    cases=TABLES,
)
def a_seat_taken_in_the_own_reveal_turn_counts_at_once(players: int) -> None:
    """Unsatisfiable iff a first seat gives its 2 Persuasion at once just in the own Reveal turn.

    The seat is that player's from then on; who has one gets no other and nothing for it. Nothing
    else changes for anybody, whoever else has a seat.
    """
    before, who = _taking(TakeSeat(), players)
    now, events = done_alone(before)
    turn = before.turn
    revealing = turn is not None and turn.seat == who and turn.kind == "reveal"
    first = not before.players[who].high_council
    gives = (Run(who, Item(Gain(2, "persuasion"), COUNCIL)),) if first and revealing else ()
    claim(now.pending == gives, "Persuasion comes at once in the own Reveal turn alone")
    claim(only(before, now, who, high_council=True), "the seat is taken, and nothing else")
    claim(unchanged(before, now, "players", "pending"), "the table and the turn stay")
    claim_told(events, "takes_seat" if first else "has_seat_already", who)


@proves(
    {
        "UPR-BOARD-026": Twin(
            MODULE,
            "change(owner, swordmaster=True, agents=owner.agents + 1)",
            "change(owner, swordmaster=True, agents=3)",
        )
    },
    cases=TABLES,
)
def the_swordmaster_is_one_agent_more_at_home(players: int) -> None:
    """Unsatisfiable iff a first Swordmaster adds one Agent to those at home, and a second none.

    It is that player's alone, and nothing else changes for anybody.
    """
    before, who = _taking(TakeSwordmaster(), players)
    now, events = done_alone(before)
    old = before.players[who]
    agents = old.agents + (0 if old.swordmaster else 1)
    claim(only(before, now, who, swordmaster=True, agents=agents), "one Agent more is at home")
    claim(unchanged(before, now, "players", "pending") and not now.pending, "the table stays")
    told = "has_swordmaster_already" if old.swordmaster else "takes_swordmaster"
    claim_told(events, told, who)
