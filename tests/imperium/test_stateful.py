"""Hypothesis plays: a failure is shrunk to a few inputs and written down to be played again.

A run starts somewhere in a random game, so that the end of a game is as near as its beginning. What
fails is written as a replay log from the start of its last turn and, where the language can say it,
as a scenario.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from rules_engine.imperium import frames
from rules_engine.imperium.actions import Reveal
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.soak import Settings, drawn_setup
from rules_engine.imperium.state import State, player
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.game import Frame, Game, actions, settle, step
from rules_engine.kernel.laws import check_laws, check_step
from rules_engine.kernel.outcomes import Reason, Refusal, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.replay import read_log, start_log
from rules_engine.kernel.replay import replay as replay_log
from rules_engine.rulebook.index import rules
from scenarios import check
from scenarios.printing import print_turn
from tests.imperium.positions import giving

KNOWN = frozenset(each.id for each in rules())
FOUND = Path(".hypothesis") / "found"
GAMES = 5
MOST_SKIPPED = 1000
Steps = list[tuple[Any, State]]
"""Inputs and the positions that they led to."""

HASTE = settings(
    max_examples=10,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


@functools.cache
def course(number: int) -> tuple[State, ...]:
    """Every position of a random game."""
    state, inputs = drawn_setup(Settings(0), number).state, RandomPlay(number)
    course = [settle(IMPERIUM, state).state]
    while course[-1].pending:
        done = step(IMPERIUM, course[-1], inputs.pick(IMPERIUM, course[-1]))
        assert isinstance(done, Step)
        course.append(done.state)
    return tuple(course)


class Failed(AssertionError):
    """A law does not hold after some inputs; `refused` should have been another one."""

    def __init__(self, what: str, start: State, steps: Steps, refused: tuple[Any, ...]) -> None:
        super().__init__(what)
        self.start, self.steps, self.refused = start, steps, refused


class Play(RuleBasedStateMachine):
    """A stretch of a game, in which every choice is Hypothesis's; laws are checked on the way."""

    game: Game = IMPERIUM
    thorough: bool = True
    """Whether all laws are checked at the end, which takes most of the time."""

    @initialize(number=st.integers(0, GAMES - 1), skipped=st.integers(0, MOST_SKIPPED))
    def begin(self, number: int, skipped: int) -> None:
        """Some way into a random game of the true rules."""
        states = course(number)
        self.start = self.state = states[min(skipped, len(states) - 1)]
        self.steps: Steps = []

    @rule(choice=st.integers(0, 200))
    def go_on(self, choice: int) -> None:
        """Take one of the inputs that are listed, unless the game is over."""
        if not self.state.pending:
            return
        listed = actions(self.game, self.state)
        if not listed:
            self.fail("somebody_can_act: no input is listed")
        given = listed[choice % len(listed)]
        done = step(self.game, self.state, given)
        if isinstance(done, Refusal):
            self.fail(f"listed_inputs_are_taken: {given} is listed and refused", given)
        self.state = done.state
        self.steps.append((given, done.state))
        for broken in check_step(self.game, done, KNOWN.__contains__):
            self.fail(f"{broken.law}: {broken.what}")

    def teardown(self) -> None:
        """All laws where it ends."""
        if self.thorough and hasattr(self, "state"):
            for broken in check_laws(self.game, [self.state], KNOWN.__contains__):
                self.fail(f"{broken.law}: {broken.what}")

    def fail(self, what: str, *refused: Any) -> NoReturn:
        """Say how it came to this."""
        raise Failed(what, self.start, self.steps, refused)


def run(machine: type[Play], folder: Path, **changed: Any) -> None:
    """Let Hypothesis play; the shortest failure that it found is written down."""
    try:
        run_state_machine_as_test(machine, settings=settings(HASTE, **changed))
    except Failed as failed:
        raise AssertionError(f"{failed}\n{written(machine.game, failed, folder)}") from failed


def from_the_turn(failed: Failed) -> tuple[State, Steps]:
    """The last start of a turn and the inputs since: they fail just as well from there."""
    positions = [failed.start, *(reached for _, reached in failed.steps)]
    last = len(positions) - (1 if failed.refused else 2)
    turns = [at for at in range(last + 1) if isinstance(_top(positions[at]), frames.Turn)]
    begin = turns[-1] if turns else 0
    return positions[begin], failed.steps[begin:]


def _top(state: State) -> Frame | None:
    return state.pending[-1] if state.pending else None


def written(game: Game, failed: Failed, folder: Path) -> str:
    """Where the inputs are written down: as a log always, as a scenario if one can be said."""
    log, file = folder / "found.log", folder / "found.scenario"
    folder.mkdir(parents=True, exist_ok=True)
    for path in (log, file):
        path.unlink(missing_ok=True)
    start, steps = from_the_turn(failed)
    with start_log(game, log, start, engine="a test", catalogue="") as writer:
        for given, reached in steps:
            writer.append(given, reached)
    inputs = (*(given for given, _ in steps), *failed.refused)
    text = print_turn(start, inputs, str(failed))
    if text is None or not all(each.good for each in check(file.name, text)):
        return f"replay {log}; no scenario can say it"
    file.write_text(text, encoding="utf-8")
    return f"replay {log}, or complete the scenario {file}"


@pytest.mark.timeout(600)  # To shrink a failure takes a while, and is worth it.
def test_hypothesis_finds_nothing() -> None:
    run(Play, FOUND)


# Planted faults


def with_turn(**changed: Any) -> Game:
    """The game with the choice of a turn treated differently."""
    kind: type[Frame] = frames.Turn
    return replace(
        IMPERIUM, frames={**IMPERIUM.frames, kind: replace(IMPERIUM.frames[kind], **changed)}
    )


def recruiting() -> Game:
    """The game in which a reveal brings a troop from nowhere."""
    true = IMPERIUM.frames[frames.Turn].apply

    def apply(state: State, frame: frames.Turn, given: Any) -> Step[State]:
        done: Step[State] = true(state, frame, given)
        if not isinstance(given, Reveal):
            return done
        garrison = player(done.state, frame.seat).garrison + 1
        return change(done, state=giving(done.state, frame.seat, garrison=garrison))

    return with_turn(apply=apply)


def unrevealing() -> Game:
    """The game in which a reveal is listed and refused."""
    true = IMPERIUM.frames[frames.Turn].legal

    def legal(state: State, frame: frames.Turn, given: Any) -> Refusal | None:
        if isinstance(given, Reveal):
            return Refusal((Reason("no", ("UPR-ROUND-001",)),))
        return true(state, frame, given)

    return with_turn(legal=legal)


def found(game: Game, folder: Path) -> str:
    """What is said of the failure in a game with a fault."""
    machine = type("Faulty", (Play,), {"game": game, "thorough": False})
    with pytest.raises(AssertionError) as raised:
        run(machine, folder, max_examples=50)
    return str(raised.value)


@pytest.mark.parametrize(
    ("fault", "law", "inputs"),
    [(recruiting, "invariants_hold: twelve_troops", 1), (unrevealing, "listed_inputs", 0)],
)
def test_a_planted_fault_is_shrunk_to_the_input_that_shows_it(
    fault: Callable[[], Game], law: str, inputs: int, tmp_path: Path
) -> None:
    game = fault()
    message = found(game, tmp_path)
    assert law in message
    assert str(tmp_path / "found.log") in message
    log = read_log(tmp_path / "found.log")
    assert len(log.entries) == inputs
    replayed = replay_log(game, log)
    assert all(isinstance(given, Reveal) for given in replayed.inputs)
    (scenario,) = check("found.scenario", (tmp_path / "found.scenario").read_text("utf-8"))
    assert scenario.good


def test_what_cannot_be_said_is_a_log_only(tmp_path: Path) -> None:
    failed = Failed("x: in the middle of a turn", course(0)[0], [], (Reveal(0),))
    assert "no scenario can say it" in written(IMPERIUM, failed, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["found.log"]
