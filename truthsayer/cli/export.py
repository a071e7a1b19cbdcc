"""`truthsayer export`: write scenarios as data for clients in any language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from rules_engine.kernel.errors import TruthsayerError
from scenarios.language.errors import error_of
from scenarios.vectors.export import DOES_NOT_HOLD, Exported, export_text, exported, schema_text
from scenarios.vectors.ids import ids_text
from truthsayer.cli.files import library, read_source, scenario_files, shown_name, write_text
from truthsayer.cli.group import tell
from truthsayer.cli.play import engine_version
from truthsayer.cli.progress import clear_progress, show_progress
from truthsayer.cli.show import counted

PRODUCT = "uprising"


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to a file instead of the terminal.",
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the format instead.")
@click.option("--ids", is_flag=True, help="Print every id with its printed name instead.")
@click.pass_context
def export(
    ctx: click.Context, paths: tuple[Path, ...], out: Path | None, schema: bool, ids: bool
) -> None:
    """Write the scenarios in files and folders as JSON; without any, those of Truthsayer.

    A client in any language can run them: each has its position, its inputs with what chance
    brings, and what is expected, with the ids of the rules. A scenario that does not hold is not
    written. The manual has a page about the format.

    \b
    Examples:
      truthsayer export --out vectors.json
      truthsayer export my.scenario | python -m json.tool
      truthsayer export --schema --out vectors.schema.json
      truthsayer export --ids --out ids.json

    Exit code: 0 if all were written, 1 if some do not hold, 2 if some could not be run.
    """
    if schema or ids:
        _see_nothing_else(paths, schema, ids)
        _write(out, schema_text() if schema else ids_text(PRODUCT, engine_version()))
        return
    roots = paths or (library(),)
    texts, unread = _read(scenario_files(roots))
    found = list(_with_progress(exported(texts)))
    _write(out, export_text(_named_from(roots, found), engine_version()))
    bad = [each.result for each in found if each.left_out == DOES_NOT_HOLD]
    for problem in (problem for result in bad for problem in result.problems):
        tell(error_of(problem))
    vectors = sum(len(each.vectors) for each in found)
    left_out = sum(bool(each.left_out) for each in found)
    click.echo(f"{counted(vectors, 'vector')}, {counted(left_out, 'scenario')} left out", err=True)
    broken = unread or any(result.verdict == "error" for result in bad)
    ctx.exit(2 if broken else 1 if bad else 0)


def _see_nothing_else(paths: tuple[Path, ...], schema: bool, ids: bool) -> None:
    if schema and ids:
        raise click.UsageError("`--schema` and `--ids` are two exports: ask for one")
    if paths:
        option = "--schema" if schema else "--ids"
        raise click.UsageError(f"`{option}` is of no file: `{paths[0]}` is not read")


def _read(paths: list[Path]) -> tuple[list[tuple[str, str]], int]:
    """The files with their texts, and how many cannot be read: the others are still written."""
    texts, unread = [], 0
    for path in paths:
        try:
            source = read_source(path)
            texts.append((source.name, source.text))
        except TruthsayerError as error:
            tell(error)
            unread += 1
    return texts, unread


def _with_progress(found: Iterator[Exported]) -> Iterator[Exported]:
    for number, each in enumerate(found, 1):
        show_progress(f"{number} scenarios run")
        yield each
    clear_progress()


def _named_from(roots: Iterable[Path], found: list[Exported]) -> Iterator[Exported]:
    """Files are named from where the caller pointed: an export has no path of a machine."""
    names = {
        shown_name(file): shown_name(file.relative_to(root) if root.is_dir() else Path(file.name))
        for root in roots
        for file in scenario_files([root])
    }
    for each in found:
        vectors = [{**vector, "file": names[vector["file"]]} for vector in each.vectors]
        yield each._replace(vectors=vectors)


def _write(out: Path | None, text: str) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        write_text(out, text)
