"""Which faults the kit finds: `python -m tests.conformance.fault_table [NAME...]`.

Each fault is tried on its own, over a pipe, with all cases. The cases are in an order that knows
nothing of the faults: those that are about the fewest rules come first. What no case finds is tried
with a fixed number of generated games, until one fails.
"""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing

from conformance.cases import Case
from conformance.corpus import corpus
from conformance.faults import AdapterFault
from conformance.games import rules_of
from conformance.messages import Described
from conformance.playing import play
from conformance.results import BAD, Result
from conformance.run import Tester
from conformance.suspecting import MOST, suspects
from conformance.target import Target, connect, greeted
from rules_engine.kernel.records import Record
from scenarios.finding import library_files
from tests.conformance.faulty import TABLES, Fault, faults

SECONDS = 30
ROUNDS = 10
"""So many rounds of generated games are played at most, with the seeds from 1 on."""


class Row(Record):
    """What became of a fault: the first case or game that found it, if one did, and how."""

    fault: Fault
    result: Result | None = None
    at_first_try: bool = False
    """Whether a case of the scenarios found it."""

    suspected: tuple[str, ...] = ()
    """The rules that the report of the whole run gives as most likely broken."""

    @property
    def caught(self) -> bool:
        """Whether a case or a game has found it."""
        return self.result is not None

    @property
    def named(self) -> tuple[str, ...]:
        """Of the rules that it breaks, those that the divergence names."""
        found = None if self.result is None else self.result.divergence
        return tuple(rule for rule in self.fault.rules if found and rule in found.rules)

    @property
    def place(self) -> int | None:
        """The first place among the rules most likely broken that has one which is."""
        places = (at for at, rule in enumerate(self.suspected, 1) if rule in self.fault.rules)
        return next(places, None)

    @property
    def inputs(self) -> int | None:
        """How many inputs it takes to show it."""
        found = None if self.result is None else self.result.divergence
        return None if found is None else found.move


def library_cases(files: Sequence[tuple[str, str]] | None = None) -> list[Case]:
    """The cases of all scenarios, or of some files: about few rules and with few moves first."""
    cases = corpus(library_files() if files is None else files).cases
    return sorted(cases, key=lambda case: (len(case.rules), len(case.moves), case.id))


def tried(fault: Fault, cases: Iterable[Case]) -> Row:
    """Play the cases on the faulty adapter, and if none fails, generated games."""
    command = (sys.executable, "-m", "tests.conformance.faulty", fault.name)
    target = Target(command, seconds=SECONDS)
    with closing(connect(target)) as connection:
        about = greeted(connection, target)
    results = list(_played(cases, target, about))
    at_first_try = any(result.outcome in BAD for result in results)
    if not at_first_try:
        results = list(_games(target, about))
    first = next((result for result in results if result.outcome in BAD), None)
    found = tuple(each.rule for each in suspects(results))
    return Row(fault, first, at_first_try=at_first_try, suspected=found)


def _played(cases: Iterable[Case], target: Target, about: Described) -> Iterator[Result]:
    """Play each case; an adapter that breaks down in one is started anew."""
    connection = connect(target)
    try:
        greeted(connection, target)
        for case in cases:
            try:
                yield play(case, about, connection)
            except AdapterFault as broken:
                yield Result(case.id, case.title, broken.outcome, case.rules, broken.message)
                connection.close()
                connection = connect(target)
                greeted(connection, target)
    finally:
        connection.close()


def _games(target: Target, about: Described) -> Iterator[Result]:
    """Rounds of games, until one has found something."""
    tester = Tester(lambda: connect(target), target, about)
    seen: Counter[str] = Counter()
    try:
        for seed in range(1, ROUNDS + 1):
            results = tester.games(seed, seen)
            yield from results
            if any(result.outcome in BAD for result in results):
                return
            seen.update(rules_of(results))
    finally:
        tester.leave()


# Telling


HEAD = (
    "| fault | kind | caught at first try | caught | rule named | place | inputs | rules |"
    " where it shows |",
    "|:--|:--|:--|:--|:--|--:|--:|:--|:--|",
)


def line(row: Row) -> str:
    """A row of the table."""
    fault, result = row.fault, row.result
    cells = [fault.name.replace("_", " "), fault.kind, _said(row.at_first_try), _said(row.caught)]
    if result is None:
        cells += ["", "", "", ", ".join(fault.rules), ""]
    else:
        found = result.divergence
        where = result.outcome if found is None else f"{found.kind} {found.path}".strip()
        inputs = "" if row.inputs is None else str(row.inputs)
        place = "" if row.place is None else str(row.place)
        told = [_said(bool(row.named)), place, inputs, ", ".join(fault.rules)]
        cells += [*told, f"{where}: {result.title}"]
    return f"| {' | '.join(cells)} |"


def _said(is_so: bool) -> str:
    return "yes" if is_so else "no"


def summary(rows: Sequence[Row]) -> str:
    """The figures of all rows."""
    caught = [row for row in rows if row.caught]
    inputs = [row.inputs for row in caught if row.inputs is not None]
    places = [row.place for row in caught if row.place is not None]
    return (
        f"{sum(row.at_first_try for row in rows)} of {len(rows)} faults caught at first try, "
        f"{len(caught)} with generated games; a rule that it breaks is among the {MOST} that the "
        f"report gives as most likely broken for {len(places)} (the first of them for "
        f"{places.count(1)}), and named by the first divergence for "
        f"{sum(bool(row.named) for row in caught)}; {_median(inputs)} inputs at the median"
    )


def _median(numbers: Sequence[int]) -> str:
    return f"{statistics.median(numbers):g}" if numbers else "no"


def main(names: Sequence[str]) -> int:
    """Print the table for all faults, or for those that are named."""
    known = faults()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"error: no fault {', '.join(f'`{name}`' for name in unknown)}", file=sys.stderr)
        return 2
    cases = library_cases()
    all_caught = True
    with ProcessPoolExecutor(initializer=_keep, initargs=(cases,)) as processes:
        for table in TABLES:
            chosen = [each for name, each in faults(table).items() if not names or name in names]
            if chosen:
                rows = _printed(processes.map(_tried, chosen))
                print(f"\n{summary(rows)}\n", flush=True)
                all_caught &= all(row.caught for row in rows)
    return 0 if all_caught else 1


_CASES: list[Case] = []
"""The cases, in each of the processes."""


def _keep(cases: list[Case]) -> None:
    _CASES.extend(cases)


def _tried(fault: Fault) -> Row:
    return tried(fault, _CASES)


def _printed(rows: Iterable[Row]) -> list[Row]:
    print(*HEAD, sep="\n", flush=True)
    done = []
    for row in rows:
        print(line(row), flush=True)
        done.append(row)
    return done


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
