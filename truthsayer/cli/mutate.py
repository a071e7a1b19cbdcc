"""`truthsayer mutate`: which mistakes in the rule functions scenarios, proofs and laws notice."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.cli.lookup import json_option
from truthsayer.cli.progress import clear_progress, show_progress

SIDES = ("scenarios", "proofs", "laws")


@click.command()
@click.argument("targets", nargs=-1)
@click.option("--since", metavar="COMMIT", help="Only what changed since a commit of git.")
@click.option("--only", type=click.Choice(SIDES), help="Run one side alone.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--quick", is_flag=True, help="Ask a side only about what none before it notices.")
@click.option("--kinds", metavar="KIND,...", help="Only mistakes of these kinds.")
@click.option("--limit", type=click.IntRange(1), help="At most so many mutants, evenly spread.")
@click.option(
    "--least",
    type=click.FloatRange(0, 100),
    default=95.0,
    show_default=True,
    help="The score, in a hundred, that is good enough.",
)
@json_option
@click.pass_context
def mutate(
    ctx: click.Context,
    targets: tuple[str, ...],
    since: str | None,
    only: str | None,
    jobs: int,
    limit: int | None,
    quick: bool,
    kinds: str | None,
    least: float,
    as_json: bool,
) -> None:
    """Make mistakes in the rule functions, one at a time, and see who notices each.

    TARGETS are rule files (`combat`) or functions (`combat.reward_of`); without any, all of them.
    For each mistake the scenarios of the library that reach its function run until one fails, and
    so do the properties, and the laws of every game: what stays hidden, what every position keeps.
    A mistake that nobody notices is shown as a diff. Results are kept, so that a run which was
    stopped goes on where it was, and one after a new scenario runs just that.

    KIND is a kind of mistake: slip, wrong-player, stale, replaced, forgotten, swapped-order,
    secrecy, bound, delivery or ruling.

    \b
    Examples:
      truthsayer mutate combat
      truthsayer mutate units.recruit --only scenarios
      truthsayer mutate --kinds wrong-player,secrecy --limit 100
      truthsayer mutate --since HEAD~1 --limit 50

    Exit code: 0 if enough are noticed, 1 if not, 2 if there is no such file, function or commit.
    """
    _check_system()
    from truthsayer.mutation.run import run
    from truthsayer.reports.mutants_text import mutants_json, mutants_text

    report = run(targets, since, _kinds(kinds), _sides(only), jobs, limit, quick, show_progress)
    clear_progress()
    click.echo(mutants_json(report) if as_json else mutants_text(report))
    ctx.exit(0 if report.good(least) else 1)


def _sides(only: str | None) -> Iterable[str]:
    return SIDES if only is None else (only,)


def _kinds(kinds: str | None) -> tuple[str, ...]:
    return () if kinds is None else tuple(each.strip() for each in kinds.split(","))


def _check_system() -> None:
    """Mutants live in forked processes, and are made with a library that not everybody needs."""
    if sys.platform == "win32":
        raise TruthsayerError(
            "TS0733", "this system cannot fork processes", help="run it on Linux or macOS"
        )
    try:
        import libcst
    except ImportError as error:
        raise TruthsayerError(
            "TS0734",
            "libcst is not installed",
            help="install Truthsayer with what mutants need: `pip install 'truthsayer[mutate]'`",
        ) from error
    assert libcst
