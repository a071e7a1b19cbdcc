"""The phases of a round, where a scenario begins with one or goes on to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules_engine.imperium import frames
from rules_engine.imperium.setup import DEALING
from rules_engine.imperium.state import State, with_player
from rules_engine.imperium.strength import strength
from rules_engine.kernel.records import change
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words

if TYPE_CHECKING:
    from scenarios.run import Run

PHASES: dict[str, tuple[Any, ...]] = {
    "game_begins": DEALING,
    "round_begins": (frames.RoundStart(),),
    "combat_begins": (frames.Combat(),),
    "combat_resolves": (frames.ResolveCombat(),),
    "makers_begin": (frames.Makers(),),
    "recall_begins": (frames.Recall(),),
}
"""What is pending when a phase begins, in the order in which phases follow each other."""

COMBAT = ("combat_begins", "combat_resolves")


def _phase(run: Run, line: Line, words: Words) -> None:
    """A phase begins where the scenario starts, or once an earlier phase is over."""
    name = str(words.data)
    if run.stopped is not None:
        raise run.stopped
    if _something_happened(run, line):
        _check_follows(run, line, name)
    run.phase = name
    state = change(run.state, pending=PHASES[name], turn=None)
    if name in COMBAT:
        state = _all_revealed(state)
    run.take(state, ())
    run.settle()


def _something_happened(run: Run, line: Line) -> bool:
    steps = run.scenario.steps
    return any(step.section == "when" for step in steps[: steps.index(line)])


def _check_follows(run: Run, line: Line, name: str) -> None:
    """A later phase follows an earlier one that is over; after turns, it comes by itself."""
    order = list(PHASES)
    if run.phase is None or order.index(run.phase) >= order.index(name):
        raise ScenarioError(
            "TS0117",
            "a phase can only begin as the first thing that happens, or after an earlier phase",
            place=line.place,
            help="put it into a scenario of its own, or end the turns that come before",
        )
    if run.state.pending:
        raise run.unstated(line.place, "the phase before this one is not over")


def _all_revealed(state: State) -> State:
    """Combat comes after every Reveal turn, so each marker shows the units and swords there are."""
    for owner in state.players:
        if not owner.revealed:
            state = with_player(state, change(owner, revealed=True, strength=strength(owner)))
    return state


EVENTS: dict[str, Callable[[Run, Line, Words], None]] = dict.fromkeys(PHASES, _phase)
