"""Several implementations side by side as text for people: the numbers, and where all differ."""

from __future__ import annotations

from collections.abc import Iterator

from truthsayer.cli.show import counted
from truthsayer.reports.conform import adapter_name, name
from truthsayer.reports.conform_matrix import AgainstUs, Matrix
from truthsayer.reports.conform_matrix_page import ALIKE, EACH_OTHERWISE
from truthsayer.reports.conform_page import STATES

MOST_CASES = 20
"""So many are told; the page has them all."""


def conform_matrix_text(found: Matrix) -> str:
    """A line for each implementation, then the cases in which all are against us."""
    return "\n".join((*_table(found), *_cases(found)))


def _table(found: Matrix) -> Iterator[str]:
    names = [adapter_name(each) for each in found.reports]
    width = max(map(len, names))
    for column, each in enumerate(names):
        states = [row.states[column] for row in found.rows]
        counts = [f"{states.count(state)} {STATES[state]}" for state in STATES]
        yield f"{each:<{width}}  {', '.join(counts)}"


def _cases(found: Matrix) -> Iterator[str]:
    if not found.against_us:
        return
    yield ""
    yield f"all that were compared differ from us in {counted(len(found.against_us), 'case')}:"
    for each in found.against_us[:MOST_CASES]:
        yield f"  {name(each.case)}: {_told(each)}"
    left = len(found.against_us) - MOST_CASES
    if left > 0:
        yield f"  … ({left} more)"


def _told(each: AgainstUs) -> str:
    compared = sum(result is not None for result in each.results)
    how = ALIKE if each.alike else EACH_OTHERWISE
    rule = f", {name(each.rules[0])}" if each.rules else ""
    return f"{compared} of {len(each.results)}, {how}{rule}"
