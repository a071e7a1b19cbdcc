"""Play many sessions at once on a server of its own, and print figures.

The players are in another process than the server. A server that fails at anything but a limit
makes the command fail.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from pathlib import Path

from tests.server.load.players import Figures, load
from tests.server.running import server_process


def main() -> int:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200, help="played at the same time")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--processes", type=int, default=1, help="of the server")
    given = parser.parse_args()
    command = ("-m", "truthsayer", "serve", "--listen", "127.0.0.1:0")
    options = ("--processes", str(given.processes))
    limits = {"TRUTHSAYER_LIMITS_REQUESTS_PER_SECOND": "0"}
    with server_process(*command, *options, **limits) as (process, address):
        before = resident_mib(process.pid)
        figures = asyncio.run(load(address, given.sessions, given.seconds))
        after = resident_mib(process.pid)
    print(told(figures, given.sessions, given.seconds))
    print(f"memory of the server: {before} MiB before, {after} MiB after")
    return 1 if figures.failed else 0


def told(figures: Figures, sessions: int, seconds: float) -> str:
    """The figures as a table."""
    lines = [f"{sessions} sessions for {seconds:g} s, {figures.games} games ended"]
    for name, each in sorted(figures.seconds.items()):
        cuts = statistics.quantiles(each, n=100) if len(each) > 1 else each * 99
        lines.append(
            f"  {name:<20} {len(each) / seconds:8.1f} a second   "
            f"p50 {cuts[49] * 1000:7.1f} ms   p99 {cuts[98] * 1000:7.1f} ms"
        )
    lines.append(f"limit answers: {dict(figures.limited)}; other errors: {dict(figures.failed)}")
    return "\n".join(lines)


def resident_mib(process: int) -> int:
    """The memory of a process."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


if __name__ == "__main__":
    sys.exit(main())
