"""Phase 4, Makers: bonus spice gathers where no Agent is."""

from __future__ import annotations

from rules_engine.imperium.agents import agents_at
from rules_engine.imperium.frames import Makers
from rules_engine.imperium.state import State
from rules_engine.kernel.game import by_itself
from rules_engine.kernel.outcomes import Event, Step
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

MAKERS_RULES = cite("UPR-MAKER-003", "UPR-MAKER-004", "UPR-MAKER-001")


def _makers(state: State, _: Makers, __: object) -> Step[State]:
    """Each Maker space without an Agent gets one bonus spice, on top of what lies there.

    UPR-MAKER-003, UPR-MAKER-004
    """
    free = [maker.space for maker in state.makers if not agents_at(state, maker.space)]
    makers = tuple(
        change(maker, bonus_spice=maker.bonus_spice + 1) if maker.space in free else maker
        for maker in state.makers
    )
    event = Event("bonus_spice", MAKERS_RULES, None, {"spaces": free})
    return Step(change(state, makers=makers), (event,))


MAKERS = by_itself(_makers, MAKERS_RULES)
