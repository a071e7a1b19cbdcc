"""Mistakes in a scenario file: each with its place, and the words that would put it right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from rules_engine.kernel.errors import Place, TruthsayerError
from scenarios.results import Problem


class ScenarioError(TruthsayerError):
    """A mistake at a place in a scenario file."""


class NotDue(ScenarioError):
    """What a line states cannot happen now, whatever else could."""


def problem_of(error: TruthsayerError, place: Place) -> Problem:
    """The error as a record; `place` is used if the error has none of its own."""
    at = error.place or place
    return Problem(
        code=error.code,
        message=error.message,
        file=at.file,
        line=at.line,
        column=at.column,
        text=at.text,
        help=error.help,
        rules=error.rules,
    )


def likeness(word: str, other: str) -> float:
    """How like two words are, from 0 to 1; letters that changed places make little difference."""
    one, two = word.lower(), other.lower()
    if one != two and sorted(one) == sorted(two):
        return 0.99
    return difflib.SequenceMatcher(None, one, two).ratio()


def error_of(problem: Problem) -> ScenarioError:
    """The record as an error again."""
    place = Place(problem.file, problem.line, problem.column, problem.text)
    return ScenarioError(
        problem.code, problem.message, place=place, help=problem.help, rules=problem.rules
    )


def suggestion(word: str, known: Iterable[str], likeness_needed: float = 0.6) -> str:
    """`did you mean ...`, or a short list of what there is."""
    names = sorted(set(known))
    lower = {name.lower(): name for name in names}
    close = difflib.get_close_matches(word.lower(), lower, n=4, cutoff=likeness_needed)
    if close:
        nearest = max(likeness(word, each) for each in close)
        meant = [lower[each] for each in close if likeness(word, each) == nearest]
        return "did you mean " + " or ".join(f"`{each}`" for each in meant[:2]) + "?"
    shown = ", ".join(f"`{name}`" for name in names[:12])
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"known: {shown}{more}" if names else ""
