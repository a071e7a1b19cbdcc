"""All properties: cold in one process and in one per core, warm, and after a rule has changed.

Each run is a process of its own, as a person would start it, so its start is part of the time. A
changed rule is one line of a copy of the engine in a temporary folder; the edit is one that no
input can tell from the original, so that everything stays provable and is only proved anew.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from rules_engine.kernel.records import Record
from tests.bench.aims import aimed, told
from verifier.api import prove_all
from verifier.kept import Kept
from verifier.obligations import Manner, Outcome
from verifier.registry import Twin
from verifier.twins import change_engine
from verifier.verdicts import CHECKED, PROVED, Verdict

ROOT = Path(__file__).parents[2]
COLD_SECONDS = 90
WARM_SECONDS = 2

CHANGES = {
    "who takes which reward": Twin(
        "rules_engine.imperium.combat", "    if strength == 0:", "    if strength <= 0:"
    ),
    "who doubles rewards": Twin(
        "rules_engine.imperium.combat", "return owner.sandworms >= 1", "return owner.sandworms > 0"
    ),
}


class Counts(Record):
    """How many properties there are, how many do not hold, and how many proofs were made."""

    properties: int
    not_proved: int
    made: int


class Run(Record):
    """What a run came to, and its seconds on the clock and of all processors."""

    counts: Counts
    clock: float
    processors: float


class Counting(Kept):
    """Kept proofs that count what is added."""

    made = 0

    def keep(self, outcome: Outcome, manner: Manner) -> None:
        """Keep a proof and count it."""
        self.made += 1
        super().keep(outcome, manner)


def prove_in_this_process(cache: str, jobs: int) -> None:
    """Settle all properties and write the counts to the standard output."""
    kept = Counting(Path(cache))
    verdicts = [each for each in prove_all(jobs=jobs, kept=kept) if isinstance(each, Verdict)]
    good = sum(each.verdict in (PROVED, CHECKED) for each in verdicts)
    counts = Counts(len(verdicts), len(verdicts) - good, kept.made)
    sys.stdout.buffer.write(msgspec.json.encode(counts))


def run(cache: Path, jobs: int, engine: Path = ROOT) -> Run:
    """Settle all properties in a process of its own, on the engine in this folder."""
    code = f"from {__spec__.name} import *; prove_in_this_process({str(cache)!r}, {jobs})"
    path = os.pathsep.join([str(engine), str(ROOT), os.environ.get("PYTHONPATH", "")])
    before, begun = os.times(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=engine,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        check=True,
    )
    clock, after = time.perf_counter() - begun, os.times()
    processors = sum(after[2:4]) - sum(before[2:4])
    return Run(msgspec.json.decode(done.stdout, type=Counts), clock, processors)


def run_changed(kept: Path, change: Twin, jobs: int) -> Run:
    """Settle all properties on an engine with this change, given the proofs of the true one."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "engine"
        change_engine(folder, change)
        cache = shutil.copytree(kept, Path(made) / "cache")
        return run(cache, jobs, folder)


def main() -> None:
    """Print the times of all runs, how much was proved in each, and what was aimed at."""
    cores = os.cpu_count() or 1
    told("load when it begins", f"{os.getloadavg()[0]:.1f} on {cores}")
    with tempfile.TemporaryDirectory() as made:
        single, several = Path(made) / "single", Path(made) / "several"
        alone = run(single, 1)
        _tell("cold, 1 process", alone, alone)
        together = run(several, cores)
        _tell(f"cold, {cores} processes", together, alone, COLD_SECONDS)
        _tell("warm", run(several, cores), alone, WARM_SECONDS)
        for name, change in CHANGES.items():
            _tell(f"one line changed: {name}", run_changed(several, change, cores), alone)
    told("properties", f"{alone.counts.properties}")
    told("not proved", f"{alone.counts.not_proved}")


def _tell(what: str, found: Run, cold: Run, aim: int | None = None) -> None:
    clock = f"{found.clock:.1f} s"
    if aim is None:
        told(what, clock)
    else:
        aimed(what, clock, f"under {aim} s", found.clock < aim)
    told("  of all processors", f"{found.processors:.1f} s")
    told("  against cold in 1 process", f"{found.clock / cold.clock:.2f}x")
    told("  proved anew", f"{found.counts.made} of {cold.counts.made}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
