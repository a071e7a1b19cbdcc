"""`truthsayer prove`: settle properties for every position."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.cli.bar import Bar
from truthsayer.cli.files import shown_name, write_text
from truthsayer.cli.service import Server, Service, server_option, service_at
from truthsayer.cli.show import kind_word
from truthsayer.reports.proofs import GOOD, Proofs
from truthsayer.reports.proofs_findings import proofs_findings
from truthsayer.reports.proofs_json import proofs_json
from truthsayer.reports.proofs_junit import proofs_junit
from truthsayer.reports.proofs_page import proofs_page
from truthsayer.reports.proofs_text import (
    summary_text,
    twin_text,
    twins_summary,
    verdict_text,
    wrapped,
)
from truthsayer.reports.sarif import sarif_text
from truthsayer.v1 import verifier_pb2
from truthsayer.version import installed_version

if TYPE_CHECKING:
    from verifier.kept import Kept

MOST_JOBS = 256
LARGEST_LIMIT = 2**32 - 1
"""The solver counts its work in 32 bits."""

FILE = click.Path(path_type=Path)
LIMIT = click.IntRange(min=1, max=LARGEST_LIMIT)


@click.command()
@click.argument("names", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="Prove nothing; list what can be proved.")
@click.option(
    "--twins",
    is_flag=True,
    help="Prove nothing; break each rule as its twin says, and see that the property fails.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1, max=MOST_JOBS),
    help="How many processes work side by side; as many as there are cores by default.",
)
@click.option("--confirm", is_flag=True, help="Let a second solver, cvc5, agree to every proof.")
@click.option(
    "--smtlib",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write what is asked of the solver into a folder, as SMT-LIB; kept proofs are made anew.",
)
@click.option("--no-cache", is_flag=True, help="Neither use nor keep proofs of other runs.")
@click.option(
    "--paths", metavar="N", type=LIMIT, help="The most paths to follow for one case of a property."
)
@click.option(
    "--work", metavar="N", type=LIMIT, help="The most work of the solver on one question."
)
@click.option("--full", is_flag=True, help="Say all that is covered, however long it is.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
@click.option("--junit", metavar="FILE", type=FILE, help="Write the verdicts as JUnit XML, too.")
@click.option(
    "--sarif", metavar="FILE", type=FILE, help="Write what is not proved as SARIF 2.1.0, too."
)
@click.option(
    "--html",
    metavar="FILE",
    type=FILE,
    help="Write everything, with the matrix of invariants, as one page for a browser, too.",
)
@click.option("--no-times", is_flag=True, help="Leave out what differs from run to run.")
@server_option
@click.pass_context
def prove(
    ctx: click.Context,
    names: tuple[str, ...],
    only_list: bool,
    twins: bool,
    jobs: int | None,
    confirm: bool,
    smtlib: Path | None,
    no_cache: bool,
    paths: int | None,
    work: int | None,
    full: bool,
    as_json: bool,
    junit: Path | None,
    sarif: Path | None,
    html: Path | None,
    no_times: bool,
    server: Server | None,
) -> None:
    """Prove properties of the rule functions, for every position; without NAMES, all of them.

    NAMES are properties, or ids of rules, which stand for all properties that settle them.

    The functions proved are the very ones that scenarios and games run. A property that does not
    hold is shown with a scenario that breaks it: save it and `truthsayer check` it.

    Proofs are kept in the user's cache directory, or in that of TRUTHSAYER_CACHE_DIR, and made anew
    when something that they rest on has changed. Limits count what is done, not the time it takes,
    so a verdict is the same on every machine.

    \b
    Examples:
      truthsayer prove --list UPR-WALL-003
      truthsayer prove
      truthsayer prove UPR-WALL-003
      truthsayer prove --twins no_sandworm_enters_behind_a_standing_wall
      truthsayer prove --confirm --no-cache --html proofs.html
      truthsayer prove --json --no-times

    Exit code: 0 if all are proved or checked (with --twins, if every change is noticed), 1 if one
    is not or a file of properties cannot be loaded, 2 if there is no such property.
    """
    if only_list:
        if as_json:
            raise click.UsageError("--list has no JSON: `--json` is for verdicts")
        ctx.exit(0 if _list(server, names) else 1)
    if server is not None and (jobs is not None or smtlib is not None or no_cache):
        raise click.UsageError("--jobs, --smtlib and --no-cache are not for a server")
    if twins:
        _refuse_with_twins(ctx)
        ctx.exit(0 if _run_twins(names, jobs or os.cpu_count() or 1, paths, work) else 1)
    request = verifier_pb2.ProveRequest(
        names=names,
        confirm=confirm,
        limits=verifier_pb2.Limits(paths=paths or 0, work=work or 0),
    )
    kept = None if no_cache or server is not None else _kept()
    verdicts = []
    with service_at(server) as service, Bar("proving") as bar:
        if server is None:
            answers = _prove_here(request, jobs or os.cpu_count() or 1, kept, smtlib)
        else:
            answers = service.prove(request)
        for verdict in _verdicts(answers, bar):
            if no_times:
                _forget_the_run(verdict, confirm)
            verdicts.append(verdict)
            if not as_json:
                with bar.paused():
                    click.echo(verdict_text(verdict, full=full))
        found = Proofs(verdicts, _properties(service))
    damaged = kept.damaged if kept is not None else 0
    if kept is not None and kept.not_written:
        where = f"`{shown_name(kept.folder)}`: {kept.not_written}"
        click.echo(f"proofs cannot be kept in {where}; all are made anew each time", err=True)
    click.echo(proofs_json(verdicts, damaged) if as_json else summary_text(verdicts, damaged))
    if junit is not None:
        write_text(junit, proofs_junit(found))
    if sarif is not None:
        write_text(sarif, sarif_text(list(proofs_findings(found)), installed_version()))
    if html is not None:
        write_text(html, proofs_page(found))
    # Of no property at all nothing is proved.
    good = bool(verdicts) and all(verdict.verdict in GOOD for verdict in verdicts)
    ctx.exit(0 if good else 1)


WITH_TWINS = {"names", "twins", "jobs", "paths", "work"}


def _refuse_with_twins(ctx: click.Context) -> None:
    """Twins are run here, each in a process of its own, and nothing of them is kept or written."""
    for each in ctx.command.params:
        if each.name not in WITH_TWINS and ctx.params.get(each.name or ""):
            raise click.UsageError(f"--twins does not go with {each.opts[0]}")


def _run_twins(names: tuple[str, ...], jobs: int, paths: int | None, work: int | None) -> bool:
    """Break each rule once; whether the properties noticed all of it."""
    from verifier import Budget, api

    usual = Budget()
    budget = Budget(paths or usual.paths, work or usual.work)
    found = []
    with Bar("breaking rules") as bar:
        for each in api.run_twins(names, budget=budget, jobs=jobs):
            if isinstance(each, api.Progress):
                bar.show(each.number, each.total, each.title)
                continue
            found.append(each)
            with bar.paused():
                click.echo(twin_text(each))
    click.echo(twins_summary(found))
    return all(each.verdict == api.REFUTED for each in found)


def _kept() -> Kept:
    """The proofs of earlier runs of this user."""
    from verifier.kept import Kept, user_folder

    return Kept(user_folder())


def _prove_here(
    request: verifier_pb2.ProveRequest, jobs: int, kept: Kept | None, smtlib: Path | None
) -> Iterator[verifier_pb2.ProveResponse]:
    """Prove on this machine, with all that it has."""
    from server.answers import proofs

    if smtlib is not None:
        _make_folder(smtlib)
    return proofs.prove(request, jobs=jobs, kept=kept, smtlib=str(smtlib or ""))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TruthsayerError(
            "TS0703",
            f"cannot write into `{shown_name(folder)}`: {error.strerror}",
            help="name a folder, or one that can be made",
        ) from None


def _verdicts(
    answers: Iterator[verifier_pb2.ProveResponse], bar: Bar
) -> Iterator[verifier_pb2.PropertyVerdict]:
    """The verdicts as they come; progress goes to the bar."""
    for answer in answers:
        if answer.HasField("progress"):
            bar.show(answer.progress.number, answer.progress.total, answer.progress.name)
        else:
            yield answer.verdict


def _forget_the_run(verdict: verifier_pb2.PropertyVerdict, confirm: bool) -> None:
    """Leave out of a verdict what depends on this machine and on earlier runs."""
    verdict.seconds = 0
    verdict.from_kept = False
    # A kept proof may have been confirmed without anybody asking now.
    verdict.confirmed = verdict.confirmed and confirm


def _properties(service: Service) -> dict[str, verifier_pb2.Property]:
    """Every property by its name."""
    found = service.list_properties(verifier_pb2.ListPropertiesRequest()).properties
    return {each.name: each for each in found}


def _list(server: Server | None, names: tuple[str, ...]) -> bool:
    """Say what can be proved, all of it or what is named; whether every file could be read."""
    with service_at(server) as service:
        listed = service.list_properties(verifier_pb2.ListPropertiesRequest())
    properties = [*listed.properties]
    if names:
        properties = [each for name in names for each in _about(properties, name)]
    for each in properties:
        click.echo(each.name)
        click.echo(wrapped(each.doc))
        click.echo(wrapped(f"rules: {', '.join(rule.id for rule in each.rules)}"))
        click.echo(wrapped(f"kind: {kind_word(each.kind)}"))
        for twin in each.twins:
            click.echo(wrapped(f"{twin.rule.id} must fail if {twin.change}"))
    number = len(properties)
    click.echo("1 property" if number == 1 else f"{number} properties")
    for why in listed.unread:
        click.echo(f"✗ {why}")
    return not listed.unread


def _about(properties: list[verifier_pb2.Property], name: str) -> list[verifier_pb2.Property]:
    """The property of this name, or those that settle this rule."""
    found = [
        each
        for each in properties
        if name == each.name or any(name == rule.id for rule in each.rules)
    ]
    if not found:
        from verifier.api import UnknownProperty

        raise UnknownProperty(name)
    return found
