"""Records a run: every input that the engine took, and what each `then` line expects."""

from __future__ import annotations

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Action, Answer, asked, handle, settle
from rules_engine.kernel.outcomes import Event, Refusal
from scenarios.imperium.behind_strength import with_units
from scenarios.imperium.done.phases import PHASES
from scenarios.language.syntax import Line, Scenario, phrases, token, tokens
from scenarios.language.values import Environment
from scenarios.run import Expectation, Run
from scenarios.vectors.expectations import expectation
from scenarios.vectors.inputs import CHANCE, SHUFFLES, Json, chance, decision, told
from scenarios.vectors.positions import position, setup, to_move, unknown


class Recorded(Run):
    """A run that is written down step by step: a `when` block and what is expected after it."""

    def __init__(self, scenario: Scenario, environment: Environment) -> None:
        super().__init__(scenario, environment, _holds)
        self.start: State = self.state
        self.steps: list[Json] = []

    def do(self, lines: list[Line]) -> None:
        """A `when` block begins a step, which may stop where something has to be known to go on."""
        step = self._new_step()
        super().do(lines)
        if self.stopped is not None:
            step["stops"] = {"before": _tag(self.state), "unknown": self.stopped.path}
        elif asked(IMPERIUM, self.state).chance:
            step["stops"] = {"before": CHANCE[type(self.state.pending[-1])]}

    def _new_step(self) -> Json:
        self.steps.append({"inputs": [], "expect": []})
        return self.steps[-1]

    def act(self, line: Line, following: list[Line]) -> None:
        """What no input says is written down here: phases, effects from outside, shuffles."""
        deed = phrases(line.words)[0]
        kind = str(deed.data)
        if kind in PHASES:
            self._input({"begin": kind})
        elif kind in ("summons", "resolves_effect"):
            seat = self.table.seat(line, token(line.words, "NAME"))
            self._input({"effect": told(self, line, seat, deed)})
        elif kind in SHUFFLES:
            whose = [self.table.seat(line, name) for name in tokens(line.words, "NAME")]
            self._chance({"kind": SHUFFLES[kind], **({"player": whose[0]} if whose else {})})
        super().act(line, following)

    def give(self, line: Line, given: Action | Answer) -> None:
        """An input that a line states."""
        self._note(self.state, given)
        super().give(line, given)

    def take(
        self, state: State, events: tuple[Event, ...], inputs: tuple[Action | Answer, ...] = ()
    ) -> None:
        """Inputs that the runner found by itself are written down as if they were stated."""
        at = self.state
        for given in inputs:
            at = settle(IMPERIUM, at).state
            self._note(at, given)
            done = handle(IMPERIUM, at, given)
            assert not isinstance(done, Refusal)
            at = done.state
        super().take(state, events, inputs)

    def look(self, line: Line) -> None:
        """A scenario may expect something before anything happens."""
        (self.steps[-1] if self.steps else self._new_step())["expect"].append(
            expectation(self, line)
        )
        super().look(line)

    def _note(self, state: State, given: Action | Answer) -> None:
        if isinstance(given, Answer):
            self._chance(chance(state, given))
        else:
            self._input({"do": decision(state, given)})

    def _input(self, given: Json) -> None:
        self.steps[-1]["inputs"].append({**given, "chance": []})

    def _chance(self, answer: Json) -> None:
        """An answer belongs to the input that needs it; what an earlier step needs stands alone."""
        if not self.steps[-1]["inputs"]:
            self._input({})
        self.steps[-1]["inputs"][-1]["chance"].append(answer)


def _tag(state: State) -> str:
    """What would come next, as the engine calls it."""
    return str(state.pending[-1].__struct_config__.tag)


def _holds(_: Run, seen: Expectation) -> None:
    assert seen.holds, seen


def played(scenario: Scenario, values: dict[str, int]) -> Json:
    """The part of a vector that running a scenario gives, with these values of its variables."""
    run = Recorded(scenario, Environment(variables=dict(values)))
    run.play()
    start = with_units(run.start)
    return {
        "setup": setup(start),
        "position": position(start),
        "unknown": unknown(start),
        "to_move": to_move(start),
        "steps": run.steps,
    }
