"""Runs checks by their names in a process that has nothing at hand yet."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

import msgspec

from truthsayer.mutation.checks import LAWS, PROOFS, SCENARIOS, Check
from truthsayer.mutation.law_checks import law_checks
from truthsayer.mutation.library import library_files
from truthsayer.mutation.proof_checks import proof_checks
from truthsayer.mutation.scenario_checks import scenario_checks
from truthsayer.mutation.trying import first_to_notice

Wanted = tuple[str, str, float]
"""The side of a check, its name and how long it takes."""


def run_again(wanted: Iterable[Wanted]) -> str:
    """What the first of the checks to notice the change says, as JSON."""
    return msgspec.json.encode(first_to_notice(_named(list(wanted)))).decode()


def _named(wanted: list[Wanted]) -> Iterator[Check]:
    sides = {side for side, _, _ in wanted}
    names = {name for _, name, _ in wanted}
    known: dict[str, Check] = {}
    if SCENARIOS in sides:
        known |= {each.name: each for each in scenario_checks(library_files(names))}
    if PROOFS in sides:
        known |= {each.name: each for each in proof_checks()}
    if LAWS in sides:
        known |= {each.name: each for each in law_checks()}
    for _, name, seconds in wanted:
        # A change may leave a property without the case.
        if name in known:
            yield dataclasses.replace(known[name], seconds=seconds)
