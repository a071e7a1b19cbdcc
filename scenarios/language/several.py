"""Lines about several players: each says the same of every one of them.

`everyone`, a list of players, and `nobody` before what can be said of one player: a line about them
stands for one line for each. All of these have the place of the line as it is written.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from lark import Token, Tree

from scenarios.language.syntax import Line, Words, tokens
from scenarios.language.vocabulary import Vocabulary

SUBJECTS = ("several", "everyone")
"""Phrases that stand for players where one player could stand."""

NOBODY = "NOBODY"


def players_of(line: Line, players: list[str], said_of_each: frozenset[str]) -> list[Token] | None:
    """The players whom a line is about, if it can be about several.

    `said_of_each` are the phrases that deny of nobody what they deny of one player.
    """
    subject, phrase = _subject(line.words)
    if isinstance(subject, Token):
        whose = subject.type == NOBODY and phrase in said_of_each
        return _everyone(subject, players) if whose else None
    if subject.data == "everyone":
        (word,) = (each for each in subject.children if isinstance(each, Token))
        return _everyone(word, players)
    return tokens(subject, "NAME") if subject.data == "several" else None


def line_about(line: Line, player: Token, keyword: str) -> Line:
    """The line about one of its players."""
    words = _about(_denied(line.words), player)
    return dataclasses.replace(line, words=words, keyword=keyword, about=str(player))


def line_of_others(line: Line, others: Iterable[Token]) -> Line:
    """The line about the rest of its players."""
    words = _about(line.words, Tree("several", list(others)))
    return dataclasses.replace(line, words=words, keyword="and")


def of_several(line: Line, names: list[str], vocabulary: Vocabulary) -> str:
    """The words of a line about several players, as they would be about some of them."""
    words: list[Token] = list(line.words.scan_values(lambda value: isinstance(value, Token)))
    verb = words[1]
    one, *several = vocabulary.plain_words(verb.type)
    rest = line.written.text[(verb.column or 1) - 1 + len(verb) :]
    if len(names) == 1:
        return f"{names[0]} {one}{rest}"
    return f"{', '.join(names[:-1])} and {names[-1]} {(several or [one])[0]}{rest}"


def one_by_one(lines: list[Line], players: list[str], said_of_each: frozenset[str]) -> list[Line]:
    """The lines, with one for each player in place of one about several.

    Who of several acts first is for the game to say, so what happens stays as it is; so does
    everything where nobody is named to play.
    """
    found: list[Line] = []
    for line in lines:
        named = players_of(line, players, said_of_each)
        if not named or line.section == "when":
            found.append(line)
            continue
        keywords = (line.keyword, *("and" for _ in named[1:]))
        found += (line_about(line, *each) for each in zip(named, keywords, strict=True))
    return found


def _none_of(has: Words) -> Words:
    """What nobody has any of, as each player has none of it; a number says nothing of nobody."""
    first, verb, quantity = has.children
    assert isinstance(quantity, Tree)
    amount, *what = quantity.children
    assert isinstance(amount, Tree)
    none: Words = Tree("none", []) if amount.data == "any" else Tree("of_nobody", [amount])
    return Tree(has.data, [first, verb, Tree(quantity.data, [none, *what])])


def _everyone(word: Token, players: list[str]) -> list[Token]:
    return [Token("NAME", name, column=word.column) for name in players]


def _subject(words: Words) -> tuple[Words | Token, str]:
    """What a line begins with, and the phrase that it is the first part of."""
    first = words.children[0]
    if isinstance(first, Token) or first.data in SUBJECTS:
        return first, str(words.data)
    return _subject(first)


def _denied(words: Words) -> Words:
    """The words, with none of what nobody has any of."""
    first, *rest = words.children
    if not isinstance(first, Token):
        return words if first.data in SUBJECTS else Tree(words.data, [_denied(first), *rest])
    return _none_of(words) if first.type == NOBODY and words.data == "has" else words


def _about(words: Words, subject: Words | Token) -> Words:
    """The words with another subject."""
    first, *rest = words.children
    if isinstance(first, Token) or first.data in SUBJECTS:
        return Tree(words.data, [subject, *rest])
    return Tree(words.data, [_about(first, subject), *rest])
