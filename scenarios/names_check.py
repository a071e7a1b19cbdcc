"""Every name in a scenario is checked before anything runs, so that all mistakes show at once."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token, Tree

from rules_engine.kernel.errors import TruthsayerError
from scenarios.imperium.table import Table, effects_in
from scenarios.language.errors import ScenarioError, problem_of, suggestion
from scenarios.language.syntax import Line, Scenario, Words, unquoted
from scenarios.language.values import ARTICLES
from scenarios.results import Problem
from scenarios.sentences import unknown_name

CARDS = {
    "hand": ("card",),
    "in_zone": ("card",),
    "row": ("card",),
    "intrigue": ("intrigue",),
    "intrigue_discard": ("intrigue",),
    "draws": ("card", "intrigue"),
    "plays_to": ("card",),
    "plays_intrigue": ("intrigue",),
    "acquires": ("card",),
    "trashes": ("card",),
    "trashes_somewhere": ("card",),
    "trashes_intrigue": ("intrigue",),
    "discards": ("card",),
    "discards_intrigue": ("intrigue",),
    "takes_contract": ("contract",),
    "missed_contract": ("contract",),
    "contracts_get": ("contract",),
    "contract_row": ("contract",),
    "holds_contracts": ("contract",),
    "has_completed": ("contract",),
    "led_by": ("leader",),
    "trained": ("training",),
    "trains": ("training",),
    "flips": ("conflict", "objective"),
    "sets_aside": ("card",),
    "set_aside": ("card",),
    "standing": ("intrigue",),
    "looks_at": ("card",),
    "sorts": ("card",),
    "steals": ("intrigue",),
    "out_of_game": ("card", "intrigue"),
    "has_trashed": ("card",),
    "holds_objectives": ("objective",),
    "gets_objective": ("objective",),
    "won_by_nobody": ("conflict",),
    "row_gets": ("card",),
    "reserve": ("card",),
    "bought": ("card",),
    "conflict": ("conflict",),
    "conflict_is": ("conflict",),
    "won": ("conflict",),
    "matched": ("conflict", "objective"),
}
"""The kinds of card that the quoted names of a phrase can be."""

EFFECTS = ("resolves", "chooses", "resolves_effect", "box", "first_reward", "due", "offered")
"""Phrases whose quoted text is an effect."""


SENTENCES = ("happens", "does_not_happen", "ask_why_not")
"""Phrases whose quoted text says what happened."""


def name_problems(scenario: Scenario) -> Iterator[Problem]:
    """Every name that does not exist."""
    try:
        table = Table(scenario)
    except ScenarioError as error:
        yield problem_of(error, scenario.place)
        return
    for line in scenario.lines():
        yield from _in_phrase(scenario, table, line, line.words, str(line.words.data))


def _in_phrase(
    scenario: Scenario, table: Table, line: Line, words: Words, phrase: str
) -> Iterator[Problem]:
    own = str(words.data)
    phrase = phrase if own in ("cards", "at_least") else own
    for child in words.children:
        if isinstance(child, Tree):
            yield from _in_phrase(scenario, table, line, child, phrase)
        else:
            yield from _word(scenario, table, line, child, phrase)


def _word(
    scenario: Scenario, table: Table, line: Line, word: Token, phrase: str
) -> Iterator[Problem]:
    try:
        if word.type == "NAME" and phrase != "game":
            table.seat(line, word)
        elif word.type == "STRING" and phrase in CARDS:
            table.id(line, word, *CARDS[phrase])
        elif word.type == "STRING" and phrase in EFFECTS:
            effects_in(line, word)
        elif word.type == "STRING" and phrase == "source":
            table.source(line, Tree("source", [word]))
        elif word.type == "STRING" and phrase in SENTENCES:
            _sentence(table, line, word)
        elif word.type == "WORD" and phrase == "word":
            _variable(scenario, line, word)
        elif word.type in ("SPACE", "POST") and phrase == "space":
            table.post(line, Tree("space", [word]))
    except TruthsayerError as error:
        yield problem_of(error, line.at(word))


def _sentence(table: Table, line: Line, word: Token) -> None:
    """A sentence by which nothing is ever told would hold always, or never."""
    remedy = unknown_name(table, unquoted(word))
    if remedy is not None:
        raise ScenarioError(
            "TS0104", f"nothing happens that is told as {word}", place=line.at(word), help=remedy
        )


def _variable(scenario: Scenario, line: Line, word: Token) -> None:
    names = [name for name, _, _ in scenario.variables]
    if scenario.where and not names:
        # That `for any` is missing is the one mistake.
        return
    if word not in names and word not in ARTICLES:
        raise ScenarioError(
            "TS0109",
            f"no variable `{word}`",
            place=line.at(word),
            help=suggestion(word, names) or "write a number, or name it in `for any`",
        )
