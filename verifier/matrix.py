"""The matrix of invariants and steps: a verdict in every cell, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping

from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.records import Record
from verifier.any_position import LIMITS
from verifier.properties.invariants import INVARIANTS
from verifier.relied_on import words_for
from verifier.steps import STEPS
from verifier.verdicts import PROVED, UNKNOWN, Settled

NOT_RUN = "not run"
"""The verdict of an empty cell."""

CLAIMS_NOTHING = "the invariant claims nothing of this step"


class Cell(Record):
    """What is known about one invariant in one step."""

    invariant: str
    step: str
    verdict: str
    paths: int = 0
    detail: str = ""


class Matrix(Record):
    """Every invariant with every step, a row for each invariant.

    `rests_on` says for each step what its position takes for granted, besides the `limits` that all
    of them have.
    """

    invariants: tuple[str, ...]
    steps: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rests_on: tuple[tuple[str, ...], ...]
    limits: str

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple(cell for row in self.rows for cell in row)

    @property
    def empty(self) -> tuple[Cell, ...]:
        """The cells without a verdict."""
        return tuple(cell for cell in self.cells if cell.verdict == NOT_RUN)


def matrix_of(settled: Mapping[tuple[str, str], Settled]) -> Matrix:
    """The matrix, from what was settled for pairs of an invariant and a step.

    An answer for several invariants together may be given for each of them.
    """
    names = tuple(INVARIANTS)
    return Matrix(
        names,
        STEPS,
        tuple(tuple(_cell(name, step, settled) for step in STEPS) for name in names),
        tuple(map(rests_on, STEPS)),
        LIMITS,
    )


def _cell(name: str, step: str, settled: Mapping[tuple[str, str], Settled]) -> Cell:
    found = settled.get((name, step))
    if found is None:
        return Cell(name, step, NOT_RUN)
    if found.verdict == PROVED and name not in found.claimed_of:
        return Cell(name, step, UNKNOWN, found.paths, CLAIMS_NOTHING)
    return Cell(name, step, found.verdict, found.paths, found.detail)


def rests_on(step: str) -> tuple[str, ...]:
    """What is taken for granted where a step begins; other steps are shown to leave it so."""
    name = step.partition(" ")[0]
    frame = next(kind for kind in IMPERIUM.frames if kind.__name__ == name)
    return words_for(frame)
