"""Prints a case as a scenario: a counterexample that people can read, run and keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules_engine.effects.text import say
from rules_engine.imperium import frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import asked, handle
from rules_engine.kernel.outcomes import Refusal
from scenarios.format import format_text
from scenarios.imperium.stating import givens, heading
from scenarios.words import option_words
from verifier.explorer import told
from verifier.verdicts import Verdict


def print_refutation(verdict: Verdict) -> str:
    """The counterexample of a refuted property, as a scenario that fails as the property does.

    The values make the position; the remarks say it in words. Nothing if the property came to no
    position, as one about a table does.
    """
    case = verdict.case
    if case is None or case.position is None:
        return ""
    state: State = case.position
    values = ", ".join(f'"{each.name}" = {each.value}' for each in verdict.values)
    with_values = f" with {values}" if values else ""
    lines = [
        f'scenario "Refuted: {case.title}"',
        f"cites {', '.join(case.rules)}",
        f"game {state.config.product} with {', '.join(each.name for each in state.players)}",
        "",
        *(f"# {words}" for words in _told(state, case.inputs)),
        f"# it does not hold that {case.claim}",
        f'when case "{verdict.params}" of {verdict.name} is played{with_values}',
        f"then property {verdict.name} holds",
    ]
    return format_text("counterexample", "\n".join(lines))


def print_turn(state: State, inputs: tuple[Any, ...], remark: str) -> str | None:
    """What is done from the start of a turn on, as a scenario that asks what comes next.

    Nothing if it is not the start of a turn.
    """
    top = state.pending[-1] if state.pending else None
    if not isinstance(top, frames.Turn) or not inputs:
        return None
    lines = [
        'scenario "Found by play"',
        f"cites {', '.join(IMPERIUM.turn_rules)}",
        *heading(state),
        f"# {remark}",
        "given " + "\n  and ".join(givens(state)),
        "when " + "\n and ".join(_steps(state, inputs)[1:]),
        f"ask what can {state.players[top.seat].name} do",
    ]
    return "\n".join(lines) + "\n"


def _told(state: State, inputs: tuple[Any, ...]) -> Iterator[str]:
    """The position and what is done in it, in words."""
    yield from (line for line in heading(state) if not line.startswith("game "))
    yield from givens(state)
    try:
        yield from _steps(state, inputs)
    except Exception as fault:
        # What made the rule function fail in the proof makes it fail here, too.
        yield f"the engine fails: {' '.join(told(fault).split())}"


# What is done in it


def _steps(state: State, inputs: tuple[Any, ...]) -> list[str]:
    """What is pending, then every input in words."""
    lines = [_opening(state)]
    state = _settled(state)
    for given in inputs:
        lines.append(option_words(state, given))
        done = handle(IMPERIUM, state, given)
        if isinstance(done, Refusal):
            break
        state = _settled(done.state)
    return lines


def _opening(state: State) -> str:
    top = state.pending[-1]
    match top:
        case frames.ResolveCombat():
            return "combat resolves"
        case frames.Run(seat, item):
            return f'{state.players[seat].name} resolves the effect "{say(item.effect)}"'
        case _:
            return f"pending: {type(top).__name__}"


def _settled(state: State) -> State:
    while state.pending and asked(IMPERIUM, state).nobody():
        done = handle(IMPERIUM, state)
        assert not isinstance(done, Refusal)
        state = done.state
    return state
