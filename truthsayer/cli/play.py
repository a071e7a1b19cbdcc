"""`truthsayer play`: a game of random choices, dealt by the setup steps, told event by event."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import State, player
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.game import step
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.replay import LogWriter, start_log
from rules_engine.kernel.rulings import Rulings
from scenarios.words import event_words

PRODUCTS = ("uprising",)
NAMES = ("Paul", "Jessica", "Leto", "Chani")
TABLES = (3, 4)
"""The numbers of players that the slice has positions for."""


@click.command()
@click.option("--product", default="uprising", show_default=True, help="The game to play.")
@click.option("--players", default=4, show_default=True, help="How many play: 3 or 4.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same game.")
@click.option(
    "--log",
    type=click.Path(path_type=Path),
    help="Write every input to this file, which must not be there yet; "
    "`truthsayer replay` reads it.",
)
def play(product: str, players: int, seed: int, log: Path | None) -> None:
    """Play a whole game with random choices and say what happens.

    \b
    truthsayer play --players 3 --seed 7
    truthsayer play --seed 7 --log game.log
    """
    state = _new_game(product, players)
    with ExitStack() as closing:
        written = None if log is None else closing.enter_context(_start(log, state))
        click.echo(_about(product))
        inputs = RandomPlay(seed)
        count = 0
        while state.pending:
            given = inputs.pick(IMPERIUM, state)
            done = step(IMPERIUM, state, given)
            assert isinstance(done, Step)
            state = done.state
            if written is not None:
                written.append(given, state)
            count += 1
            for event in done.events:
                click.echo(event_words(state, event))
    click.echo(ending(state))
    if log is not None:
        click.echo(f"{count} inputs are in {log}")


def _new_game(product: str, players: int) -> State:
    if product not in PRODUCTS:
        raise TruthsayerError(
            "TS0712", f"no product `{product}`", help=f"known: {', '.join(PRODUCTS)}"
        )
    if players not in TABLES:
        raise TruthsayerError(
            "TS0711",
            f"the slice is for 3 or 4 players, not `{players}`",
            help="use `--players 3` or `--players 4`",
        )
    return new_game(product, NAMES[:players], Rulings())


def _start(log: Path, state: State) -> LogWriter:
    digest = catalogue_digest(state.config.product)
    return start_log(IMPERIUM, log, state, engine=engine_version(), catalogue=digest)


def engine_version() -> str:
    """The version of the engine that plays, as it is installed."""
    try:
        return version("truthsayer")
    except PackageNotFoundError:
        return "(a source tree that is not installed)"


def catalogue_digest(product: str) -> str:
    """A digest of everything printed, to tell whether a log was made with the same cards."""
    return fingerprint(catalogue(product))


def _about(product: str) -> str:
    """The first line: how much of the game this is."""
    faces = catalogue(product)
    return (
        f"This is a slice of {product.capitalize()}, not the whole game: "
        f"{len(faces.spaces)} board spaces, {len(faces.cards)} cards, "
        f"{len(faces.intrigue)} Intrigue cards and {len(faces.conflicts)} Conflicts; "
        "no Leaders and no contracts."
    )


def ending(state: State) -> str:
    """How a game ended."""
    names = " and ".join(player(state, seat).name for seat in state.winners)
    points = ", ".join(f"{each.name} {each.victory_points}" for each in state.players)
    verb = "win" if len(state.winners) > 1 else "wins"
    return f"The game is over after round {state.round}: {names} {verb} (points: {points})."
