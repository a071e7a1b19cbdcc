"""Lines made by the grammar itself: every rule of it can be drawn, in any layout of blanks."""

from __future__ import annotations

import functools
from collections import deque
from typing import Any

from hypothesis import strategies as st
from lark.grammar import NonTerminal, Rule, Terminal

from scenarios.imperium.names import vocabulary
from scenarios.language.statements import SECTIONS
from scenarios.language.vocabulary import STARTS

PRODUCT = "uprising"
DEEPEST = 12
"""Below this depth the shortest alternative is taken, so that every line comes to an end."""

FREE: dict[str, st.SearchStrategy[str]] = {
    "STRING": st.text(st.characters(exclude_characters='"\r\n', codec="utf-8"), max_size=12).map(
        lambda text: f'"{text}"'
    ),
    "NUMBER": st.integers(0, 999_999_999).map(str),
    "NAME": st.sampled_from(["John", "Abby", "Ned", "O'Hara", "Al-Ada", "X_9", "Øyvind", "Zoë"]),
    "RULE": st.sampled_from(["UPR-WALL-003", "UPR-COMBAT-016"]),
    "WORD": st.sampled_from(["n", "uprising", "plot_window", "x1"]),
    "ID": st.sampled_from(["EX-UPR-01", "a.b-c", "Z"]),
}
"""The words of which there are any number."""


@functools.cache
def _rules() -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in vocabulary(PRODUCT).parser.rules:
        found.setdefault(rule.origin.name, []).append(rule)
    return found


@functools.cache
def _words(terminal: str) -> st.SearchStrategy[str]:
    known = vocabulary(PRODUCT)
    if terminal in FREE:
        return FREE[terminal]
    names = dict(known.names)
    if terminal in names:
        return st.sampled_from(names[terminal])
    (pattern,) = (each.pattern for each in known.parser.terminals if each.name == terminal)
    if pattern.type == "str":
        return st.just(str(pattern.value))
    return st.from_regex(f"(?:{pattern.value})", fullmatch=True)


def _drawn(draw: Any, symbol: str, forced: list[Rule], depth: int) -> list[str]:
    """The words of a symbol; `forced` are the rules to take on the way down, in this order."""
    if forced and forced[0].origin.name == symbol:
        rule = forced.pop(0)
    else:
        rules = _rules()[symbol]
        short = [min(rules, key=lambda rule: len(rule.expansion))]
        rule = draw(st.sampled_from(short if depth > DEEPEST else rules))
    words: list[str] = []
    for part in rule.expansion:
        if isinstance(part, Terminal):
            words.append(draw(_words(part.name)))
        else:
            assert isinstance(part, NonTerminal)
            words += _drawn(draw, part.name, forced, depth + 1)
    return words


@st.composite
def lines(draw: Any, section: str) -> list[str]:
    """The words of a line of a section."""
    return _drawn(draw, SECTIONS.get(section, "header"), [], 0)


@st.composite
def lines_through(draw: Any, rule: Rule) -> tuple[str, list[str]]:
    """A section and the words of a line in it that takes one alternative of the grammar."""
    start, *forced = way_to(rule)
    return start.origin.name, _drawn(draw, start.origin.name, [start, *forced], 0)


def alternatives() -> list[Rule]:
    """Every alternative of the grammar."""
    return [rule for rules in _rules().values() for rule in rules]


def way_to(rule: Rule) -> list[Rule]:
    """The rules from one that reads a line down to this one, as few as possible."""
    waiting = deque([[rule]])
    seen = {rule.origin.name}
    while waiting:
        way = waiting.popleft()
        if way[0].origin.name in STARTS:
            return way
        for above in alternatives():
            names = {part.name for part in above.expansion}
            if way[0].origin.name in names and above.origin.name not in seen:
                seen.add(above.origin.name)
                waiting.append([above, *way])
    raise AssertionError(f"no line reaches {rule}")
