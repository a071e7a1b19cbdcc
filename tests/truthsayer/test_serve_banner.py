"""What `truthsayer serve` says first is true: which services there are, and how to call them."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from server.run import SERVICES
from tests.server.certificates import Authority
from tests.server.running import ANY_PORT, ROOT, server_process
from tests.truthsayer.test_no_traceback import truthsayer

WORDS = {
    "truthsayer.v1.ConformanceService": "conformance",
    "truthsayer.v1.EngineService": "engine",
    "truthsayer.v1.RuleService": "rules",
    "truthsayer.v1.ScenarioService": "scenarios",
    "truthsayer.v1.SessionService": "sessions",
    "truthsayer.v1.VerifierService": "proofs",
}
SERVE = ("-m", "truthsayer", "serve", "--listen", ANY_PORT)


def said(process: subprocess.Popen[str]) -> list[str]:
    """What a server says behind its address, without spaces at the ends."""
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or lines[-1] != "Ctrl-C stops it.":
        lines.append(process.stdout.readline().strip())
    return lines


def test_every_service_is_named() -> None:
    with server_process(*SERVE) as (process, _):
        named = said(process)[0].removeprefix("services: ").partition(";")[0]
    assert sorted(named.split(", ")) == sorted(WORDS[each] for each in SERVICES)


def test_what_it_says_to_try_works() -> None:
    with server_process(*SERVE) as (process, address):
        lines = said(process)
        assert "Try, in another terminal:" in lines
        (command,) = [each for each in lines if " rules " in each]
        assert command.endswith(f" --server {address}")
        done = subprocess.run(
            shlex.split(command), cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stdout.startswith("UPR-WALL-003")


def test_it_says_what_a_call_needs_beside_the_address(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    own, mine = authority.pair("server"), authority.pair("mine")
    store = str(tmp_path / "sessions.sqlite")
    made = truthsayer("tokens", "add", "--scope", "run", "--days", "1", "--store", store)
    flags = ("--tls-certificate", str(own.certificate), "--tls-key", str(own.key), "--tokens")
    more = ("--tls-client-ca", str(authority.certificate))
    with server_process(*SERVE, *flags, *more, TRUTHSAYER_STORE=store) as (process, address):
        (found,) = [each for each in said(process) if each.startswith("Try")]
        options = found.removeprefix("Try, in another terminal with ").rstrip(":").split()
        files = iter((authority.certificate, mine.certificate, mine.key, made.stdout.split()[0]))
        own_options = [each if each.startswith("--") else str(next(files)) for each in options]
        call = ("rules", "UPR-WALL-003", "--server", address)
        assert truthsayer(*call).returncode == 2
        done = truthsayer(*call, *own_options)
    assert done.stdout.startswith("UPR-WALL-003"), done.stderr
