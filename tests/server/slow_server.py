"""A server with two properties of its own: `slow` takes an hour, `soon` a second.

Worker processes import the module that the server was started from, so they have them as well.
Each property first writes the id of its process to the folder given.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import verifier
from server import serve

FOLDER = Path(sys.argv[1])
SECONDS = {"slow": 3600.0, "soon": 1.0}


def properties() -> tuple[SimpleNamespace, ...]:
    """What can be proved here."""
    return tuple(
        SimpleNamespace(name=name, rules=(), bounds="none", twin="none", doc="sleeps")
        for name in SECONDS
    )


def prove(name: str) -> SimpleNamespace:
    """Take the time that the property takes."""
    (FOLDER / name).write_text(str(os.getpid()))
    time.sleep(SECONDS[name])
    return SimpleNamespace(
        name=name,
        rules=(),
        verdict="proved",
        bounds="none",
        paths=1,
        seconds=SECONDS[name],
        detail="",
        twin="none",
        case=None,
    )


vars(verifier).update(properties=properties, prove=prove)

if __name__ == "__main__":
    serve(sys.argv[2], lambda address: print(f"this serves on {address}", flush=True))
