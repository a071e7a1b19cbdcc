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

from rules_engine.kernel.errors import TruthsayerError
from server import serve
from verifier import api
from verifier.verdicts import Verdict

FOLDER = Path(sys.argv[1])
SECONDS = {"slow": 3600.0, "soon": 1.0}


def property_named(name: str) -> SimpleNamespace:
    """One of ours."""
    if name not in SECONDS:
        raise TruthsayerError("TS0501", f"no property `{name}`")
    return SimpleNamespace(name=name)


def prove(name: str) -> Verdict:
    """Take the time that the property takes."""
    (FOLDER / name).write_text(str(os.getpid()))
    time.sleep(SECONDS[name])
    return Verdict(
        name=name,
        rules=(),
        verdict="proved",
        bounds="none",
        paths=1,
        seconds=SECONDS[name],
        rulings=(),
        twin="none",
    )


vars(api).update(property_named=property_named, prove=prove)

if __name__ == "__main__":
    serve(sys.argv[2], lambda address: print(f"this serves on {address}", flush=True))
