"""The example client in TypeScript: its types fit the contract, and it plays with a server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.client.hosting import Host
from tests.node import WHEEL_NODE
from truthsayer.client import Client
from truthsayer.v1 import session_pb2

ROOT = Path(__file__).parents[2]
FOLDER = Path("docs", "examples", "client")
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


def test_a_service_that_is_not_there_is_told(installed: Path) -> None:
    done = ended(installed, "node", "play.ts", "127.0.0.1:1")
    assert done.returncode == 1
    assert "UNAVAILABLE" in done.stderr
