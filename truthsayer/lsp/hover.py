"""What an editor shows of the word under the pointer: something printed, a rule or a ruling."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, names, things
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import rule
from rules_engine.rulebook.rulings import answers
from scenarios.imperium.names import lower_snake
from truthsayer.lsp.context import PRODUCT, Word, own_cards, players, word_at
from truthsayer.lsp.parts import Part, part_at
from truthsayer.text.answers import answer_lines, lines_under_a_rule, lines_under_a_thing
from truthsayer.text.faces import face_lines, notation_lines


class Shown(NamedTuple):
    """What is shown, as Markdown, and the word that it is about."""

    markdown: str
    word: Word


def hover(lines: Sequence[str], line: int, column: int) -> Shown | None:
    """What is known of the word at a place."""
    word = word_at(lines[line], column)
    if word is None:
        return None
    shown = _told(word, part_at(lines, line))
    return Shown(shown, word) if shown else None


def _told(word: Word, part: Part) -> str:
    match word.kind:
        case "rule":
            return _rule(word.text)
        case "quoted":
            return _own_card(word.text, part) or _printed(word.text)
        case "name" if word.text not in players(part):
            return _printed(word.text)
        case "word" if word.text in answers():
            return _as_text(answer_lines(answers()[word.text]))
    return ""


def _rule(rule_id: str) -> str:
    """A rule, where it stands, and the rulings that belong to it."""
    try:
        found = rule(rule_id)
    except TruthsayerError:
        return ""
    shown = f"**{found.id}** {found.title}\n\n{found.statement}\n\n*{found.source()}*"
    rulings = list(lines_under_a_rule(found.id))
    return f"{shown}\n\n{_as_text(rulings)}" if rulings else shown


def _own_card(name: str, part: Part) -> str:
    wanted = lower_snake(name)
    return "\n\n".join(
        _as_text([card.text]) for card in own_cards(part) if lower_snake(card.name) == wanted
    )


def _printed(name: str) -> str:
    """Everything printed that has this name."""
    return "\n\n".join(_as_text(_thing(each)) for each in _by_name().get(lower_snake(name), ()))


def _thing(thing: Thing) -> Iterator[str]:
    """What it says in plain words, the rulings about it, and what scenarios write for it."""
    yield from face_lines(thing, names(catalogue(PRODUCT)))
    yield from lines_under_a_thing(thing.id)
    yield from notation_lines(thing)


@functools.cache
def _by_name() -> dict[str, list[Thing]]:
    found: dict[str, list[Thing]] = {}
    for thing in things(catalogue(PRODUCT)):
        for name in dict.fromkeys(map(lower_snake, thing.names)):
            found.setdefault(name, []).append(thing)
    return found


def _as_text(lines: Iterable[str]) -> str:
    return "\n".join(("```text", *lines, "```"))
