"""The command line: it turns arguments into request messages and prints the answers."""

from __future__ import annotations

from importlib import import_module

import click

from truthsayer.cli.group import Commands
from truthsayer.version import installed_version

COMMANDS = {
    "check": "Run scenarios.",
    "ask": "Answer a question, or those in a scenario file.",
    "fmt": "Lay scenario files out in the one canonical way.",
    "export": "Write scenarios as data for clients in any language.",
    "conform": "Test somebody's implementation against the engine.",
    "prove": "Prove that rules hold in every position.",
    "mutate": "Make mistakes in the rules and see who notices them.",
    "rules": "Look rules up.",
    "explain": "Explain an error code.",
    "rulings": "List the points that the rulebooks leave open.",
    "card": "Show a card or anything else that is printed.",
    "catalogue": "Count what is printed, and list what is special.",
    "coverage": "Say which rules the scenarios cover.",
    "play": "Play a game of random choices.",
    "replay": "Play a logged game again.",
    "soak": "Play many random games and check every law on the way.",
    "lsp": "Serve editors: the language server.",
    "serve": "Answer over gRPC.",
    "tokens": "Say who may call a service.",
}
"""Each is a function of its name in a module of its name, in the order of `--help`."""


class LoadedCommands(Commands):
    """Our commands, each imported only when it is used: some take a while."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return [*super().list_commands(ctx), *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(f"truthsayer.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the installed version and leave."""
    if not wanted:
        return
    found = installed_version() or "(a source tree that is not installed)"
    click.echo(f"truthsayer {found}")
    ctx.exit()


@click.group(
    cls=LoadedCommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all right, 1 findings, 2 bad input or usage.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Answer with certainty what the rules of Dune: Imperium say.

    \b
    Run the scenarios that come with it:    truthsayer check
    See the rule behind an answer:          truthsayer rules UPR-WALL-003
    Prove that a rule holds everywhere:     truthsayer prove
    Serve all of this over gRPC:            truthsayer serve
    Learn more about a command:             truthsayer check --help
    """
