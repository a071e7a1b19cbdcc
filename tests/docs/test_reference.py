"""The reference shows every phrase of the language, and the page on effects every effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rules_engine.effects.parse import parse
from scenarios.check import DEFAULT_PRODUCT
from scenarios.imperium.names import vocabulary
from scenarios.language.statements import SECTIONS, Splitter, written
from tests.docs.blocks import Block, blocks_of

DOCS = Path(__file__).parents[2] / "docs"
PHRASES = vocabulary(DEFAULT_PRODUCT).parser
EFFECTS = Lark(
    (Path(__file__).parents[2] / "rules_engine/effects/grammar.lark").read_text("utf-8"),
    parser="lalr",
    start="effects",
    maybe_placeholders=False,
)


def named(grammar: Lark) -> set[str]:
    """Every alternative of a grammar that has a name."""
    return {rule.alias for rule in grammar.rules if rule.alias is not None}


def shown(trees: Iterable[Tree[Token]]) -> set[str]:
    """The named alternatives in trees. Lark gives a rule without a name as a token."""
    return {
        node.data
        for tree in trees
        for node in tree.iter_subtrees()
        if not isinstance(node.data, Token)
    }


def blocks(pages: Iterable[Path], word: str) -> list[Block]:
    return [each for page in pages for each in blocks_of(page, page.name) if each.word == word]


def lines_of(block: Block) -> Iterator[Tree[Token]]:
    """Every line of a scenario block, read, with the words of the first row of its table."""
    splitter = Splitter(str(block), block.text)
    splitter.split()
    for part in splitter.blocks:
        row = part.rows[0] if part.rows else None
        for statement in part.statements:
            text = written(statement, part.columns, row).text
            yield PHRASES.parse(text, start=SECTIONS.get(statement.section, "header"))


def phrases_shown() -> set[str]:
    pages = [*(DOCS / "reference").glob("*.md"), DOCS / "asking.md"]
    return shown(line for block in blocks(pages, "scenario") for line in lines_of(block))


def test_the_reference_shows_every_phrase_of_the_language() -> None:
    assert named(PHRASES) - phrases_shown() == set()


def test_a_phrase_that_no_block_shows_is_found() -> None:
    block = Block("page.md", 1, "scenario", 'scenario "x"\nid a.b\ngiven Abby has 2 spice\n')
    assert shown(lines_of(block)) == {"scenario", "id", "has", "resource", "number"}
    assert "source" in named(PHRASES)


def effects_shown() -> set[str]:
    texts = [
        line
        for block in blocks([DOCS / "effects.md"], "effect")
        for line in block.text.splitlines()
    ]
    return shown(EFFECTS.parse(line) for line in texts)


def test_the_page_on_effects_shows_every_effect() -> None:
    assert named(EFFECTS) - effects_shown() == set()


def test_effects_are_read_by_the_same_grammar() -> None:
    assert parse("gain 2 spice")
    with pytest.raises(UnexpectedInput):
        EFFECTS.parse("gain spice")
