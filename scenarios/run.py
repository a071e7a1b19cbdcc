"""Runs a scenario on the engine: `when` acts, `then` looks, and nothing is chosen silently.

Questions are passed over here; `scenarios/asking.py` answers them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.imperium import frames
from rules_engine.imperium.actions import Acquire, EndTurn, Pass, Resolve, Reveal
from rules_engine.imperium.choices import can_resolve
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import Place, TruthsayerError, UnknownRead
from rules_engine.kernel.game import (
    Action,
    Amount,
    Answer,
    asked,
    handle,
    legal,
    options,
    spelled_out,
)
from rules_engine.kernel.outcomes import Event, Refusal
from rules_engine.kernel.records import change
from scenarios.cases import Played
from scenarios.groups import (
    NeedsChoice,
    OrderMatters,
    TooManyEffects,
    finish_group,
    group_items,
    has_effects,
)
from scenarios.imperium import doing, observing
from scenarios.imperium.delivered import Spoils, Trashed
from scenarios.imperium.position import Position
from scenarios.imperium.table import Table
from scenarios.imperium.unknowns import NEW_HANDS, how_to_state
from scenarios.language.errors import NotDue, ScenarioError
from scenarios.language.syntax import Line, Scenario, phrases, tokens
from scenarios.language.values import Environment
from scenarios.resting import SAY_OPEN
from scenarios.words import option_words, refusal_words


class Expectation(NamedTuple):
    """What a `then` line expects, what there is, and the rules behind it.

    `holds` may be a symbolic condition; `code` is the error if it does not hold.
    """

    line: Line
    holds: Any
    expected: str
    actual: str
    rules: tuple[str, ...]
    code: str


Expect = Callable[["Run", Expectation], None]
"""What to do with an expectation."""


WAKE_OF_COMBAT = (frames.GiveRewards, frames.TakeConflictCard, frames.EndCombat)

OF_A_CARD = ("plays_to", "discards", "trashes", "acquires", "sets_aside")
"""Phrases about a card that has to be where they find it."""

SHOWN = 12
"""How many allowed decisions an error lists."""


class Run:
    """A scenario in progress: the position, and what happened since the last `when`."""

    def __init__(self, scenario: Scenario, environment: Environment, expect: Expect) -> None:
        self.scenario = scenario
        self.environment = environment
        self.expect = expect
        self.table = Table(scenario)
        position = Position(self.table, environment)
        self.state: State = position.build(first_to_act(scenario), opening(scenario))
        self.trashed = Trashed(position.trashed)
        self.spoils = Spoils()
        self.before: State = self.state
        self.events: list[Event] = []
        self.recent: list[Event] = []
        """What happened by the last input alone."""
        self.inputs: list[Action | Answer] = []
        self.begun = False
        """Whether something has happened."""
        self.phase: str | None = None
        """The phase that a line began last."""
        self.stopped: UnknownRead | None = None
        """What had to be known to go on after Combat, where the run ended."""
        self.left_open: frozenset[str] = frozenset()
        """What the `then` block says of what is left open, by the kind of line."""
        self.case: Played | None = None

    def play(self) -> None:
        """Run all steps."""
        for kind, lines in blocks(self.scenario.steps):
            match kind:
                case "when":
                    self.do(lines)
                case "then":
                    self.left_open = said_open(lines)
                    for line in lines:
                        self.look(line)
                case "ask":
                    for line in lines:
                        self.question(line)

    def do(self, lines: list[Line]) -> None:
        """Carry out a `when` block."""
        self.begun = True
        self.before, self.events, self.inputs = self.state, [], []
        self.spoils = Spoils()
        todo = list(lines)
        acted: list[Line] = []
        while todo:
            self._finish_groups([*todo, *self._still_to_come(lines[-1])])
            line, others = doing.one_at_a_time(self, todo.pop(0))
            todo[:0] = others
            with told_at(line), doing.told_of_several(self, line, acted):
                self.act(line, todo)
            acted.append(line)
        self._finish_groups(self._still_to_come(lines[-1]))

    def act(self, line: Line, following: list[Line]) -> None:
        """Carry out one line; it may take up lines that follow."""
        doing.act(self, line, following)

    def look(self, line: Line) -> None:
        """Look whether a `then` line holds."""
        with told_at(line):
            observing.check(self, line)

    def question(self, line: Line) -> None:
        """Pass over a question."""

    def expects(
        self, line: Line, holds: Any, expected: str, actual: str, rules: tuple[str, ...], code: str
    ) -> None:
        """Compare what a line expects with what there is."""
        self.expect(self, Expectation(line, holds, expected, actual, rules, code))

    # What actions use

    def give(self, line: Line, given: Action | Answer) -> None:
        """Give the engine an input, and go on until somebody has to answer."""
        if self.stopped is not None:
            raise self.stopped
        done = handle(IMPERIUM, self.state, given)
        if isinstance(done, Refusal):
            raise self._refused(line, given, done)
        self.inputs.append(given)
        self.recent = []
        self.take(done.state, done.events)
        self.settle()

    def take(
        self, state: State, events: tuple[Event, ...], inputs: tuple[Action | Answer, ...] = ()
    ) -> None:
        """Go on from another position, to which the engine came by these inputs, if any."""
        self.inputs.extend(inputs)
        self.trashed.note(self.state, state, events)
        self.spoils.note(self.state, state)
        self.state = state
        self.events.extend(events)
        self.recent.extend(events)

    def settle(self) -> None:
        """Go on by itself; in the wake of Combat, the run ends where it has to know the unknown.

        Strengths alone tell who takes which reward, so a scenario about them need not state more.
        """
        while self.state.pending and asked(IMPERIUM, self.state).nobody():
            try:
                done = handle(IMPERIUM, self.state)
            except UnknownRead as unknown:
                if not isinstance(self.state.pending[-1], WAKE_OF_COMBAT):
                    raise
                self.stopped = unknown
                return
            assert not isinstance(done, Refusal)
            self.take(done.state, done.events)

    def _refused(self, line: Line, given: Action | Answer, refusal: Refusal) -> ScenarioError:
        why = refusal_words(self.state, refusal)
        if isinstance(given, Answer):
            code, message = "TS0403", f"this cannot come here: {why}"
        elif _is_free(self.state):
            code, message = "TS0112", f"this is not allowed: {why}"
        else:
            code, message = "TS0111", f"this is not one of the choices here: {why}"
        verb = "allowed here" if code == "TS0112" else "state one of"
        help_ = self.allowed(verb)
        others_turn = any(reason.key == "not_your_decision" for reason in refusal.reasons)
        if others_turn and self.before is self.state and isinstance(given, Action):
            name = self.state.players[given.by].name
            help_ += f"; or add the line `given it is the turn of {name}`"
        return ScenarioError(code, message, place=line.place, help=help_, rules=refusal.rules)

    def unstated(self, place: Place, message: str, at: State | None = None) -> ScenarioError:
        """A decision that the scenario has to state, with what is allowed."""
        return ScenarioError("TS0111", message, place=place, help=self.allowed("state one of", at))

    def not_due(self, place: Place, message: str, rules: tuple[str, ...] = ()) -> NotDue:
        """What a line states cannot happen now, whatever else could, by these rules."""
        help_ = "leave the line out, or " + self.allowed("state one of")
        return NotDue("TS0111", message, place=place, help=help_, rules=rules)

    def allowed(self, verb: str, at: State | None = None) -> str:
        """What is allowed now, or in another position, in words."""
        if self.environment.variables:
            return "state what is allowed for all values"
        state = self.state if at is None else at
        try:
            open_now = options_to_state(state) if state.pending else []
        except UnknownRead as unknown:
            sure = "; ".join(_sure_to_state(state))
            how = f"{how_to_state(unknown.path)}: what is allowed here depends on it"
            if has_effects(state):
                return f"{verb}: {sure}"
            return f"{verb}: {sure}; or {how}" if sure else how
        if not open_now:
            return "put it into a scenario of its own: nobody has to decide anything here"
        more = [f"and {len(open_now) - SHOWN} more"] if len(open_now) > SHOWN else []
        return f"{verb}: " + "; ".join([*open_now[:SHOWN], *more])

    def _still_to_come(self, last: Line) -> list[Line]:
        """The `when` lines after a block."""
        steps = self.scenario.steps
        return [line for line in steps[steps.index(last) + 1 :] if line.section == "when"]

    def _finish_groups(self, to_come: list[Line]) -> None:
        """Finish every group of effects that leaves nothing to decide; the rest stays pending.

        A group that a later line resolves waits for that line, whatever stands between.
        """
        while self.stopped is None and has_effects(self.state):
            if doing.resolves_later(self, to_come):
                return
            try:
                done = finish_group(self.state, answers=(), optional_asks=True)
            except (NeedsChoice, OrderMatters, TooManyEffects, UnknownRead):
                return
            if not done.order:
                return
            self.take(done.state, done.events, done.inputs)
            self.settle()


def options_to_state(state: State) -> list[str]:
    """Every decision that is open now as a line could state it, amounts by least and greatest."""
    found = list(_whole_draw(state))
    for option in options(IMPERIUM, state):
        found += _options_within(state, option)
        every = [*spelled_out(option)] if isinstance(option, Amount) else [option]
        ends = dict.fromkeys((*every[:1], *every[-1:]))
        if ends:
            found.append(" to ".join(f"`{option_words(state, each)}`" for each in ends))
    return found


def _whole_draw(state: State) -> Iterator[str]:
    """How a line could state all cards that are to be drawn, without their names."""
    top: Any = state.pending[-1]
    if isinstance(top, (frames.DrawFromDeck, frames.DrawFromIntrigue)):
        kind = "intrigue card" if isinstance(top, frames.DrawFromIntrigue) else "card"
        name = state.players[top.seat].name
        yield f"`{name} draws {top.count} {kind}{'' if top.count == 1 else 's'}`"


def _options_within(state: State, option: Any) -> Iterator[str]:
    """What could be chosen at once of an effect that offers a choice."""
    if not isinstance(option, Resolve):
        return
    item = group_items(state)[option.index]
    for each in item.effect.options if isinstance(item.effect, tree.Choose) else ():
        if can_resolve(state, option.by, change(item, effect=each)):
            yield f'`{state.players[option.by].name} chooses "{say(each)}"`'


def _sure_to_state(state: State) -> Iterator[str]:
    """What a line could state whatever is unknown: effects first, if any are due."""
    top: Any = state.pending[-1]
    if has_effects(state):
        yield f"`{state.players[top.seat].name} resolves all effects`"
        for index, item in enumerate(group_items(state)):
            if can_resolve(state, top.seat, item):
                yield f"`{option_words(state, Resolve(top.seat, index))}`"
        return
    for seat in asked(IMPERIUM, state).players:
        reserve = (Acquire(seat, stack.card) for stack in state.reserve)
        for action in (Reveal(seat), *reserve, Pass(seat), EndTurn(seat)):
            if legal(IMPERIUM, state, action) is None:
                yield f"`{option_words(state, action)}`"


@contextmanager
def told_at(line: Line) -> Iterator[None]:
    """Errors of the engine get the place of the line, and what is unknown, how to state it."""
    try:
        yield
    except TruthsayerError as error:
        error.place = error.place or line.place
        if isinstance(error, UnknownRead):
            error.help = _how_to_state(error.path, line)
        raise


def _how_to_state(path: str, line: Line) -> str:
    """How to state what is unknown, so that it goes with the line that needs it."""
    deed = phrases(line.words)[0] if phrases(line.words) else line.words
    if deed.data == "round_begins" and path.endswith("'s hand"):
        return NEW_HANDS
    cards = tokens(deed, "STRING") if deed.data in OF_A_CARD else []
    return how_to_state(path, cards[0] if cards else "")


def _is_free(state: State) -> bool:
    """Whether the position is between effects, so that a refusal is about the action itself."""
    free = (frames.Turn, frames.AgentTurn, frames.RevealTurn, frames.CombatIntrigues)
    return bool(state.pending) and isinstance(state.pending[-1], free)


def blocks(steps: list[Line]) -> Iterator[tuple[str, list[Line]]]:
    """The `when`, `then` and `ask` blocks of a scenario, in order."""
    current: list[Line] = []
    for line in steps:
        if line.keyword == line.section and current:
            yield current[0].section, current
            current = []
        current.append(line)
    if current:
        yield current[0].section, current


def said_open(lines: list[Line]) -> frozenset[str]:
    """The kinds of line by which a `then` block says all that it leaves open."""
    parts = ({str(inner.data) for inner in line.words.iter_subtrees()} for line in lines)
    return frozenset(kind for part in parts if "at_least" not in part for kind in part & SAY_OPEN)


def opening(scenario: Scenario) -> str:
    """The event with which a scenario begins, if it begins with one."""
    first = next((line for line in scenario.steps if line.section == "when"), None)
    if first is None or first.words.data != "action":
        return ""
    return str(phrases(first.words)[0].data)


def first_to_act(scenario: Scenario) -> int | None:
    """The player who acts in the first `when`, or of whom it is asked first what is possible."""
    steps = sorted(scenario.steps, key=lambda line: line.section == "ask")
    for line in steps:
        words = line.words
        if line.section == "then":
            words = phrases(words)[0]
            if words.data not in ("can", "cannot"):
                continue
        names = tokens(words, "NAME")
        if names and names[0] in scenario.players:
            return scenario.players.index(str(names[0]))
        if line.section == "when":
            return None
    return None
