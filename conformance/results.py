"""How cases ended, and the first divergence of each."""

from __future__ import annotations

from typing import Any

from rules_engine.kernel.records import Record

PASS = "pass"
REFUSED = "refused as expected"
NOTHING = "nothing compared"
"""Nothing differs; but of what the case is about, nothing was looked at after an input."""
FAIL = "fail"
UNSUPPORTED = "unsupported"
SKIPPED = "skipped"
CRASHED = "crashed"
TIMED_OUT = "timed out"

GOOD = (PASS, REFUSED)
BAD = (FAIL, CRASHED, TIMED_OUT)


class Divergence(Record):
    """The first point at which an implementation is not where the reference is.

    `move` counts the moves of the case, from 1; 0 is the start. `kind` tells what was compared.
    `ruling` is the reading of an open point with which there would be none, if there is one.
    `unit` has all inputs that were given at once, if they are more than one.
    It `is_beyond` the case if it comes in an allowed input that the kit gives after a refusal.
    """

    kind: str
    move: int
    given: dict[str, Any]
    path: str
    expected: Any
    got: Any
    rules: tuple[str, ...]
    words: str = ""
    scenario: str = ""
    ruling: str = ""
    is_beyond: bool = False
    unit: tuple[dict[str, Any], ...] = ()


class Result(Record):
    """How one case ended. `lacks` are the capabilities without which it could not be played.

    `held` are the rules that the case is about and that were seen to hold, as long as it went well.
    """

    id: str
    title: str
    outcome: str
    rules: tuple[str, ...]
    detail: str = ""
    inputs: int = 0
    divergence: Divergence | None = None
    seconds: float = 0.0
    file: str = ""
    line: int = 0
    lacks: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
