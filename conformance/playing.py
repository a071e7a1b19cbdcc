"""Plays a case on an adapter and on the reference, up to the first divergence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from conformance import naming
from conformance.cases import Case, Move
from conformance.comparing import differences, leaks
from conformance.messages import (
    ACTIONS,
    INJECT,
    REVISIONS,
    UNDO,
    VIEWS,
    AnyAnswer,
    AnyCall,
    Apply,
    Described,
    Done,
    Failed,
    Finish,
    ListActions,
    Listed,
    Observe,
    Refused,
    Start,
    Undo,
    Unsupported,
)
from conformance.observing import observe, observe_as
from conformance.reference import Moved, OutOfPlace, Reference, is_at_rest, stated
from conformance.results import FAIL, PASS, REFUSED, UNSUPPORTED, Divergence, Result
from rules_engine.imperium.game import IMPERIUM, TURN_RULES
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from scenarios.vectors.inputs import decision

Json = dict[str, Any]


class Connection(Protocol):
    """A way to an adapter."""

    def ask(self, calls: Sequence[AnyCall]) -> list[AnyAnswer]:
        """Send a batch of calls and wait for an answer to each."""
        ...

    def close(self) -> None:
        """End the adapter, or leave it."""
        ...


class Expected(NamedTuple):
    """A call, the move it belongs to, and what the reference says to it."""

    call: AnyCall
    number: int
    move: Move | None
    outcome: Moved | Refusal | None
    state: State


class _Diverges(Exception):
    def __init__(self, divergence: Divergence) -> None:
        super().__init__(divergence.path)
        self.divergence = divergence


class _CannotDo(Exception):
    """The adapter said that it does not support something."""


def play(case: Case, adapter: Described, connection: Connection) -> Result:
    """Play a case; a fault of the connection is up to the caller."""
    lacking = case.needs - frozenset(adapter.capabilities)
    result = Result(case.id, case.title, PASS, case.rules, file=case.file, line=case.line)
    if lacking:
        return change(result, outcome=UNSUPPORTED, detail=f"it needs {', '.join(sorted(lacking))}")
    player = _Injecting if adapter.chance == INJECT else _Reporting
    try:
        player(case, adapter, connection).play()
    except _Diverges as found:
        return change(result, outcome=FAIL, divergence=found.divergence)
    except _CannotDo as reason:
        return change(result, outcome=UNSUPPORTED, detail=str(reason))
    refused = bool(case.moves) and case.moves[-1].refused
    return change(result, outcome=REFUSED if refused else PASS, inputs=len(case.moves))


class _Playing:
    """What is the same however chance comes."""

    def __init__(self, case: Case, adapter: Described, connection: Connection) -> None:
        self.case = case
        self.adapter = adapter
        self.connection = connection
        self.reference = Reference.start(case.setup, case.position, case.to_move)
        self.history: list[Moved] = []

    def start_call(self, chance: tuple[Json, ...]) -> Start:
        """The call that starts the game."""
        case = self.case
        return Start(case.setup, case.position, case.to_move, chance, observe=True)

    def compare(self, expected: Expected, answer: AnyAnswer) -> None:
        """Compare one answer with what the reference says."""
        if isinstance(expected.call, Start | Apply) and isinstance(expected.outcome, Moved):
            self.history.append(expected.outcome)
        match answer:
            case Unsupported() if isinstance(expected.call, ListActions | Observe | Undo):
                return
            case Unsupported(what):
                raise _CannotDo(what)
            case Failed(message):
                self.diverge(expected, "failure", "", "an answer", message)
        match expected.call:
            case ListActions():
                self._compare_actions(expected, answer)
            case Observe(None):
                kind = "after a refusal" if isinstance(expected.outcome, Refusal) else "undo"
                self._compare_observation(expected, answer, observe(expected.state), kind)
            case Observe(seat):
                self._compare_view(expected, answer, seat)
            case Undo():
                if not isinstance(answer, Done):
                    self.diverge(expected, "undo", "", "`done`", _kind(answer))
            case _:
                self._compare_step(expected, answer)

    def _compare_step(self, expected: Expected, answer: AnyAnswer) -> None:
        if isinstance(expected.outcome, Refusal):
            if not isinstance(answer, Refused):
                self.diverge(expected, "accepted", "", "it is refused", "it was accepted")
            return
        if isinstance(answer, Refused):
            said = f"it was refused: {answer.reason}" if answer.reason else "it was refused"
            self.diverge(expected, "refused", "", "it is allowed", said)
        if not isinstance(answer, Done):
            self.diverge(expected, "answer", "", "`done` or `refused`", _kind(answer))
        elif expected.call.observe:  # type: ignore[union-attr]
            self._compare_observation(expected, answer, observe(expected.state), "field")

    def _compare_observation(
        self, expected: Expected, answer: AnyAnswer, wanted: Json, kind: str
    ) -> None:
        got = answer.observation if isinstance(answer, Done) else None
        if got is None:
            self.diverge(expected, "answer", "", "an observation", _kind(answer))
            return
        for each in differences(wanted, got, self.adapter.fields):
            self.diverge(expected, kind, each.path, each.expected, each.got)

    def _compare_view(self, expected: Expected, answer: AnyAnswer, seat: int | None) -> None:
        wanted = observe_as(expected.state, seat)
        kind = f"view of seat {seat}"
        self._compare_observation(expected, answer, wanted, kind)
        if isinstance(answer, Done) and answer.observation is not None:
            for each in leaks(wanted, answer.observation):
                rules = naming.of_leak(each.path)
                self.diverge(expected, kind, each.path, each.expected, each.got, rules)

    def _compare_actions(self, expected: Expected, answer: AnyAnswer) -> None:
        if not isinstance(answer, Listed):
            self.diverge(expected, "answer", "", "a list of actions", _kind(answer))
            return
        state = expected.state
        allowed = [(decision(state, each), each) for each in actions(IMPERIUM, state)]
        lacking = [(said, each) for said, each in allowed if said not in answer.actions]
        beyond = [said for said in answer.actions if all(said != each for each, _ in allowed)]
        # Whether one may leave follows from what is still to be done, so that is told last.
        for said, action in sorted(lacking, key=lambda pair: naming.leaves(pair[0])):
            if not naming.leaves(said) or all(map(naming.leaves, beyond)):
                rules = naming.of_doing(state, action, self._just_now())
                self.diverge(expected, "actions", "", said, "it is not listed", rules)
        for said in sorted(beyond, key=naming.leaves):
            rules = naming.against_doing(state, said, self._just_now())
            self.diverge(expected, "actions", "", "it is not allowed", said, rules)

    def _just_now(self) -> tuple[str, ...]:
        """The rules of what has just happened, the latest first: what is allowed depends on it."""
        events = self.history[-1].events if self.history else ()
        return tuple(rule for event in reversed(events) for rule in event.rules)

    def diverge(
        self,
        expected: Expected,
        kind: str,
        path: str,
        wanted: Any,
        got: Any,
        rules: tuple[str, ...] = (),
    ) -> None:
        """Stop at this divergence; without `rules` those count that decide its path."""
        given = {} if expected.move is None else expected.move.given
        found = rules or self._rules(expected.outcome, path) or TURN_RULES
        rules = naming.in_order(found, self.case.rules, self.history)
        raise _Diverges(Divergence(kind, expected.number, given, path, wanted, got, rules))

    def _rules(self, outcome: Moved | Refusal | None, path: str) -> tuple[str, ...]:
        """The rules that decide a point: of the refusal, or of what changed a field."""
        if isinstance(outcome, Refusal):
            return outcome.rules
        if outcome is None or not self.history:
            return ()
        return naming.of_field(path, self.history) if path else naming.of_input(outcome)

    def looks(self, number: int, move: Move | None, outcome: Moved | Refusal) -> list[Expected]:
        """What else is asked for after a move, of an adapter that can answer."""
        found: list[Expected] = []
        can = self.adapter.capabilities
        state = self.reference.state
        if not is_at_rest(state, self.adapter.step):
            return found
        if ACTIONS in can and state.pending:
            found.append(Expected(ListActions(), number, move, outcome, state))
        if VIEWS in can and number == len(self.case.moves):
            found += [
                Expected(Observe(each.seat), number, move, outcome, state) for each in state.players
            ]
        return found

    def apply_call(self, move: Move, chance: tuple[Json, ...], revision: int) -> Apply:
        """The call that gives an input."""
        rest = is_at_rest(self.reference.state, self.adapter.step)
        return Apply(move.given, chance, revision, observe=rest and not move.refused)


class _Injecting(_Playing):
    """Chance is told: the reference plays first, and one batch asks for everything."""

    def play(self) -> None:
        """Play the whole case."""
        expected = list(self._expected())
        calls = [each.call for each in expected]
        answers = self.connection.ask([*calls, Finish()])
        for each, answer in zip(expected, answers, strict=False):
            self.compare(each, answer)

    def _expected(self) -> list[Expected]:
        found: list[Expected] = []
        begun = self.reference.begin(stated(self.case.chance))
        found.append(Expected(self.start_call(begun.chance), 0, None, begun, self.reference.state))
        found += self.looks(0, None, begun)
        revision = 0
        for number, move in enumerate(self.case.moves, 1):
            outcome = self.reference.give(move.given, stated(move.chance))
            chance = outcome.chance if isinstance(outcome, Moved) else ()
            call = self.apply_call(move, chance, revision)
            found.append(Expected(call, number, move, outcome, self.reference.state))
            if isinstance(outcome, Moved):
                revision += 1
                found += self.looks(number, move, outcome)
                last = Expected(Undo(), number, move, outcome, outcome.before)
            elif is_at_rest(self.reference.state, self.adapter.step):
                found.append(Expected(Observe(), number, move, outcome, self.reference.state))
        if REVISIONS in self.adapter.capabilities and revision:
            found.append(self._stale(revision))
        if UNDO in self.adapter.capabilities and revision:
            found += [last, last._replace(call=Observe())]
        return found

    def _stale(self, revision: int) -> Expected:
        """The last accepted input once more, for the position that it was made for."""
        number, move = next(
            (number, move)
            for number, move in reversed(list(enumerate(self.case.moves, 1)))
            if not move.refused
        )
        call = Apply(move.given, move.chance, revision - 1, observe=False)
        late = Refusal(())
        return Expected(call, number, move, late, self.reference.state)


class _Reporting(_Playing):
    """Chance is the adapter's: it is asked call by call, and the reference is fed what came."""

    def play(self) -> None:
        """Play the whole case."""
        (answer,) = self.connection.ask([self.start_call(())])
        begun = self._fed(0, None, answer, lambda told: self.reference.begin(told))
        self.compare(Expected(self.start_call(()), 0, None, begun, self.reference.state), answer)
        for number, move in enumerate(self.case.moves, 1):
            self._move(number, move)
        self.connection.ask([Finish()])

    def _move(self, number: int, move: Move) -> None:
        call = Apply(move.given, (), number - 1, observe=True)
        (answer,) = self.connection.ask([call])
        outcome = self._fed(
            number, move, answer, lambda told: self.reference.give(move.given, told)
        )
        self.compare(Expected(call, number, move, outcome, self.reference.state), answer)

    def _fed(self, number: int, move: Move | None, answer: AnyAnswer, step: Any) -> Any:
        """What the reference says with the chance that came."""
        came = answer.chance if isinstance(answer, Done) else ()
        told = stated(came)
        try:
            outcome = step(told)
        except OutOfPlace as wrong:
            expected = Expected(Finish(), number, move, None, self.reference.state)
            self.diverge(expected, "chance", "", "what chance can bring here", str(wrong))
        if told.left:  # type: ignore[attr-defined]
            expected = Expected(Finish(), number, move, outcome, self.reference.state)
            self.diverge(expected, "chance", "", "nothing more", told.left[0])  # type: ignore[attr-defined]
        return outcome


def _kind(answer: AnyAnswer) -> str:
    return f"`{answer.__struct_config__.tag}`"
