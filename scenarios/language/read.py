"""Reads a scenario file line by line: one mistake is one error, and the rest is still read."""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from rules_engine.kernel.errors import Place
from scenarios.language.errors import ScenarioError, problem_of, suggestion
from scenarios.language.syntax import Line, Row, Scenario, Words, token, tokens, unquoted
from scenarios.results import Problem

MOST_CHARACTERS = 1_000_000

SECTIONS = {"given": "state", "when": "action", "then": "outcome", "ask": "question"}
HEADERS = (
    "scenario", "id", "source", "cites", "tags", "ruling", "depends", "game", "for", "where",
)  # fmt: skip
JOINERS = ("and", "but")
DEFINITIONS = ("first", "module", "conflict", "card", "intrigue")
UNREADABLE = "unreadable"
"""After a line that cannot be placed, `and` lines are passed over: they are no second mistake."""

STARTS = ("header", "state", "action", "outcome", "question")


@functools.cache
def grammar(product_words: str, names: tuple[tuple[str, tuple[str, ...]], ...]) -> Lark:
    """The grammar of one product: core, its words, and terminals made of its names.

    A clash between two words is an error here, when the grammar is built.
    """
    core = resources.files("scenarios.language").joinpath("core.lark").read_text("utf-8")
    terminals = "\n".join(_terminal(kind, words) for kind, words in names)
    return Lark(
        f"{core}\n{product_words}\n{terminals}\n",
        parser="lalr",
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def _terminal(kind: str, words: tuple[str, ...]) -> str:
    """A terminal that reads any of these names, the longest first, with any blanks between."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    pattern = "|".join(re.escape(word).replace(r"\ ", r"[ \t]+") for word in longest_first)
    priority = 5 + max(word.count(" ") for word in words)
    return f"{kind}.{priority}: /({pattern})(?![A-Za-z])/"


class Reader:
    """Reads one file. What cannot be read is collected in `problems`."""

    def __init__(self, file: str, text: str, vocabulary: Vocabulary) -> None:
        self.file = file
        self.text = text
        self.vocabulary = vocabulary
        self.scenarios: list[Scenario] = []
        self.problems: list[Problem] = []
        self._section = ""
        self._in_table = False

    def read(self) -> None:
        """Read every line."""
        if len(self.text) > MOST_CHARACTERS:
            place = Place(self.file, 1)
            message = f"the file has more than {MOST_CHARACTERS} characters"
            error = ScenarioError("TS0100", message, help="split it into several files")
            self.problems.append(problem_of(error, place))
            return
        lines = re.split(r"\r\n|\r|\n", self.text.removeprefix("\ufeff"))
        for number, text in enumerate(lines, start=1):
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            indent = len(text) - len(text.lstrip())
            place = Place(self.file, number, indent + 1, text)
            try:
                self._line(text.strip(), place)
            except ScenarioError as error:
                self.problems.append(problem_of(error, place))

    def _line(self, text: str, place: Place) -> None:
        word = text.split(None, 1)[0]
        if text.startswith("|"):
            self._row(text, place)
        elif word == "examples":
            scenario = self._current(place)
            if text != word:
                raise ScenarioError(
                    "TS0101", "`examples` stands alone", help="put the table on the lines below"
                )
            _only_once(scenario.table is not None, "examples")
            scenario.table = place
            self._in_table = True
        elif word in HEADERS or word in DEFINITIONS:
            self._header(word, text, place)
        elif word in SECTIONS:
            self._section = word
            self._clause(word, text, place)
        elif word in JOINERS:
            if not self._section:
                raise ScenarioError(
                    "TS0105",
                    f"`{word}` has no line to follow",
                    help="begin with `given`, `when` or `then`",
                )
            if self._section != UNREADABLE:
                self._clause(word, text, place)
        else:
            self._section = UNREADABLE
            if self.scenarios:
                self.scenarios[-1].unreadable = True
            known = (*HEADERS, *DEFINITIONS, *SECTIONS, *JOINERS, "examples")
            raise ScenarioError(
                "TS0101", f"a line cannot begin with `{word}`", help=suggestion(word, known)
            )

    def _current(self, place: Place) -> Scenario:
        if not self.scenarios:
            raise ScenarioError(
                "TS0105",
                "this line is outside a scenario",
                place=place,
                help='begin with `scenario "a title"`',
            )
        return self.scenarios[-1]

    def _clause(self, keyword: str, text: str, place: Place) -> None:
        scenario = self._current(place)
        self._in_table = False
        rest = text[len(keyword) :]
        blanks = len(rest) - len(rest.lstrip())
        start = Place(place.file, place.line, place.column + len(keyword) + blanks, place.text)
        words = self._parse(rest.strip(), SECTIONS[self._section], start)
        line = Line(self._section, keyword, words, start)
        if self._section == "given":
            if scenario.steps:
                raise ScenarioError(
                    "TS0105",
                    "`given` comes after something happened",
                    place=place,
                    help="state the whole position before the first `when` or `then`",
                )
            scenario.given.append(line)
        elif self._section == "ask":
            scenario.asks.append(line)
        else:
            scenario.steps.append(line)

    def _row(self, text: str, place: Place) -> None:
        scenario = self._current(place)
        cells = tuple(cell.strip() for cell in text.strip("|").split("|"))
        if not self._in_table:
            self._in_table, scenario.table = True, place
            scenario.columns = cells
            raise ScenarioError(
                "TS0105", "a table row needs `examples` above it", help="write `examples` first"
            )
        if not scenario.columns:
            _only_once(len(set(cells)) < len(cells), "a column")
            scenario.columns = cells
        elif len(cells) != len(scenario.columns):
            raise ScenarioError(
                "TS0115",
                f"the row has {len(cells)} cells and the table {len(scenario.columns)} columns",
                help="give every column a cell",
            )
        else:
            scenario.rows.append(Row(cells, place))

    def _header(self, keyword: str, text: str, place: Place) -> None:
        self._in_table = False
        if keyword == "scenario":
            # Opened first: a title that cannot be read is one mistake, not one for each line.
            self._section = ""
            self.scenarios.append(Scenario("", place, unreadable=True))
        elif self.scenarios:
            readable, self.scenarios[-1].unreadable = self.scenarios[-1].unreadable, True
        words = self._parse(text, "header", place)
        if words.data == "header":
            (inner,) = [child for child in words.children if not isinstance(child, Token)]
            words = inner
        scenario = self._current(place)
        if keyword == "scenario":
            scenario.title, scenario.unreadable = unquoted(token(words, "STRING")), False
            return
        scenario.unreadable = readable
        line = Line("header", keyword, words, place)
        match words.data:
            case "id":
                _only_once(bool(scenario.id), "id")
                scenario.id = str(token(words, "ID"))
            case "source":
                _only_once(bool(scenario.source), "source")
                scenario.source = unquoted(token(words, "STRING"))
            case "cites":
                scenario.cites += [str(rule) for rule in tokens(words, "RULE")]
                scenario.definitions.append(line)
            case "tags":
                scenario.tags += [str(tag) for tag in tokens(words, "WORD")]
            case "ruling":
                name, value = tokens(words, "WORD")
                _only_once(str(name) in scenario.rulings, f"ruling {name}")
                scenario.rulings[str(name)] = str(value)
                scenario.definitions.append(line)
            case "depends":
                scenario.depends.append((str(token(words, "WORD")), place))
            case "game":
                _only_once(bool(scenario.product), "game")
                scenario.product = str(token(words, "WORD"))
                scenario.players = [str(name) for name in tokens(words, "NAME")]
                scenario.definitions.append(line)
            case "for_any":
                low, *high = [int(number) for number in tokens(words, "NUMBER")]
                for name in tokens(words, "WORD"):
                    _only_once(any(name == known for known, _, _ in scenario.variables), str(name))
                    scenario.variables.append((str(name), low, high[0] if high else None))
            case "where":
                scenario.where.append(line)
            case "first_player" | "conflict" | "new_conflict":
                kinds = ("first_player",) if words.data == "first_player" else CONFLICTS
                stated = any(each.words.data in kinds for each in scenario.definitions)
                _only_once(stated, kinds[0].replace("_", " "))
                scenario.definitions.append(line)
            case _:
                scenario.definitions.append(line)

    def _parse(self, text: str, start: str, place: Place) -> Words:
        parser = self.vocabulary.parser
        try:
            return parser.parse(text, start=start)
        except UnexpectedInput as problem:
            raise self._explained(problem, text, start, place) from None

    def _explained(
        self, problem: UnexpectedInput, text: str, start: str, place: Place
    ) -> ScenarioError:
        """What was expected, and what was probably meant."""
        column = problem.column if problem.column > 0 else len(text) + 1
        if isinstance(problem, UnexpectedToken) and problem.token.type == "$END":
            column = len(text) + 1
        where = Place(place.file, place.line, place.column + column - 1, place.text)
        rest = text[column - 1 :]
        expected = self._accepted_after(text[: column - 1], start)
        if re.match(r"[0-9]{10}", rest):
            message = "a number has at most nine digits"
            return ScenarioError("TS0101", message, place=where, help="write a smaller number")
        near = self._nearest(rest, expected)
        if near is not None:
            kind, attempt, hint = near
            what = (
                f"no {_readable(kind)} `{attempt}`" if kind else f"did not expect `{attempt}` here"
            )
            return ScenarioError("TS0104" if kind else "TS0101", what, place=where, help=hint)
        word = rest.split(None, 1)[0] if rest.strip() else "the end of the line"
        shown = dict.fromkeys(each for kind in expected for each in self._shown(kind))
        names = [kind for kind, _ in self.vocabulary.names if kind in expected]
        if names and len(expected) == len(names) and rest.strip():
            known = [
                name for kind, words in self.vocabulary.names if kind in names for name in words
            ]
            message = f"no {_readable(names[0])} `{word}`"
            return ScenarioError("TS0104", message, place=where, help=suggestion(word, known))
        hint = "expected " + ", ".join(f"`{each}`" for each in list(shown)[:10]) if shown else ""
        return ScenarioError("TS0101", f"did not expect `{word}` here", place=where, help=hint)

    def _accepted_after(self, text: str, start: str) -> list[str]:
        """The kinds of word with which the line could go on, or that it could end."""
        so_far: Any = self.vocabulary.parser.parse_interactive(text, start=start)
        so_far.exhaust_lexer()
        return sorted(so_far.accepts())

    def _nearest(self, rest: str, expected: list[str]) -> tuple[str, str, str] | None:
        """What was probably meant: its kind (none for a plain word), what stands there, a hint."""
        words = re.split(r"[,:]", rest)[0].split()
        for count in range(min(len(words), LONGEST_NAME), 0, -1):
            attempt = " ".join(words[:count])
            for kind, names in self.vocabulary.names:
                hint = suggestion(attempt, names) if kind in expected else ""
                if hint.startswith("did you mean"):
                    return kind, attempt, hint
        plain = [each for kind in expected for each in self._plain(kind)]
        hint = suggestion(words[0], plain) if words else ""
        return ("", words[0], hint) if hint.startswith("did you mean") else None

    def _plain(self, kind: str) -> list[str]:
        """The words that a terminal stands for, if it is made of plain words."""
        if kind in SLOTS or any(kind == known for known, _ in self.vocabulary.names):
            return []
        for terminal in self.vocabulary.parser.terminals:
            if terminal.name == kind:
                pattern = terminal.pattern.value.replace("(?:", "(")
                return re.findall(r"[A-Za-z]{2,}|[,:+=<>-]", pattern)
        return []

    def _shown(self, kind: str) -> list[str]:
        """How an expected word is shown to a person."""
        if kind in SLOTS:
            return [SLOTS[kind]]
        if any(kind == known for known, _ in self.vocabulary.names):
            return [f"a {_readable(kind)}"]
        return self._plain(kind)[:1]


SLOTS = {
    "STRING": 'a name in quotes, like "Dagger"',
    "NUMBER": "a number",
    "NAME": "a player, whose name begins with a capital letter",
    "RULE": "a rule id, like UPR-WALL-003",
    "WORD": "a word",
    "PARAMETER": "a column, like <x>",
    "ID": "an id",
    "$END": "the end of the line",
}
"""Words of which there are any number, as they are shown to a person."""

LONGEST_NAME = 4
"""How many words a name has at most."""

CONFLICTS = ("conflict", "new_conflict")


def _readable(kind: str) -> str:
    return kind.replace("_", " ").lower()


def _only_once(again: bool, what: str) -> None:
    if again:
        raise ScenarioError(
            "TS0105", f"`{what}` is stated twice", help="keep the line that is meant"
        )


class Vocabulary:
    """A product's grammar and the names in it."""

    def __init__(self, words: str, names: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
        self.parser = grammar(words, names)
        self.names = names
