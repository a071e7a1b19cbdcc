"""Plays a case on an adapter and on the reference, up to the first divergence."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple, NoReturn, Protocol

from conformance import naming
from conformance.cases import Case, Move
from conformance.collecting import uncollected
from conformance.comparing import differences, leaks
from conformance.features import lacking
from conformance.following import MOST_FOLLOW_UPS, Choose, FollowsFirst, ends_refused, followed
from conformance.messages import (
    ACTIONS,
    INJECT,
    INPUT,
    REVISIONS,
    UNDO,
    VIEWS,
    AnyAnswer,
    AnyCall,
    Apply,
    ApplyUnit,
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
from conformance.reference import (
    Chooser,
    Moved,
    OutOfPlace,
    Reference,
    Reported,
    asking_rules,
    drawn,
    given_in_turn,
    merged,
    stated,
)
from conformance.results import FAIL, NOTHING, PASS, REFUSED, UNSUPPORTED, Divergence, Result
from conformance.showing import Shown
from conformance.stopping import see_if_stopped
from conformance.units import Units, planned
from rules_engine.imperium.game import IMPERIUM, TURN_RULES
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from scenarios.vectors.inputs import CHANCE, decision

Json = dict[str, Any]


MOST_LACKS = 10
"""So much of what an adapter lacks is told of a case."""


class Connection(Protocol):
    """A way to an adapter."""

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Send a batch of calls and wait for an answer to each, so long or as is usual."""
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
    """The adapter said that it does not support something; `number` counts the moves up to it."""

    def __init__(self, what: str, number: int) -> None:
        super().__init__(what)
        self.number = number


def play(case: Case, adapter: Described, connection: Connection) -> Result:
    """Play a case; a fault of the connection is up to the caller."""
    return play_on(case, adapter, connection)[0]


def play_alone(case: Case, adapter: Described, connection: Connection) -> Result:
    """Play a case, and give nothing after what it has."""
    return play_on(case, adapter, connection, follows=False)[0]


def play_on(
    case: Case,
    adapter: Described,
    connection: Connection,
    choose: Choose = lambda _: None,
    *,
    follows: bool = True,
) -> tuple[Result, Case]:
    """Play a case, and go on with inputs that are chosen where an adapter's own chance has led to.

    One that the adapter does not support is left out, and another is chosen. After a last input
    that has to be refused comes one that is allowed: who refuses everything keeps no rule. The case
    that comes back has all these inputs, what chance brought, and the rules that they came to.
    """
    see_if_stopped()
    lacks = lacking(case, adapter)
    result = Result(case.id, case.title, PASS, case.rules, file=case.file, line=case.line)
    if lacks:
        needs = f"it needs {', '.join(lacks[:MOST_LACKS])}{', …' if lacks[MOST_LACKS:] else ''}"
        return change(result, outcome=UNSUPPORTED, detail=needs, lacks=lacks), case
    if ends_refused(case):
        result = change(result, outcome=REFUSED)
    if adapter.chance != INJECT:
        choose = FollowsFirst(case, adapter, choose) if follows else choose
        return _ended(_Reporting(case, adapter, connection, choose), result)
    own = len(case.moves)
    for longer in islice(followed(case, adapter), MOST_FOLLOW_UPS if follows else 0):
        found, played = _ended(_Injecting(longer, adapter, connection, own), result)
        if found.outcome != UNSUPPORTED or found.inputs <= own:
            return found, played
    return _ended(_Injecting(case, adapter, connection), result)


def _ended(player: _Playing, result: Result) -> tuple[Result, Case]:
    """Play, and tell how the case ended."""
    try:
        with uncollected():
            player.play()
    except _Diverges as found:
        divergence = change(found.divergence, is_beyond=player.is_beyond(found.divergence.move))
        result = change(result, outcome=FAIL, divergence=divergence)
    except _CannotDo as reason:
        result = change(result, outcome=UNSUPPORTED, detail=str(reason), inputs=reason.number)
    else:
        result = player.went_well(result)
    shown = player.shown.held(player.case)
    return change(result, rules=player.case.rules, held=shown), player.case


class _Playing:
    """What is the same however chance comes."""

    def __init__(self, case: Case, adapter: Described, connection: Connection) -> None:
        self.case = case
        self.adapter = adapter
        self.connection = connection
        self.reference = Reference.start(case.followed, case.position, case.to_move)
        self.history: list[Moved] = []
        self.shown = Shown(case, adapter, self.reference.state)

    def went_well(self, result: Result) -> Result:
        """How the case ended, where nothing differs."""
        self.shown.is_over = True
        if not actions(IMPERIUM, self.reference.state):
            self.shown.ended()
        result = change(result, inputs=len(self.case.moves))
        if not self.shown.is_any(self.case):
            return change(result, outcome=NOTHING, detail=self.shown.why_nothing)
        is_refused = result.outcome == REFUSED and self.shown.has_refusal
        return change(result, outcome=REFUSED if is_refused else PASS)

    def is_beyond(self, number: int) -> bool:
        """Whether a move is an allowed one that follows the case, which ends with a refusal."""
        raise NotImplementedError

    def play(self) -> None:
        """Play the whole case."""
        raise NotImplementedError

    def start_call(self, chance: tuple[Json, ...]) -> Start:
        """The call that starts the game."""
        case = self.case
        return Start(case.setup, case.position, case.to_move, chance, observe=True)

    def compare(self, expected: Expected, answer: AnyAnswer) -> None:
        """Compare one answer with what the reference says."""
        if isinstance(expected.call, Start | Apply | ApplyUnit) and isinstance(
            expected.outcome, Moved
        ):
            self.history.append(expected.outcome)
        match answer:
            case Unsupported() if isinstance(expected.call, ListActions | Observe | Undo):
                return
            case Unsupported(what):
                raise _CannotDo(what, expected.number)
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
            self.shown.refused(expected.outcome.rules)
            return
        if isinstance(answer, Refused):
            said = f"it was refused: {answer.reason}" if answer.reason else "it was refused"
            self.diverge(expected, "refused", "", "it is allowed", said)
        if not isinstance(answer, Done):
            self.diverge(expected, "answer", "", "`done` or `refused`", _kind(answer))
        assert isinstance(expected.outcome, Moved)
        self.shown.took(expected.outcome, is_input=expected.move is not None)
        wanted = observe(expected.state)
        self._compare_observation(expected, answer, wanted, "field")
        self.shown.looked(wanted)

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
        self.shown.listed([said for said, _ in allowed])

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
        found_here = Divergence(kind, expected.number, given, path, wanted, got, rules)
        if isinstance(expected.call, ApplyUnit) and len(expected.call.inputs) > 1:
            found_here = change(found_here, unit=expected.call.inputs)
        raise _Diverges(found_here)

    def _rules(self, outcome: Moved | Refusal | None, path: str) -> tuple[str, ...]:
        """The rules that decide a point: of the refusal, or of what changed a field."""
        if isinstance(outcome, Refusal):
            return outcome.rules
        if outcome is None or not self.history:
            return ()
        return naming.of_field(path, self.history) if path else naming.of_input(outcome)

    def looks(
        self, number: int, move: Move | None, outcome: Moved | Refusal, *, is_last: bool
    ) -> list[Expected]:
        """What else is asked for after a move, of an adapter that can answer."""
        found: list[Expected] = []
        can = self.adapter.capabilities
        state = self.reference.state
        if ACTIONS in can and state.pending:
            found.append(Expected(ListActions(), number, move, outcome, state))
        if VIEWS in can and is_last:
            found += [
                Expected(Observe(each.seat), number, move, outcome, state) for each in state.players
            ]
        return found

    def apply_call(
        self, inputs: tuple[Json, ...], chance: tuple[Json, ...], revision: int
    ) -> Apply | ApplyUnit:
        """The call that gives an input, or a unit."""
        if self.adapter.step == INPUT:
            return Apply(inputs[0], chance, revision, observe=True)
        return ApplyUnit(inputs, chance, revision, observe=True)

    def stale(self, expected: Expected) -> list[Expected]:
        """What was accepted once more, for the position that it was made for."""
        if REVISIONS not in self.adapter.capabilities:
            return []
        return [expected._replace(outcome=Refusal(()))]


class _Injecting(_Playing):
    """Chance is told: the reference plays first, and a few batches ask for everything.

    What is asked later tells what is right: a revision that stands still, or another try. So a
    batch ends after each input that has to be refused; and, so that not only those are the last in
    a batch, after the input that follows such a one, and after the last of the case.
    """

    def __init__(
        self, case: Case, adapter: Described, connection: Connection, own: int | None = None
    ) -> None:
        """`own` are the moves of the case that another one follows, if one does."""
        super().__init__(case, adapter, connection)
        self._own = own

    def is_beyond(self, number: int) -> bool:
        """Whether a move follows the case."""
        return self._own is not None and number > self._own

    def play(self) -> None:
        """Play the whole case."""
        *batches, last = _batches(self._expected())
        for batch in batches:
            self._ask(batch)
        self._ask(last, Finish())

    def _ask(self, batch: list[Expected], *more: Finish) -> None:
        answers = self.connection.ask([*(each.call for each in batch), *more])
        for each, answer in zip(batch, answers, strict=False):
            self.compare(each, answer)

    def _expected(self) -> list[list[Expected]]:
        """The start and every input or unit, each with what is asked after it."""
        begun = self.reference.begin(stated(self.case.chance))
        start = Expected(self.start_call(begun.chance), 0, None, begun, self.reference.state)
        found = [[start, *self.looks(0, None, begun, is_last=not self.case.moves)]]
        revision = 0
        stale: list[Expected] = []
        units = Units(self.case, self.reference, self.adapter.step)
        for given in units:
            number, move, outcome = given.number, given.move, given.outcome
            call = self.apply_call(given.inputs, given.chance, revision)
            expected = Expected(call, number, move, outcome, given.after)
            if isinstance(outcome, Moved):
                stale = self.stale(expected)
                revision += 1
                looks = self.looks(number, move, outcome, is_last=units.is_over)
                last = expected._replace(call=Undo(), state=outcome.before)
            else:
                looks = [expected._replace(call=Observe())]
            found.append([expected, *looks])
        self.case = units.case
        found[-1] += stale
        if UNDO in self.adapter.capabilities and revision:
            found[-1] += [last, last._replace(call=Observe())]
        return found


def _batches(expected: list[list[Expected]]) -> list[list[Expected]]:
    """What is asked at once: it ends with an input of which nothing later in it tells the answer.

    That goes on in the next batch, with what is asked after that input.
    """
    start, *inputs = expected
    batches = [start]
    was_refused = False
    for number, (given, *after) in enumerate(inputs, 1):
        batches[-1].append(given)
        is_refused = isinstance(given.outcome, Refusal)
        if is_refused or was_refused or number == len(inputs):
            batches.append([])
        batches[-1] += after
        was_refused = is_refused
    return batches


class _Reporting(_Playing):
    """Chance is the adapter's: it is asked call by call, and the reference is fed what came."""

    def __init__(
        self, case: Case, adapter: Described, connection: Connection, choose: Choose
    ) -> None:
        super().__init__(case, adapter, connection)
        self.choose = choose
        self.left = deque(case.moves)
        self.is_chosen = False
        self._is_followed = ends_refused(case)
        self.case = change(case, moves=())

    def is_beyond(self, number: int) -> bool:
        """Whether a move follows the case: it is the one that was just given."""
        del number
        return self._is_followed and self.is_chosen

    def play(self) -> None:
        """Play the whole case, and on."""
        self._step(self.start_call(()), ())
        revision = 0
        stale: list[Expected] = []
        while moves := self._next():
            call = self.apply_call(_inputs(moves), (), revision)
            try:
                done = self._step(call, moves)
            except _CannotDo:
                if not self.is_chosen:
                    raise
                continue
            if isinstance(done.outcome, Moved):
                stale = self.stale(done)
                revision += 1
        self._look(stale)
        self.connection.ask([Finish()])

    def _next(self) -> tuple[Move, ...]:
        """The next input or unit: what is left of the case, and then what is chosen."""
        self.is_chosen = not self.left
        if self.adapter.step != INPUT:
            rest = drawn(random.Random(f"{self.case.id} {len(self.case.moves)}"))
            return planned(self.left, self.reference.state, self.adapter.step, rest, self.choose)
        move = self.left.popleft() if self.left else self.choose(self.reference.state)
        return () if move is None else (move,)

    def _step(self, call: Start | Apply | ApplyUnit, moves: tuple[Move, ...]) -> Expected:
        """Ask for one thing, let the reference do it with the chance that came, and compare."""
        (answer,) = self.connection.ask([call])
        number = len(self.case.moves) + len(moves)
        if isinstance(answer, Unsupported):
            raise _CannotDo(answer.what, number)
        if isinstance(answer, Refused) and len(moves) > 1 and self._has_own_chance(moves):
            raise _CannotDo("a unit in which what can be done depends on its own chance", number)
        chance = Reported(answer.chance) if isinstance(answer, Done) else _any_chance()
        self.case = change(self.case, moves=(*self.case.moves, *moves))
        move = moves[-1] if moves else None
        outcome = self._fed(number, moves, chance)
        expected = Expected(call, number, move, outcome, self.reference.state)
        self.compare(expected, answer)
        if isinstance(outcome, Moved):
            self._look(self.looks(number, move, outcome, is_last=not self.left))
        return expected

    def _has_own_chance(self, moves: tuple[Move, ...]) -> bool:
        """Whether chance decides something before the last input, so that others could differ."""
        game = Reference(self.reference.state)
        done = given_in_turn(game, _inputs(moves[:-1]), _any_chance())
        return isinstance(done, Refusal) or any(each.chance for each in done)

    def _fed(self, number: int, moves: tuple[Move, ...], chance: Chooser) -> Moved | Refusal:
        """What the reference says with the chance that came: no less may have come, and no more."""
        move = moves[-1] if moves else None
        try:
            done = self._reference_step(moves, chance)
        except OutOfPlace as wrong:
            self.diverge_by_chance(number, move, "what chance can bring", str(wrong), wrong.rules)
        self._remember(moves, done)
        if isinstance(done, Refusal):
            return done
        outcome = merged(done)
        left = chance.left if isinstance(chance, Reported) else []
        if left:
            frames = [frame for frame, kind in CHANCE.items() if kind == left[0].get("kind")]
            rules = asking_rules(tuple(frames), outcome.parts) or naming.of_input(outcome)
            self.diverge_by_chance(number, move, "nothing more", left[0], rules)
        return outcome

    def _reference_step(self, moves: tuple[Move, ...], chance: Chooser) -> list[Moved] | Refusal:
        if not moves:
            return [self.reference.begin(chance)]
        return given_in_turn(self.reference, _inputs(moves), chance)

    def _remember(self, moves: tuple[Move, ...], done: list[Moved] | Refusal) -> None:
        """Put into the case what chance brought, what was refused, and the rules it came to."""
        if not moves:
            assert not isinstance(done, Refusal), "a game can begin"
            self.case = change(self.case, chance=done[0].chance)
            return
        before = self.case.moves[: -len(moves)]
        if isinstance(done, Refusal):
            told = (*moves[:-1], change(moves[-1], refused=True))
            rules = done.rules
        else:
            told = tuple(
                change(move, chance=each.chance, refused=False)
                for move, each in zip(moves, done, strict=True)
            )
            rules = merged(done).rules
        self.case = change(self.case, moves=(*before, *told))
        if self.is_chosen:
            self.case = change(self.case, rules=tuple(dict.fromkeys((*self.case.rules, *rules))))

    def _look(self, expected: list[Expected]) -> None:
        answers = self.connection.ask([each.call for each in expected]) if expected else []
        for each, answer in zip(expected, answers, strict=True):
            self.compare(each, answer)

    def diverge_by_chance(
        self, number: int, move: Move | None, wanted: str, got: Any, rules: tuple[str, ...]
    ) -> NoReturn:
        """Stop: what came is not what can come."""
        given = {} if move is None else move.given
        rules = rules or TURN_RULES
        raise _Diverges(Divergence("chance", number, given, "", wanted, got, rules))


def _inputs(moves: Sequence[Move]) -> tuple[Json, ...]:
    return tuple(each.given for each in moves)


def _any_chance() -> Chooser:
    """Chance for a step that the adapter did not take: what comes does not matter."""
    return drawn(random.Random(0))


def _kind(answer: AnyAnswer) -> str:
    return f"`{answer.__struct_config__.tag}`"
