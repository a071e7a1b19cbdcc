"""The bridge to the specifications: numbers of a position as Z3 terms, and their answers back.

In a replay the numbers are plain, the terms are constants, and so are the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import z3

from rules_engine.imperium.state import Player
from rules_engine.kernel.outcomes import Seat
from verifier.current import Term
from verifier.numbers import bool_term, int_term, number, truth

NOBODY = -1
"""How the specifications call the seat of nobody."""

MOST_REMEMBERED = 20_000

_said: dict[Any, tuple[Any, Any]] = {}
"""What was said of which terms: an exploration asks the same on every path.

The terms are kept with the answer, so that no other term gets their numbers.
"""


def count(value: Any) -> Term:
    """A number of the engine as a term."""
    return int_term(value)


def whether(value: Any) -> Term:
    """A truth value of the engine as a term."""
    return bool_term(value)


def whose(seat: Seat | None) -> Term:
    """A seat, or nobody's, as a term."""
    return int_term(NOBODY if seat is None else seat)


def of_each(players: Iterable[Player], what: str) -> list[Term]:
    """What every player has of something, in the order of the seats."""
    return [int_term(getattr(each, what)) for each in players]


def says(specification: Callable[..., Any], *terms: Any, **known: Any) -> Any:
    """What a specification says of some terms: values that can be compared and claimed."""
    key = (specification, _key(terms), tuple(known), _key(tuple(known.values())))
    if key not in _said:
        if len(_said) >= MOST_REMEMBERED:
            _said.clear()
        _said[key] = (terms, known), specification(*terms, **known)
    answer = _said[key][1]
    return tuple(map(_value, answer)) if isinstance(answer, tuple) else _value(answer)


def _key(term: Any) -> Any:
    """What tells terms apart; what is no term stands for itself."""
    if isinstance(term, list | tuple):
        return tuple(map(_key, term))
    return ("term", term.get_id()) if isinstance(term, z3.AstRef) else term


def _value(term: Any) -> Any:
    if not isinstance(term, z3.AstRef):
        return term
    return truth(term) if z3.is_bool(term) else number(term)
