"""How often the search answers players' questions, beside the search for all the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rules_engine.rulebook.index import Rule, rules
from rules_engine.rulebook.rulings import Answer
from scenarios.searching import search
from tests.search.questions import Question

Found = Rule | Answer
Search = Callable[[Question], Iterable[Found]]

MOST = 5


class Figures(NamedTuple):
    """Of how many questions the first result, or one of the first five, is right, in per cent."""

    first: float
    among_five: float


def measured(questions: Iterable[Question], searched: Search) -> Figures:
    """What comes of asking each question."""
    places = [_place(question, searched(question)) for question in questions]
    return Figures(
        100 * sum(place == 1 for place in places) / len(places),
        100 * sum(place <= MOST for place in places) / len(places),
    )


def ranked(question: Question) -> tuple[Found, ...]:
    """The ranked list of `truthsayer ask`. A game is named where it is not the usual one."""
    product = "" if question.product == "uprising" else question.product
    return search(question.asks, product, MOST).answers


def all_words(question: Question) -> list[Found]:
    """The search that was before: rules in which all the words occur, in the order of the books."""
    wanted = question.asks.lower().split()
    return [
        rule
        for rule in rules()
        if all(
            word in f"{rule.id} {rule.title} {rule.statement} {rule.section}".lower()
            for word in wanted
        )
    ]


def decides(found: Found, question: Question) -> bool:
    """Whether something found is right: a rule that decides, or a ruling that names one."""
    if isinstance(found, Rule):
        return found.id in question.rules
    return found.id in question.rulings or bool({*found.rules} & {*question.rules})


def _place(question: Question, found: Iterable[Found]) -> int:
    right = (number for number, each in enumerate(found, 1) if decides(each, question))
    return next(right, MOST + 1)
