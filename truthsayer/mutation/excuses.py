"""Mutants that no input can tell apart from the true engine, each with the reason."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from truthsayer.mutation.mutants import Mutant

FILE = Path(__file__).parent / "excused.toml"

ONE_IN = 50
"""At most one mutant in so many may be excused."""


class Excuse(Record):
    """A mutant: its function, the mistake, the line that it makes, and why nobody can notice it."""

    function: str
    change: str
    becomes: str
    reason: str

    def fits(self, mutant: Mutant) -> bool:
        """Whether it is about this mutant."""
        return (
            mutant.function == self.function
            and mutant.what == self.change
            and self.becomes in new_lines(mutant)
        )


def new_lines(mutant: Mutant) -> list[str]:
    """The lines that a mutant has instead of others, without their indent."""
    lines = mutant.diff().splitlines()[2:]
    return [line[1:].strip() for line in lines if line.startswith("+")]


def excuses(file: Path = FILE) -> tuple[Excuse, ...]:
    """Every excuse on file."""
    try:
        given = tomllib.loads(file.read_text("utf-8"))
        return msgspec.convert(given.get("excused", ()), tuple[Excuse, ...])
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TruthsayerError(
            "TS0732", f"cannot read the excuses: {error}", help=f"correct `{file.name}`"
        ) from error


def excused_by(mutants: Iterable[Mutant], given: Iterable[Excuse]) -> dict[str, Excuse]:
    """The excuse of each mutant that has one, by the mutant's key."""
    listed = tuple(given)
    known = {each.function for each in listed}
    return {
        mutant.key: each
        for mutant in mutants
        if mutant.function in known
        for each in listed
        if each.fits(mutant)
    }


def wrong_excuses(
    given: Sequence[Excuse],
    excused: Mapping[str, Excuse],
    noticed: Mapping[str, str],
    functions: Iterable[str],
    all_mutants: int,
) -> list[str]:
    """What is wrong with the excuses: about nothing, about what is noticed, or too many.

    `noticed` says for the key of a mutant who noticed it; `functions` are those that were mutated
    as a whole, so that a mutant which is not there does not exist.
    """
    used = set(excused.values())
    mutated = set(functions)
    wrong = [
        f"{each.function}: no mutant in which {each.change} and a line becomes `{each.becomes}`"
        for each in given
        if each not in used and each.function in mutated
    ]
    wrong += [
        f"{each.function}: {each.change} (`{each.becomes}`) is noticed by {noticed[key]}"
        for key, each in excused.items()
        if noticed.get(key)
    ]
    if len(excused) * ONE_IN > all_mutants:
        wrong.append(
            f"{len(excused)} of {all_mutants} mutants are excused: at most one in {ONE_IN} may be"
        )
    return wrong
