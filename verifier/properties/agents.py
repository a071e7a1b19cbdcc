"""Agents: the third one, and those that come back in the own turn."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.imperium.actions import RecallAgent, Resolve
from rules_engine.imperium.frames import Effects, Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, State, ThisTurn
from rules_engine.kernel.game import asked, legal, options
from rules_engine.kernel.numbers import pick, smaller
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    claim_just,
    full_table,
)
from verifier.placements import NOBODY, PLAYERS, agents_on_board, any_space
from verifier.play import next_state, play_out
from verifier.positions import claim_only, printed, symbolic_state, unchanged
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.agents"


def _about_to(effect: tree.Effect, space: str, *away: int, sent_to: str | None = None) -> State:
    """The owner's effect comes next; the owner and another may be on the space or not."""
    board, agents = agents_on_board(space, (NOBODY, (OWNER,), (1,), (OWNER, 1)), away)
    state = symbolic_state(
        PLAYERS,
        lambda owner: agents[owner.seat],
        agents=board,
        turn=ThisTurn(OWNER, kind="agent", space=sent_to),
        pending=(Run(OWNER, Item(effect, space)),),
    )
    stage(state)
    return state


@proves(
    {
        "UPR-AGENT-012": Twin(
            "rules_engine.imperium.council",
            "change(owner, swordmaster=True, agents=owner.agents + 1)",
            "change(owner, swordmaster=True)",
        )
    },
)
def the_swordmaster_is_a_third_agent() -> None:
    """Unsatisfiable iff the Swordmaster space adds one Agent, on the Leader, to whoever has two.

    Whoever has three keeps three. The Agents on the board, and all else, stay where they are.
    """
    (effect,) = printed().spaces["swordmaster"].effects
    before = _about_to(effect, "swordmaster", 0, 1, 2)
    after = next_state(before)
    old, new = before.players[OWNER], after.players[OWNER]
    came = pick(old.swordmaster, 0, 1)
    claim(new.agents == old.agents + came, "one more Agent is on the Leader")
    claim(new.swordmaster, "the third Agent is the player's")
    out = sum(at.seat == OWNER for at in after.agents)
    claim(new.agents + out == 3, "the player has three Agents in all")
    claim_only(before, after, ("agents", "swordmaster"), ("pending",))


@proves(
    {
        "UPR-AGENT-013": Twin(
            MODULE, "if action.space == visited(state, frame.seat):", "if not action.space:"
        )
    },
)
def an_agent_comes_back_but_not_the_one_just_sent() -> None:
    """Unsatisfiable iff a Recall Agent icon brings back an own Agent that was sent before.

    Any of those is allowed and offered, the one sent this turn is neither. Just this Agent moves,
    from its space to the Leader, where it can be sent again. Without such an Agent nothing happens.
    """
    space = any_space()
    elsewhere = next(each for each in printed().spaces if each != space)
    sent_to = choose("sent to", (space, elsewhere))
    start = _about_to(tree.RecallAgents(1), space, 0, 1, 2, sent_to=sent_to)
    before = next_state(start)
    earlier = [at.space for at in before.agents if at.seat == OWNER and at.space != sent_to]
    if not earlier:
        claim(asked(IMPERIUM, before).nobody(), "nobody is asked")
        after = next_state(before)
        claim(unchanged(before, after, "pending") and not after.pending, "nothing happens")
        return
    action = RecallAgent(OWNER, space)
    stage(start, (action,))
    allowed = legal(IMPERIUM, before, action) is None
    claim(allowed == (space in earlier), "it is allowed for an Agent that was sent before")
    offered = sorted(option.space for option in options(IMPERIUM, before))
    claim(offered == sorted(earlier), "just those are offered")
    if not allowed:
        return
    after = next_state(before, action)
    left = tuple(at for at in before.agents if at != AgentAt(space, OWNER))
    claim(after.agents == left, "just this Agent has left the board")
    old, new = before.players[OWNER], after.players[OWNER]
    claim(new.agents == old.agents + 1, "it is on the Leader")
    claim(not after.pending, "just one Agent comes back")
    claim_only(before, after, ("agents",), ("agents", "pending"))


OUT = ("arrakeen", "imperial_basin", "research_station")
"""Where everybody has an Agent; the owner sent one of them this turn, to the first of them."""


@proves(
    {
        "UPR-AGENT-013": Twin(
            MODULE,
            "agents = tuple(at for at in state.agents if at != AgentAt(space, seat))",
            "agents = tuple(at for at in state.agents if at.space != space)",
        ),
        "UPR-COST-003": Twin(
            MODULE,
            "if len(recallable(state, seat)) < effect.amount:",
            "if len(recallable(state, seat)) <= effect.amount:",
        ),
    },
    cases=TABLES,
)
def as_many_own_agents_come_back_as_are_said(players: int) -> None:
    """Unsatisfiable iff so many own Agents come back, or all that were sent before the turn.

    As a cost it is allowed just if there are so many. Whichever is picked, just that one comes back
    and the Agents of others stay where they are; nothing else of anybody changes.
    """
    seat = any_seat(players)
    whose = choose("turn of", (seat, (seat + 1) % players))
    count, cost = quantity("count", 1), choose("cost", (False, True))
    board = tuple(AgentAt(space, who) for space in OUT for who in range(players))
    recall = tree.RecallAgents(count)
    item = Item(tree.Arrow(recall, tree.Gain(1, "spice")) if cost else recall, "high_council")
    frame = Effects(seat, (item,)) if cost else Run(seat, item)
    three = {"swordmaster": True}
    turn = busy_turn(whose, "agent", space=OUT[0])
    before = full_table(seat, players, (frame,), three, three, agents=board, turn=turn)
    stage(before)
    can = OUT[1:] if whose == seat else OUT
    first = None
    if cost:
        first = Resolve(seat, 0)
        allowed = legal(IMPERIUM, before, first) is None
        claim((count <= len(can)) == allowed, "it is a cost just for whoever has so many")
        assume(count <= len(can))
    after, _ = play_out(before, first=first)
    back = {at for at in before.agents if at not in after.agents}
    claim(len(back) == smaller(count, len(can)), "so many come back, or all")
    claim(all(at.seat == seat and at.space in can for at in back), "they are own ones, sent before")
    old = before.players[seat]
    new = {"agents": old.agents + len(back), **({"spice": old.spice + 1} if cost else {})}
    left = tuple(at for at in board if at not in back)
    claim_just(before, after, {seat: new}, agents=left, turn=after.turn)
