"""Numbers in a scenario: literals, variables, and sums of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lark import Token

from scenarios.language.errors import ScenarioError, suggestion
from scenarios.language.syntax import Line, Words, phrases, token, tokens

ARTICLES = ("a", "an")

AMOUNTS = ("none", "number", "word", "plus", "minus")
"""The phrases that stand for a number."""


@dataclass(frozen=True)
class Environment:
    """What the variables of a scenario stand for in this run."""

    variables: dict[str, Any] = field(default_factory=dict)


def amount(line: Line, words: Words, environment: Environment) -> Any:
    """The number that a phrase stands for."""
    match words.data:
        case "none":
            return 0
        case "any":
            raise ScenarioError(
                "TS0139",
                "`any` is said of nobody only",
                place=line.place,
                help="write a number, or `no`",
            )
        case "of_nobody":
            raise _number_of_nobody(line, words)
        case "number":
            return int(token(words, "NUMBER"))
        case "word":
            return _variable(line, token(words, "WORD"), environment)
        case "plus" | "minus":
            left, right = (amount(line, part, environment) for part in phrases(words))
            return left + right if words.data == "plus" else left - right
        case "at_least":
            raise leaves_open(line)
        case "at_least":
            raise leaves_open(line)
        case other:
            raise AssertionError(other)


def _number_of_nobody(line: Line, words: Words) -> ScenarioError:
    """That nobody has a certain number of something leaves open who has how much."""
    number: list[Token] = list(words.scan_values(lambda value: isinstance(value, Token)))
    begin, end = (number[0].column or 1) - 1, (number[-1].column or 1) - 1 + len(number[-1])
    text = line.written.text
    return ScenarioError(
        "TS0139",
        "nobody has a certain number of something",
        place=line.at(number[0]),
        help=f"write `{text[:begin]}any{text[end:]}`",
    )


class Bound(NamedTuple):
    """How many there have to be: just so many, or with `at least` so many or more."""

    value: Any
    least: bool = False

    def met_by(self, number: Any) -> Any:
        """Whether a number is as this says."""
        return number >= self.value if self.least else number == self.value

    def __repr__(self) -> str:
        return f"at least {self.value!r}" if self.least else repr(self.value)


def bound(line: Line, words: Words, environment: Environment) -> Bound:
    """What a phrase says of a number; that there are at least none holds always."""
    if words.data != "at_least":
        return Bound(amount(line, words, environment))
    value = amount(line, phrases(words)[0], environment)
    if type(value) is int and value <= 0:
        raise holds_always(line, f"at least {value}", "leave out `at least`")
    return Bound(value, least=True)


def holds_always(line: Line, what: str, remedy: str) -> ScenarioError:
    """An expectation that no position can fail."""
    return ScenarioError("TS0135", f"`{what}` holds always", place=line.place, help=remedy)


def leaves_open(line: Line, remedy: str = "leave out `at least`") -> ScenarioError:
    """`at least` where just one position is meant."""
    message = "`at least` does not say what there is"
    return ScenarioError("TS0136", message, place=line.place, help=remedy)


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


def one_or_any(line: Line, words: Words, environment: Environment) -> None:
    """Refuse a number where a line says that nobody has one."""
    if words.data != "any":
        exactly_one(line, words, environment)


def exactly_one(line: Line, words: Words, environment: Environment) -> None:
    """Refuse any other number where pieces are stated one at a time."""
    if amount(line, words, environment) != 1:
        raise ScenarioError(
            "TS0116",
            "this is stated one at a time",
            place=line.place,
            help="write `a` or `an`, with a line for each piece",
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
