"""Agents: where they are, sending them, and taking them back."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.imperium.actions import RecallAgent
from rules_engine.imperium.conditions import visited
from rules_engine.imperium.frames import PickAgent
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import AgentAt, State, player, with_player
from rules_engine.kernel.game import NOBODY, Asks, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

RECALL_AGENT = cite("UPR-AGENT-013")


def agents_at(state: State, space: str) -> tuple[Seat, ...]:
    """The players with an Agent on a space."""
    return tuple(agent.seat for agent in state.agents if agent.space == space)


def move_agent_to(state: State, seat: Seat, space: str) -> State:
    """An Agent goes from the Leader to a space: the only function that places one."""
    owner = player(state, seat)
    state = with_player(state, change(owner, agents=owner.agents - 1))
    agents = sorted((*state.agents, AgentAt(space, seat)), key=lambda at: (at.space, at.seat))
    return change(state, agents=tuple(agents))


def take_agent_from(state: State, seat: Seat, space: str) -> State:
    """An Agent goes from a space back to the Leader."""
    owner = player(state, seat)
    state = with_player(state, change(owner, agents=owner.agents + 1))
    agents = tuple(at for at in state.agents if at != AgentAt(space, seat))
    return change(state, agents=agents)


# Recalling one in the own turn


def recallable(state: State, seat: Seat) -> tuple[str, ...]:
    """The spaces of the own Agents but for the one sent this turn. UPR-AGENT-013"""
    sent = visited(state, seat)
    return tuple(at.space for at in state.agents if at.seat == seat and at.space != sent)


def _asks(state: State, frame: PickAgent) -> Asks:
    can = frame.count >= 1 and recallable(state, frame.seat)
    return asks(frame.seat) if can else NOBODY


def _legal(state: State, frame: PickAgent, action: object) -> Refusal | None:
    if not isinstance(action, RecallAgent):
        return refusal([Reason("recall_agent_first", RECALL_AGENT)])
    facts = {"space": action.space}
    if frame.seat not in agents_at(state, action.space):
        return refusal([Reason("no_agent_there", RECALL_AGENT, facts)])
    if action.space == visited(state, frame.seat):
        return refusal([Reason("agent_of_this_turn", RECALL_AGENT, facts)])
    return None


def _recall(state: State, frame: PickAgent, action: RecallAgent | None) -> Step[State]:
    """Another own Agent comes back, and may be sent again this round. UPR-AGENT-013"""
    if action is None:
        return Step(state)
    state = take_agent_from(state, frame.seat, action.space)
    if frame.count > 1:
        state = push(state, change(frame, count=frame.count - 1))
    facts = {"space": action.space}
    return Step(state, (Event("recalls_agent", RECALL_AGENT, frame.seat, facts),))


PICK_AGENT = FrameRules(
    asks=_asks,
    apply=_recall,
    legal=_legal,
    options=lambda state, frame: tuple(
        RecallAgent(frame.seat, space) for space in recallable(state, frame.seat)
    ),
)


def _recall_by_effect(state: State, seat: Seat, effect: tree.RecallAgents, _: str) -> Step[State]:
    return Step(push(state, PickAgent(seat, effect.amount)))


def _why_not_recall(
    state: State, seat: Seat, effect: tree.RecallAgents, _: str
) -> Iterator[Reason]:
    if len(recallable(state, seat)) < effect.amount:
        yield Reason("no_agent_to_recall", RECALL_AGENT)


MEANING: Meanings = {tree.RecallAgents: Meaning(_recall_by_effect, RECALL_AGENT, _why_not_recall)}
