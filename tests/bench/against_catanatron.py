"""Random play of ours beside random play of catanatron, a fast engine of Catan in Python.

Both run in this interpreter, on one core, in turns, four players each, and list what is allowed at
every decision before they pick from it. Ours also checks what was picked against the rules and
tells the events with their citations. A step of ours is a player's decision or one card that chance
deals; a step of theirs is a decision or a roll, and cards are dealt within it. The aim compares all
steps; the decisions alone stand beside them.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from importlib.metadata import version

import catanatron
from catanatron.models.enums import ActionType

from rules_engine.kernel.game import Answer
from rules_engine.kernel.records import Record
from tests.bench.aims import aimed, told
from tests.bench.random_play import played

GAMES = 40
RUNS = 5
TIMES_FASTER = 3
GAMES_PER_SECOND = 40


class Played(Record):
    """A game that was played: its steps, and those among them that a player decided."""

    steps: int
    decisions: int


class Timed(Record):
    """The games of an engine, the best time of each, and the time of each run over all of them."""

    games: tuple[Played, ...]
    best: tuple[float, ...]
    runs: tuple[float, ...]

    def steps(self) -> int:
        """The steps of all games."""
        return sum(game.steps for game in self.games)

    def decisions(self) -> int:
        """The decisions of all games."""
        return sum(game.decisions for game in self.games)


def ours(seed: int) -> Played:
    """A game of ours; one of an odd seed has four players."""
    inputs, _ = played(2 * seed + 1)
    return Played(len(inputs), sum(not isinstance(given, Answer) for given in inputs))


def theirs(seed: int) -> Played:
    """A game of theirs, with their own random player on all four seats."""
    players = [catanatron.RandomPlayer(color) for color in catanatron.Color]
    game = catanatron.Game(players, seed=seed + 1)  # to them a seed of 0 is none
    game.play()
    steps = game.state.actions
    return Played(len(steps), sum(step.action_type != ActionType.ROLL for step in steps))


ENGINES: dict[str, Callable[[int], Played]] = {"ours": ours, "catanatron": theirs}


def timed() -> dict[str, Timed]:
    """Both engines take turns game by game, so that both meet the same load of the machine."""
    games: dict[str, list[Played]] = {name: [] for name in ENGINES}
    seconds: dict[str, list[list[float]]] = {name: [] for name in ENGINES}
    for engine in ENGINES.values():
        engine(0)  # what is read or built once is there before the clock runs
    for _ in range(RUNS):
        for name in ENGINES:
            games[name] = []
            seconds[name].append([])
        for seed in range(GAMES):
            for name, engine in ENGINES.items():
                begun = time.process_time()
                games[name].append(engine(seed))
                seconds[name][-1].append(time.process_time() - begun)
    return {
        name: Timed(
            tuple(games[name]),
            tuple(min(times) for times in zip(*seconds[name], strict=True)),
            tuple(sum(times) for times in seconds[name]),
        )
        for name in ENGINES
    }


def main() -> None:
    """Print the speeds of both and what was aimed at."""
    against = f"catanatron {version('catanatron')}, Python {platform.python_version()}"
    print(f"{GAMES} random games of four players, each at its best of {RUNS} runs; {against}")
    print(
        f"{'':<14}{'steps':>10}{'decisions':>12}{'steps/s':>12}{'decisions/s':>14}{'games/s':>10}"
    )
    found = timed()
    for name, each in found.items():
        steps, decisions, seconds = each.steps(), each.decisions(), sum(each.best)
        print(
            f"{name:<14}{steps:>10,}{decisions:>12,}"
            f"{steps / seconds:>12,.0f}{decisions / seconds:>14,.0f}{GAMES / seconds:>10,.1f}"
        )
    us, them = found["ours"], found["catanatron"]
    slower = sum(them.best) / sum(us.best)
    faster = us.steps() / them.steps() * slower
    aimed(
        "steps a second against theirs (with chance, rolls)",
        f"{faster:.1f}x",
        f"at least {TIMES_FASTER}x",
        faster >= TIMES_FASTER,
    )
    ratios = [
        us.steps() / them.steps() * theirs_took / ours_took
        for ours_took, theirs_took in zip(us.runs, them.runs, strict=True)
    ]
    told("the same in single runs", f"{min(ratios):.1f}x to {max(ratios):.1f}x")
    deciding = us.decisions() / them.decisions() * slower
    told("decisions a second against theirs (without)", f"{deciding:.1f}x")
    games = GAMES / sum(us.best)
    aimed(
        "games a second and core",
        f"{games:.0f}",
        f"at least {GAMES_PER_SECOND}",
        games >= GAMES_PER_SECOND,
    )


if __name__ == "__main__":
    main()
