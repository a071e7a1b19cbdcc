"""The conformance kit's speed: its transports beside a raw echo, and whole games compared.

Random games are sent as batches of a whole game, inputs without observations, all made beforehand.
On each transport three other ends take turns: a raw echo of messages of the same bytes, which
neither side reads; an adapter that answers each call at once; and our own, which plays the game.
Then games are compared as `truthsayer conform` does it: the reference plays, the adapter plays and
observes after every input, and all fields are compared, in one process and in two, each with an
adapter. The reference alone, with nothing sent or compared, stands beside it.

Several processes work together, so that the clock is that of the wall and the best of all runs
counts. What else runs on the machine slows the figures, less so their ratios; how much of a
processor both sides take together does not depend on it.
"""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import platform
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import grpc

from conformance.cases import Case
from conformance.framing import Delimited, Framing, JsonLines
from conformance.messages import AnyCall, Apply, Calls, Described, Finish, Start
from conformance.playing import Connection, play
from conformance.protobuf import calls_message
from conformance.reference import Reference, stated
from conformance.results import PASS
from conformance.target import Target, connect
from tests.bench.aims import aimed, told
from tests.bench.conformance_peers import PLAY
from tests.conformance.games import random_game

GAMES = 12
RUNS = 5
SENT = 10_000
COMPARED = 5_000

PEERS = (sys.executable, "-m", "tests.bench.conformance_peers")
OURS = (sys.executable, "-m", "conformance.adapters.reference")
SERVED = (sys.executable, "-m", "conformance.adapters.serving")
ABOUT = Described("ours", "1", ("uprising",))

Batch = list[AnyCall]
Send = Callable[[Batch], Any]
"""Sends a batch to another end and waits for what comes back."""


def calls_of(game: Case) -> Batch:
    """A whole game without a look at it."""
    moves = [
        Apply(move.given, move.chance, revision, observe=False)
        for revision, move in enumerate(game.moves)
    ]
    return [Start(game.setup, chance=game.chance, observe=False), *moves, Finish()]


# The other ends


@contextlib.contextmanager
def adapter(target: Target) -> Iterator[Send]:
    """An adapter, as the kit talks to it."""
    connection = connect(target)
    yield connection.ask
    connection.close()


@contextlib.contextmanager
def served(command: tuple[str, ...]) -> Iterator[str]:
    """A server that runs, by its address."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        yield f"127.0.0.1:{int(program.stdout.readline())}"
        program.terminate()


@contextlib.contextmanager
def adapter_at(command: tuple[str, ...]) -> Iterator[Send]:
    """An adapter that is served."""
    with served(command) as address, adapter(Target(address=address)) as send:
        yield send


@contextlib.contextmanager
def echo_over_pipe(framing: Framing) -> Iterator[Send]:
    """As many bytes as a batch has, as a line that comes back."""
    line = functools.lru_cache(lambda size: b"x" * (size - 1) + b"\n")
    sizes = _sizes(lambda batch: len(framing.encode(batch)))
    command = (*PEERS, "echo_lines")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        to, back = program.stdin, program.stdout
        assert to is not None
        assert back is not None

        def send(batch: Batch) -> None:
            to.write(line(sizes(batch)))
            to.flush()
            assert len(back.readline()) == sizes(batch)

        yield send
        to.close()


@contextlib.contextmanager
def echo_over_grpc() -> Iterator[Send]:
    """As many bytes as a batch has, as a message that comes back."""
    message = functools.lru_cache(lambda size: b"x" * size)
    sizes = _sizes(lambda batch: calls_message(batch).ByteSize())
    limits = [("grpc.max_receive_message_length", -1)]
    with (
        served((*PEERS, "echo_grpc")) as address,
        grpc.insecure_channel(address, limits) as channel,
    ):
        batches: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        play_raw: Any = channel.stream_stream(PLAY)
        back = play_raw(iter(batches.get, None))

        def send(batch: Batch) -> None:
            batches.put(message(sizes(batch)))
            assert len(next(back)) == sizes(batch)

        yield send
        batches.put(None)


def _sizes(measure: Callable[[Calls], int]) -> Callable[[Batch], int]:
    """How long the message of a batch is; each is measured once."""
    known: dict[int, int] = {}

    def size(batch: Batch) -> int:
        if id(batch) not in known:
            known[id(batch)] = measure(Calls(1, tuple(batch)))
        return known[id(batch)]

    return size


TRANSPORTS: dict[str, dict[str, Callable[[], contextlib.AbstractContextManager[Send]]]] = {
    "pipe, JSON lines": {
        "echo": lambda: echo_over_pipe(JsonLines()),
        "nothing": lambda: adapter(Target((*PEERS, "nothing_lines"))),
        "ours": lambda: adapter(Target(OURS)),
    },
    "pipe, protobuf": {
        "echo": lambda: echo_over_pipe(Delimited()),
        "nothing": lambda: adapter(Target((*PEERS, "nothing_protobuf"), protobuf=True)),
        "ours": lambda: adapter(Target((*OURS, "--protobuf"), protobuf=True)),
    },
    "gRPC": {
        "echo": echo_over_grpc,
        "nothing": lambda: adapter_at((*PEERS, "nothing_grpc")),
        "ours": lambda: adapter_at(SERVED),
    },
}


def sent(batches: list[Batch]) -> dict[str, dict[str, float]]:
    """Seconds for all batches, by transport and by the other end; the ends take turns."""
    best: dict[str, dict[str, float]] = {}
    for transport, ends in TRANSPORTS.items():
        with contextlib.ExitStack() as open_ones:
            sends = {name: open_ones.enter_context(end()) for name, end in ends.items()}
            for send in sends.values():
                send(batches[0])  # what is read or built once is there before the clock runs
            runs = [
                {name: _seconds(send, batches) for name, send in sends.items()} for _ in range(RUNS)
            ]
        best[transport] = {name: min(run[name] for run in runs) for name in sends}
    return best


def _seconds(send: Send, batches: list[Batch]) -> float:
    begun = time.perf_counter()
    for batch in batches:
        send(batch)
    return time.perf_counter() - begun


# Whole games


def alone(games: list[Case]) -> float:
    """Seconds of a processor for the reference to play the games, best of all runs."""
    times = []
    for _ in range(RUNS):
        begun = time.process_time()
        for game in games:
            _play_alone(game)
        times.append(time.process_time() - begun)
    return min(times)


def _play_alone(game: Case) -> None:
    reference = Reference.start(game.setup, game.position, game.to_move)
    reference.begin(stated(game.chance))
    for move in game.moves:
        reference.give(move.given, stated(move.chance))


def compared(processes: int) -> float:
    """Seconds to compare all games, shared by some processes, best of all runs."""
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(processes)
    with ProcessPoolExecutor(processes, context, _meet_at, (together,)) as pool:
        shares = [range(first, GAMES, processes) for first in range(processes)]
        found = list(pool.map(_compare, shares))
    seconds: float = min(
        max(ended for _, ended in run) - min(begun for begun, _ in run)
        for run in zip(*found, strict=True)
    )
    return seconds


def processor_seconds(games: list[Case]) -> float:
    """What comparing all games takes of processors, of both sides together and without the start.

    What an ended program took is known in one sum, so a second one shows what its start takes.
    """
    twice = []
    for share in (games[:1], [games[0], *games]):
        before = os.times()
        with contextlib.closing(connect(Target(OURS))) as connection:
            _compare_all(share, connection)
        twice.append(sum(os.times()[:4]) - sum(before[:4]))
    started, whole = twice
    return whole - started


def _meet_at(barrier: Any) -> None:
    global _together  # a process of a pool has no other place for it
    _together = barrier


_together: Any = None


def _compare(numbers: range) -> list[tuple[float, float]]:
    """When each run over a share of the games began and ended."""
    games = [random_game(number) for number in numbers]
    with contextlib.closing(connect(Target(OURS))) as connection:
        _compare_all(games[:1], connection)
        return [_timed(games, connection) for _ in range(RUNS)]


def _timed(games: list[Case], connection: Connection) -> tuple[float, float]:
    _together.wait()
    begun = time.monotonic()
    _compare_all(games, connection)
    return begun, time.monotonic()


def _compare_all(games: list[Case], connection: Connection) -> None:
    for game in games:
        result = play(game, ABOUT, connection)
        assert result.outcome == PASS, result


# All of it


def main() -> None:
    """Print the speeds and what was aimed at."""
    games = [random_game(number) for number in range(GAMES)]
    inputs = sum(len(game.moves) for game in games)
    print(
        f"{GAMES} random games with {inputs:,} inputs, best of {RUNS} runs; "
        f"Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"{os.getloadavg()[0]:.1f} processes at work before"
    )
    _print_sent(inputs, sent([calls_of(game) for game in games]))
    work = min(processor_seconds(games) for _ in range(RUNS))
    _print_compared(inputs, alone(games), work, {count: compared(count) for count in (1, 2)})


def _print_sent(inputs: int, best: dict[str, dict[str, float]]) -> None:
    print(f"{'inputs/s':<20}{'raw echo':>12}{'no game':>12}{'our game':>12}{'echo/no game':>14}")
    for name, each in best.items():
        speeds = "".join(f"{inputs / seconds:>12,.0f}" for seconds in each.values())
        print(f"{name:<20}{speeds}{each['nothing'] / each['echo']:>13.1f}x")
    for name, each in best.items():
        speed = inputs / each["ours"]
        aimed(
            f"inputs a second over {name}",
            f"{speed:,.0f}",
            f"at least {SENT:,}",
            speed >= SENT,
        )


def _print_compared(inputs: int, reference: float, work: float, best: dict[int, float]) -> None:
    told("inputs in a second of one processor, reference alone", f"{inputs / reference:,.0f}")
    told("inputs compared a second in one process", f"{inputs / best[1]:,.0f}")
    speed = inputs / best[2]
    aimed(
        "inputs compared a second in two processes",
        f"{speed:,.0f}",
        f"at least {COMPARED:,}",
        speed >= COMPARED,
    )
    told("inputs compared in a second of one processor", f"{inputs / work:,.0f}")
    told("games compared a minute in two processes", f"{60 * GAMES / best[2]:,.0f}")
    told("two processes against one", f"{best[1] / best[2]:.2f}x")
    told("to compare a game against to play it alone", f"{work / reference:.1f}x the work")


if __name__ == "__main__":
    main()
