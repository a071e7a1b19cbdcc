"""The pytest plugin: with `truthsayer_scenarios = true`, `.scenario` files are tests.

Each scenario is a test of its own. It imports nothing of the engine: the command does the work.
The fixture `truthsayer_adapter` is in a module of its own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from truthsayer.pytest_run import Result, RunFailed, results_of

pytest_plugins = ("truthsayer.pytest_adapter",)

OPTION = "truthsayer_scenarios"
SUFFIX = ".scenario"
LONGEST_NAME = 200

WORKER_KEY = "truthsayer_shared_folder"
"""Under which a worker of pytest-xdist is told the folder that it shares with the others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one line of configuration; without it nothing is collected."""
    parser.addini(OPTION, f"Collect the scenarios in *{SUFFIX} files as tests.", "bool", False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A scenario file, if they are wanted."""
    if file_path.suffix == SUFFIX and parent.config.getini(OPTION):
        collector: ScenarioFile = ScenarioFile.from_parent(parent, path=file_path)
        return collector
    return None


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator[ScenarioItem]:
        """A test for each scenario; a file without any is a test that fails."""
        self.heads = dict(scenario_lines(self.path)) or {1: "no scenario"}
        taken: set[str] = set()
        for line, title in self.heads.items():
            name = _unused(title, taken)
            taken.add(name)
            item: ScenarioItem = ScenarioItem.from_parent(self, name=name, line=line)
            yield item


def scenario_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines on which a scenario begins, with its title.

    Nothing more is read here: what is wrong with the file, or with reading it, the command says.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return
    for number, line in enumerate(text.split("\n"), start=1):
        word, *rest = line.split(None, 1) or [""]
        if word == "scenario":
            yield number, "".join(rest).strip().strip('"').strip() or f"line {number}"


def _unused(title: str, taken: set[str]) -> str:
    """A name that can be printed, that no other test of the file has, and that pytest can select.

    `::` stands between the parts of a test's id.
    """
    printable = "".join(each if each.isprintable() else " " for each in title)
    name = printable.replace("::", ": :")[:LONGEST_NAME]
    names = (name if number == 1 else f"{name} ({number})" for number in count(1))
    return next(each for each in names if each not in taken)


class ScenarioFailed(Exception):
    """A scenario that does not hold, told as `truthsayer check` tells it."""

    def __init__(self, results: list[Result]) -> None:
        super().__init__("\n".join(each.report for each in results))
        self.first = results[0]


class ScenarioItem(pytest.Item):
    """A scenario as a test."""

    def __init__(self, *, line: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.line = line

    def runtest(self) -> None:
        """Fail if the scenario does not hold; one that only asks is skipped, and tests nothing."""
        results = outcomes(self.session).get(self) or [_failure(self, NO_RESULT)]
        bad = [each for each in results if not each.good]
        if bad:
            raise ScenarioFailed(bad)
        if all(each.not_tested for each in results):
            pytest.skip(results[0].not_tested)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report of the scenario, and the place in its file as that of the failure."""
        if not isinstance(excinfo.value, ScenarioFailed):
            return super().repr_failure(excinfo, style)
        shown = excinfo.getrepr(style="value")
        if shown.reprcrash is not None:
            first = excinfo.value.first
            shown.reprcrash.path = str(self.path)
            shown.reprcrash.lineno = first.reason_line
            shown.reprcrash.message = first.reason
        return shown

    def reportinfo(self) -> tuple[Path, int, str]:
        """The place of the scenario (lines are counted from 0 here) and its title."""
        return self.path, self.line - 1, self.name


NO_RESULT = (
    "TS0721: the run has no result for this scenario\n"
    "  help: the file was changed after the tests were collected: run them again"
)


def _failure(item: ScenarioItem, report: str) -> Result:
    """A failure that is not the scenario's own."""
    return Result(
        line=item.line,
        of_file=True,
        good=False,
        report=report,
        reason=report.partition("\n")[0],
        reason_line=item.line,
    )


# Running

Outcomes = dict[pytest.Item, list[Result]]

OUTCOMES = pytest.StashKey[Outcomes]()
SHARED = pytest.StashKey["TemporaryDirectory[str]"]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Have the results before the test: the run is for all, and no time limit of one cuts it."""
    if isinstance(item, ScenarioItem):
        outcomes(item.session)
    return (yield)


def outcomes(session: pytest.Session) -> Outcomes:
    """The results for each scenario of the session. The command runs when first asked."""
    if OUTCOMES not in session.stash:
        items = [item for item in session.items if isinstance(item, ScenarioItem)]
        session.stash[OUTCOMES] = _outcomes(items, session.config)
    return session.stash[OUTCOMES]


def _outcomes(items: list[ScenarioItem], config: pytest.Config) -> Outcomes:
    of_file: dict[Path, list[ScenarioItem]] = {}
    for item in items:
        of_file.setdefault(item.path, []).append(item)
    worker: dict[str, str] = getattr(config, "workerinput", {})
    shared = Path(worker[WORKER_KEY]) if WORKER_KEY in worker else None
    try:
        results = results_of(sorted(of_file), config.invocation_params.dir, shared)
    except RunFailed as failed:
        return {item: [_failure(item, str(failed))] for item in items}
    found: Outcomes = {}
    for path, own in of_file.items():
        found |= _outcomes_of_file(own, results.get(path.resolve(), []))
    return found


def _outcomes_of_file(items: list[ScenarioItem], results: list[Result]) -> Outcomes:
    """Each scenario gets what is said of it, the first also what is said of the file.

    Of a file that cannot be read nothing else is said, so all of its scenarios get that.
    """
    of_file = [each for each in results if each.of_file]
    found: Outcomes = {
        item: [each for each in results if each.line == item.line] or of_file for item in items
    }
    first = min(items, key=lambda item: item.line)
    assert isinstance(first.parent, ScenarioFile)
    outside = [each for each in of_file if each.line not in first.parent.heads]
    found[first] = list(dict.fromkeys([*outside, *found[first]]))
    return found


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist which folder it shares with the other workers."""
    config: pytest.Config = node.config
    if SHARED not in config.stash:
        folder = TemporaryDirectory(prefix="truthsayer-", ignore_cleanup_errors=True)
        config.stash[SHARED] = folder
        config.add_cleanup(folder.cleanup)
    node.workerinput[WORKER_KEY] = config.stash[SHARED].name
