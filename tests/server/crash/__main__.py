"""`python -m tests.server.crash`: kill servers many times, on one store or on both."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from tests.server.crash.rounds import Report, crash
from tests.server.postgres import postgres_server

EVERY = 50


def main() -> None:
    """Kill, look, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000, help="kills on each store")
    parser.add_argument("--store", choices=("sqlite", "postgres"), help="one store; both if not")
    given = parser.parse_args()
    for name in (given.store,) if given.store else ("sqlite", "postgres"):
        began = time.monotonic()
        if name == "postgres":
            with postgres_server() as address:
                report = crash(address, given.rounds, _progress)
        else:
            with tempfile.TemporaryDirectory() as folder:
                report = crash(str(Path(folder, "sessions.sqlite")), given.rounds, _progress)
        print(f"{name}: {report}; {time.monotonic() - began:.0f} s", flush=True)


def _progress(report: Report) -> None:
    if report.rounds % EVERY == 0:
        print(f"  {report.rounds} kills, {report.in_flight} with inputs in flight", flush=True)


if __name__ == "__main__":
    main()
