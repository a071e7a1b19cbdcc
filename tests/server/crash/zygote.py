"""A process that has read everything a server needs, and forks one whenever it is told to.

For each line on its standard input it starts a server with nothing but sessions, which says on the
standard output at which address it serves, and which process it is. It ends with its input.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys

from server.settings import Limits
from server.store.database import Synchronous
from tests.bench.random_play import played
from tests.server.sessions.hosting import serve_sessions


async def _serve(store: str, synchronous: Synchronous) -> None:
    limits = Limits(sessions=10**6, sessions_per_caller=10**6)
    running = await serve_sessions(store, limits, synchronous)
    # In one piece, because several processes write to the same pipe.
    os.write(sys.stdout.fileno(), f"{running.address} {os.getpid()}\n".encode())
    await asyncio.Event().wait()


def main(store: str, synchronous: Synchronous) -> None:
    """Fork servers until nobody asks for more."""
    played(1)  # grammars and catalogues are read once
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in sys.stdin:
        if os.fork() == 0:
            random.seed()
            try:
                asyncio.run(_serve(store, synchronous))
            finally:
                os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1], "normal" if "normal" in sys.argv[2:] else "full")
