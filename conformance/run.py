"""A run: cases and generated games on an adapter, in several processes, within a budget."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection as Channel
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess

from conformance.cases import Case
from conformance.faults import AdapterFault
from conformance.features import lacking
from conformance.games import GAMES_TO_A_ROUND, Round, rules_of
from conformance.messages import POSITION, Described
from conformance.pipe import end_marked, new_mark
from conformance.playing import Connection, play_alone, play_on
from conformance.reproducing import reproduction
from conformance.results import BAD, CRASHED, FAIL, GOOD, SKIPPED, Divergence, Result
from conformance.rulings import explained, family, fields_moved, predicted, readings_of
from conformance.shortening import shortest
from conformance.stopping import SIGNALS, is_over
from conformance.target import Target, connect, greeted
from conformance.units import in_whole_units
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record, change

PRODUCT = "uprising"
"""What generated games are of."""

SPENT = "the budget is spent"
STOPPED = "the run was stopped"
ONCE = "it diverged once, and not when it was played again"

CASES_AT_A_TIME = 16
"""Cases that a process is given at once: small enough to see progress, large enough to be quick."""

MOST_SEARCHES = 2
"""For so many divergences that are alike every reading is tried; then what explained others."""

MOST_STARTS = 3
"""An adapter that cannot be started so many times in a row is given up."""


LEAVING_SECONDS = 1.0
"""How long processes may take to end their adapters and themselves, all together."""


Tell = Callable[[Result], None]
"""Is told of a game as soon as it was played."""


class Budget(Record):
    """How much is played: without a number, all of it."""

    cases: int | None = None
    seconds: float | None = None


class Tester:
    """An adapter that is tested; it is started anew whenever it fails."""

    def __init__(self, opened: Callable[[], Connection], target: Target, said: Described) -> None:
        self._opened = opened
        self._target = target
        self._said = said
        self._connection: Connection | None = None
        self._failed_starts = 0
        self._likely: dict[str, None] = {}
        self._searched: Counter[tuple[str, ...]] = Counter()
        self._moved: set[str] = set()
        self.until: float | None = None
        """From then on nothing more is played to make a divergence short."""

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
        reason = self._unplayable(case.setup["product"])
        if reason:
            return Result(case.id, case.title, SKIPPED, case.rules, reason)
        result, played = play_on(case, self._said, self._connected())
        if result.outcome in GOOD:
            self._see_moved(played)
        return self._told(played, result) if result.outcome == FAIL else result

    def _see_moved(self, case: Case) -> None:
        """Remember which fields the adapter has changed as it had to."""
        as_it_went = predicted(case, {})
        if as_it_went is not None:
            self._moved |= fields_moved(as_it_went, self._said)

    def _unplayable(self, product: str) -> str:
        """Why nothing of a product can be played, if nothing can."""
        if self._failed_starts >= MOST_STARTS:
            return f"the adapter could not be started {MOST_STARTS} times in a row"
        return "" if product in self._said.products else f"it does not play `{product}`"

    def _told(self, case: Case, result: Result) -> Result:
        """A divergence, with all that helps to act on it; a fault on the way does not hide it."""
        assert result.divergence is not None
        found, is_beyond = result.divergence, result.divergence.is_beyond
        try:
            if play_alone(case, self._said, self._connected()).outcome == FAIL:
                result = self._explained(case, result)
                if result.divergence is not None and result.divergence.ruling:
                    self._likely.update(dict.fromkeys(readings_of(result.divergence.ruling)))
                    return result
                case, found = self._shortened(case, found)
            else:  # then any reading would seem to explain it
                result = change(result, detail=ONCE)
        except AdapterFault:
            self.leave()
        whole = in_whole_units(case, self._said.step)
        shown = reproduction(whole, found, self._said.rulings)
        found = change(found, scenario=shown, is_beyond=is_beyond)
        return change(result, divergence=found, inputs=found.move)

    def _explained(self, case: Case, result: Result) -> Result:
        """The result with the readings that explain it; of alike ones, they are looked for once."""
        assert result.divergence is not None
        alike = family(result.divergence)
        searched = self._searched[alike] >= MOST_SEARCHES
        found = explained(
            case,
            result,
            self._said,
            self._connected(),
            self._likely,
            searched=searched,
            moved=self._moved,
        )
        self._searched[alike] += 1
        return found

    def _shortened(self, case: Case, first: Divergence) -> tuple[Case, Divergence]:
        """A shorter case that shows the same, and its divergence."""
        connection = self._connected()

        def still_fails(shorter: Case) -> bool:
            if is_over(self.until):
                return False
            found = play_alone(shorter, self._said, connection).divergence
            return found is not None and found.path == first.path

        shorter = shortest(case, still_fails, positions=POSITION in self._said.capabilities)
        found = play_alone(shorter, self._said, connection).divergence
        return (case, first) if found is None else (shorter, found)

    def games(
        self,
        seed: int,
        seen: dict[str, int],
        count: int = GAMES_TO_A_ROUND,
        tell: Tell = lambda _: None,
    ) -> list[Result]:
        """One round of generated games; `tell` gets each that holds as soon as it was played."""
        name, title = f"games.{seed}", "a generated game"
        reason = self._unplayable(PRODUCT)
        if reason:
            return [Result(name, title, SKIPPED, (), reason)]
        played: list[Result] = []
        try:
            games = Round(self._connected(), self._said, seed, seen, tell=tell, until=self.until)
            played = games.results
            self._play(games, count, tell)
            return played if games.shortest is None else [*played, self._told(*games.shortest)]
        except AdapterFault as fault:
            self.leave()
            return [*played, Result(name, title, fault.outcome, (), fault.message)]
        except TruthsayerError as problem:
            self.leave()
            return [*played, Result(name, title, CRASHED, (), problem.message)]

    def _play(self, games: Round, count: int, tell: Tell) -> None:
        """Play a round; of one that is stopped, what it has found is told."""
        try:
            games.play(count)
        except KeyboardInterrupt:
            if games.shortest is not None:
                tell(games.shortest[1])
            raise

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
    """Some cases, or a round of generated games, and when it is too late for them."""

    cases: tuple[Case, ...] = ()
    games: int = 0
    seed: int = 0
    seen: dict[str, int] = {}
    until: float | None = None


def run(
    cases: Sequence[Case],
    target: Target,
    said: Described,
    *,
    games: int = 0,
    seed: int = 1,
    played: Collection[int] = (),
    jobs: int = 1,
    budget: Budget | None = None,
    tell: Tell = lambda _: None,
) -> Generator[Result, None, None]:
    """Play cases, then generated games, and give each result as soon as it is known.

    Rounds of games have a seed each, one after the other; those `played` already are left out.
    What the budget leaves out is skipped, and said to be. Close it to end the adapters early.
    The games of a round may be given together; then `tell` gets each as soon as it is played.
    """
    budget = budget or Budget()
    until = None if budget.seconds is None else time.monotonic() + budget.seconds
    rounds = [each for each in _rounds(games, seed) if each.seed not in played]
    todo, beyond = _within(budget.cases, cases, rounds, said)
    seen: Counter[str] = Counter()
    with _Here(target, said, tell) if jobs == 1 else _Pool(target, said, jobs) as workers:
        while todo or workers.busy:
            while todo and workers.free and not is_over(until):
                workers.give(change(todo.popleft(), seen=dict(seen), until=until))
            if not workers.busy:
                break
            for result in workers.take():
                seen.update(rules_of([result]))
                yield result
    for work in (*todo, *beyond):
        yield from _skipped(work)


def _rounds(games: int, seed: int) -> Iterator[_Work]:
    for number, at in enumerate(range(0, games, GAMES_TO_A_ROUND)):
        yield _Work(games=min(GAMES_TO_A_ROUND, games - at), seed=seed + number)


def _within(
    most: int | None, cases: Sequence[Case], rounds: Sequence[_Work], said: Described
) -> tuple[deque[_Work], list[_Work]]:
    """The work with the first so many cases and games, and what is beyond it.

    A case for which the adapter lacks something takes no time, and does not count.
    """
    left = len(cases) + sum(each.games for each in rounds) if most is None else most
    first: list[Case] = []
    beyond: list[Case] = []
    for case in cases:
        counts = not lacking(case, said)
        (beyond if counts and not left else first).append(case)
        left -= counts and left > 0
    todo = deque(
        _Work(tuple(first[at : at + CASES_AT_A_TIME]))
        for at in range(0, len(first), CASES_AT_A_TIME)
    )
    skipped = [_Work(tuple(beyond))]
    for each in rounds:
        played = min(each.games, left)
        left -= played
        if played:
            todo.append(change(each, games=played))
        if played < each.games:
            skipped.append(change(each, games=each.games - played))
    return todo, skipped


def _skipped(work: _Work, why: str = SPENT) -> Iterator[Result]:
    for case in work.cases:
        yield Result(case.id, case.title, SKIPPED, case.rules, why, file=case.file, line=case.line)
    if work.games:
        title = f"generated games: {work.games}"
        yield Result(f"games.{work.seed}", title, SKIPPED, (), why)


def unplayed(
    cases: Sequence[Case], games: int, seed: int, results: Sequence[Result]
) -> Iterator[Result]:
    """What has no result yet, because the run was stopped."""
    known = {result.id for result in results}
    yield from _skipped(_Work(tuple(case for case in cases if case.id not in known)), STOPPED)
    for each in _rounds(games, seed):
        yield from _skipped(_left_of(each, results), STOPPED)


def _left_of(work: _Work, results: Sequence[Result]) -> _Work:
    """What is left of a round of games: nothing after one that has found something."""
    name = f"games.{work.seed}"
    played = [each for each in results if each.id == name or each.id.startswith(f"{name}.")]
    over = any(each.id == name or each.outcome in BAD for each in played)
    return change(work, games=0 if over else max(0, work.games - len(played)))


def _done(tester: Tester, work: _Work, tell: Tell) -> Iterator[Result]:
    """The results of some work, but for those that were told already."""
    tester.until = work.until
    for at, case in enumerate(work.cases):
        if is_over(work.until):
            yield from _skipped(change(work, cases=work.cases[at:]))
            return
        yield tester.case(case)
    if work.games:
        told: list[Result] = []

        def note(game: Result) -> None:
            told.append(game)
            tell(game)

        played = tester.games(work.seed, work.seen, work.games, note)
        yield from played[len(told) :]
        if is_over(work.until) and not any(each.outcome in BAD for each in played):
            yield from _skipped(change(work, games=work.games - len(played)))


# Who does it


class _Here:
    """Does the work in this process."""

    def __init__(self, target: Target, said: Described, tell: Tell) -> None:
        self._mark = new_mark()
        self._tell = tell
        self._tester = Tester(lambda: connect(target, self._mark), target, said)
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
        told: list[Result] = []

        def tell(game: Result) -> None:
            told.append(game)
            self._tell(game)

        try:
            for result in _done(self._tester, self._work.pop(), tell):
                yield from _taken(told)
                yield result
        except KeyboardInterrupt:
            yield from _taken(told)
            raise
        yield from _taken(told)

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        self._tester.leave()
        end_marked(self._mark)


def _taken(told: list[Result]) -> list[Result]:
    """What was told, which is then forgotten."""
    found = list(told)
    told.clear()
    return found


class _Pool:
    """Does the work in several processes, each with an adapter of its own."""

    def __init__(self, target: Target, said: Described, jobs: int) -> None:
        self._workers = [_Worker(target, said) for _ in range(jobs)]

    @property
    def busy(self) -> bool:
        return any(worker.work for worker in self._workers)

    @property
    def free(self) -> bool:
        return any(worker.work is None for worker in self._workers)

    def give(self, work: _Work) -> None:
        next(worker for worker in self._workers if worker.work is None).give(work)

    def take(self) -> Iterable[Result]:
        busy = [worker for worker in self._workers if worker.work]
        ready = wait([worker.channel for worker in busy])
        return [each for worker in busy if worker.channel in ready for each in worker.take()]

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        until = time.monotonic() + LEAVING_SECONDS
        for worker in self._workers:
            worker.wait_for_end(until)


class _Worker:
    """A process that is given work and sends a result at a time, and nothing after the last.

    If it dies, it is started anew: the case that it played has crashed, and the others go on.
    However it ends, the adapter that it started ends, too.
    """

    def __init__(self, target: Target, said: Described) -> None:
        self._mark = new_mark()
        self._args = (target, said, self._mark)
        self._process: SpawnProcess | None = None
        self.work: _Work | None = None

    def give(self, work: _Work) -> None:
        """Let it do something."""
        self.work = work
        if self._process is None:
            self._start()
        try:
            self.channel.send(work)
        except OSError:  # it died while it had nothing to do
            self._start_again()
            self.channel.send(work)

    def _start(self) -> None:
        """Start the process; it must not be interrupted before it knows what to do then."""
        spawn = multiprocessing.get_context("spawn")
        self.channel, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, *self._args), daemon=True)
        resource_tracker.ensure_running()  # while it starts, it lets through what is held back here
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    def take(self) -> list[Result]:
        """The result that has come, or none: that was all."""
        assert self.work is not None
        try:
            result: Result | None = self.channel.recv()
        except (EOFError, OSError):
            return self._died(self.work)
        if result is None:
            self.work = None
            return []
        self.work = change(self.work, cases=self.work.cases[1:])
        return [result]

    def _died(self, work: _Work) -> list[Result]:
        self._start_again()
        self.work = None
        why = "the process that played it ended"
        if not work.cases:
            name = f"games.{work.seed}"
            return [Result(name, "a generated game", CRASHED, (), why)] if work.games else []
        case, *left = work.cases
        if left:
            self.give(change(work, cases=tuple(left)))
        return [
            Result(case.id, case.title, CRASHED, case.rules, why, file=case.file, line=case.line)
        ]

    def _start_again(self) -> None:
        self.stop()
        self.wait_for_end(time.monotonic() + LEAVING_SECONDS)
        self._start()

    def stop(self) -> None:
        """Ask it to end."""
        if self._process is not None:
            self._process.terminate()

    def wait_for_end(self, until: float) -> None:
        """See that it has ended: by itself, or from then on by force."""
        if self._process is None:
            return
        self._process.join(max(0.0, until - time.monotonic()))
        self._process.kill()
        self._process.join()
        self._process.close()
        self.channel.close()
        end_marked(self._mark)


def _serve(channel: Channel, target: Target, said: Described, mark: str) -> None:
    """Do what is given, until nothing more can come."""
    tester = Tester(lambda: connect(target, mark), target, said)
    # A terminal interrupts every process; this one is ended by the one that started it.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: _end(tester, mark))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        while True:
            for result in _done(tester, channel.recv(), channel.send):
                channel.send(result)
            channel.send(None)
    except (EOFError, OSError):
        return
    finally:
        tester.leave()


def _end(tester: Tester, mark: str) -> None:
    """End the adapter and this process, which raises nothing: it could be taken for a finding."""
    try:
        tester.leave()
        end_marked(mark)
    finally:
        os._exit(0)


def _end_with_parent() -> None:
    """Nobody waits for results any more once the process that asked for them is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
