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
COLD_PROCESSORS = 100.0
WARM_SECONDS = 2.5
CHANGED_SECONDS = 10.0

CHANGES = {
    "who takes which reward": Twin(
        "rules_engine.imperium.combat",
        "return pick(strength == 0, NONE, placed)",
        "return pick(strength <= 0, NONE, placed)",
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
        _tell("cold, 1 process", alone, alone, processors=COLD_PROCESSORS)
        together = run(several, cores)
        _tell(f"cold, {cores} processes", together, alone)
        _tell("warm", run(several, cores), alone, clock=WARM_SECONDS)
        for name, change in CHANGES.items():
            changed = run_changed(several, change, cores)
            _tell(f"one line changed: {name}", changed, alone, clock=CHANGED_SECONDS)
    told("properties", f"{alone.counts.properties}")
    told("not proved", f"{alone.counts.not_proved}")


def _tell(
    what: str,
    found: Run,
    cold: Run,
    *,
    clock: float | None = None,
    processors: float | None = None,
) -> None:
    _tell_seconds(what, found.clock, clock)
    _tell_seconds("  of all processors", found.processors, processors)
    told("  against cold in 1 process", f"{found.clock / cold.clock:.2f}x")
    told("  proved anew", f"{found.counts.made} of {cold.counts.made}")
    sys.stdout.flush()


def _tell_seconds(what: str, seconds: float, most: float | None) -> None:
    if most is None:
        told(what, f"{seconds:.1f} s")
    else:
        aimed(what, f"{seconds:.1f} s", f"at most {most:g} s", seconds <= most)


if __name__ == "__main__":
    main()
