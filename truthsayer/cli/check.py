"""`truthsayer check`: run scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

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
from truthsayer.cli.service import server_option, service_at
from truthsayer.cli.show import counted, problem_text, verdict_word
from truthsayer.v1 import common_pb2, scenario_pb2

GOOD = (common_pb2.VERDICT_PASSED, common_pb2.VERDICT_PROVED)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--files-from",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Take more paths from a file, one on each line or each ended by a NUL byte; `-` reads "
    "them from standard input.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option(
    "--junit",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the results as JUnit XML, too.",
)
@server_option
@click.pass_context
def check(
    ctx: click.Context,
    paths: tuple[Path, ...],
    files_from: Path | None,
    as_json: bool,
    junit: Path | None,
    server: str | None,
) -> None:
    """Run the scenarios in files and folders; without any, those that come with Truthsayer.

    Every expectation that does not hold is shown with its place and the rules behind it.

    \b
    Examples:
      truthsayer check
      truthsayer check my.scenario folder/ --junit report.xml
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
            click.echo(_file_text(result.file, [result]))
    with service_at(server) as service:
        answers = service.check(scenario_pb2.CheckRequest(files=files))
        for file, group in groupby(_results(answers, summary), key=lambda result: result.file):
            of_file = list(group)
            results += of_file
            clear_progress()
            if not as_json:
                click.echo(_file_text(file, of_file))
            show_progress(f"{len(results)} scenarios run")
    clear_progress()
    summary.scenarios += unread
    summary.errors += unread
    click.echo(_json_text(summary, results) if as_json else _summary_text(summary))
    if junit is not None:
        write_text(junit, _junit_text(results))
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


def _file_text(file: str, results: list[scenario_pb2.ScenarioResult]) -> str:
    """A line for the file, and below it every scenario that does not hold."""
    bad = [result for result in results if result.verdict not in GOOD]
    if not bad:
        return f"✓ {file}: {counted(len(results), 'scenario')}"
    hold = "does not hold" if len(bad) == 1 else "do not hold"
    head = f"✗ {file}: {len(bad)} of {counted(len(results), 'scenario')} {hold}"
    return "\n".join((head, *map(_result_text, bad)))


def _result_text(result: scenario_pb2.ScenarioResult) -> str:
    """A scenario that does not hold, and why."""
    lines = [f"  {verdict_word(result.verdict)}: {result.title or result.id}"]
    lines += [f"    {line}" for line in result.detail.splitlines()]
    lines += [problem_text(each, indent="    ") for each in result.problems]
    return "\n".join(lines)


def _summary_text(summary: scenario_pb2.Summary) -> str:
    return (
        f"{counted(summary.scenarios, 'scenario')}, {summary.passed} passed, "
        f"{summary.failed} failed, {counted(summary.errors, 'error')}"
    )


def _json_text(summary: scenario_pb2.Summary, results: list[scenario_pb2.ScenarioResult]) -> str:
    report = {
        "scenarios": summary.scenarios,
        "passed": summary.passed,
        "failed": summary.failed,
        "errors": summary.errors,
        "results": [_result_json(result) for result in results],
    }
    return json.dumps(report, indent=2, ensure_ascii=False)


def _result_json(result: scenario_pb2.ScenarioResult) -> dict[str, Any]:
    return {
        "id": result.id,
        "title": result.title,
        "file": result.file,
        "line": result.line,
        "verdict": verdict_word(result.verdict),
        "rules": [rule.id for rule in result.rules],
        "detail": result.detail,
        "problems": [_problem_json(each) for each in result.problems],
        "report": dedent(_result_text(result)),
    }


def _problem_json(found: common_pb2.Problem) -> dict[str, Any]:
    return {
        "code": found.code,
        "message": found.message,
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "text": found.text,
        "help": found.help,
        "rules": [rule.id for rule in found.rules],
    }


def _junit_text(results: list[scenario_pb2.ScenarioResult]) -> str:
    """A test suite for each file and a test case for each scenario."""
    top = ElementTree.Element("testsuites", name="truthsayer")
    for file, group in groupby(results, key=lambda result: result.file):
        suite = ElementTree.SubElement(top, "testsuite", name=_xml(file))
        for result in group:
            _add_case(suite, result)
        for kind, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            suite.set(kind, str(len(list(suite.iter(tag)))))
    ElementTree.indent(top)
    data: bytes = ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)
    return data.decode() + "\n"


def _add_case(suite: ElementTree.Element, result: scenario_pb2.ScenarioResult) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=_xml(result.title or result.id),
        classname=_xml(result.id),
        file=_xml(result.file),
        line=str(result.line),
    )
    if result.verdict in GOOD:
        return
    word = verdict_word(result.verdict)
    tag = "error" if result.verdict == common_pb2.VERDICT_ERROR else "failure"
    first = result.problems[0].message if result.problems else result.detail
    element = ElementTree.SubElement(case, tag, type=word, message=_xml(first or word))
    element.text = _xml(_result_text(result))


def _xml(text: str) -> str:
    """The text without the characters that XML cannot hold."""
    return "".join(
        each
        for each in text
        if each in "\t\n" or "\x20" <= each <= "\ud7ff" or "\ue000" <= each not in "\ufffe\uffff"
    )
