"""The service's speed: `Step`, `Evaluate` and `Check` beside an echo of messages of the same sizes.

Server and client are processes of their own. One server has them all, so that the echo has the same
settings; for each load, ours and its echo take turns, and the best of all runs counts. Positions
are those of round 5 of random games of four players, each with an input that is allowed in it.
`Evaluate` takes 64 of them in a message; a message to `Check` has 16 files of the library.

All processes share the machine's cores, so what else runs on it slows the figures, less so their
ratios.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.fingerprint import encoded
from scenarios.finding import library_files
from tests.bench.aims import aimed, told
from tests.bench.random_play import start, taken
from tests.bench.service_peers import Load, answers_to, calls_a_second, echo_of
from tests.server.running import server_process
from truthsayer.v1 import common_pb2, engine_pb2, scenario_pb2

ENGINE, SCENARIOS = "/truthsayer.v1.EngineService", "/truthsayer.v1.ScenarioService"
POSITIONS = 960
BATCH = 64
FILES = 16
ROUND = 5
SECONDS = 2.0
RUNS = 3
ONE_BY_ONE = (1, 8, 32)
IN_BATCHES = (1, 2, 4)
LEAST_SHARE = 0.6
LEAST_POSITIONS = 10_000


def in_round(number: int) -> Iterator[tuple[str, str]]:
    """Positions of a round, each with an input, of one random game after the other."""
    seed = 1
    while True:
        state, play = start(seed), RandomPlay(seed)
        while state.pending and state.round <= number:
            given = play.pick(IMPERIUM, state)
            if state.round == number:
                yield encoded(state).decode(), encoded(given).decode()
            state = taken(state, given)
        seed += 2  # odd ones: games of four players


def steps(found: list[tuple[str, str]]) -> tuple[bytes, ...]:
    """A request for each position."""
    return tuple(
        engine_pb2.StepRequest(position=position, input=given).SerializeToString()
        for position, given in found
    )


def batches(found: list[tuple[str, str]], *, positions: bool) -> tuple[bytes, ...]:
    """Requests with many positions each."""
    cases = [engine_pb2.EvaluateCase(position=each, inputs=[given]) for each, given in found]
    return tuple(
        engine_pb2.EvaluateRequest(
            cases=cases[first : first + BATCH], positions=positions
        ).SerializeToString()
        for first in range(0, len(cases), BATCH)
    )


def checks() -> tuple[bytes, ...]:
    """A request with some files of the library."""
    files = [
        common_pb2.SourceFile(name=name, text=text)
        for name, text in library_files("uprising")[:FILES]
    ]
    return (scenario_pb2.CheckRequest(files=files).SerializeToString(),)


def loads() -> dict[str, list[Load]]:
    """What is sent, by what it is called; each with several numbers of calls at a time."""
    found = list(islice(in_round(ROUND), POSITIONS))
    kinds = {
        "Step": (f"{ENGINE}/Step", steps(found), False, ONE_BY_ONE),
        "Evaluate": (f"{ENGINE}/Evaluate", batches(found, positions=False), False, IN_BATCHES),
        "Evaluate, positions": (
            f"{ENGINE}/Evaluate", batches(found, positions=True), False, IN_BATCHES,
        ),
        "Check": (f"{SCENARIOS}/Check", checks(), True, IN_BATCHES),
    }  # fmt: skip
    return {
        name: [Load(method, requests, streamed, count, SECONDS) for count in at_a_time]
        for name, (method, requests, streamed, at_a_time) in kinds.items()
    }


class Client:
    """A client in a process of its own."""

    def __init__(self, pool: ProcessPoolExecutor, address: str) -> None:
        self._pool = pool
        self._address = address

    def beside_echo(self, load: Load) -> tuple[float, float]:
        """Calls a second of ours and of its echo, the best of some runs."""
        sizes = self._pool.submit(answers_to, self._address, load).result()
        pair = (load, echo_of(load, sizes))
        runs = [[self._speed(each) for each in pair] for _ in range(RUNS)]
        ours, echo = (max(column) for column in zip(*runs, strict=True))
        return ours, echo

    def _speed(self, load: Load) -> float:
        return self._pool.submit(calls_a_second, self._address, load).result()


def main() -> None:
    """Print a line for each load, and what was aimed at."""
    print(
        f"round {ROUND} of games of four players, best of {RUNS} runs of {SECONDS:g} s; "
        f"Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"{os.getloadavg()[0]:.1f} processes at work before"
    )
    print(f"{'calls/s':<22}{'at a time':>10}{'bytes':>10}{'ours':>10}{'echo':>10}{'ours/echo':>11}")
    context = multiprocessing.get_context("spawn")
    best: dict[str, tuple[float, float]] = {}
    with (
        server_process("-m", "tests.bench.service_peers") as (_, address),
        ProcessPoolExecutor(1, context) as pool,
    ):
        client = Client(pool, address)
        for name, of_kind in loads().items():
            for load in of_kind:
                ours, echo = client.beside_echo(load)
                size = sum(map(len, load.requests)) // len(load.requests)
                print(
                    f"{name:<22}{load.at_a_time:>10}{size:>10,}{ours:>10,.0f}{echo:>10,.0f}"
                    f"{ours / echo:>10.0%}",
                    flush=True,
                )
                most, most_echo = best.get(name, (0.0, 0.0))
                best[name] = max(most, ours), max(most_echo, echo)
    _print_aims(best)


def _print_aims(best: dict[str, tuple[float, float]]) -> None:
    ours, echo = best["Step"]
    share = ours / echo
    least = f"at least {LEAST_SHARE:.0%}"
    aimed("Step against an echo, most calls a second", f"{share:.0%}", least, share >= LEAST_SHARE)
    speed = best["Evaluate"][0] * BATCH
    aimed(
        "positions evaluated a second",
        f"{speed:,.0f}",
        f"at least {LEAST_POSITIONS:,}",
        speed >= LEAST_POSITIONS,
    )
    told("the same with the positions sent back", f"{best['Evaluate, positions'][0] * BATCH:,.0f}")


if __name__ == "__main__":
    main()
