"""Which faults the kit finds: `python -m tests.conformance.fault_table [NAME...]`.

Each fault is tried on its own, over a pipe, case by case until the first divergence. The cases are
in an order that knows nothing of the faults: those that are about the fewest rules come first.
What no case finds is tried with a fixed number of generated games.
"""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from conformance.cases import Case, cases_of
from conformance.faults import AdapterFault
from conformance.games import rules_of
from conformance.messages import Described
from conformance.playing import Connection, play
from conformance.results import BAD, Result
from conformance.run import Tester
from conformance.target import Target, connect, greeted
from rules_engine.kernel.records import Record
from scenarios.vectors.export import exported
from tests.conformance.faulty import Fault, faults
from truthsayer.cli.files import library, read_source, scenario_files

SECONDS = 30
ROUNDS = 10
"""So many rounds of generated games are played at most, with the seeds from 1 on."""


class Row(Record):
    """What became of a fault: the case or the game that found it, if one did, and how."""

    fault: Fault
    result: Result | None = None
    at_first_try: bool = False
    """Whether a case of the scenarios found it."""

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
    def named_first(self) -> bool:
        """Whether the first rule that the divergence names is one that it breaks."""
        found = None if self.result is None else self.result.divergence
        return found is not None and found.rules[0] in self.fault.rules

    @property
    def inputs(self) -> int | None:
        """How many inputs it takes to show it."""
        found = None if self.result is None else self.result.divergence
        return None if found is None else found.move


def library_cases() -> list[Case]:
    """The cases of all scenarios, those about few rules and with few moves first."""
    sources = (read_source(path) for path in scenario_files([library()]))
    texts = [(source.name, source.text) for source in sources]
    vectors = (vector for each in exported(texts) for vector in each.vectors)
    cases = [case for case in cases_of(vectors) if isinstance(case, Case)]
    return sorted(cases, key=lambda case: (len(case.rules), len(case.moves), case.id))


def tried(fault: Fault, cases: Iterable[Case]) -> Row:
    """Play the cases on the faulty adapter until one fails, and then generated games."""
    command = (sys.executable, "-m", "tests.conformance.faulty", fault.name)
    target = Target(command, seconds=SECONDS)
    connection = connect(target)
    try:
        about = greeted(connection, target)
        found = next(_failures(cases, about, connection), None)
    finally:
        connection.close()
    if found is not None:
        return Row(fault, found, at_first_try=True)
    return Row(fault, next(_failed_games(target, about), None))


def _failures(cases: Iterable[Case], about: Described, connection: Connection) -> Iterator[Result]:
    for case in cases:
        try:
            result = play(case, about, connection)
        except AdapterFault as broken:
            yield Result(case.id, case.title, broken.outcome, case.rules, broken.message)
            return
        if result.outcome in BAD:
            yield result


def _failed_games(target: Target, about: Described) -> Iterator[Result]:
    tester = Tester(lambda: connect(target), target, about)
    seen: Counter[str] = Counter()
    try:
        for seed in range(1, ROUNDS + 1):
            results = tester.games(seed, seen)
            yield from (result for result in results if result.outcome in BAD)
            seen.update(rules_of(results))
    finally:
        tester.leave()


# Telling


HEAD = (
    "| fault | kind | caught at first try | caught | rule named | inputs | rules |"
    " where it shows |",
    "|:--|:--|:--|:--|:--|--:|:--|:--|",
)


def line(row: Row) -> str:
    """A row of the table."""
    fault, result = row.fault, row.result
    cells = [fault.name.replace("_", " "), fault.kind, _said(row.at_first_try), _said(row.caught)]
    if result is None:
        cells += ["", "", ", ".join(fault.rules), ""]
    else:
        found = result.divergence
        where = result.outcome if found is None else f"{found.kind} {found.path}".strip()
        inputs = "" if row.inputs is None else str(row.inputs)
        rules = ", ".join(row.named or fault.rules)
        cells += [_said(bool(row.named)), inputs, rules, f"{where}: {result.title}"]
    return f"| {' | '.join(cells)} |"


def _said(is_so: bool) -> str:
    return "yes" if is_so else "no"


def summary(rows: Sequence[Row]) -> str:
    """The figures of all rows."""
    caught = [row for row in rows if row.caught]
    named = sum(bool(row.named) for row in caught)
    inputs = [row.inputs for row in caught if row.inputs is not None]
    found = [row.result.divergence for row in caught if row.result is not None]
    lengths = [len(each.rules) for each in found if each is not None]
    return (
        f"{sum(row.at_first_try for row in rows)} of {len(rows)} faults caught at first try, "
        f"{len(caught)} with generated games, "
        f"the right rule named for {named} (among {_median(lengths)} at the median, "
        f"as the first of them for {sum(row.named_first for row in caught)}), "
        f"{_median(inputs)} inputs at the median"
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
    print(*HEAD, sep="\n", flush=True)
    rows = []
    for fault in [known[name] for name in names or known]:
        rows.append(tried(fault, cases))
        print(line(rows[-1]), flush=True)
    print(f"\n{summary(rows)}")
    return 0 if all(row.caught for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
