"""Splits a scenario file into statements: which line belongs to which scenario and section.

Nothing here knows the grammar. A line that cannot be placed is one mistake, and the lines around it
are still read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rules_engine.kernel.errors import Place
from scenarios.language.errors import ScenarioError, problem_of, suggestion
from scenarios.language.syntax import Row, Written
from scenarios.results import Problem

MOST_CHARACTERS = 1_000_000
MOST_MISTAKES = 1_000
"""How many lines of a file are told to be wrong; to explain one takes longer than to read it."""


SECTIONS = {"given": "state", "when": "action", "then": "outcome", "ask": "question"}
"""The sections, and the rule of the grammar that reads a line of each."""

HEADERS = (
    "scenario", "id", "source", "cites", "tags", "ruling", "depends", "game", "for", "where",
)  # fmt: skip
DEFINITIONS = ("first", "module", "conflict", "card", "intrigue", "contract")
JOINERS = ("and", "but")
BACKGROUND = "background"
EXAMPLES = "examples"
STARTERS = (BACKGROUND, *HEADERS, *DEFINITIONS, *SECTIONS, *JOINERS, EXAMPLES)
"""Every word with which a line can begin."""

SHARED = ("source", "tags", "ruling", "game", *DEFINITIONS, "given")
"""What a background can state: it is part of every scenario of the file."""

TITLES = ("scenario", "source")
"""Lines of free text: nothing in them stands for a column."""

PARAMETER = re.compile(r"<([a-z][a-z0-9_]*)>")
"""A column of the table, in words that stand for what each row has in it."""


@dataclass(frozen=True)
class Statement:
    """One line: its section (`header` for all before the first section), and its words.

    The words of a header line begin with its keyword, those of other lines come after it.
    """

    section: str
    keyword: str
    text: str
    place: Place


@dataclass
class Block:
    """A scenario or the background, before its lines are read by the grammar."""

    place: Place
    background: bool = False
    statements: list[Statement] = field(default_factory=list)
    table: Place | None = None
    columns: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    broken: bool = False
    """A line could not be placed: what it would have said is not missed as well."""
    incomplete: bool = False
    """A row of the table could not be taken: nobody can say whether it has rows."""
    happens_from: int | None = None
    """The first line that says what happens: below it, nothing is given any more."""
    headless: bool = False
    """The names of the columns have a mistake, or it is a second table: its rows say nothing."""


class Splitter:
    """Splits one file. What cannot be placed is collected in `problems`."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.blocks: list[Block] = []
        self.problems: list[Problem] = []
        self._section: str | None = None
        """None where no section is open, and nothing after a line that cannot be placed: the
        `and` lines that follow one are no second mistake."""
        self._in_table = False

    def split(self) -> None:
        """Split the whole text."""
        if len(self.text) > MOST_CHARACTERS:
            message = f"the file has more than {MOST_CHARACTERS} characters"
            error = ScenarioError("TS0100", message, help="split it into several files")
            self.problems.append(problem_of(error, Place(self.file, 1)))
            return
        for place, text in self._lines():
            if len(self.problems) == MOST_MISTAKES:
                self.problems.append(problem_of(too_many_mistakes(), place))
                if self.blocks:
                    self.blocks[-1].broken = True
                return
            try:
                self._line(text, place)
            except ScenarioError as error:
                self.problems.append(problem_of(error, place))

    def _lines(self) -> Iterator[tuple[Place, str]]:
        """The lines that say something."""
        for number, text in enumerate(lines_of(self.text), start=1):
            words = text.strip()
            if words and not words.startswith("#"):
                indent = len(text) - len(text.lstrip())
                yield Place(self.file, number, indent + 1, text), words

    def _line(self, text: str, place: Place) -> None:
        word = text.split(None, 1)[0]
        if text.startswith("|"):
            self._row(text, place)
            return
        if self._in_table and "|" in text and word not in STARTERS:
            self._unmarked_row(text)
        self._in_table = False
        if word == BACKGROUND:
            self._background(place)
            _stands_alone(text, word)
        elif word == EXAMPLES:
            self._examples(place)
            _stands_alone(text, word)
        elif word == "scenario":
            self._open(Block(place))
            self._add("header", word, text, place)
        elif word in HEADERS or word in DEFINITIONS:
            self._add("header", word, text, place)
        elif word in SECTIONS:
            self._section = word
            self._clause(word, text, place)
        elif word in JOINERS:
            if self._section is None:
                self._section = ""
                raise ScenarioError(
                    "TS0105",
                    f"`{word}` has no line to follow",
                    help=f"write `given`, `when` or `then` instead of `{word}`",
                )
            if self._section:
                self._clause(word, text, place)
        else:
            self._misplaced(word, text, place)

    def _misplaced(self, word: str, text: str, place: Place) -> None:
        """A line that begins with no word of the language."""
        hint = suggestion(word, STARTERS)
        if begins_scenario(word):
            # The lines that follow are those of a scenario, not of the one before.
            self._open(Block(place, broken=True))
            self._add("header", "scenario", "scenario" + text[len(word) :], place)
        elif not self.blocks:
            self._open_without_scenario(place)
        if hint == suggestion(EXAMPLES, STARTERS):
            self.blocks[-1].table, self._in_table = place, True
        self._section = ""
        self.blocks[-1].broken = True
        raise ScenarioError("TS0101", f"a line cannot begin with `{word}`", help=hint)

    def _open_without_scenario(self, place: Place) -> None:
        """Lines before the first scenario are one mistake, and are read like a background."""
        self._open(Block(place, background=True, broken=True))

    def _open(self, block: Block) -> None:
        self._section = None
        self.blocks.append(block)

    def _background(self, place: Place) -> None:
        first = not self.blocks
        self._open(Block(place, background=True))
        if not first:
            self.blocks.pop()
            raise ScenarioError(
                "TS0105",
                "`background` comes after another line",
                help="leave the line out, or move it before the first scenario of the file",
            )

    def _examples(self, place: Place) -> None:
        block = self._current(place)
        self._check_shared(block, EXAMPLES)
        if block.table is not None:
            self._in_table = block.headless = True
            raise ScenarioError(
                "TS0105", "`examples` is stated twice", help="leave out one of the two tables"
            )
        block.table = place
        self._in_table = True

    def _current(self, place: Place) -> Block:
        if not self.blocks:
            self._open_without_scenario(place)
            raise ScenarioError(
                "TS0105",
                "this line is outside a scenario",
                place=place,
                help='write `scenario "a title"` above it, or `background` if all scenarios '
                "of the file share it",
            )
        return self.blocks[-1]

    def _check_shared(self, block: Block, keyword: str) -> None:
        if block.background and not block.broken and keyword not in SHARED:
            self._section = ""
            raise ScenarioError(
                "TS0105",
                f"`{keyword}` cannot stand in a background",
                help="leave the line out here, and put it into each scenario that it is about",
            )

    def _clause(self, keyword: str, text: str, place: Place) -> None:
        rest = text[len(keyword) :]
        column = place.column + len(text) - len(rest.lstrip())
        start = Place(place.file, place.line, column, place.text)
        self._add(self._section or "", keyword, rest.strip(), start)

    def _add(self, section: str, keyword: str, text: str, place: Place) -> None:
        block = self._current(place)
        self._check_shared(block, keyword if section == "header" else section)
        if section in ("when", "then", "ask") and block.happens_from is None:
            block.happens_from = place.line
        if section == "given" and block.happens_from is not None:
            self._section = ""
            raise ScenarioError(
                "TS0105",
                "`given` comes after something happened",
                help="move the line up, before the first `when`, `then` or `ask`",
            )
        block.statements.append(Statement(section, keyword, text, place))

    def _unmarked_row(self, text: str) -> None:
        block = self.blocks[-1]
        block.incomplete = True
        if not block.columns:
            block.columns, block.headless = (text,), True
        raise ScenarioError("TS0101", "a row of a table begins with `|`", help=f"write `| {text}`")

    def _row(self, text: str, place: Place) -> None:
        block = self._current(place)
        row = _cells(text, place)
        if not self._in_table:
            self._in_table = block.incomplete = True
            if block.table is None:
                block.table, block.columns = place, row.cells
            else:
                block.headless = True
            raise ScenarioError(
                "TS0105",
                "a table row needs `examples` above it",
                help="add the line `examples` above it",
            )
        if not block.columns:
            block.columns = row.cells
            _check_heading(row, block)
        elif block.headless:
            return
        elif len(row.cells) != len(block.columns):
            block.incomplete = True
            raise ScenarioError(
                "TS0115",
                f"the row has {len(row.cells)} cells and the table {len(block.columns)} columns",
                help="write one cell for each of "
                + ", ".join(f"`{name}`" for name in block.columns),
            )
        else:
            block.rows.append(row)


def too_many_mistakes() -> ScenarioError:
    """The last mistake that is told of a file that has very many."""
    return ScenarioError(
        "TS0100",
        f"the file has more than {MOST_MISTAKES} mistakes",
        help="put those above right first: what follows was not read",
    )


def begins_scenario(word: str) -> bool:
    """Whether a line that begins with this word begins a scenario, be it misspelt."""
    if word in STARTERS:
        return word == "scenario"
    return suggestion(word, STARTERS) == suggestion("scenario", STARTERS)


def lines_of(text: str) -> list[str]:
    """The lines of a file, whatever ends them, without the mark that some editors put first."""
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def _stands_alone(text: str, word: str) -> None:
    if text != word:
        raise ScenarioError(
            "TS0101", f"`{word}` stands alone", help="leave out what stands behind it"
        )


def _check_heading(row: Row, block: Block) -> None:
    """Each column has a name of its own, a word as it stands in `<…>`."""
    for at, name in enumerate(row.cells):
        doubled = name in row.cells[:at]
        if not doubled and PARAMETER.fullmatch(f"<{name}>"):
            continue
        block.headless = block.incomplete = True
        if doubled:
            raise ScenarioError(
                "TS0105",
                f"the column `{name}` is stated twice",
                place=row.places[at],
                help="leave out one of the two, or write another name for it",
            )
        used = dict.fromkeys(
            name for each in block.statements for name in PARAMETER.findall(each.text)
        )
        heading = "".join(f" {name} |" for name in used or ("before", "after"))
        raise ScenarioError(
            "TS0109",
            f"`{name}` is no name of a column",
            place=row.places[at],
            help=f"write the names of the columns first, like `|{heading}`",
        )


def _cells(text: str, place: Place) -> Row:
    """The cells of a row, each with its place."""
    cells, places = [], []
    column = place.column + 1
    for cell in text.removeprefix("|").removesuffix("|").split("|"):
        blanks = len(cell) - len(cell.lstrip())
        cells.append(cell.strip())
        places.append(Place(place.file, place.line, column + blanks, place.text))
        column += len(cell) + 1
    return Row(tuple(cells), tuple(places), place)


def names_column(statement: Statement) -> bool:
    """Whether the words of a statement need those of a row."""
    return statement.keyword not in TITLES and bool(PARAMETER.search(statement.text))


def written(statement: Statement, columns: tuple[str, ...], row: Row | None) -> Written:
    """The words of a statement, with those of the row where it names a column."""
    text, place = statement.text, statement.place
    if not names_column(statement):
        return Written(text, ((0, place),))
    found = PARAMETER.split(text)
    words = ""
    parts = [(0, place)]
    for at, piece in enumerate(found):
        if at % 2 == 0:
            words += piece
            continue
        start = Place(place.file, place.line, place.column + _length(found[:at]), place.text)
        if piece not in columns or row is None:
            raise _no_column(piece, columns, start)
        column = columns.index(piece)
        parts.append((len(words), row.places[column]))
        words += row.cells[column]
        after = place.column + _length(found[: at + 1])
        parts.append((len(words), Place(place.file, place.line, after, place.text)))
    return Written(words, tuple(parts))


def _no_column(name: str, columns: tuple[str, ...], place: Place) -> ScenarioError:
    if not columns:
        return ScenarioError(
            "TS0109",
            "there is no `examples` table for the words in `<…>`",
            place=place,
            help=f"add the line `examples`, and below it a table with the column `{name}`",
        )
    return ScenarioError(
        "TS0109", f"no column `{name}`", place=place, help=suggestion(name, columns)
    )


def _length(pieces: list[str]) -> int:
    """How many characters of a line are before a piece: names of columns stand in brackets."""
    return sum(len(piece) + (2 if at % 2 else 0) for at, piece in enumerate(pieces))
