"""One run: which mutants are noticed by which side, with what is kept of earlier runs."""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rules_engine.kernel.records import Record
from truthsayer.mutation import in_process
from truthsayer.mutation.checks import Check, Place, Reached, reaching
from truthsayer.mutation.mutants import Mutant
from truthsayer.mutation.store import Store
from truthsayer.mutation.tables import users
from truthsayer.mutation.trying import Attempt, Outcome, try_all
from verifier.kept import user_folder

SHORT = 8
"""Letters of a digest that tell the checks of one mutant apart."""

Progress = Callable[[str], None]


class KeptReach(Record):
    """What a check did on the true engine of some context."""

    context: str
    seconds: float
    fails: str
    places: tuple[tuple[str, int], ...]


class KeptOutcome(Record):
    """What became of a mutant: noticed by a check of this content, or by none of those tried."""

    context: str
    by: str = ""
    how: str = ""
    content: str = ""
    tried: tuple[str, ...] = ()


@dataclasses.dataclass
class Side:
    """All checks of one kind, and the content of everything that they depend on besides."""

    name: str
    context: str
    checks: list[Check]
    broken: tuple[str, ...] = ()
    """Checks that fail on the true engine: they can notice nothing."""
    kept: int = 0
    """Outcomes that are known from earlier runs."""
    spared: int = 0
    """Mutants that were not tried, because another side notices them."""
    given_up: int = 0
    """Mutants for which not every check was run."""
    damaged: int = 0
    """Kept results that could not be read, and were found out anew."""


def side_of(name: str, context: str, checks: Iterable[Check], progress: Progress) -> Side:
    """The checks of one kind, with what each reaches: recorded once for each content."""
    store = Store(_folder() / f"{name}-reach.jsonl", KeptReach)
    found: list[Check] = []
    broken = []
    for number, check in enumerate(checks, 1):
        progress(f"what {name} reach: {number}")
        known = store.get(check.content)
        if known is None or known.context != context:
            known = _reach_of(check, context)
            store.keep(check.content, known)
        if known.fails:
            broken.append(check.name)
            continue
        places: frozenset[Place] = frozenset(known.places)
        found.append(dataclasses.replace(check, seconds=known.seconds, reaches=places))
    return Side(name, context, found, tuple(broken), damaged=store.damaged)


def _reach_of(check: Check, context: str) -> KeptReach:
    # What an earlier check left behind would be reached without being run.
    in_process.forget_answers()
    seen = Reached(check.run)
    return KeptReach(context, round(seen.seconds, 4), seen.answer, tuple(sorted(seen.places)))


def outcomes(
    side: Side, mutants: Sequence[Mutant], jobs: int, progress: Progress
) -> dict[str, Outcome]:
    """What this side says about each mutant, by its key."""
    store = Store(_folder() / f"{side.name}.jsonl", KeptOutcome)
    side.damaged += store.damaged
    contents = {check.name: check.content for check in side.checks}
    found: dict[str, Outcome] = {}
    open_ones: list[tuple[Mutant, KeptOutcome | None]] = []
    for mutant in mutants:
        known = store.get(mutant.key)
        if known is not None and _settled(side, mutant, known, contents):
            found[mutant.key] = Outcome(known.by, known.how)
            side.kept += 1
        else:
            open_ones.append((mutant, known))
    _prepare_to_fork()
    survivors = 0
    for attempt, outcome in try_all(_attempts(side, open_ones, found), jobs):
        mutant = attempt.mutant
        known = store.get(mutant.key)
        store.keep(mutant.key, _to_keep(side, attempt, outcome, known, contents))
        found[mutant.key] = outcome
        survivors += not outcome.by
        side.given_up += not outcome.by and outcome.tried < len(attempt.checks)
        done = len(found) - side.kept
        progress(f"{side.name}: {done} of {len(open_ones)} mutants, {survivors} unnoticed so far")
    return found


def _settled(side: Side, mutant: Mutant, known: KeptOutcome, contents: Mapping[str, str]) -> bool:
    """Whether nothing is new: what noticed it is as it was, or all that reach it are tried."""
    if known.context != side.context:
        return False
    if known.by:
        return contents.get(known.by, "") == known.content
    return not _in_order(side, mutant, known, {})


def _folder() -> Path:
    return user_folder("mutants")


def _prepare_to_fork() -> None:
    in_process.ready()
    gc.collect()
    # Forked processes then share what is there now for longer.
    gc.freeze()


def _attempts(
    side: Side,
    mutants: Iterable[tuple[Mutant, KeptOutcome | None]],
    found: dict[str, Outcome],
) -> Iterator[Attempt]:
    """The checks to run for each mutant, the likeliest first: what noticed another of its unit."""
    noticed: dict[str, dict[str, int]] = {}
    last: dict[str, Mutant] = {}
    for mutant, known in mutants:
        for key, earlier in list(last.items()):
            if key in found:
                by = noticed.setdefault(earlier.function, {})
                by[found[key].by] = by.get(found[key].by, 0) + 1
                del last[key]
        last[mutant.key] = mutant
        yield Attempt(mutant, _in_order(side, mutant, known, noticed.get(mutant.function, {})))


def _in_order(
    side: Side, mutant: Mutant, known: KeptOutcome | None, noticed: Mapping[str, int]
) -> list[Check]:
    table = frozenset() if mutant.unit.function else users(mutant.unit.name)
    checks = reaching(mutant, side.checks, table)
    if known is not None and known.context == side.context:
        checks = [check for check in checks if check.content[:SHORT] not in known.tried]
    before = known.by if known is not None else ""
    return sorted(
        checks,
        key=lambda check: (
            check.name != before,
            -noticed.get(check.name, 0),
            mutant.file not in check.about,
            check.seconds,
            len(check.reaches),
        ),
    )


def _to_keep(
    side: Side,
    attempt: Attempt,
    outcome: Outcome,
    known: KeptOutcome | None,
    contents: Mapping[str, str],
) -> KeptOutcome:
    if outcome.by:
        return KeptOutcome(side.context, outcome.by, outcome.how, contents.get(outcome.by, ""))
    before = known.tried if known is not None and known.context == side.context else ()
    tried = {*before, *(check.content[:SHORT] for check in attempt.checks[: outcome.tried])}
    return KeptOutcome(side.context, tried=tuple(sorted(tried)))
