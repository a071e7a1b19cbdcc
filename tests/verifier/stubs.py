"""Puts a stub in the place of each rule function that a proof ran: some property has to notice.

Run as `python -m tests.verifier.stubs`. Proofs kept in the user's cache directory are used to know
which functions each of them ran. `stubs_unnoticed.txt` lists the functions whose stub is known to
go unnoticed; the list may only get shorter. Of what only says which rule a refusal names, proofs
claim the rules about the moment (properties `windows` and `not_due`) and no others; scenarios with
`because` and tests/imperium/test_windows.py notice the rest.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from truthsayer.mutation.in_process import forget_answers
from verifier import api
from verifier.dependencies import RULES, by_key
from verifier.kept import Kept, user_folder
from verifier.obligations import Manner, Obligation, obligations, settle_obligation
from verifier.reached import refused_in
from verifier.verdicts import PROVED

MOST_TRIED = 60
"""So many proofs that ran a function are tried, until one notices."""

KNOWN = Path(__file__).with_name("stubs_unnoticed.txt")

SECONDS = 120
"""A stub may make a play endless; that is noticed too."""

Covered = dict[str, list[Obligation]]


def stub(*_: Any, **__: Any) -> None:
    """Do nothing."""


def covered() -> Covered:
    """The rule functions that proofs ran, and those proofs, the likeliest to notice first.

    Those are about the function's file; then come those with the fewest paths. Both are the same on
    every machine, so every run tries the same.
    """
    kept = Kept(user_folder())
    for _ in api.prove_all(jobs=os.cpu_count() or 1, kept=kept):
        pass
    found = kept.find(obligations(api.properties()), Manner())
    quickest = sorted(found.values(), key=lambda each: (each.settled.paths, each.obligation.title))
    proofs: Covered = defaultdict(list)
    for outcome in quickest:
        for key in outcome.dependencies:
            if key.startswith(RULES):
                proofs[key].append(outcome.obligation)
    return {key: _likeliest_first(key, tried) for key, tried in proofs.items()}


def _likeliest_first(key: str, proofs: list[Obligation]) -> list[Obligation]:
    """Those of properties that were written for the module of a function, then the others."""
    module = key.partition(":")[0]
    known = {each.name: each.twins.values() for each in api.properties()}
    return sorted(
        proofs, key=lambda each: all(twin.where != module for twin in known[each.names[0]])
    )


def unnoticed(functions: Iterable[tuple[str, list[Obligation]]]) -> Iterator[str]:
    """The functions whose stub no proof notices."""
    known = by_key()
    for key, proofs in functions:
        if key in known and not _noticed(known[key], proofs[:MOST_TRIED]):
            yield key


def _noticed(function: FunctionType, proofs: list[Obligation]) -> bool:
    """Try the proofs in a process of its own, so that nothing is left of the stub."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        os._exit(0 if _fails(function, stub.__code__, proofs) else 1)
    _, status = os.waitpid(child, 0)
    return not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0


def _fails(function: FunctionType, code: CodeType, proofs: list[Obligation]) -> bool:
    # A function keeps what it closes over.
    function.__code__ = code.replace(co_freevars=function.__code__.co_freevars)
    forget_answers()
    for obligation in proofs:
        alone = Obligation(obligation.names[:1], obligation.case)
        for each in (obligation, alone):
            outcomes = settle_obligation(each, Manner())
            if any(outcome.settled.verdict != PROVED for outcome in outcomes):
                return True
    return False


def _part(functions: list[tuple[str, list[Obligation]]]) -> list[str]:
    # What the lint finds is found once, before a process is forked off for each function.
    refused_in({each.__code__ for each in by_key().values()})
    return list(unnoticed(functions))


def main() -> int:
    """Name every function whose stub goes unnoticed."""
    functions = sorted(covered().items())
    jobs = os.cpu_count() or 1
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        parts = pool.map(_part, [functions[at::jobs] for at in range(jobs)])
    missed = {key for part in parts for key in part}
    known = set(KNOWN.read_text(encoding="utf-8").split())
    for key in sorted(missed - known):
        print(f"no property notices a stub in the place of {key}")
    for key in sorted(known - missed):
        print(f"a stub in the place of {key} is noticed now: take it off the list")
    print(f"{len(functions)} functions of rules run in proofs, {len(missed)} stubs go unnoticed")
    return 0 if functions and missed <= known else 1


if __name__ == "__main__":
    sys.exit(main())
