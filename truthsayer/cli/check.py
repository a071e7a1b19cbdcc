"""`truthsayer check`: run scenarios."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click

from rules_engine.kernel.errors import TruthsayerError
from server.answers.messages import problem
from truthsayer.cli.files import (
    library,
    listed_paths,
    read_source,
    scenario_files,
    shown_name,
    write_text,
)
from truthsayer.cli.progress import clear_progress, show_progress
from truthsayer.cli.service import Server, server_option, service_at
from truthsayer.reports.annotations import github_text
from truthsayer.reports.findings import findings
from truthsayer.reports.json_report import json_text
from truthsayer.reports.junit import junit_text
from truthsayer.reports.sarif import sarif_text
from truthsayer.reports.text import closing_text, file_text
from truthsayer.v1 import common_pb2, scenario_pb2
from truthsayer.version import installed_version


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--files-from",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Take more paths from a file, one on each line or each ended by a NUL byte; `-` reads "
    "them from standard input.",
)
@click.option(
    "--vacuity",
    is_flag=True,
    help="Falsify every `then` line, too: one that holds all the same is an error.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option(
    "--junit",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the results as JUnit XML, too.",
)
@click.option(
    "--sarif",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write what does not hold as SARIF 2.1.0, too.",
)
@click.option(
    "--annotations",
    type=click.Choice(["github", "none"]),
    default=lambda: "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "none",
    help="Mark the lines that do not hold in a GitHub workflow; on by itself where the "
    "environment has GITHUB_ACTIONS=true.",
)
@server_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[Path, ...],
    files_from: Path | None,
    vacuity: bool,
    as_json: bool,
    junit: Path | None,
    sarif: Path | None,
    annotations: str,
    server: Server | None,
) -> None:
    """Run the scenarios in files and folders; without any, those that come with Truthsayer.

    Every expectation that does not hold is shown with its place and the rules behind it.

    \b
    Examples:
      truthsayer check
      truthsayer check my.scenario folder/ --junit report.xml --sarif report.sarif
      truthsayer check --vacuity my.scenario
      truthsayer check --json | python -m json.tool
      git ls-files -z '*.scenario' | truthsayer check --files-from -

    Exit code: 0 if all hold, 1 if some do not, 2 if some could not be run.
    """
    if files_from is not None:
        paths += listed_paths(files_from)
    files, results = _read(scenario_files(paths or (library(),)))
    unread = len(results)
    summary = scenario_pb2.Summary()
    if not as_json:
        for result in results:
            click.echo(file_text(result.file, [result]))
    with service_at(server) as service:
        answers = service.check(scenario_pb2.CheckRequest(files=files, vacuity=vacuity))
        for file, group in groupby(_results(answers, summary), key=lambda result: result.file):
            of_file = list(group)
            results += of_file
            clear_progress()
            if not as_json:
                click.echo(file_text(file, of_file))
            show_progress(f"{len(results)} scenarios run")
    clear_progress()
    summary.scenarios += unread
    summary.errors += unread
    click.echo(json_text(summary, results) if as_json else closing_text(summary, results))
    found = list(findings(results, here=Path.cwd(), top=_top_of_project()))
    if found and annotations == "github":
        # Not on the stream of the JSON, which nothing may follow.
        click.echo(github_text(found), err=as_json)
    if junit is not None:
        write_text(junit, junit_text(results))
    if sarif is not None:
        write_text(sarif, sarif_text(found, installed_version()))
    ctx.exit(2 if summary.errors else 1 if summary.failed else 0)


def _read(
    paths: list[Path],
) -> tuple[list[common_pb2.SourceFile], list[scenario_pb2.ScenarioResult]]:
    """The files, and an error for each that cannot be read: the others are still checked."""
    files, errors = [], []
    for path in paths:
        try:
            files.append(read_source(path))
        except TruthsayerError as error:
            errors.append(_unread(path, error))
    return files, errors


def _unread(path: Path, error: TruthsayerError) -> scenario_pb2.ScenarioResult:
    """The result of a file that cannot be read, with the id that any mistake in it has."""
    # Importing the language takes a while, and a good file on a server does without.
    from scenarios.imperium.names import lower_snake

    found = problem(error)
    return scenario_pb2.ScenarioResult(
        id=lower_snake(shown_name(Path(path.stem))),
        file=shown_name(path),
        line=found.line or 1,
        verdict=common_pb2.VERDICT_ERROR,
        problems=[found],
    )


def _results(
    answers: Iterator[scenario_pb2.CheckResponse], summary: scenario_pb2.Summary
) -> Iterator[scenario_pb2.ScenarioResult]:
    """The results as they come; the summary, which comes last, is filled in."""
    for answer in answers:
        if answer.HasField("summary"):
            summary.CopyFrom(answer.summary)
        else:
            yield answer.result


def _top_of_project() -> Path:
    """From where marks name their files: in a GitHub workflow the repository, else this folder."""
    return Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
