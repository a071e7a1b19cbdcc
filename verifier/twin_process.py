"""The process of a twin: runs one property against the engine of the folder it was started in."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

import rules_engine
from verifier.api import prove
from verifier.explorer import Budget
from verifier.obligations import Manner


def main() -> None:
    """Read what to run, check that the engine is the changed one, write the verdict."""
    name, budget = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[str, Budget])
    if not Path(rules_engine.__file__).is_relative_to(Path.cwd()):
        raise SystemExit(f"this is not the changed engine: {rules_engine.__file__}")
    sys.stdout.buffer.write(msgspec.json.encode(prove(name, manner=Manner(budget=budget))))


if __name__ == "__main__":
    main()
