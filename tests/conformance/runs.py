"""Reports made by hand, for tests."""

from __future__ import annotations

from typing import Any

from conformance.messages import Described
from conformance.report import Followed, Report
from conformance.results import CRASHED, FAIL, PASS, TIMED_OUT, UNSUPPORTED, Divergence, Result

COMBAT, WALL, SPY = "UPR-COMBAT-001", "UPR-WALL-003", "UPR-SPY-001"

HOSTILE = "<script>alert('$title & \"all\"')</script> ${x} </article> ]]> -->"
UNSEEN = "\x00\x1b[31mred\x07\u202e\ud800\ufffe 沙丘\r\nnext line"
LONG = "x" * 1_000_000


def divergence(**fields: Any) -> Divergence:
    """Where an implementation has one water too few."""
    known: dict[str, Any] = {
        "kind": "field",
        "move": 2,
        "given": {"do": {"action": "pass", "by": 0}},
        "path": "players.0.water",
        "expected": 3,
        "got": 2,
        "rules": (COMBAT, WALL),
        "words": "Abby passes",
        "scenario": 'scenario "Abby has 3 water"\n',
    }
    return Divergence(**{**known, **fields})


def result(case: str, outcome: str = PASS, **fields: Any) -> Result:
    """How a case ended; without more, it is about the Combat phase."""
    known: dict[str, Any] = {"title": f"Title of {case}", "rules": (COMBAT,)}
    if outcome == FAIL:
        known["divergence"] = divergence()
    if outcome == PASS:
        known["held"] = fields.get("rules", known["rules"])
    return Result(case, **{**known, "outcome": outcome, **fields})


def by_ruling(case: str, ruling: str = "ties = shared") -> Result:
    """A case that differs by a ruling alone."""
    return result(case, FAIL, divergence=divergence(ruling=ruling), held=(COMBAT,))


def report(*results: Result, **fields: Any) -> Report:
    """A run against an adapter."""
    known: dict[str, Any] = {
        "adapter": Described("sand", "1.2", ("uprising",)),
        "engine": "0.1.0",
        "product": "uprising",
        "rules": (COMBAT, WALL, SPY),
    }
    return Report(**{**known, "results": results, **fields})


def one_of_each() -> tuple[Result, ...]:
    """Cases that end in every way but the skipped."""
    return (
        result("good"),
        result("bad", FAIL, file="uprising/combat.scenario", line=7, seconds=0.25),
        result("dead", CRASHED, detail="it ended with code 3", rules=(SPY,)),
        result("slow", TIMED_OUT, detail="no answer in 5 s", rules=()),
        result("deaf", UNSUPPORTED, detail="it needs position", lacks=("position",), rules=(WALL,)),
        by_ruling("other"),
    )


def hostile(text: str) -> Report:
    """A run in which everything that can be a text is this one."""
    wrong = divergence(
        kind=text,
        path=text,
        given={text: text},
        expected=text,
        got=[text, {text: text}],
        rules=(text,),
        words=text,
        scenario=text,
    )
    known = {"title": text, "rules": (text,), "detail": text, "file": text, "line": 3}
    bad = result(text, FAIL, divergence=wrong, **known)
    lacking = result(f"{text}2", UNSUPPORTED, lacks=(text,), **known)
    read = result(f"{text}3", FAIL, divergence=divergence(ruling=text))
    return report(
        bad,
        lacking,
        read,
        adapter=Described(text, text, (text,)),
        engine=text,
        product=text,
        rules=(text, COMBAT, WALL),
        followed=(Followed(text, text, 1),),
        left_out={text: text},
    )
