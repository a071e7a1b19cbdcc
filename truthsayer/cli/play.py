"""`truthsayer play`: a game of random choices, dealt by the setup steps, told event by event."""

from __future__ import annotations

import random
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import check_players, new_game
from rules_engine.imperium.state import State, player
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.game import step
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.replay import LogWriter, start_log
from rules_engine.rulebook.rulings import chosen
from scenarios.words import event_words, telling

PRODUCTS = ("uprising",)
NAMES = ("Paul", "Jessica", "Leto", "Chani")


@click.command()
@click.option("--product", default="uprising", show_default=True, help="The game to play.")
@click.option("--players", default=4, show_default=True, help="How many play: 3 or 4.")
@click.option("--choam/--no-choam", default=False, show_default=True, help="The CHOAM module.")
@click.option("--promos", is_flag=True, help="Put the promo cards into the Imperium Deck.")
@click.option(
    "--leader",
    "leaders",
    multiple=True,
    help="A Leader by name or id, once for each player in turn order; left out, they are drawn.",
)
@click.option(
    "--ruling",
    "rulings",
    multiple=True,
    metavar="NAME=VALUE",
    help="The reading of an open point; `truthsayer rulings` lists them.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same game.")
@click.option(
    "--log",
    type=click.Path(path_type=Path),
    help="Write every input to this file, which must not be there yet; "
    "`truthsayer replay` reads it.",
)
def play(
    product: str,
    players: int,
    choam: bool,
    promos: bool,
    leaders: tuple[str, ...],
    rulings: tuple[str, ...],
    seed: int,
    log: Path | None,
) -> None:
    """Play a whole game with random choices and say what happens.

    \b
    truthsayer play --players 3 --seed 7
    truthsayer play --seed 7 --log game.log
    truthsayer play --choam --ruling plot_window=after_card
    """
    if product not in PRODUCTS:
        raise TruthsayerError(
            "TS0712", f"no product `{product}`", help=f"known: {', '.join(PRODUCTS)}"
        )
    check_players(players)
    drawn = named_leaders(product, leaders) or draw_leaders(product, players, choam, seed)
    state = new_game(
        product,
        NAMES[:players],
        chosen(stated_rulings(rulings)),
        choam=choam,
        leaders=drawn,
        promos=promos,
    )
    with ExitStack() as closing:
        written = None if log is None else closing.enter_context(_start(log, state))
        click.echo(_about(state))
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
            for event in telling(done.events):
                click.echo(event_words(state, event))
    click.echo(ending(state))
    if log is not None:
        click.echo(f"{count} inputs are in {log}")


def named_leaders(product: str, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The Leaders that were asked for, by name or id."""
    faces = catalogue(product).leaders
    ids = {face.name.lower(): face.id for face in faces.values()}
    return tuple(ids.get(each.lower(), each) for each in wanted)


def draw_leaders(product: str, players: int, choam: bool, seed: int) -> tuple[str, ...]:
    """Different Leaders for everybody, drawn by the seed from those that this game has."""
    faces = catalogue(product).leaders.values()
    there = sorted(face.id for face in faces if not face.back and (choam or not face.choam))
    return tuple(random.Random(f"leaders {seed}").sample(there, players))


def stated_rulings(stated: tuple[str, ...]) -> dict[str, str]:
    """The readings stated as NAME=VALUE."""
    values: dict[str, str] = {}
    for each in stated:
        name, equals, value = each.partition("=")
        if not equals:
            raise TruthsayerError(
                "TS0716",
                f"`{each}` states no ruling",
                help="write it as NAME=VALUE, like `--ruling plot_window=after_card`",
            )
        values[name] = value
    return values


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


def _about(state: State) -> str:
    """The first line: what is played, and by whom."""
    faces = catalogue(state.config.product)
    module = "with" if state.config.choam else "without"
    seats = ", ".join(
        f"{each.name} ({faces.leaders[each.leader].name})" if each.leader else each.name
        for each in state.players
    )
    return f"{state.config.product.capitalize()} {module} the CHOAM module: {seats}"


def ending(state: State) -> str:
    """How a game ended."""
    names = " and ".join(player(state, seat).name for seat in state.winners)
    points = ", ".join(f"{each.name} {each.victory_points}" for each in state.players)
    verb = "win" if len(state.winners) > 1 else "wins"
    return f"The game is over after round {state.round}: {names} {verb} (points: {points})."
