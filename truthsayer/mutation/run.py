"""A whole run: from what is asked for to the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from truthsayer.mutation.checks import (
    LAWS,
    SCENARIOS,
    law_context,
    proof_context,
    scenario_context,
)
from truthsayer.mutation.excuses import excused_by, excuses, wrong_excuses
from truthsayer.mutation.law_checks import law_checks
from truthsayer.mutation.library import library_files
from truthsayer.mutation.proof_checks import proof_checks
from truthsayer.mutation.report import Report, found_of
from truthsayer.mutation.scenario_checks import scenario_checks
from truthsayer.mutation.session import Progress, Side, outcomes, side_of
from truthsayer.mutation.targets import evenly_spread, wanted_mutants
from truthsayer.mutation.trying import Outcome


def run(
    targets: Sequence[str],
    since: str | None,
    kinds: Sequence[str],
    sides: Iterable[str],
    jobs: int,
    limit: int | None,
    quick: bool,
    progress: Progress,
) -> Report:
    """Try the mutants that are wanted on each side; if `quick`, until one side notices them."""
    given = excuses()
    progress("making mutants")
    wanted = wanted_mutants(targets, since, kinds)
    mutants = evenly_spread(wanted, limit)
    found: dict[str, dict[str, Outcome]] = {}
    run_sides: list[Side] = []
    for name in sides if mutants else ():
        side = whole_side(name, progress)
        asked = [each for each in mutants if not (quick and _is_noticed(each.key, found))]
        found[name] = outcomes(side, asked, jobs, progress)
        side.spared = len(mutants) - len(asked)
        run_sides.append(side)
    excused = excused_by(mutants, given)
    noticed = {
        key: outcome.by
        for by_key in found.values()
        for key, outcome in by_key.items()
        if outcome.by
    }
    # Of a function that is mutated as a whole it is known which mutants there are.
    whole = {each.function for each in mutants} if len(mutants) == len(wanted) else set()
    return Report(
        found_of(mutants, found, excused),
        len(wanted),
        tuple(found) or tuple(sides),
        sum(side.kept for side in run_sides),
        tuple(note for side in run_sides for note in _notes(side)),
        tuple(wrong_excuses(given, excused, noticed, whole, len(wanted))),
    )


def _is_noticed(key: str, found: Mapping[str, Mapping[str, Outcome]]) -> bool:
    return any(key in by_key and by_key[key].by for by_key in found.values())


def whole_side(name: str, progress: Progress) -> Side:
    """All checks of one side."""
    if name == LAWS:
        return side_of(name, law_context(), law_checks(), progress)
    if name == SCENARIOS:
        return side_of(name, scenario_context(), scenario_checks(library_files()), progress)
    return side_of(name, proof_context(), proof_checks(), progress)


def _notes(side: Side) -> Iterable[str]:
    for name in side.broken:
        yield f"{name} fails on the true engine, so it can notice nothing"
    if side.spared:
        yield f"{side.name} were not asked about {side.spared} mutants that others notice"
    if side.given_up:
        yield (
            f"not all {side.name} were run on {side.given_up} mutants, which take long; "
            "another run goes on from there"
        )
    if side.damaged:
        yield f"{side.damaged} kept results of {side.name} were damaged, and were found out anew"
