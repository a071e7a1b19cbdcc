"""Engine steps a second, against the same engine with records made by `dataclasses.replace`.

Both play the very same games: the engine is copied twice, and in one copy the file that defines
records is replaced. A step is one input with everything that follows from it by itself.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import rules_engine

HERE = Path(__file__).parent
GAMES = 40
RUNS = 3


def engine(folder: Path, records: Path | None) -> Path:
    """A copy of the engine with a program that plays it; with other records if some are given."""
    source = Path(rules_engine.__path__[0])
    copy = folder / "rules_engine"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "random_play.py", folder)
    if records is not None:
        shutil.copy(records, copy / "kernel" / "records.py")
    return folder


def measured(folder: Path, games: int) -> dict[str, Any]:
    """What one run of the copy says."""
    command = [sys.executable, "random_play.py", str(games)]
    run = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def compared(games: int = GAMES, runs: int = RUNS) -> dict[str, dict[str, Any]]:
    """The best run of each kind of records; they take turns, so that both meet the same load."""
    with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
        copies = {
            "msgspec": engine(Path(ours), None),
            "dataclasses": engine(Path(theirs), HERE / "dataclass_records.py"),
        }
        best: dict[str, dict[str, Any]] = {}
        for _ in range(runs):
            for name, folder in copies.items():
                found = measured(folder, games)
                kept = best.setdefault(name, found)
                if (found["steps"], found["ends"]) != (kept["steps"], kept["ends"]):
                    raise AssertionError("the two engines did not play the same games")
                for clock in ("play", "step"):
                    kept[clock] = min(kept[clock], found[clock])
        if best["msgspec"]["ends"] != best["dataclasses"]["ends"]:
            raise AssertionError("the two engines did not play the same games")
    return best


def main() -> None:
    """Print both speeds and their ratio."""
    best = compared()
    steps = best["msgspec"]["steps"]
    print(f"{GAMES} random games of Uprising, {steps} engine steps, best of {RUNS} runs;")
    print("a second is one of processor time; `choosing` includes listing what is allowed")
    print(f"{'records':<24}{'choosing':>12}{'steps alone':>14}")
    for name, found in best.items():
        choosing, alone = (steps / found[clock] for clock in ("play", "step"))
        print(f"{name:<24}{choosing:>10,.0f}/s{alone:>12,.0f}/s")
    ratios = [best["dataclasses"][clock] / best["msgspec"][clock] for clock in ("play", "step")]
    print(f"{'msgspec is faster by':<24}{ratios[0]:>11.1f}x{ratios[1]:>13.1f}x")


if __name__ == "__main__":
    main()
