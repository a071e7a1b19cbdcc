"""Who notices the mistakes of `planted_by_hand.toml`: `python -m tests.verifier.planted_by_hand`.

With `--only SIDE` one side alone, with names those mistakes alone. A side is the scenarios of the
library, the properties, or the laws of every game. `--seconds` is how long proofs may take for one
mistake; what is left is for the next run. Each mistake is made in a process of its own, as
`truthsayer mutate` does with the mistakes that it makes itself; results are kept in the same way.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from truthsayer.mutation import trying
from truthsayer.mutation.change import Change
from truthsayer.mutation.changes import unit_around
from truthsayer.mutation.checks import SIDES
from truthsayer.mutation.mutants import RULES, TOP, Mutant
from truthsayer.mutation.run import whole_side
from truthsayer.mutation.session import outcomes
from truthsayer.mutation.trying import Outcome

TABLE = Path(__file__).with_suffix(".toml")


class Mistake(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One edit of one place in a rule file, and what is wrong in the game with it."""

    name: str
    kind: str
    file: str
    rules: tuple[str, ...]
    wrong: str
    old: str
    new: str

    @cached_property
    def source(self) -> bytes:
        """The file without the mistake."""
        return (TOP / RULES / self.file).read_bytes()

    @property
    def places(self) -> int:
        """How often the file has what the edit replaces."""
        return self.source.count(self.old.encode())

    @cached_property
    def mutant(self) -> Mutant:
        """The mistake as one of those that the mutator makes."""
        start = self.source.index(self.old.encode())
        change = Change(start, start + len(self.old.encode()), self.new, self.kind)
        # What is replaced may begin and end with the breaks of its lines.
        inner = start + len(self.old) - len(self.old.lstrip()), start + len(self.old.rstrip())
        return Mutant(RULES / self.file, self.source, unit_around(self.source, *inner), change)


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mistake: tuple[Mistake, ...]


def mistakes() -> tuple[Mistake, ...]:
    """All that were planted."""
    return msgspec.toml.decode(TABLE.read_bytes(), type=_Table).mistake


Found = Mapping[str, Mapping[str, Outcome]]
"""For each side what it says about a mistake, by the key of its mutant."""


def tried(planted: Iterable[Mistake], sides: Iterable[str]) -> Found:
    """Try the mistakes on each side."""
    mutants = [each.mutant for each in planted]
    return {
        name: outcomes(whole_side(name, _progress), mutants, jobs=1, progress=_progress)
        for name in sides
    }


def _progress(text: str) -> None:
    print(f"\r{text:<70}", end="", file=sys.stderr, flush=True)


def table(planted: Iterable[Mistake], found: Found) -> Iterator[str]:
    """A line for each mistake, then the shares of each side and of all together."""
    listed = list(planted)
    width = max(len(each.name) for each in listed)
    yield f"{'mistake':<{width}}  {'kind':<17}  " + "  ".join(f"{side:<9}" for side in found)
    for each in listed:
        marks = (f"{'yes' if _sees(found, side, each) else '-':<9}" for side in found)
        yield f"{each.name:<{width}}  {each.kind:<17}  " + "  ".join(marks).rstrip()
    yield ""
    for side in found:
        yield _share(f"by {side} alone", sum(_sees(found, side, each) for each in listed), listed)
    noticed = [each for each in listed if any(_sees(found, side, each) for side in found)]
    yield _share("together", len(noticed), listed)


def _sees(found: Found, side: str, mistake: Mistake) -> bool:
    return bool(found[side][mistake.mutant.key].by)


def _share(what: str, count: int, listed: list[Mistake]) -> str:
    return f"noticed {what}: {count} of {len(listed)}, {100 * count / len(listed):.1f} %"


def main() -> int:
    """Print the table; 1 if a mistake goes unnoticed by all sides."""
    parser = argparse.ArgumentParser(prog="tests.verifier.planted_by_hand")
    parser.add_argument("--only", choices=SIDES)
    parser.add_argument("--seconds", type=float, default=trying.PROOF_SECONDS)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    trying.PROOF_SECONDS = asked.seconds
    known = {each.name: each for each in mistakes()}
    unknown = [name for name in asked.names if name not in known]
    if unknown:
        parser.error(f"no mistake {', '.join(unknown)}")
    planted = [known[name] for name in asked.names or known]
    found = tried(planted, (asked.only,) if asked.only else SIDES)
    print(file=sys.stderr)
    print("\n".join(table(planted, found)))
    unnoticed = [each for each in planted if not any(_sees(found, side, each) for side in found)]
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
