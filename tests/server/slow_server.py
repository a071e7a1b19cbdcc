"""A server with two properties of its own: `slow` takes an hour, `soon` a second.

So does a search for `slow`, and a scenario file of that name. Worker processes import the module
that the server was started from, so they have all this as well. Whatever is slow first writes the
id of its process to the folder given. The last argument is how many seconds the server waits for
calls when it stops, and for a scenario.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from rules_engine.kernel.errors import TruthsayerError
from server import run, serve, worker
from server.answers import rules
from server.workers import Workers
from truthsayer.v1 import rules_pb2, scenario_pb2
from verifier import api
from verifier.verdicts import Verdict

FOLDER = Path(sys.argv[1])
SECONDS = {"slow": 3600.0, "soon": 1.0}


def property_named(name: str) -> SimpleNamespace:
    """One of ours."""
    if name not in SECONDS:
        raise TruthsayerError("TS0501", f"no property `{name}`")
    return SimpleNamespace(name=name)


def _take_long(name: str) -> None:
    (FOLDER / name).write_text(str(os.getpid()))
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


def prove(name: str) -> Verdict:
    """Take the time that the property takes."""
    _take_long(name)
    return Verdict(
        name=name,
        rules=(),
        verdict="proved",
        bounds="none",
        paths=1,
        seconds=SECONDS[name],
        rulings=(),
        kind="theorem",
    )


vars(api).update(property_named=property_named, prove=prove)
vars(rules).update(search_rules=search_rules)
vars(worker).update(JOBS={**worker.JOBS, "check": worker.JOBS["check"]._replace(answer=check)})

if __name__ == "__main__":
    seconds = float(sys.argv[3])
    vars(run).update(GRACE_SECONDS=seconds, Workers=partial(Workers, longest_wait=seconds))
    serve(sys.argv[2], lambda address: print(f"this serves on {address}", flush=True))
