"""Random games to their end, with the laws of every game checked on the way.

Game number i of a seed is the same whoever plays it and however many are played: nothing passes
from one game to the next. What is rare is known from some games that are played before all others
and not checked; a game adds what it has met itself.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import random
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from rules_engine.kernel.chance import SeededChance
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import encoded, fingerprint
from rules_engine.kernel.game import Action, Answer, Game, actions, asked, settle, step
from rules_engine.kernel.laws import KnowsRule, Violation, check_laws, check_step
from rules_engine.kernel.outcomes import Refusal, Seat, Step
from rules_engine.kernel.records import Record
from rules_engine.kernel.replay import FORMAT, Entry, Header, Log, replay, start_log

PILOTS = 8
"""The games that tell what is rare."""

CANDIDATES = (1, 3)
"""Of so many inputs the rarest is taken; which number it is changes from choice to choice."""


GAMES_TO_A_KIND = 4
"""In one game of so many, a kind of frame is looked at closely."""


class Dealt(Record):
    """How a game starts, the kinds it is counted under, and what each seat plays, if anything."""

    state: Any
    kinds: tuple[str, ...]
    seats: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What is played, and how closely it is looked at.

    All laws are checked on one position of `every`, and in one game of four on the first position
    of one kind of frame, each kind in turn. `seen` says how often something was met before.
    """

    game: Game
    seed: int
    deal: Callable[[int], Dealt]
    winners: Callable[[Any], tuple[Seat, ...]]
    known_rule: KnowsRule
    every: int
    most_inputs: int
    engine: str
    catalogue: str
    seen: Mapping[str, int]
    logs: Path | None = None


class Failure(Record):
    """A law that did not hold: in which game, after how many inputs, and how to see it.

    `given` is the input that shows it, if one does; `log` the file with the inputs before it.
    """

    number: int
    inputs: int
    law: str
    what: str
    given: str = ""
    log: str = ""


class Report(Record):
    """What became of some games."""

    numbers: tuple[int, ...] = ()
    inputs: int = 0
    longest: int = 0
    seats: dict[str, int] = {}
    """Wins by seat; those who share a win each count."""
    kinds: dict[str, int] = {}
    played: dict[str, int] = {}
    won: dict[str, int] = {}
    checked: dict[str, int] = {}
    """The positions on which all laws were checked, by their frame."""
    cited: dict[str, int] = {}
    """How often each rule was cited in an event of a game."""
    tried: dict[str, int] = {}
    """How often each was cited where all laws were checked: in refusals and in events not taken."""
    failures: tuple[Failure, ...] = ()


def together(reports: Iterable[Report]) -> Report:
    """One report of all of them."""
    numbers: list[int] = []
    inputs = longest = 0
    counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTS}
    failures: list[Failure] = []
    for each in reports:
        numbers.extend(each.numbers)
        inputs += each.inputs
        longest = max(longest, each.longest)
        failures.extend(each.failures)
        for name, count in counts.items():
            count.update(getattr(each, name))
    return Report(
        numbers=tuple(sorted(numbers)),
        inputs=inputs,
        longest=longest,
        failures=tuple(sorted(failures, key=lambda each: each.number)),
        **{name: dict(sorted(count.items())) for name, count in counts.items()},
    )


COUNTS = ("seats", "kinds", "played", "won", "checked", "cited", "tried")


# The source of choices


class RarePlay:
    """Plays every seat, leaning towards what is rare; chance is fair.

    For a choice it draws one input or three, tries them out and takes the one that shows the rarest
    thing: a rule cited, or a frame answered by an action that names a certain card or place. So
    every input is taken some time, and a rare one whenever it is drawn.
    """

    def __init__(self, seed: int, number: int, seen: Mapping[str, int]) -> None:
        self._random = random.Random(f"players {seed} {number}")
        self._chance = SeededChance(self._random.getrandbits(64))
        self._seen = Counter(seen)

    @property
    def seen(self) -> Counter[str]:
        """How often each thing was met."""
        return self._seen

    def pick(self, game: Game, state: Any) -> tuple[Action | Answer, Step[Any] | Refusal] | None:
        """The input that is taken and what comes of it; nothing if there is none to take.

        A listed input that is refused is taken at once: it should not be there.
        """
        if asked(game, state).chance:
            answer = self._chance.answer(game, state)
            return answer, step(game, state, answer)
        listed = actions(game, state)
        drawn = self._random.sample(listed, min(len(listed), self._random.choice(CANDIDATES)))
        tried = [(given, step(game, state, given)) for given in drawn]
        refused = [each for each in tried if isinstance(each[1], Refusal)]
        return min(refused or tried, key=lambda each: self._rarity(state, *each), default=None)

    def _rarity(self, state: Any, given: Action | Answer, done: Step[Any] | Refusal) -> int:
        return min(self._seen[mark] for mark in _marks(state, given, done))

    def remember(self, state: Any, given: Action | Answer, done: Step[Any]) -> None:
        """Count what was met on a step."""
        self._seen.update(_marks(state, given, done))


def _marks(state: Any, given: Action | Answer, done: Step[Any] | Refusal) -> Iterator[str]:
    """What an input shows: the frame, the kind of action, each thing named, each rule cited."""
    kind = f"{_top(state)} {type(given).__name__}"
    yield kind
    for name in given.__struct_fields__:
        value = getattr(given, name)
        if isinstance(value, str):
            yield f"{kind} {value}"
    if isinstance(done, Step):
        yield from (rule for event in done.events for rule in event.rules)


def _top(state: Any) -> str:
    return type(state.pending[-1]).__name__ if state.pending else "nothing"


def pilot(game: Game, seed: int, deal: Callable[[int], Dealt], most_inputs: int) -> Counter[str]:
    """How often everything is met in some games of the seed, numbered downwards from -1."""
    seen: Counter[str] = Counter()
    for number in range(-1, -1 - PILOTS, -1):
        inputs = RarePlay(seed, number, {})
        # A game that fails here fails in the soak too, which tells of it.
        with contextlib.suppress(Exception):
            state = settle(game, deal(number).state).state
            for _ in range(most_inputs):
                picked = inputs.pick(game, state) if state.pending else None
                if picked is None:
                    break
                given, done = picked
                if isinstance(done, Refusal):
                    break
                inputs.remember(state, given, done)
                state = done.state
        seen += inputs.seen
    return seen


# A game


class _Table:
    """A game in progress."""

    def __init__(self, plan: Plan, number: int) -> None:
        self.plan = plan
        self.number = number
        self.dealt = plan.deal(number)
        self.state = self.dealt.state
        self.given: Action | Answer | None = None
        self.entries: list[Entry] = []
        self.inputs: list[tuple[Action | Answer, Any]] = []
        self.checked: Counter[str] = Counter()
        self.cited: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()
        self._choices = RarePlay(plan.seed, number, plan.seen)
        kinds = sorted(kind.__name__ for kind in plan.game.frames)
        its_turn = number % GAMES_TO_A_KIND == 0
        self._kind = kinds[number // GAMES_TO_A_KIND % len(kinds)] if its_turn else ""

    def play(self) -> Violation | None:
        """The whole game, or as far as the laws hold."""
        broken = None
        while broken is None and self.state.pending:
            broken = self._look() or self._move()
        return broken or self._look() or self._replay()

    def _look(self) -> Violation | None:
        """All laws, where it is this position's turn."""
        top = _top(self.state)
        its_turn = (self.number + len(self.inputs)) % self.plan.every == 0
        if not its_turn and (top != self._kind or self.checked[top]):
            return None
        self.given = None
        self.checked[top] += 1
        found = check_laws(self.plan.game, [self.state], self._known_rule)
        return found[0] if found else None

    def _known_rule(self, rule: str) -> bool:
        self.tried[rule] += 1
        return self.plan.known_rule(rule)

    def _move(self) -> Violation | None:
        """One input, and the laws that every step has to keep."""
        game = self.plan.game
        if len(self.inputs) == self.plan.most_inputs:
            return Violation("games_end", f"it goes on after {self.plan.most_inputs} inputs")
        self.given = None
        picked = self._choices.pick(game, self.state)
        if picked is None:
            return Violation("somebody_can_act", f"{_top(self.state)} lists no input")
        self.given, done = picked
        if isinstance(done, Refusal):
            keys = ", ".join(reason.key for reason in done.reasons)
            return Violation("listed_inputs_are_taken", f"it is listed, and refused: {keys}")
        self._choices.remember(self.state, self.given, done)
        self._take(self.given, done)
        broken = check_step(game, done, self.plan.known_rule)
        return broken[0] if broken else None

    def _take(self, given: Action | Answer, done: Step[Any]) -> None:
        self.state = done.state
        self.inputs.append((given, done.state))
        self.cited.update(rule for event in done.events for rule in event.rules)
        number = len(self.entries) + 2
        self.entries.append(Entry(number, msgspec.Raw(encoded(given)), fingerprint(done.state)))

    def _replay(self) -> Violation | None:
        """The game once more, from what its log would hold."""
        plan = self.plan
        self.given = None
        start = msgspec.Raw(encoded(self.dealt.state))
        header = Header(FORMAT, plan.game.name, plan.engine, plan.catalogue, start)
        try:
            replay(plan.game, Log("the game", header, tuple(self.entries), False, 0, ""))
        except TruthsayerError as problem:
            return Violation("replays_are_the_same", problem.message)
        return None


def play(plan: Plan, number: int) -> Report:
    """Play one game and report it; if a law fails, its log is written."""
    table = _Table(plan, number)
    try:
        broken = table.play()
    except Exception as problem:
        place = traceback.extract_tb(problem.__traceback__)[-1]
        where = f"{Path(place.filename).name}:{place.lineno}"
        what = f"{type(problem).__name__} at {where}: {problem}"
        broken = Violation("the_engine_does_not_fail", what)
    failures = () if broken is None else (_failure(table, broken),)
    winners = () if failures else plan.winners(table.state)
    seats = table.dealt.seats
    return Report(
        numbers=(number,),
        inputs=len(table.inputs),
        longest=len(table.inputs),
        seats=dict(Counter(str(seat) for seat in winners)),
        kinds=dict.fromkeys(table.dealt.kinds, 1),
        played=dict(Counter(seats)),
        won=dict(Counter(seats[seat] for seat in winners if seats)),
        checked=dict(table.checked),
        cited=dict(table.cited),
        tried=dict(table.tried),
        failures=failures,
    )


def _failure(table: _Table, broken: Violation) -> Failure:
    given = "" if table.given is None else encoded(table.given).decode()
    log = "" if table.plan.logs is None else str(_written(table, table.plan.logs))
    return Failure(table.number, len(table.inputs), broken.law, broken.what, given, log)


def _written(table: _Table, folder: Path) -> Path:
    """The log of a game up to where it failed, under a name that is free."""
    plan = table.plan
    name = f"soak-{plan.seed}-{table.number}"
    path = next(
        path
        for again in itertools.count(1)
        if not (path := folder / f"{name}{f'-{again}' if again > 1 else ''}.log").exists()
    )
    start, engine, catalogue = table.dealt.state, plan.engine, plan.catalogue
    with start_log(plan.game, path, start, engine=engine, catalogue=catalogue) as log:
        for given, reached in table.inputs:
            log.append(given, reached)
    return path


# Many games


PlanOf = Callable[..., Plan]
"""Makes a plan in every process, so it is a function that a module has by name."""


@functools.cache
def _plan(plan_of: PlanOf, settings: object) -> Plan:
    return plan_of(settings)


def _one(plan_of: PlanOf, settings: object, number: int) -> Report:
    return play(_plan(plan_of, settings), number)


def soak(
    plan_of: PlanOf, settings: object, numbers: Iterable[int], processes: int = 1
) -> Iterator[Report]:
    """Play the games of these numbers and report each as it ends, in any order."""
    if processes == 1:
        yield from (_one(plan_of, settings, number) for number in numbers)
        return
    waiting = iter(numbers)
    # Started afresh, not forked: a fork of a process with threads can hang. The terminal tells
    # every process of an interruption; this one answers it for all.
    with ProcessPoolExecutor(
        processes, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        running: set[Future[Report]] = set()
        try:
            while True:
                for number in itertools.islice(waiting, 2 * processes - len(running)):
                    running.add(pool.submit(_one, plan_of, settings, number))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
