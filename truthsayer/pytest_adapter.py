"""The fixture `truthsayer_adapter`: each case of the conformance kit is a test of one's own code.

The adapter runs in the process of the test. The kit runs in a process of its own, which looks at
installed packages only, and asks over a pipe.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import pytest

from truthsayer.pytest_plugin import WORKER_KEY
from truthsayer.pytest_run import MOST_LINES, Finished, once

FIXTURE = "truthsayer_adapter"
MARK = "truthsayer"
WORDS = ("rules", "tags", "cases", "paths")
"""What the mark may say of the cases that are wanted."""

LEAVING_SECONDS = 10
"""How long the kit may take to end."""

Json = dict[str, Any]
Adapter = Callable[[Json], Json | None]
"""Answers a call of the kit; both are as the manual tells them, as plain data."""


def pytest_configure(config: pytest.Config) -> None:
    """Tell pytest the mark."""
    config.addinivalue_line(
        "markers", f"{MARK}({', '.join(WORDS)}): which cases `{FIXTURE}` plays, each a sequence."
    )


# Which cases


class Wanted(NamedTuple):
    """A case, and the selection that it is of."""

    case: str
    selection: Mapping[str, list[str]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the fixture is one for each case."""
    if FIXTURE not in metafunc.fixturenames:
        return
    selection = _selection(metafunc.definition)
    try:
        cases = _listed(metafunc.config, selection)
    except KitFailed as failed:
        pytest.fail(str(failed), pytrace=False)
    wanted = [Wanted(case, selection) for case in cases]
    metafunc.parametrize(FIXTURE, wanted, ids=cases, indirect=True)


def _selection(test: pytest.Item) -> dict[str, list[str]]:
    """What the marks of a test say; paths are those from its folder on."""
    found: dict[str, list[str]] = {word: [] for word in WORDS}
    for mark in test.iter_markers(MARK):
        if mark.args or not mark.kwargs.keys() <= found.keys():
            pytest.fail(WRONG_MARK, pytrace=False)
        for word, said in mark.kwargs.items():
            found[word] += [said] if isinstance(said, str) else map(str, said)
    found["paths"] = [str(test.path.parent / path) for path in found["paths"]]
    return found


WRONG_MARK = (
    f"TS0722: the mark `{MARK}` says something that it does not know\n"
    f"  help: it takes {', '.join(f'`{word}=`' for word in WORDS)}, each with a list"
)


def _listed(config: pytest.Config, selection: dict[str, list[str]]) -> list[str]:
    """The ids of the cases. Of the workers of pytest-xdist, the first that asks finds them."""

    def listed() -> Finished:
        try:
            reply = _kit(config).ask({"selection": selection})
        except KitFailed as failed:
            return Finished("", str(failed))
        return Finished(json.dumps(reply["cases"]), "")

    worker: dict[str, str] = getattr(config, "workerinput", {})
    shared = worker.get(WORKER_KEY)
    key = [*COMMAND, json.dumps(selection)]
    finished = listed() if shared is None else once(Path(shared), key, listed)
    if finished.fault:
        raise KitFailed(finished.fault)
    cases: list[str] = json.loads(finished.output)
    return cases


# The fixture


class Play:
    """Plays the case of a test on an adapter; a test that never calls it has tested nothing."""

    def __init__(self, config: pytest.Config, wanted: Wanted) -> None:
        self._config = config
        self._wanted = wanted
        self.called = False

    def __call__(self, adapter: Adapter) -> None:
        """Fail where the adapter diverges, and skip where it could not be compared."""
        __tracebackhide__ = True
        self.called = True
        request = {"selection": self._wanted.selection, "case": self._wanted.case}
        try:
            reply = _kit(self._config).played(request, adapter)
        except KitFailed as failed:
            pytest.fail(str(failed), pytrace=False)
        if reply["verdict"] == "not tested":
            pytest.skip(reply["text"])
        if reply["verdict"] != "passed":
            pytest.fail(reply["text"], pytrace=False)


@pytest.fixture
def truthsayer_adapter(request: pytest.FixtureRequest) -> Play:
    """Give it your adapter, a function that answers a call: it plays the case of this test."""
    return Play(request.config, request.param)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """See that a test which has the fixture has used it."""
    done = yield
    play = pyfuncitem.funcargs.get(FIXTURE)
    if isinstance(play, Play) and not play.called:
        pytest.fail(NOT_CALLED, pytrace=False)
    return done


NOT_CALLED = (
    f"TS0723: the test has `{FIXTURE}` and gives it no adapter, so nothing was tested\n"
    f"  help: call `{FIXTURE}(answer)` with the function that answers a call"
)


# The kit


class KitFailed(Exception):
    """The kit has no answer; the text says why and what to do."""


COMMAND = (
    *(sys.executable or "", "-I", "-X", "utf8", "-m", "truthsayer"),
    *("conform", "in-tests"),
)


class Kit:
    """The kit in its process, started when it is first asked."""

    def __init__(self) -> None:
        self._errors = TemporaryFile()  # noqa: SIM115  it is open as long as the process runs
        try:
            self._process = subprocess.Popen(
                COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except OSError as error:
            raise KitFailed(_fault(f"it did not start: {error.strerror}")) from error

    @property
    def running(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def ask(self, request: Json) -> Json:
        """What it says to a request."""
        return self._say(json.dumps(request))

    def played(self, request: Json, adapter: Adapter) -> Json:
        """How a case ended, with the adapter answering what the kit asks."""
        reply = self.ask(request)
        while "calls" in reply:
            try:
                answers = _answers(adapter, reply["calls"])
            except KeyboardInterrupt:
                self.close()
                raise
            except BaseException:
                self.ask({"answers": None})
                raise
            reply = self._say(f'{{"answers":{answers}}}')
        return reply

    def _say(self, line: str) -> Json:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
            reply: Json = json.loads(self._process.stdout.readline())
        except (OSError, ValueError) as error:
            code = self._process.wait(LEAVING_SECONDS)
            raise KitFailed(_fault(f"it ended with exit code {code}", self._last())) from error
        if "error" in reply:
            raise KitFailed(reply["error"])
        return reply

    def _last(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")

    def close(self) -> None:
        """End it."""
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        try:
            self._process.wait(LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()


def _answers(adapter: Adapter, batch: Json) -> str:
    """The answers, each written down at once: the next call may change what it shows."""
    answers = [json.dumps(_answer(adapter, call)) for call in batch["calls"]]
    return f'{{"id":{batch["id"]},"answers":[{",".join(answers)}]}}'


def _answer(adapter: Adapter, call: Json) -> Json | None:
    """What the adapter says to a call; whatever it has not implemented is unsupported."""
    name = call["call"]
    try:
        return adapter(call)
    except NotImplementedError as lacking:
        return {"answer": "unsupported", "what": str(lacking) or name}


def _fault(why: str, said: str = "") -> str:
    lines = [
        f"TS0724: `{' '.join(COMMAND)}` does not answer: {why}",
        *(f"  | {line}".rstrip() for line in said.splitlines()[-MOST_LINES:]),
        f"  help: see what `{COMMAND[0]} -I -m truthsayer --version` says: Truthsayer has to be "
        "installed where the tests run",
    ]
    return "\n".join(lines)


KIT = pytest.StashKey[Kit]()


def _kit(config: pytest.Config) -> Kit:
    """The one of this process; if it has ended, another."""
    if KIT not in config.stash or not config.stash[KIT].running:
        if KIT in config.stash:
            config.stash[KIT].close()
        config.stash[KIT] = Kit()
        config.add_cleanup(config.stash[KIT].close)
    return config.stash[KIT]
