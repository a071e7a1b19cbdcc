"""A server with three properties of its own: `slow` takes an hour, `soon` a second.

`hard` asks the solver for something that takes it longer than anybody waits. A search for `slow`
and a scenario file of that name take an hour as well. Worker processes import the module that the
server was started from, so they have all this, too. Whatever is slow first writes the id of its
process to the folder given. The last argument is how many seconds the server waits for calls when
it stops, and for a scenario.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path

import z3

from server import run, serve, worker
from server.answers import rules
from server.workers import Workers
from truthsayer.v1 import rules_pb2, scenario_pb2
from verifier import claim
from verifier.registry import Twin, proves

FOLDER = Path(sys.argv[1])
SECONDS = {"slow": 3600.0, "soon": 1.0}
PIGEONS = 16
RULE = {"UPR-WALL-003": Twin("rules_engine.imperium.shield_wall", "old", "new")}


def _write_process(name: str) -> None:
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
    """Take long over some files."""
    for file in request.files:
        if file.name in SECONDS:
            _take_long(file.name)
        yield scenario_pb2.CheckResponse()


@proves(RULE, bounds="none")
def slow() -> None:
    """Takes an hour."""
    _take_long("slow")
    claim(True, "it is over")


@proves(RULE, bounds="none")
def soon() -> None:
    """Takes a second."""
    _take_long("soon")
    claim(True, "it is over")


@proves(RULE, bounds="none")
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
vars(worker).update(JOBS={**worker.JOBS, "check": worker.JOBS["check"]._replace(many=check)})

if __name__ == "__main__":
    seconds = float(sys.argv[3])
    vars(run).update(GRACE_SECONDS=seconds, Workers=partial(Workers, longest_wait=seconds))
    serve(sys.argv[2], lambda address: print(f"this serves on {address}", flush=True))
