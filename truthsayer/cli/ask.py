"""`truthsayer ask`: answer the questions in a scenario file."""

from __future__ import annotations

from pathlib import Path

import click

from rules_engine.kernel.errors import Place, TruthsayerError
from truthsayer.cli.files import read_source
from truthsayer.cli.service import server_option, service_at
from truthsayer.cli.show import cited, problem_text
from truthsayer.v1 import scenario_pb2


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@server_option
@click.pass_context
def ask(ctx: click.Context, file: Path, server: str | None) -> None:
    """Answer the `ask` lines of a scenario file, with the rules behind each answer.

    \b
    Put this into worm.scenario:
      scenario "Can Abby ride a worm into Arrakeen?"
      game uprising with John, Abby, Ned
      conflict "Siege of Arrakeen"
      given Abby has maker hooks
        and the shield wall stands
      ask can Abby summon a sandworm

    Then run: truthsayer ask worm.scenario

    Exit code: 0 if all is answered, 2 if the file has a mistake.
    """
    source = read_source(file)
    with service_at(server) as service:
        answers = service.ask(scenario_pb2.AskRequest(file=source)).answers
    if not answers:
        raise TruthsayerError(
            "TS0705",
            "nothing is asked here",
            place=Place(source.name, 1),
            help="add a line such as `ask what can Abby do`",
        )
    scenario = ""
    for answer in answers:
        if answer.HasField("problem"):
            click.echo(problem_text(answer.problem), err=True)
            continue
        if answer.reply.scenario != scenario:
            scenario = answer.reply.scenario
            click.echo(scenario)
        click.echo(_reply_text(answer.reply))
    ctx.exit(2 if any(answer.HasField("problem") for answer in answers) else 0)


def _reply_text(reply: scenario_pb2.Reply) -> str:
    """The question, and the answer with the rules behind it."""
    answer = f"{reply.answer}{cited(reply.rules)}".replace("\n", "\n    ")
    return f"  {reply.question}\n    {answer}"
