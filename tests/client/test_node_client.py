"""The example client in TypeScript: its types fit the contract, and it plays with a server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.settings import Settings, Tls
from server.store.database import open_database
from server.store.tokens import Tokens
from tests.client.certificates import Authority
from tests.client.hosting import Host
from tests.node import WHEEL_NODE
from tests.server.running import server_in_thread
from truthsayer.client import Client
from truthsayer.v1 import session_pb2

ROOT = Path(__file__).parents[2]
FOLDER = Path("docs", "examples", "client")
OWN = Path(__file__).parent
TURNS = 30

pytestmark = pytest.mark.timeout(900)


def ended(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program of the wheel's node, once it has ended; an older node may not read TypeScript."""
    path = f"{WHEEL_NODE}{os.pathsep}{os.environ.get('PATH', '')}"
    return subprocess.run(
        [str(WHEEL_NODE / program), *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path, "NODE_NO_WARNINGS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example beside the contract, with the packages of its lock file."""
    top = tmp_path_factory.mktemp("example")
    folder = top / FOLDER
    shutil.copytree(ROOT / "proto", top / "proto")
    ignored = shutil.ignore_patterns("node_modules", "types")
    shutil.copytree(ROOT / FOLDER, folder, ignore=ignored)
    done = ended(folder, "npm", "ci", "--ignore-scripts")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_its_types_fit_the_contract_and_a_slip_does_not(installed: Path) -> None:
    for each in OWN.glob("*.ts"):
        shutil.copy(each, installed)
    checked = ended(installed, "npm", "run", "check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    program = installed / "slip.ts"
    text = (installed / "play.ts").read_text("utf-8")
    assert text.count("created.seatTokens.map") == 1
    program.write_text(text.replace("created.seatTokens.map", "created.seatToken.map"), "utf-8")
    checked = ended(installed, "npm", "run", "check")
    program.unlink()
    assert checked.returncode != 0
    assert "slip.ts" in checked.stdout
    assert "seatToken" in checked.stdout


def test_it_looks_up_checks_plays_and_listens(installed: Path, host: Host) -> None:
    done = ended(installed, "node", "play.ts", host.address)
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout
    assert printed.startswith("UPR-WALL-003: ")
    assert "NOT_FOUND TS0201: no rule `UPR-WALL-03`; did you mean `UPR-WALL-003`?" in printed
    assert "A Dagger gives a sword: VERDICT_PASSED\n1 of 1 passed\n" in printed
    assert re.search(r"^update \d+: back to \d+$", printed, re.MULTILINE)
    assert "ABORTED TS0831: " in printed
    assert re.search(r"^refused: \w+ \(UPR-[\w, -]+\)$", printed, re.MULTILINE)
    assert f"\n{TURNS} inputs taken\n" in printed
    assert re.search(r"^Paul: \[.*\]\nJessica: \d cards\nLeto: \d cards$", printed, re.MULTILINE)
    assert _played_truly(host, printed)


def _played_truly(host: Host, printed: str) -> bool:
    """What it says of its session is what the server kept."""
    (session,) = re.findall(r"^session (\S+) for 3 seats$", printed, re.MULTILINE)
    ((heard, revision),) = re.findall(r"^heard of .* (\d+) of (\d+)$", printed, re.MULTILINE)
    with Client(host.address, timeout=60) as client:
        (kept,) = client.list_sessions(session_pb2.ListSessionsRequest()).sessions
        replay = client.replay_session(session_pb2.ReplaySessionRequest(session=session))
    assert heard == revision
    assert (kept.session, kept.revision) == (session, int(revision))
    return replay.differs_at == 0


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program of node's that runs, and can be told something."""
    with subprocess.Popen(
        [str(WHEEL_NODE / "node"), *arguments],
        cwd=folder,
        env={**os.environ, "NODE_NO_WARNINGS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_goes_on_when_the_server_comes_back_and_an_input_counts_once(
    installed: Path, host: Host
) -> None:
    shutil.copy(OWN / "again.ts", installed)
    with started(installed, "again.ts", host.address) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        assert ready.startswith("ready "), ready + process.stdout.read()
        host.stop()
        host.start()
        host.forgetful.forget("SendInput")
        said, _ = process.communicate("go\n", timeout=60)
    _, session, before = ready.split()
    revision = int(before) + 1
    assert said == f"taken {revision}, heard {before} {revision}\n"
    assert host.forgetful.forgotten == 1
    with Client(host.address, timeout=60) as client:
        (kept,) = client.list_sessions(session_pb2.ListSessionsRequest()).sessions
    assert (kept.session, kept.revision) == (session, revision)


REFUSED = "NOT_FOUND TS0201 did you mean `UPR-WALL-003`?"


def test_it_reaches_a_server_that_is_secured(installed: Path, tmp_path: Path) -> None:
    shutil.copy(OWN / "secured.ts", installed)
    authority = Authority(tmp_path, "authority")
    (certificate, key), mine = authority.sign("server"), authority.sign("mine")
    store = tmp_path / "sessions.sqlite"
    files = (str(authority.certificate), *map(str, mine))
    settings = Settings(
        store=str(store),
        tokens=True,
        tls=Tls(str(certificate), str(key), str(authority.certificate)),
    )
    database = open_database(str(store))
    token, _ = Tokens(database).add(["run"], 1)
    database.close()
    with server_in_thread(settings) as address:

        def said(*arguments: str) -> list[str]:
            done = ended(installed, "node", "secured.ts", address, *arguments)
            assert done.returncode == 0, done.stdout + done.stderr
            return done.stdout.splitlines()

        assert said(*files, token) == ["Wall blocks sandworms", REFUSED]
        assert [each.split()[:2] for each in said(*files, "ts_0_0")] == [
            ["UNAUTHENTICATED", "TS0851"]
        ] * 2
        for without in (("", "", "", token), (files[0], "", "", token)):
            assert [each.split()[0] for each in said(*without)] == ["UNAVAILABLE"] * 2


def test_a_service_that_is_not_there_is_told(installed: Path) -> None:
    done = ended(installed, "node", "play.ts", "127.0.0.1:1")
    assert done.returncode == 1
    assert "UNAVAILABLE" in done.stderr
