"""Which faults the scenarios find: `python -m tests.conformance.fault_table [NAME...]`.

Each fault is tried on its own, over a pipe, case by case until the first divergence. The cases are
in an order that knows nothing of the faults: those that are about the fewest rules come first.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence

from conformance.cases import Case, cases_of
from conformance.faults import AdapterFault
from conformance.framing import JsonLines
from conformance.messages import Describe, Described
from conformance.pipe import Pipe
from conformance.playing import play
from conformance.results import BAD, Result
from rules_engine.kernel.records import Record
from scenarios.vectors.export import exported
from tests.conformance.faulty import Fault, faults
from truthsayer.cli.files import library, read_source, scenario_files

SECONDS = 30
MOST_BYTES = 1 << 26


class Row(Record):
    """What became of a fault: the case that found it, if one did, and how."""

    fault: Fault
    result: Result | None = None

    @property
    def caught(self) -> bool:
        """Whether a case has found it."""
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
    """Play the cases on the faulty adapter until one fails."""
    command = [sys.executable, "-m", "tests.conformance.faulty", fault.name]
    pipe = Pipe(command, JsonLines(), seconds=SECONDS, most_bytes=MOST_BYTES)
    try:
        (about,) = pipe.ask([Describe()])
        assert isinstance(about, Described), about
        return Row(fault, next(_failures(cases, about, pipe), None))
    finally:
        pipe.close()


def _failures(cases: Iterable[Case], about: Described, pipe: Pipe) -> Iterator[Result]:
    for case in cases:
        try:
            result = play(case, about, pipe)
        except AdapterFault as broken:
            yield Result(case.id, case.title, broken.outcome, case.rules, broken.message)
            return
        if result.outcome in BAD:
            yield result


# Telling


HEAD = (
    "| fault | kind | caught | rule named | inputs | rules | where it shows |",
    "|:--|:--|:--|:--|--:|:--|:--|",
)


def line(row: Row) -> str:
    """A row of the table."""
    fault, result = row.fault, row.result
    named = "yes" if row.named else "no"
    cells = [fault.name.replace("_", " "), fault.kind]
    if result is None:
        cells += ["no", "", "", ", ".join(fault.rules), ""]
    else:
        found = result.divergence
        where = result.outcome if found is None else f"{found.kind} {found.path}".strip()
        inputs = "" if row.inputs is None else str(row.inputs)
        rules = ", ".join(row.named or fault.rules)
        cells += ["yes", named, inputs, rules, f"{where}: {result.title}"]
    return f"| {' | '.join(cells)} |"


def summary(rows: Sequence[Row]) -> str:
    """The figures of all rows."""
    caught = [row for row in rows if row.caught]
    named = sum(bool(row.named) for row in caught)
    inputs = [row.inputs for row in caught if row.inputs is not None]
    found = [row.result.divergence for row in caught if row.result is not None]
    lengths = [len(each.rules) for each in found if each is not None]
    return (
        f"{len(caught)} of {len(rows)} faults caught at first try, "
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
