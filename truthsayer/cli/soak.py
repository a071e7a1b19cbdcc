"""`truthsayer soak`: random games to their end, with every law checked on the way."""

from __future__ import annotations

import contextlib
import json
import shlex
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.soak import TABLES, Settings, plan
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from rules_engine.kernel.soak import GAMES_TO_A_KIND, Failure, Report, together
from rules_engine.kernel.soak import soak as soak_games
from rules_engine.kernel.soak_file import SoakFile
from rules_engine.rulebook.never_cited import in_scope, reasons
from truthsayer.cli.play import engine_version
from truthsayer.cli.progress import clear_progress, show_progress
from truthsayer.cli.show import counted

RAREST = 10
BETWEEN_WRITES = 1.0
"""Seconds between two lines of the file: what a crash loses at most."""

FINDINGS = 1
MARGIN = "  "
WIDTH = 100


@click.command()
@click.option("--games", default=100, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--players", type=int, help="3 or 4; without it, both are drawn.")
@click.option(
    "--first",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help="The number of the first game.",
)
@click.option(
    "--every",
    default=5000,
    show_default=True,
    type=click.IntRange(min=1),
    help="Check all laws on one position in so many.",
)
@click.option("--processes", default=1, show_default=True, type=click.IntRange(min=1))
@click.option(
    "--log",
    type=click.Path(path_type=Path),
    help="A folder for the logs of games that fail.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help="A file that keeps what is done; the games in it are not played again.",
)
@click.option("--rules", "all_rules", is_flag=True, help="List how often each rule was cited.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_context
def soak(
    ctx: click.Context,
    games: int,
    seed: int,
    players: int | None,
    first: int,
    every: int,
    processes: int,
    log: Path | None,
    resume: Path | None,
    all_rules: bool,
    as_json: bool,
) -> None:
    """Play random games to their end and check the laws that hold in every game.

    Every position: what is listed is taken, the invariants hold (cards, troops, Agents, Spies and
    tokens are conserved), every event cites rules. Every game: it ends, and its inputs lead to the
    same fingerprints again. One position in `--every`, and one of each kind of frame in turn: all
    laws, among them that what is allowed is exactly what is listed, over every input that can be
    written down, and that nobody is shown what depends on hidden cards.

    The choices lean towards what is rare. Game number 7 of a seed is always the same game, however
    many are played and in however many processes. A game that fails is reported with its number,
    and the others go on.

    \b
    Examples:
      truthsayer soak
      truthsayer soak --games 10000 --processes 4 --resume soak.jsonl --log failed
      truthsayer soak --seed 3 --first 812 --games 1 --log failed     one game again
      truthsayer replay failed/soak-3-812.log                         what led to its end

    Exit code: 0 if every law held, 1 if one did not, 2 for bad input.
    """
    settings = _settings(seed, players, every, log)
    numbers = range(first, first + games)
    with contextlib.ExitStack() as closing:
        file = None
        if resume is not None:
            file = SoakFile(resume, _run(settings))
            closing.callback(file.close)
        before = together([] if file is None else file.reports)
        done = set(before.numbers)
        left = [number for number in numbers if number not in done]
        started = time.monotonic()
        now = _play(settings, left, processes, file)
        seconds = time.monotonic() - started
    found = _Found(together([before, now]), now, seconds, processes, settings)
    click.echo(_as_json(found) if as_json else "\n".join(map(_wrapped, _as_text(found, all_rules))))
    ctx.exit(FINDINGS if found.all.failures else 0)


def _wrapped(line: str) -> str:
    """A line of the report; what is copied to a shell or a search stays in one piece."""
    if line.startswith(MARGIN * 2):
        return line
    return textwrap.fill(line, WIDTH, subsequent_indent=MARGIN * 2, break_on_hyphens=False)


class _Found(Record):
    """What there is to report: all games, those of this run, and how long these took."""

    all: Report
    now: Report
    seconds: float
    processes: int
    settings: Settings


def _settings(seed: int, players: int | None, every: int, log: Path | None) -> Settings:
    if players is not None and players not in TABLES:
        raise TruthsayerError(
            "TS0711",
            f"games are for 3 or 4 players, not `{players}`; 1 and 2 wait for the Rivals",
            help="use `--players 3` or `--players 4`, or leave it out for both",
        )
    if log is not None:
        try:
            log.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise TruthsayerError(
                "TS0601",
                f"cannot write into `{log}`: {(problem.strerror or str(problem)).lower()}",
                help="name a folder, or one that can be made",
            ) from None
    logs = None if log is None else str(log)
    return Settings(seed, players, every, engine_version(), logs)


def _run(settings: Settings) -> dict[str, Any]:
    """What has to be the same for a run to go on: everything but where logs go."""
    run = msgspec.to_builtins(settings)
    del run["logs"]
    return {"soak": 1, **run}


def _play(settings: Settings, numbers: list[int], processes: int, file: SoakFile | None) -> Report:
    """Play what is left, write it down now and then, and show how far it is."""
    played: list[Report] = []
    unwritten: list[Report] = []
    written = time.monotonic()
    failures = 0
    try:
        for report in soak_games(plan, settings, numbers, processes):
            unwritten.append(report)
            failures += len(report.failures)
            count = len(played) + len(unwritten)
            show_progress(f"{count} of {len(numbers)} games, {counted(failures, 'failure')}")
            if time.monotonic() - written > BETWEEN_WRITES:
                _keep(unwritten, played, file)
                written = time.monotonic()
    finally:
        clear_progress()
        _keep(unwritten, played, file)
    return together(played)


def _keep(unwritten: list[Report], played: list[Report], file: SoakFile | None) -> None:
    if file is not None and unwritten:
        file.add(together(unwritten))
    played.extend(unwritten)
    unwritten.clear()


# Rules


def _by_invariants() -> frozenset[str]:
    return frozenset(rule for each in INVARIANTS for rule in each.rules)


def _cited(report: Report) -> dict[str, int]:
    """How often each rule in scope was cited in games, or where everything was tried."""
    return {
        rule.id: report.cited.get(rule.id, 0) + report.tried.get(rule.id, 0) for rule in in_scope()
    }


def _never(report: Report) -> list[str]:
    checked = _by_invariants()
    return [rule for rule, count in _cited(report).items() if not count and rule not in checked]


# As text


def _as_text(found: _Found, all_rules: bool) -> Iterator[str]:
    report = found.all
    held = "every law held" if not report.failures else counted(len(report.failures), "failure")
    yield f"{counted(len(report.numbers), 'game')} of seed {found.settings.seed}: {held}"
    for failure in report.failures:
        yield from _failure_text(failure, found.settings)
    yield from _figures(found)
    yield from _tables(report)
    yield from _rule_lines(report, all_rules)


def _failure_text(failure: Failure, settings: Settings) -> Iterator[str]:
    yield (
        f"  ✗ seed {settings.seed}, game {failure.number}, after {failure.inputs} inputs: "
        f"{failure.law}: {failure.what}"
    )
    if failure.given:
        yield f"      at the input {failure.given}"
    if failure.log:
        yield f"      truthsayer replay {shlex.quote(failure.log)}"
    else:
        players = f" --players {settings.players}" if settings.players else ""
        yield (
            f"      truthsayer soak --seed {settings.seed}{players} --every {settings.every} "
            f"--first {failure.number} --games 1 --log failed"
        )


def _figures(found: _Found) -> Iterator[str]:
    report, now = found.all, found.now
    games, positions = len(report.numbers), sum(report.checked.values())
    yield (
        f"  {report.inputs} inputs, {report.inputs / max(games, 1):.0f} a game, "
        f"{report.longest} in the longest"
    )
    if now.numbers:
        processes = "1 process" if found.processes == 1 else f"{found.processes} processes"
        yield (
            f"  {_rate(len(now.numbers), found):.1f} games and {_rate(now.inputs, found):.0f} "
            f"inputs a second in {processes}"
        )
    yield (
        f"  checked: every position for listed inputs, invariants and citations; every game for "
        f"its end and its replay; {counted(positions, 'position')} for all laws (1 in "
        f"{found.settings.every}, and a kind of frame in one game of {GAMES_TO_A_KIND})"
    )


def _rate(count: int, found: _Found) -> float:
    """How many a second; nothing, if there was nothing left to play."""
    return round(count / found.seconds, 2) if found.seconds else 0.0


def _tables(report: Report) -> Iterator[str]:
    yield "  games: " + _counts(report.kinds)
    yield "  wins by seat: " + _counts(report.seats)
    if report.played:
        yield "  won of played: " + ", ".join(
            f"{name} {report.won.get(name, 0)} of {count}" for name, count in report.played.items()
        )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in counts.items()) or "none"


def _rule_lines(report: Report, all_rules: bool) -> Iterator[str]:
    cited = _cited(report)
    met = sorted((count, rule) for rule, count in cited.items() if count)
    never, known = _never(report), reasons()
    yield f"  rules: {len(met)} of {len(cited)} in scope cited; {len(never)} never were"
    shown = met if all_rules else met[:RAREST]
    heading = "each" if all_rules else "the rarest"
    yield f"  {heading}: " + ", ".join(f"{rule} {count}" for count, rule in shown)
    for rule in never:
        if rule in known and all_rules:
            yield f"  never cited: {rule}, because it {known[rule]}"
    explained = sum(rule in known for rule in never)
    if explained:
        yield f"  never cited for a reason on file: {explained} (`--rules` lists them)"
    missing = [rule for rule in never if rule not in known]
    if missing:
        yield "  never cited, and no reason on file: " + ", ".join(missing)
    wrong = [rule for rule in known if cited.get(rule)]
    if wrong:
        yield "  cited, though a reason on file says why not: " + ", ".join(wrong)


# As JSON


def _as_json(found: _Found) -> str:
    report, known = found.all, reasons()
    numbers = report.numbers
    data = {
        "seed": found.settings.seed,
        "games": len(numbers),
        "inputs": report.inputs,
        "inputs_per_game": round(report.inputs / max(len(numbers), 1), 1),
        "longest": report.longest,
        "seconds": round(found.seconds, 3),
        "games_per_second": _rate(len(found.now.numbers), found),
        "inputs_per_second": _rate(found.now.inputs, found),
        "processes": found.processes,
        "all_laws_on_one_position_in": found.settings.every,
        "positions_with_all_laws": report.checked,
        "games_by_kind": report.kinds,
        "wins_by_seat": report.seats,
        "played": report.played,
        "won": report.won,
        "failures": [msgspec.to_builtins(each) for each in report.failures],
        "cited_in_games": report.cited,
        "cited_where_all_was_tried": report.tried,
        "never_cited": {rule: known.get(rule) for rule in _never(report)},
    }
    return json.dumps(data, indent=2, ensure_ascii=False)
