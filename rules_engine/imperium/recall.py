"""Phase 5, Recall: the check for the Endgame, else Agents come home and a new round begins."""

from __future__ import annotations

from rules_engine.imperium.endgame import triggered
from rules_engine.imperium.frames import EndgameIntrigues, FinalScore, Recall, RoundStart
from rules_engine.imperium.state import State, clockwise
from rules_engine.kernel.game import by_itself, push
from rules_engine.kernel.numbers import count_true
from rules_engine.kernel.outcomes import Event, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

CHECK = cite("UPR-END-001", "UPR-END-002", "UPR-RECALL-001")
HOME = cite("UPR-RECALL-002")
MARKER = cite("UPR-RECALL-003")
NEXT_ROUND = cite("UPR-RECALL-004", "UPR-ROUND-001")


def _recall(state: State, _: Recall, __: object) -> Step[State]:
    """The Endgame is checked first; otherwise Agents return and the First Player marker moves on.

    UPR-RECALL-001 to UPR-RECALL-004
    """
    if triggered(state):
        state = push(state, FinalScore(), EndgameIntrigues(state.first_player))
        return Step(state, (Event("endgame", CHECK),))
    state = agents_home(state)
    following = clockwise(state, state.first_player)[1]
    state = push(change(state, first_player=following), RoundStart())
    moved = Event("first_player", MARKER + NEXT_ROUND, following)
    return Step(state, (Event("agents_return", HOME), moved))


def agents_home(state: State) -> State:
    """All Agents go back to their owners' Leaders. UPR-RECALL-002"""
    players = tuple(
        change(each, agents=each.agents + count_true(at.seat == each.seat for at in state.agents))
        for each in state.players
    )
    return change(state, players=players, agents=())


RECALL = by_itself(_recall, NEXT_ROUND)
