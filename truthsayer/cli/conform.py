"""`truthsayer conform`: play cases on somebody's implementation and on the engine."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from conformance import faults
from conformance.cases import Case
from conformance.corpus import Corpus, corpus
from conformance.expectations import Known, compared, judged, known_failures
from conformance.faults import AdapterFault
from conformance.kept import KeptRun, is_of_a_game
from conformance.messages import Described
from conformance.pipe import end_marked, new_mark
from conformance.plain import plain
from conformance.report import Report
from conformance.results import BAD, Result
from conformance.rulings import profile
from conformance.run import Budget, run, unplayed
from conformance.selection import selected
from conformance.stopping import stoppable
from conformance.target import Target, connect, greeted
from rules_engine.kernel.errors import TruthsayerError
from scenarios.coverage import rules_to_cover
from scenarios.finding import library_files
from truthsayer.cli.bar import Bar
from truthsayer.cli.files import read_source, scenario_files, shown_name, write_text
from truthsayer.cli.in_tests import in_tests
from truthsayer.cli.play import engine_version
from truthsayer.cli.progress import NowAndThen, clear_progress, show_progress
from truthsayer.reports.conform_badge import conform_badge
from truthsayer.reports.conform_diff_text import conform_diff_text
from truthsayer.reports.conform_json import conform_json, read_report
from truthsayer.reports.conform_junit import conform_junit
from truthsayer.reports.conform_matrix import matrix
from truthsayer.reports.conform_matrix_json import conform_matrix_json
from truthsayer.reports.conform_matrix_page import conform_matrix_page
from truthsayer.reports.conform_matrix_text import conform_matrix_text
from truthsayer.reports.conform_page import conform_page
from truthsayer.reports.conform_sarif import conform_sarif
from truthsayer.reports.conform_text import conform_text
from truthsayer.version import installed_version

PRODUCT = "uprising"
MOST_JOBS = 64
LONGEST_ID = 80
FINDINGS = 1
FILE = click.Path(path_type=Path, dir_okay=False)


class RunByDefault(click.Group):
    """A group whose first command needs no name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What does not begin with the name of a command is for the first one."""
        if not args or args[0] not in self.commands:
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)


@click.group(cls=RunByDefault, no_args_is_help=False)
def conform() -> None:
    """Play cases on an implementation and on the engine, and say where they part."""


class _Seconds(click.FloatRange):
    """A time; `nan` is within every range and is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number that a word says."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"`{value}` is not a number of seconds", param, ctx)
        return number


class _Budget(click.ParamType):  # type: ignore[type-arg]
    """How much to play: a number of cases, or a time like `90s`, `5m` or `1h`."""

    name = "budget"
    SECONDS = {"s": 1, "m": 60, "h": 3600}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The budget that a word says."""
        found = re.fullmatch(r"([1-9][0-9]{0,8})([smh]?)", str(value))
        if found is None:
            self.fail(f"`{value}` is neither a number of cases nor a time like `5m`", param, ctx)
        number, unit = int(found[1]), found[2]
        return Budget(seconds=number * self.SECONDS[unit]) if unit else Budget(cases=number)


@conform.command(name="run")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--grpc", "address", metavar="HOST:PORT", help="Connect to an adapter that serves.")
@click.option(
    "--protobuf", is_flag=True, help="Speak protobuf with the program, not lines of JSON."
)
@click.option(
    "--cases",
    "paths",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Scenario files or folders to play, in place of those of Truthsayer.",
)
@click.option("--rule", "wanted", multiple=True, metavar="ID", help="Only what cites this rule.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only what has this tag.")
@click.option("--case", "ids", multiple=True, metavar="ID", help="Only this case.")
@click.option(
    "--games",
    type=click.IntRange(0),
    default=0,
    help="Generated games to play, too; of each 25, none after one that fails.",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    default=1,
    show_default=True,
    help="Processes, each with an adapter of its own.",
)
@click.option("--budget", type=_Budget(), help="At most so many cases (500), or so long (5m).")
@click.option(
    "--timeout",
    type=_Seconds(0.01, 3600),
    default=10.0,
    show_default=True,
    help="Seconds that an answer may take.",
)
@click.option(
    "--start-timeout",
    type=_Seconds(0.01, 3600),
    default=60.0,
    show_default=True,
    help="Seconds that the adapter may take to start.",
)
@click.option("--known", type=FILE, metavar="FILE", help="Cases that are known to fail.")
@click.option("--baseline", type=FILE, metavar="FILE", help="An earlier JSON report: what failed.")
@click.option("--resume", type=FILE, metavar="FILE", help="Keep results here, and go on from them.")
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="Write the report as JSON.")
@click.option("--junit", type=FILE, metavar="FILE", help="Write it as JUnit XML.")
@click.option("--sarif", type=FILE, metavar="FILE", help="Write the failures as SARIF 2.1.0.")
@click.option("--html", type=FILE, metavar="FILE", help="Write one page for a browser.")
@click.option("--badge", type=FILE, metavar="FILE", help="Write a badge as SVG.")
@click.pass_context
def run_command(
    ctx: click.Context,
    command: tuple[str, ...],
    address: str | None,
    protobuf: bool,
    paths: tuple[Path, ...],
    wanted: tuple[str, ...],
    tags: tuple[str, ...],
    ids: tuple[str, ...],
    games: int,
    seed: int,
    jobs: int,
    budget: Budget | None,
    timeout: float,
    start_timeout: float,
    known: Path | None,
    baseline: Path | None,
    resume: Path | None,
    json_file: Path | None,
    junit: Path | None,
    sarif: Path | None,
    html: Path | None,
    badge: Path | None,
) -> None:
    """Play cases on an implementation and on the engine, and say where they part.

    COMMAND starts the adapter: a program that reads calls and writes answers. The scenarios of
    Truthsayer are played, and generated games if asked for. Of every case that fails the first
    divergence is shown, with the rule that decides it and a scenario that shows it. A case that
    another reading of an open point explains does not fail. The manual tells how to write an
    adapter.

    \b
    Examples:
      truthsayer conform -- node adapter.mjs
      truthsayer conform --games 200 --jobs 2 --html report.html -- ./adapter
      truthsayer conform --grpc localhost:7000 --rule UPR-WALL-003
      truthsayer conform --known known.txt --junit conform.xml -- python adapter.py
      truthsayer conform diff old.json new.json
      truthsayer conform matrix ours.json theirs.json --html matrix.html

    Exit code: 0 if it conforms, or fails only as expected, 1 if not, 2 for bad input.
    """
    target = _target(command, address, protobuf, timeout, start_timeout)
    earlier = None if baseline is None else _report(baseline)
    progress = _Progress()
    with stoppable():
        # Whatever is wrong with the adapter is told before there is anything to wait for.
        said = _described(target, progress)
        found = _corpus(paths, progress)
        known_ones = _known(known, found)
        cases = selected(found.cases, wanted, tags, ids)
        started = time.monotonic()
        with KeptRun(resume, said, engine_version()) as kept:
            playing = _Playing(kept, cases, games, seed)
            playing.play(target, said, jobs, budget, progress)
    results = playing.results
    report = Report(
        adapter=said,
        engine=engine_version(),
        product=PRODUCT,
        rules=tuple(rule.id for rule in rules_to_cover(PRODUCT)),
        results=tuple(results),
        followed=profile(results),
        left_out=found.left_out,
        seconds=round(time.monotonic() - started, 3),
    )
    verdict = judged(report, known_ones, earlier)
    click.echo(conform_text(report, verdict))
    texts: dict[Path | None, Callable[[], str]] = {
        json_file: lambda: conform_json(report),
        junit: lambda: conform_junit(report, verdict),
        sarif: lambda: conform_sarif(report, verdict, installed_version()),
        html: lambda: conform_page(report, verdict),
        badge: lambda: conform_badge(report),
    }
    for file, text in texts.items():
        if file is not None:
            write_text(file, text())
    if playing.was_stopped:
        raise KeyboardInterrupt
    ctx.exit(0 if verdict.ok else FINDINGS)


@conform.command(name="diff")
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.pass_context
def diff_command(ctx: click.Context, old: Path, new: Path) -> None:
    """Say what changed from one JSON report to another.

    Exit code: 0 if nothing fails that did not fail before, 1 if something does, 2 for bad input.
    """
    before, after = _report(old), _report(new)
    found = compared(before, after)
    click.echo(conform_diff_text(before, after, found))
    ctx.exit(FINDINGS if found.newly_failing else 0)


@conform.command(name="matrix")
@click.argument("reports", nargs=-1, required=True, type=FILE, metavar="REPORT...")
@click.option("--html", type=FILE, metavar="FILE", help="Write one page for a browser.")
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="Write it as JSON.")
def matrix_command(reports: tuple[Path, ...], html: Path | None, json_file: Path | None) -> None:
    """Put JSON reports of several implementations side by side, rule by rule.

    Where all that were compared differ from the reference, that is told first: perhaps it is the
    reference that is wrong.

    Exit code: 0, or 2 for bad input.
    """
    found = matrix([(shown_name(file), _report(file)) for file in reports])
    click.echo(conform_matrix_text(found))
    if html is not None:
        write_text(html, conform_matrix_page(found))
    if json_file is not None:
        write_text(json_file, conform_matrix_json(found))


conform.add_command(in_tests)


# What is asked for


def _target(
    command: tuple[str, ...], address: str | None, protobuf: bool, timeout: float, start: float
) -> Target:
    if bool(command) == (address is not None):
        raise TruthsayerError(
            "TS0901",
            "an adapter is a program or an address, and one of them has to be named",
            help="for example `truthsayer conform -- node adapter.mjs`",
        )
    return Target(
        command=command,
        address=address or "",
        protobuf=protobuf,
        seconds=timeout,
        start_seconds=start,
    )


def _corpus(paths: tuple[Path, ...], progress: _Progress) -> Corpus:
    if paths:
        texts = [(each.name, each.text) for each in map(read_source, scenario_files(paths))]
    else:
        texts = library_files()
    found = corpus(texts, lambda number: progress.say(f"{number} scenarios read"))
    clear_progress()
    return found


def _known(file: Path | None, found: Corpus) -> tuple[Known, ...]:
    if file is None:
        return ()
    source = read_source(file)
    return known_failures(source.text, source.name, {case.id for case in found.cases})


def _report(file: Path) -> Report:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise TruthsayerError(
            "TS0703",
            f"cannot read `{shown_name(file)}`: {error.strerror}",
            help="see that it can be read",
        ) from error
    return read_report(data, shown_name(file))


def _described(target: Target, progress: _Progress) -> Described:
    """What the adapter says about itself, before anything is played."""
    progress.say("starting the adapter")
    mark = new_mark()
    try:
        with closing(connect(target, mark)) as connection:
            return greeted(connection, target)
    except AdapterFault as fault:
        raise TruthsayerError(
            "TS0906",
            f"the adapter does not say what it is: {plain(fault.message)}",
            help=_help(fault),
        ) from fault
    finally:
        end_marked(mark)
        clear_progress()


def _help(fault: AdapterFault) -> str:
    """What to look at, by what went wrong."""
    match fault.kind:
        case faults.NOT_STARTED:
            return "see that the command or the address is right, and start it by hand once"
        case faults.SLOW:
            return "give it more time with `--start-timeout`, or see why it does not answer"
        case faults.GARBAGE:
            return "answers alone belong on its standard output, whatever else it says elsewhere"
    return "start it by hand, and see why it does not go on"


class _Playing:
    """A run, with the results so far: those of an earlier one that are kept, and what has come."""

    def __init__(self, kept: KeptRun, cases: Sequence[Case], games: int, seed: int) -> None:
        ids = {case.id for case in cases}
        self.results = [e for e in kept.results.values() if e.id in ids or is_of_a_game(e)]
        self.was_stopped = False
        self._kept = kept
        self._cases = cases
        self._games = games
        self._seed = seed
        self._bad = 0
        self._ahead = 0
        """Games of a round that were played and are not among the results yet."""

    def play(
        self,
        target: Target,
        said: Described,
        jobs: int,
        budget: Budget | None,
        progress: _Progress,
    ) -> None:
        """Play all that is left; of a run that is stopped, the rest is skipped."""
        playing = run(
            [case for case in self._cases if case.id not in self._kept.results],
            target,
            said,
            games=self._games,
            seed=self._seed,
            played=self._kept.rounds,
            jobs=jobs,
            budget=budget,
            tell=lambda game: self._show_game(game, progress),
        )
        try:
            # However this ends, the adapters end with it.
            with progress, closing(playing):
                for result in playing:
                    self._take(result)
                    self._show(result, progress)
        except KeyboardInterrupt:
            self.was_stopped = True
            self.results += unplayed(self._cases, self._games, self._seed, self.results)

    def _take(self, result: Result) -> None:
        self.results.append(result)
        self._kept.keep(result)
        self._ahead = 0
        self._bad += result.outcome in BAD

    def _show_game(self, game: Result, progress: _Progress) -> None:
        self._ahead += 1
        self._show(game, progress)

    def _show(self, last: Result, progress: _Progress) -> None:
        total = len(self._cases) + self._games
        said = f"{self._bad} diverge, last {plain(last.id, LONGEST_ID)}"
        progress.count(len(self.results) + self._ahead, total, said)


class _Progress:
    """Where the run is: on a terminal in one line, elsewhere in a line now and then."""

    def __init__(self) -> None:
        self._lines = NowAndThen()
        self._bar = Bar("cases played")

    def say(self, text: str) -> None:
        """What is being done before anything is played."""
        show_progress(text)
        self._lines.say(text)

    def __enter__(self) -> _Progress:
        clear_progress()
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__()

    def count(self, done: int, total: int, last: str) -> None:
        """So much was played of all."""
        self._bar.show(done, total, last)
        self._lines.say(f"{done} of {total} cases played, {last}")
