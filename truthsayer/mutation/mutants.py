"""Mutants: a rule function, or a table beside it, with one change."""

from __future__ import annotations
import __future__

import difflib
import hashlib
import textwrap
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from types import CodeType

import rules_engine
from truthsayer.mutation.change import Change
from truthsayer.mutation.changes import Unit, citation_names, units_of

TOP = Path(rules_engine.__file__).parent.parent
RULES = Path("rules_engine") / "imperium"

LEFT_OUT = {
    "soak.py": "sets up random games",
    "invariants.py": "checks positions and plays none",
}
"""Files that hold no rule of the game."""

ONLY_FOR_LAWS = {
    "game.py": frozenset(("NUMBERS", "_universe", "_values", "_written_down", "kin", "universe"))
}
"""Functions that make inputs for the laws on random games, and decide nothing in one."""


class Mutant:
    """One change of one unit. Two mutants are the same if their keys are."""

    def __init__(self, file: Path, source: bytes, unit: Unit, change: Change) -> None:
        self.file = file.as_posix()
        self.source = source
        self.unit = unit
        self.change = change

    @property
    def function(self) -> str:
        """The unit, as people name it: `combat.reward_of`."""
        return f"{Path(self.file).stem}.{self.unit.name}"

    @property
    def line(self) -> int:
        """The line of the change."""
        return self.source.count(b"\n", 0, self.change.start) + 1

    @property
    def unit_lines(self) -> range:
        """The lines of the unit, from its first decorator on."""
        start, end = self.unit.span
        body = self.source.count(b"\n", 0, start) + 1
        return range(self.unit.first_line, body + self.source.count(b"\n", start, end) + 1)

    @property
    def what(self) -> str:
        """The mistake in words."""
        return self.change.what

    @property
    def kind(self) -> str:
        """The kind of the mistake."""
        return self.change.kind

    @property
    def mutated(self) -> bytes:
        """The whole file with the change."""
        return self.change.made_in(self.source)

    @cached_property
    def unit_text(self) -> str:
        """The unit with the change, as a text of its own."""
        start, end = self.unit.span
        grown = len(self.change.text.encode()) - (self.change.end - self.change.start)
        return standing_alone(self.mutated, start, end + grown)

    @cached_property
    def key(self) -> str:
        """What is changed, and into what: a digest of the content."""
        true = standing_alone(self.source, *self.unit.span)
        parts = (self.file, self.unit.name, true, self.unit_text)
        return digest("\0".join(parts).encode())

    def diff(self) -> str:
        """The change as a unified diff."""
        lines = difflib.unified_diff(
            self.source.decode().splitlines(),
            self.mutated.decode().splitlines(),
            self.file,
            self.file,
            lineterm="",
            n=2,
        )
        return "\n".join(lines)


def digest(content: bytes) -> str:
    """A short name for some content."""
    return hashlib.sha256(content).hexdigest()[:24]


def standing_alone(source: bytes, start: int, end: int) -> str:
    """A part of a file as if it stood at the left margin."""
    before = source[source.rfind(b"\n", 0, start) + 1 : start].decode()
    indent = before if not before.strip() else ""
    return textwrap.dedent(indent + source[start:end].decode())


def compiled(unit: Unit, text: str, file: str) -> CodeType:
    """The code that defines a unit, with the lines that it has in its file."""
    if unit.function == "<lambda>":
        text = f"_ = ({text})"
    before = "\n" * (unit.first_line - 1)
    flags = __future__.annotations.compiler_flag
    code: CodeType = compile(before + text, file, "exec", flags, dont_inherit=True)
    return code


# All mutants


def rule_files() -> list[Path]:
    """The files that hold rules, as seen from the top."""
    files = sorted((TOP / RULES).glob("*.py"))
    return [RULES / file.name for file in files if file.name not in LEFT_OUT]


def all_mutants(files: Iterable[Path] | None = None) -> Iterator[Mutant]:
    """Every mutant of the files, or of all; equal code counts once, and the true code never."""
    sources = {file: (TOP / file).read_bytes() for file in rule_files()}
    citations = {name for source in sources.values() for name in citation_names(source)}
    for file in sources if files is None else files:
        for unit in units_of(sources[file], citations):
            if unit.name not in ONLY_FOR_LAWS.get(file.name, ()):
                yield from mutants_of(file, sources[file], unit)


def mutants_of(file: Path, source: bytes, unit: Unit) -> Iterator[Mutant]:
    """The mutants of one unit that differ from it and from each other."""
    true = standing_alone(source, *unit.span)
    seen = {_instructions(compiled(unit, true, file.name))}
    for change in unit.changes:
        mutant = Mutant(file, source, unit, change)
        code = _instructions(compiled(unit, mutant.unit_text, file.name))
        if code not in seen:
            seen.add(code)
            yield mutant


def _instructions(code: CodeType) -> tuple[object, ...]:
    """What code does, wherever it stands."""
    # A number and a truth can be equal, so the type counts.
    consts = tuple(
        _instructions(each) if isinstance(each, CodeType) else (type(each), repr(each))
        for each in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, consts
