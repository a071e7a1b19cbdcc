"""Scenarios a second: ours beside behave and pytest-bdd on the same cases and the same engine.

The cases are all scenarios of our library that can be said in Gherkin with the step definitions of
`tests/bench/gherkin`, sentence by sentence. The steps call the functions of the engine that our
language calls, for the same setup, checks of the position, inputs, groups of effects and looks at
the outcome. Beyond that, ours checks every name and cited rule before it runs a scenario.

Both tools are set up as they document it: behave with `environment.py`, a `steps` folder and its
default matcher, pytest-bdd with a fixture and `scenarios("features")`. behave runs as it comes,
its report going nowhere, and once more in silence, without report and capture; the aim is about
the former. Reading is part of all times. Ours and behave run in this process; what is loaded once
(grammar, step definitions) is there before the clock runs, and ours has no line in memory from an
earlier run. pytest-bdd runs in a process of its own on half of the cases and on all of them:
the difference leaves out how long pytest takes to start. All take turns, and the best time counts.
"""

from __future__ import annotations

import gc
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from behave.configuration import Configuration
from behave.formatter._registry import make_formatters
from behave.model_type import Status
from behave.runner import Context, Runner
from behave.runner_util import parse_features

from rules_engine.kernel.records import Record
from scenarios.check import DEFAULT_PRODUCT, checked, read
from scenarios.imperium.names import vocabulary
from tests.bench import gherkin
from tests.bench.aims import aimed, told
from tests.bench.gherkin.cases import Case, cases, definition
from tests.bench.gherkin.game import Game

RUNS = 5
TIMES_FASTER = 3
ROOT = Path(__file__).parents[2]
AS_IT_COMES = ("--no-summary", "--format=pretty", f"--outfile={os.devnull}")
SILENT = ("--no-summary", "--format=null", "--no-capture", "--no-capture-stderr", "--no-logcapture")
PYTEST = ("-m", "pytest", "-q", "-p", "pytest_bdd.plugin", "-p", "no:cacheprovider")


class Times(Record):
    """Seconds to read the cases and to run them."""

    reading: float
    running: float

    def whole(self) -> float:
        """Both together."""
        return self.reading + self.running


def timed(read_all: Callable[[], Any], run_all: Callable[[Any], None]) -> Times:
    """Read and run under the clock."""
    gc.collect()
    begun = time.process_time()
    found = read_all()
    read_at = time.process_time()
    run_all(found)
    return Times(read_at - begun, time.process_time() - read_at)


# Ours


def ours(files: list[tuple[str, str]]) -> Times:
    """The cases as they stand in the library."""
    vocabulary.cache_clear()
    vocabulary(DEFAULT_PRODUCT)
    return timed(lambda: [read(file, text) for file, text in files], _check_ours)


def _check_ours(found: list[Any]) -> None:
    for scenarios, problems in found:
        assert not problems, problems
        for scenario in scenarios:
            result = checked(scenario)
            assert result.good, result


# behave


def behave(folder: Path, options: tuple[str, ...]) -> Times:
    """The cases as features, with behave's own reader and runner."""
    runner = Runner(Configuration([*options, str(folder)], load_config=False))
    runner.context = Context(runner)
    runner.setup_paths()
    runner.load_hooks()
    runner.formatters = make_formatters(runner.config, runner.config.outputs)
    features: list[Any] = []

    def read_all() -> list[Any]:
        features.extend(parse_features(runner.feature_locations()))
        return features

    times = timed(read_all, runner.run_model)
    statuses = [scenario.status for feature in features for scenario in feature.scenarios]
    assert set(statuses) == {Status.passed}, statuses
    return times


def _load_steps(folder: Path) -> None:
    """Step definitions belong to the process and are loaded once."""
    runner = Runner(Configuration([str(folder)], load_config=False))
    runner.setup_paths()
    runner.load_step_definitions()


# pytest-bdd


def pytest_bdd(folder: Path, count: int) -> float:
    """Seconds of a whole run of pytest on the features of a folder."""
    before = os.times()
    done = subprocess.run(
        [sys.executable, *PYTEST],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    assert f"{count} passed" in done.stdout, done.stdout
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


# The engine


def engine(found: list[Case]) -> float:
    """The same calls of the engine with no text at all."""
    calls = [[definition(step) for step in case.steps] for case in found]
    gc.collect()
    begun = time.process_time()
    for case in calls:
        game = Game()
        for function, words in case:
            function(game, **words)
    return time.process_time() - begun


# All of them


def written(folder: Path, files: list[tuple[Path, list[Case]]]) -> Path:
    """A folder with the features, and what each tool wants beside them."""
    here = Path(gherkin.__path__[0])
    features = folder / "features"
    (features / "steps").mkdir(parents=True)
    shutil.copy(here / "behave_environment.py", features / "environment.py")
    shutil.copy(here / "behave_steps.py", features / "steps" / "steps.py")
    shutil.copy(here / "pytest_bdd_cases.py", folder / "test_cases.py")
    for path, found in files:
        scenarios = "\n".join(case.gherkin() for case in found)
        text = f"Feature: {path.stem}\n\n{scenarios}"
        (features / f"{path.stem}.feature").write_text(text, encoding="utf-8")
    return folder


def main() -> None:
    """Print the speeds of all and what was aimed at."""
    files = cases()
    every = [case for _, found in files for case in found]
    half = files[: len(files) // 2]
    in_half = sum(len(found) for _, found in half)
    texts = [(str(path), "".join(case.text for case in found)) for path, found in files]
    times: dict[str, list[Times]] = {"ours": [], "behave": [], "behave, silent": []}
    pytests, bare = [], []
    with tempfile.TemporaryDirectory() as made:
        whole = written(Path(made) / "whole", files)
        part = written(Path(made) / "half", half)
        _load_steps(whole / "features")
        for _ in range(RUNS):
            times["ours"].append(ours(texts))
            times["behave"].append(behave(whole / "features", AS_IT_COMES))
            times["behave, silent"].append(behave(whole / "features", SILENT))
            pytests.append((pytest_bdd(part, in_half), pytest_bdd(whole, len(every))))
            bare.append(engine(every))
    of_half, of_all = (min(seconds) for seconds in zip(*pytests, strict=True))
    per_test = (of_all - of_half) / (len(every) - in_half)
    _print(len(every), times, per_test * len(every), min(bare))


def _print(count: int, times: dict[str, list[Times]], pytests: float, bare: float) -> None:
    versions = f"behave {version('behave')}, pytest-bdd {version('pytest-bdd')}"
    print(f"{count} cases, best of {RUNS} runs; {versions}, Python {platform.python_version()}")
    print(f"{'':<16}{'scenarios/s':>14}{'reading':>12}{'running':>12}")
    best = {name: min(found, key=Times.whole) for name, found in times.items()}
    for name, each in best.items():
        print(
            f"{name:<16}{count / each.whole():>14,.0f}"
            f"{each.reading * 1000:>9,.0f} ms{each.running * 1000:>9,.0f} ms"
        )
    print(f"{'pytest-bdd':<16}{count / pytests:>14,.0f}")
    print(f"{'engine alone':<16}{count / bare:>14,.0f}{'':>12}{bare * 1000:>9,.0f} ms")
    us, them = best["ours"], best["behave"]
    faster = them.whole() / us.whole()
    aimed(
        "scenarios a second against behave",
        f"{faster:.1f}x",
        f"at least {TIMES_FASTER}x",
        faster >= TIMES_FASTER,
    )
    ratios = [
        theirs.whole() / our.whole()
        for our, theirs in zip(times["ours"], times["behave"], strict=True)
    ]
    told("the same in single runs", f"{min(ratios):.1f}x to {max(ratios):.1f}x")
    told("the same without reading", f"{them.running / us.running:.1f}x")
    told("against behave in silence", f"{best['behave, silent'].whole() / us.whole():.1f}x")
    told("against pytest-bdd", f"{pytests / us.whole():.1f}x")
    told("beyond the engine, against behave", f"{(them.whole() - bare) / (us.whole() - bare):.1f}x")


if __name__ == "__main__":
    main()
