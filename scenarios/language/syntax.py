"""What a scenario file says, before anything is run: scenarios, their lines, and every place."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree

from rules_engine.kernel.errors import Place

Words = Tree[Token]


@dataclass(frozen=True)
class Written:
    """Words as they are read, and where each part of them stands in the file.

    A part is the place in the words at which it begins, and its place in the file: words that
    come from a table stand in their cell.
    """

    text: str
    parts: tuple[tuple[int, Place], ...]

    @property
    def place(self) -> Place:
        """Where the words begin."""
        return self.parts[0][1]

    def at(self, column: int) -> Place:
        """Where the character of a column stands, counted from 1."""
        part = bisect.bisect_right(self.parts, column - 1, key=lambda each: each[0]) - 1
        start, place = self.parts[max(part, 0)]
        return Place(place.file, place.line, place.column + column - 1 - start, place.text)


@dataclass(frozen=True, eq=False)
class Line:
    """One line of a section, read."""

    section: str
    keyword: str
    words: Words
    written: Written
    about: str = ""
    """Whom of several players it is about, if the line as it is written is about several."""

    @property
    def place(self) -> Place:
        """Where the words of the line begin."""
        return self.written.place

    def at(self, token: Token) -> Place:
        """The place of one of the line's words; a name in quotes may stand in a cell."""
        column = token.column or 1
        begins, inside = self.written.at(column), self.written.at(column + 1)
        quoted = token.type == "STRING"
        return inside if quoted and inside.line != begins.line else begins


@dataclass(frozen=True)
class Row:
    """One row of an examples table, with the place of each cell."""

    cells: tuple[str, ...]
    places: tuple[Place, ...]
    place: Place


@dataclass
class Scenario:
    """One scenario as it stands in its file, the lines that all of the file share included.

    A scenario with a table is run once for each row: `cases` has the scenario with the words of
    each row in it, itself being that of the first. Without a table it is its own only case.
    """

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
    table: Place | None = None
    row: Row | None = None
    rows: int = 0
    unreadable: bool = False
    """A line of the header could not be read, so what depends on it is not checked either."""
    incomplete: bool = False
    """A line of another section could not be read, so nobody can say what is missing."""
    cases: list[Scenario] = field(default_factory=list, repr=False)

    @property
    def asks(self) -> list[Line]:
        """The questions among the steps."""
        return [line for line in self.steps if line.section == "ask"]

    def lines(self) -> Iterator[Line]:
        """Every line that has been read, in all cases."""
        for case in self.cases or [self]:
            yield from case.definitions
            yield from case.where
            yield from case.given
            yield from case.steps


def depth(words: Words) -> int:
    """How deep phrases stand in each other."""
    found, level = 0, [words]
    while level:
        found += 1
        level = [child for each in level for child in each.children if isinstance(child, Tree)]
    return found


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


def rules_named(words: Words) -> list[Token]:
    """The rules that a line names: those it cites, or those after `because`."""
    because = [word for part in phrases(words, "rules") for word in tokens(part, "RULE")]
    return [*tokens(words, "RULE"), *because]


def unquoted(word: Token) -> str:
    """The text between quotation marks."""
    return str(word)[1:-1]
