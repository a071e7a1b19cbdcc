"""`truthsayer replay`: plays a log again and says whether it leads where it says."""

from __future__ import annotations

from pathlib import Path

import click

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, player
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.game import asked
from rules_engine.kernel.replay import Replayed, playable, read_log
from rules_engine.kernel.replay import replay as replay_log
from truthsayer.cli.play import catalogue_digest, ending


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def replay(file: Path) -> None:
    """Play a log again and check every position that it reaches.

    A last record that was never finished is left out. Anything missing or changed before it is an
    error, with the number of the record.

    \b
    truthsayer replay game.log
    """
    log = read_log(file)
    replayed = replay_log(IMPERIUM, log)
    with playable(log, 1 + len(log.entries)):
        lines = _found(file, replayed)
    for line in lines:
        click.echo(line)


def _found(file: Path, replayed: Replayed) -> list[str]:
    state: State = replayed.state
    header = replayed.header
    names = ", ".join(each.name for each in state.players)
    lines = [
        f"{file}: a game of {state.config.product.capitalize()} with {names}",
        f"written by engine {header.engine}",
        f"{len(replayed.inputs)} inputs replayed; "
        "every position has the fingerprint that was written down",
    ]
    if header.catalogue != catalogue_digest(state.config.product):
        lines.append("note: cards or spaces have changed since it was written")
    if replayed.torn:
        lines.append("the last record is torn: it was never finished and is left out")
    lines.append(_where(state))
    lines.append(f"fingerprint {fingerprint(state)}")
    return lines


def _where(state: State) -> str:
    """Where the log ends."""
    if not state.pending:
        return ending(state)
    waiting = asked(IMPERIUM, state)
    who = ", ".join(player(state, seat).name for seat in waiting.players) or "chance"
    what = type(state.pending[-1]).__struct_config__.tag
    return f"it ends in round {state.round}, waiting for {who} ({what})"
