"""`truthsayer fmt`: lay scenario files out in the one canonical way."""

from __future__ import annotations

from pathlib import Path

import click

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.cli.files import read_source, scenario_files, write_text
from truthsayer.cli.group import tell
from truthsayer.cli.service import Server, server_option, service_at
from truthsayer.cli.show import counted
from truthsayer.errors import ServiceError
from truthsayer.v1 import scenario_pb2


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; list the files that would change.")
@server_option
@click.pass_context
def fmt(ctx: click.Context, paths: tuple[Path, ...], check: bool, server: Server | None) -> None:
    """Lay scenario files, and those in folders, out in the one canonical way.

    The meaning stays the same. A file with a mistake is left as it is.

    \b
    Examples:
      truthsayer fmt my.scenario
      truthsayer fmt --check scenarios/

    Exit code: 0, with --check 1 if a file would change, 2 if a file has a mistake.
    """
    changed = bad = 0
    with service_at(server) as service:
        for path in scenario_files(paths):
            try:
                source = read_source(path)
                request = scenario_pb2.FormatRequest(file=source)
                text = service.format(request).text
                if text.encode() != path.read_bytes():
                    if not check:
                        write_text(path, text)
                    changed += 1
                    click.echo(f"{'would change' if check else 'changed'} {source.name}")
            except (TruthsayerError, ServiceError) as error:
                bad += 1
                tell(error)
    if not changed and not bad:
        click.echo("nothing to change")
    elif changed:
        click.echo(f"{counted(changed, 'file')} {'to change' if check else 'changed'}")
    ctx.exit(2 if bad else 1 if check and changed else 0)
