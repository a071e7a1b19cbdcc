"""`truthsayer replay`: plays a log again and says whether it leads where it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, player
from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.game import asked
from rules_engine.kernel.replay import Log, Replayed, playable, read_log
from rules_engine.kernel.replay import replay as replay_log
from scenarios.words import event_words, telling
from truthsayer.cli.play import PRODUCTS, catalogue_digest, ending, engine_version


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--brief", is_flag=True, help="Leave out what happened and only say where it led.")
@click.option("--anyway", is_flag=True, help="Try a log of another version or of other cards.")
def replay(file: Path, brief: bool, anyway: bool) -> None:
    """Play a log again, tell it round by round with the rules, and check every position.

    A last record that was never finished is left out. Anything missing or changed before it is an
    error, with the number of the record.

    \b
    truthsayer replay game.log
    truthsayer replay --brief game.log
    """
    log = read_log(file)
    if not anyway:
        _check_version(log)
    replayed = replay_log(IMPERIUM, log)
    with playable(log, 1 + len(log.entries)):
        lines = [*([] if brief else _story(replayed)), *_found(file, replayed)]
    for line in lines:
        click.echo(line)


def _check_version(log: Log) -> None:
    """A log is replayed by the engine and the cards that wrote it, or not at all."""
    header = log.header
    if header.engine != engine_version():
        raise TruthsayerError(
            "TS0605",
            f"the log was written by engine {header.engine}; this is {engine_version()}",
            place=Place(log.file, 1),
            help=f"replay it with engine {header.engine}, or try `--anyway`",
        )
    if header.catalogue not in map(catalogue_digest, PRODUCTS):
        raise TruthsayerError(
            "TS0605",
            "the log was written with other cards or spaces than these",
            place=Place(log.file, 1),
            help="replay it with the version that wrote it, or try `--anyway`",
        )


def _story(replayed: Replayed) -> Iterator[str]:
    """What happened, round by round, with the rules behind it."""
    yield "Setup"
    for event in telling(replayed.events):
        if event.key == "round":
            yield f"Round {event.facts['round']}"
        else:
            yield f"  {event_words(replayed.state, event)}  [{', '.join(event.rules)}]"


def _found(file: Path, replayed: Replayed) -> list[str]:
    state: State = replayed.state
    names = ", ".join(each.name for each in state.players)
    lines = [
        f"{file}: a game of {state.config.product.capitalize()} with {names}",
        f"written by engine {replayed.header.engine}"
        f" with catalogue {catalogue_digest(state.config.product)[:12]}",
        f"{len(replayed.inputs)} inputs replayed; "
        "every position has the fingerprint that was written down",
    ]
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
