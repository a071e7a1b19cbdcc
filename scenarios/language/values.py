"""Numbers in a scenario: literals, table columns, variables, and sums of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lark import Token

from scenarios.language.errors import ScenarioError, suggestion
from scenarios.language.syntax import Line, Words, phrases, token, tokens

ARTICLES = ("a", "an")
MOST_DIGITS = 9


@dataclass(frozen=True)
class Environment:
    """What the parameters and variables of a scenario stand for in this run."""

    parameters: dict[str, str] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)


def parameter_text(line: Line, word: Token, environment: Environment) -> str:
    """What a table column holds in this row."""
    name = str(word)[1:-1]
    if name not in environment.parameters:
        raise ScenarioError(
            "TS0109",
            f"no column `{name}`",
            place=line.at(word),
            help=suggestion(name, environment.parameters) or "add it to the `examples` table",
        )
    return environment.parameters[name]


def amount(line: Line, words: Words, environment: Environment) -> Any:
    """The number that a phrase stands for."""
    match words.data:
        case "number":
            return int(token(words, "NUMBER"))
        case "parameter":
            return _parameter_number(line, token(words, "PARAMETER"), environment)
        case "word":
            return _variable(line, token(words, "WORD"), environment)
        case "plus" | "minus":
            left, right = (amount(line, part, environment) for part in phrases(words))
            return left + right if words.data == "plus" else left - right
        case other:
            raise AssertionError(other)


def _parameter_number(line: Line, word: Token, environment: Environment) -> int:
    text = parameter_text(line, word, environment)
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        raise ScenarioError(
            "TS0109",
            f"the column `{str(word)[1:-1]}` holds `{text}`, which is no number",
            place=line.at(word),
            help=f"write a number of at most {MOST_DIGITS} digits in that cell",
        )
    return int(text)


def _variable(line: Line, word: Token, environment: Environment) -> Any:
    if word in environment.variables:
        return environment.variables[str(word)]
    if word in ARTICLES:
        return 1
    raise ScenarioError(
        "TS0109",
        f"no variable `{word}`",
        place=line.at(word),
        help=suggestion(word, environment.variables) or "name it in `for any`, or write a number",
    )


def exactly_one(line: Line, words: Words, environment: Environment) -> None:
    """Refuse any other number where pieces are stated one at a time."""
    if amount(line, words, environment) != 1:
        raise ScenarioError(
            "TS0116",
            "this is stated one at a time",
            place=line.place,
            help="write `a` or `an`, on a line for each",
        )


RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def condition(line: Line, words: Words, environment: Environment) -> Any:
    """Whether a `where` condition holds."""
    if words.data == "comparison":
        left, right = (amount(line, part, environment) for part in phrases(words))
        return RELATIONS[str(tokens(words, "RELATION")[0])](left, right)
    left, right = (condition(line, part, environment) for part in phrases(words))
    return left & right if words.data == "both" else left | right
