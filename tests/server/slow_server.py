"""A server with three properties of its own: `slow` takes an hour, `soon` a second.

`hard` asks the solver for something that takes it longer than anybody waits. A search for `slow`,
a scenario file of that name and every test of an implementation take an hour as well, and there is
much to say about a file called `many`. Worker processes import the module that the server was
started from, so they have all this, too. Whatever is slow first writes the id of its process to the
folder given. The last argument is how many seconds the server waits for calls when it stops, and
for a scenario; another one after it, how many it waits for a reply to be read.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import z3

from server import run, serve, worker
from server.answers import conformance, rules
from server.settings import Settings
from server.workers import LONGEST_UNREAD, Workers
from truthsayer.v1 import rules_pb2, scenario_pb2
from verifier import claim
from verifier.registry import Twin, proves

FOLDER = Path(sys.argv[1])
SECONDS = {"slow": 3600.0, "soon": 1.0}
PIGEONS = 16
MANY = 5_000
RULE = {"UPR-WALL-003": Twin("rules_engine.imperium.shield_wall", "old", "new")}


def _write_process(name: str) -> None:
    (FOLDER / f"{name} in {os.getpid()}").touch()
    (FOLDER / name).write_text(str(os.getpid()))


def _take_long(name: str) -> None:
    _write_process(name)
    time.sleep(SECONDS[name])


def search_rules(request: rules_pb2.SearchRulesRequest) -> rules_pb2.SearchRulesResponse:
    """Take long over some words."""
    if request.words in SECONDS:
        _take_long(request.words)
    return rules_pb2.SearchRulesResponse()


def check(request: scenario_pb2.CheckRequest) -> Iterator[scenario_pb2.CheckResponse]:
    """Take long over some files, and have much to say about the one called `many`."""
    for file in request.files:
        if file.name in SECONDS:
            _take_long(file.name)
        if file.name == "many":
            yield from _many()
        yield scenario_pb2.CheckResponse()


def _many() -> Iterator[scenario_pb2.CheckResponse]:
    """Results of 64 KiB each; how many were asked for is in a file."""
    result = scenario_pb2.ScenarioResult(detail="x" * 65_536)
    for number in range(MANY):
        (FOLDER / "many").write_text(str(number))
        yield scenario_pb2.CheckResponse(result=result)


def ask(request: scenario_pb2.AskRequest) -> scenario_pb2.AskResponse:
    """Take long over some files."""
    _take_long(request.file.name)
    return scenario_pb2.AskResponse()


def format_text(request: scenario_pb2.FormatRequest) -> scenario_pb2.FormatResponse:
    """Take long over some files."""
    _take_long(request.file.name)
    return scenario_pb2.FormatResponse()


def conform(*_: object) -> None:
    """Take long over everything."""
    _take_long("slow")


@proves(RULE)
def slow() -> None:
    """Takes an hour."""
    _take_long("slow")
    claim(True, "it is over")


@proves(RULE)
def soon() -> None:
    """Takes a second."""
    _take_long("soon")
    claim(True, "it is over")


@proves(RULE)
def hard() -> None:
    """Asks whether pigeons fit into one hole less than there are of them, one into each."""
    solver = z3.Solver()
    holes = range(PIGEONS - 1)
    at = [[z3.Bool(f"{pigeon} in {hole}") for hole in holes] for pigeon in range(PIGEONS)]
    solver.add([z3.Or(places) for places in at])
    for one, other in combinations(at, 2):
        solver.add([z3.Not(z3.And(one[hole], other[hole])) for hole in holes])
    _write_process("hard")
    claim(solver.check() == z3.unsat, "they do not")


vars(rules).update(search_rules=search_rules)
ANSWERS: dict[worker.JobName, dict[str, Any]] = {
    "check": {"many": check},
    "ask": {"one": ask},
    "format": {"one": format_text},
}
vars(worker).update(
    JOBS=worker.JOBS
    | {name: worker.JOBS[name]._replace(**answer) for name, answer in ANSWERS.items()}
)
vars(conformance).update(conform=conform)

if __name__ == "__main__":
    seconds = float(sys.argv[3])
    unread = float(sys.argv[4]) if len(sys.argv) > 4 else LONGEST_UNREAD
    vars(run).update(Workers=partial(Workers, longest_wait=seconds, longest_unread=unread))
    settings = Settings(
        listen=sys.argv[2],
        store=str(FOLDER / "sessions.sqlite"),
        drain_seconds=seconds,
        log_level="warning",
    )
    serve(settings, lambda address: print(f"this serves on {address}", flush=True))
