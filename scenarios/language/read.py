"""Reads a scenario file line by line: one mistake is one error, and the rest is still read."""

from __future__ import annotations

import functools
import re
from importlib import resources

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

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
DEFINITIONS = ("first", "conflict", "card")
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
        for number, text in enumerate(self.text.splitlines(), start=1):
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
            self._current(place)
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
            scenario.given.append(line)
        elif self._section == "ask":
            scenario.asks.append(line)
        else:
            scenario.steps.append(line)

    def _row(self, text: str, place: Place) -> None:
        scenario = self._current(place)
        cells = tuple(cell.strip() for cell in text.strip("|").split("|"))
        if not self._in_table:
            raise ScenarioError(
                "TS0105", "a table row needs `examples` above it", help="write `examples` first"
            )
        if not scenario.columns:
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
        words = self._parse(text, "header", place)
        if words.data == "header":
            (inner,) = [child for child in words.children if not isinstance(child, Token)]
            words = inner
        if keyword == "scenario":
            self._section = ""
            self.scenarios.append(Scenario(unquoted(token(words, "STRING")), place))
            return
        scenario = self._current(place)
        line = Line("header", keyword, words, place)
        match words.data:
            case "id":
                scenario.id = str(token(words, "ID"))
            case "source":
                scenario.source = unquoted(token(words, "STRING"))
            case "cites":
                scenario.cites += [str(rule) for rule in tokens(words, "RULE")]
                scenario.definitions.append(line)
            case "tags":
                scenario.tags += [str(tag) for tag in tokens(words, "WORD")]
            case "ruling":
                name, value = tokens(words, "WORD")
                scenario.rulings[str(name)] = str(value)
                scenario.definitions.append(line)
            case "depends":
                scenario.depends.append((str(token(words, "WORD")), place))
            case "game":
                scenario.product = str(token(words, "WORD"))
                scenario.players = [str(name) for name in tokens(words, "NAME")]
                scenario.definitions.append(line)
            case "for_any":
                low, *high = [int(number) for number in tokens(words, "NUMBER")]
                for name in tokens(words, "WORD"):
                    scenario.variables.append((str(name), low, high[0] if high else None))
            case "where":
                scenario.where.append(line)
            case _:
                scenario.definitions.append(line)

    def _parse(self, text: str, start: str, place: Place) -> Words:
        parser = self.vocabulary.parser
        try:
            return parser.parse(text, start=start)
        except UnexpectedInput as problem:
            raise self._explained(problem, text, place) from None

    def _explained(self, problem: UnexpectedInput, text: str, place: Place) -> ScenarioError:
        """What was expected, and what was probably meant."""
        column = problem.column if problem.column > 0 else len(text) + 1
        if isinstance(problem, UnexpectedToken) and problem.token.type == "$END":
            column = len(text) + 1
        where = Place(place.file, place.line, place.column + column - 1, place.text)
        rest = text[column - 1 :]
        expected = _expected(problem)
        for kind, names in self.vocabulary.names:
            if kind in expected and rest:
                return _misspelt(kind, rest, names, where)
        word = rest.split(None, 1)[0] if rest.strip() else "the end of the line"
        known = [shown for kind in expected for shown in self._shown(kind)]
        return ScenarioError(
            "TS0101", f"did not expect `{word}` here", place=where, help=_hint(word, known)
        )

    def _shown(self, kind: str) -> list[str]:
        """How an expected word is shown to a person."""
        slots = {
            "STRING": 'a name in quotes, like "Dagger"',
            "NUMBER": "a number",
            "NAME": "a player",
            "RULE": "a rule id, like UPR-WALL-003",
            "WORD": "a word",
            "PARAMETER": "a column, like <x>",
            "ID": "an id",
        }
        if kind in slots:
            return [slots[kind]]
        for terminal in self.vocabulary.parser.terminals:
            if terminal.name == kind:
                return re.findall(r"[A-Za-z]+|[,:|=<>+-]+", terminal.pattern.value)[:2]
        return []


class Vocabulary:
    """A product's grammar and the names in it."""

    def __init__(self, words: str, names: tuple[tuple[str, tuple[str, ...]], ...]) -> None:
        self.parser = grammar(words, names)
        self.names = names


def _expected(problem: UnexpectedInput) -> list[str]:
    if isinstance(problem, UnexpectedToken):
        return sorted(problem.accepts or problem.expected or ())
    if isinstance(problem, UnexpectedCharacters):
        return sorted(problem.allowed or ())
    return []


def _misspelt(kind: str, rest: str, names: tuple[str, ...], where: Place) -> ScenarioError:
    longest = max(name.count(" ") for name in names) + 1
    words = re.split(r"[,:]", rest)[0].split()[:longest]
    tries = [" ".join(words[:count]) for count in range(len(words), 0, -1)]
    hints = [(attempt, suggestion(attempt, names)) for attempt in tries]
    good = [pair for pair in hints if pair[1].startswith("did you mean")]
    attempt, hint = good[0] if good else hints[-1]
    what = kind.replace("_", " ").lower()
    return ScenarioError("TS0104", f"no {what} `{attempt}`", place=where, help=hint)


def _hint(word: str, known: list[str]) -> str:
    plain = [name for name in known if name.isalpha()]
    near = suggestion(word, plain)
    if near.startswith("did you mean"):
        return near
    unique = list(dict.fromkeys(known))
    return "expected " + ", ".join(f"`{name}`" for name in unique[:10]) if unique else ""
