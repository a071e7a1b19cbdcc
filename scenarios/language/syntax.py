"""What a scenario file says, before anything is run: scenarios, their lines, and every place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree

from rules_engine.kernel.errors import Place

Words = Tree[Token]


@dataclass(frozen=True)
class Line:
    """One line of a section, read: `start` is where its words begin."""

    section: str
    keyword: str
    words: Words
    place: Place

    def at(self, token: Token) -> Place:
        """The place of one of the line's words."""
        column = self.place.column + (token.column or 1) - 1
        return Place(self.place.file, self.place.line, column, self.place.text)


@dataclass(frozen=True)
class Row:
    """One row of an examples table."""

    cells: tuple[str, ...]
    place: Place


@dataclass
class Scenario:
    """One scenario as it stands in its file."""

    title: str
    place: Place
    id: str = ""
    source: str = ""
    cites: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    rulings: dict[str, str] = field(default_factory=dict)
    depends: list[tuple[str, Place]] = field(default_factory=list)
    product: str = ""
    players: list[str] = field(default_factory=list)
    definitions: list[Line] = field(default_factory=list)
    variables: list[tuple[str, int, int | None]] = field(default_factory=list)
    where: list[Line] = field(default_factory=list)
    given: list[Line] = field(default_factory=list)
    steps: list[Line] = field(default_factory=list)
    asks: list[Line] = field(default_factory=list)
    table: Place | None = None
    columns: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    unreadable: bool = False
    """A line of the header could not be read, so what depends on it is not checked either."""

    def lines(self) -> Iterator[Line]:
        """Every line that has been read."""
        yield from self.definitions
        yield from self.where
        yield from self.given
        yield from self.steps
        yield from self.asks


def tokens(words: Words, kind: str) -> list[Token]:
    """The words of one kind directly in a phrase."""
    return [child for child in words.children if isinstance(child, Token) and child.type == kind]


def token(words: Words, kind: str) -> Token:
    """The word of a kind that the phrase has."""
    return tokens(words, kind)[0]


def has_word(words: Words, word: str) -> bool:
    """Whether a phrase has an optional word."""
    return any(isinstance(child, Token) and child == word for child in words.children)


def phrases(words: Words, *names: str) -> list[Words]:
    """The phrases directly inside a phrase, all of them or those of certain names."""
    return [
        child
        for child in words.children
        if isinstance(child, Tree) and (not names or child.data in names)
    ]


def unquoted(word: Token) -> str:
    """The text between quotation marks."""
    return str(word)[1:-1]
