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
Right = Callable[[Found, Question], bool]

MOST = 5


class Figures(NamedTuple):
    """Of how many questions the first result, or one of the first five, is right, in per cent."""

    first: float
    among_five: float


def decides(found: Found, question: Question) -> bool:
    """Whether something found is right: a rule that decides, or a ruling that names one."""
    if isinstance(found, Rule):
        return found.id in question.rules
    return labelled(found, question) or bool({*found.rules} & {*question.rules})


def labelled(found: Found, question: Question) -> bool:
    """Whether something found was itself judged to decide the question, which is stricter."""
    return found.id in (question.rules if isinstance(found, Rule) else question.rulings)


def measured(questions: Iterable[Question], searched: Search, right: Right = decides) -> Figures:
    """What comes of asking each question."""
    places = [_place(question, searched(question), right) for question in questions]
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


def _place(question: Question, found: Iterable[Found], right: Right) -> int:
    places = (number for number, each in enumerate(found, 1) if right(each, question))
    return next(places, MOST + 1)
