"""A run: cases and generated games on an adapter, in several processes, within a budget."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from multiprocessing.util import Finalize

from conformance.cases import Case
from conformance.faults import AdapterFault
from conformance.games import GAMES_TO_A_ROUND, Round, rules_of
from conformance.messages import POSITION, Described
from conformance.playing import Connection, play
from conformance.reproducing import reproduction
from conformance.results import CRASHED, FAIL, SKIPPED, Result
from conformance.rulings import explained, readings_of
from conformance.shortening import shortest
from conformance.target import Target, connect, greeted
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record, change

CASES_AT_A_TIME = 16
"""Cases that a process is given at once: small enough to see progress, large enough to be quick."""

MOST_STARTS = 3
"""An adapter that cannot be started so many times in a row is given up."""


class Budget(Record):
    """How much is played: without a number, all of it."""

    cases: int | None = None
    seconds: float | None = None


Progress = Callable[[Result], None]


class Tester:
    """An adapter that is tested; it is started anew whenever it fails."""

    def __init__(self, opened: Callable[[], Connection], target: Target, said: Described) -> None:
        self._opened = opened
        self._target = target
        self._said = said
        self._connection: Connection | None = None
        self._failed_starts = 0
        self._likely: dict[str, None] = {}

    def case(self, case: Case) -> Result:
        """Play one case, explain a divergence and make it short."""
        started = time.monotonic()
        try:
            result = self._played(case)
        except AdapterFault as fault:
            self.leave()
            result = Result(case.id, case.title, fault.outcome, case.rules, fault.message)
        except TruthsayerError as problem:
            self.leave()
            result = Result(case.id, case.title, CRASHED, case.rules, problem.message)
        seconds = round(time.monotonic() - started, 4)
        return change(result, seconds=seconds, file=case.file, line=case.line)

    def _played(self, case: Case) -> Result:
        if self._failed_starts >= MOST_STARTS:
            reason = f"the adapter could not be started {MOST_STARTS} times in a row"
            return Result(case.id, case.title, SKIPPED, case.rules, reason)
        if case.setup["product"] not in self._said.products:
            reason = f"it does not play `{case.setup['product']}`"
            return Result(case.id, case.title, SKIPPED, case.rules, reason)
        result = play(case, self._said, self._connected())
        return self._told(case, result) if result.outcome == FAIL else result

    def _told(self, case: Case, result: Result) -> Result:
        """A divergence, with all that helps to act on it."""
        connection = self._connected()
        result = explained(case, result, self._said, connection, self._likely)
        assert result.divergence is not None
        if result.divergence.ruling:
            self._likely.update(dict.fromkeys(readings_of(result.divergence.ruling)))
            return result
        path = result.divergence.path

        def still_fails(shorter: Case) -> bool:
            found = play(shorter, self._said, connection).divergence
            return found is not None and found.path == path

        case = shortest(case, still_fails, positions=POSITION in self._said.capabilities)
        found = play(case, self._said, connection).divergence or result.divergence
        found = change(found, scenario=reproduction(case, found, self._said.rulings))
        return change(result, divergence=found, inputs=found.move)

    def games(self, seed: int, seen: dict[str, int]) -> list[Result]:
        """One round of generated games."""
        name, title = f"games.{seed}", "a generated game"
        results: list[Result] = []
        try:
            games = Round(self._connected(), self._said, seed, seen)
            results = games.results
            games.play()
            if games.shortest is not None:
                results.append(self._told(*games.shortest))
        except AdapterFault as fault:
            self.leave()
            results.append(Result(name, title, fault.outcome, (), fault.message))
        except TruthsayerError as problem:
            self.leave()
            results.append(Result(name, title, CRASHED, (), problem.message))
        return results

    def _connected(self) -> Connection:
        if self._connection is None:
            self._failed_starts += 1
            connection = self._opened()
            try:
                greeted(connection, self._target, before=self._said)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
            self._failed_starts = 0
        return self._connection

    def leave(self) -> None:
        """End the adapter."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


# What is to be done


class _Work(Record):
    """Some cases, or a round of generated games."""

    cases: tuple[Case, ...] = ()
    round: int | None = None
    seed: int = 0
    seen: dict[str, int] = {}


def run(
    cases: Sequence[Case],
    target: Target,
    said: Described,
    *,
    games: int = 0,
    seed: int = 1,
    jobs: int = 1,
    budget: Budget | None = None,
) -> Iterator[Result]:
    """Play cases, then generated games, and give each result as soon as it is known.

    What the budget leaves out is skipped, and said to be.
    """
    budget = budget or Budget()
    started = time.monotonic()
    played = 0
    seen: Counter[str] = Counter()
    workers = _Here(target, said) if jobs == 1 else _Pool(target, said, jobs)
    todo = deque(_works(cases, games, seed))
    with workers:
        while todo or workers.busy:
            while todo and workers.free and not _is_spent(budget, played, started):
                work = todo.popleft()
                played += len(work.cases) or GAMES_TO_A_ROUND
                workers.give(change(work, seen=dict(seen)))
            if not workers.busy:
                break
            for result in workers.take():
                seen.update(rules_of([result]))
                yield result
    for work in todo:
        for case in work.cases:
            yield Result(case.id, case.title, SKIPPED, case.rules, "the budget is spent")


def _works(cases: Sequence[Case], games: int, seed: int) -> Iterator[_Work]:
    for at in range(0, len(cases), CASES_AT_A_TIME):
        yield _Work(tuple(cases[at : at + CASES_AT_A_TIME]))
    for number in range(-(-games // GAMES_TO_A_ROUND)):
        yield _Work(round=number, seed=seed + number)


def _is_spent(budget: Budget, played: int, started: float) -> bool:
    if budget.cases is not None and played >= budget.cases:
        return True
    return budget.seconds is not None and time.monotonic() - started >= budget.seconds


def _done(tester: Tester, work: _Work) -> list[Result]:
    if work.round is not None:
        return tester.games(work.seed, work.seen)
    return [tester.case(case) for case in work.cases]


# Who does it


class _Here:
    """Does the work in this process."""

    def __init__(self, target: Target, said: Described) -> None:
        self._tester = Tester(lambda: connect(target), target, said)
        self._work: list[_Work] = []

    @property
    def busy(self) -> bool:
        return bool(self._work)

    @property
    def free(self) -> bool:
        return not self._work

    def give(self, work: _Work) -> None:
        self._work.append(work)

    def take(self) -> Iterable[Result]:
        return _done(self._tester, self._work.pop())

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        self._tester.leave()


class _Pool:
    """Does the work in several processes, each with an adapter of its own."""

    def __init__(self, target: Target, said: Described, jobs: int) -> None:
        self._jobs = jobs
        self._left: dict[Future[list[Result]], _Work] = {}
        self._pool = ProcessPoolExecutor(
            jobs, multiprocessing.get_context("spawn"), _begin, (target, said)
        )

    @property
    def busy(self) -> bool:
        return bool(self._left)

    @property
    def free(self) -> bool:
        return len(self._left) < self._jobs

    def give(self, work: _Work) -> None:
        self._left[self._pool.submit(_in_process, work)] = work

    def take(self) -> Iterable[Result]:
        done, _ = wait(self._left, return_when=FIRST_COMPLETED)
        for future in done:
            work = self._left.pop(future)
            try:
                yield from future.result()
            except BrokenExecutor as error:
                for case in work.cases:
                    yield Result(case.id, case.title, CRASHED, case.rules, f"a worker: {error}")

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)


_testers: list[Tester] = []
"""The one of this process."""


def _begin(target: Target, said: Described) -> None:
    tester = Tester(lambda: connect(target), target, said)
    _testers.append(tester)
    # Processes of a pool do not run what `atexit` is told.
    Finalize(tester, tester.leave, exitpriority=10)


def _in_process(work: _Work) -> list[Result]:
    return _done(_testers[0], work)
