"""Reads a scenario file: one mistake is one error, and the rest of the file is still read."""

from __future__ import annotations

import dataclasses
import re

from lark import Token
from lark.exceptions import UnexpectedInput

from scenarios.language.errors import ScenarioError, problem_of
from scenarios.language.several import one_by_one
from scenarios.language.statements import (
    JOINERS,
    MOST_MISTAKES,
    SECTIONS,
    Block,
    Splitter,
    Statement,
    names_column,
    too_many_mistakes,
    written,
)
from scenarios.language.syntax import Line, Row, Scenario, Written, depth, token, tokens, unquoted
from scenarios.language.unread import explained
from scenarios.language.vocabulary import LONGEST_REMEMBERED, Vocabulary
from scenarios.results import Problem

DEEPEST_LINE = 100
"""How deep the words of a line may stand in each other: every `and` of a condition adds one. No
line that is short enough to be remembered is deeper."""


class Reader:
    """Reads one file. What cannot be read is collected in `problems`."""

    def __init__(self, file: str, text: str, vocabulary: Vocabulary) -> None:
        self.splitter = Splitter(file, text)
        self.vocabulary = vocabulary
        self.scenarios: list[Scenario] = []
        self.background: Scenario | None = None
        self.problems: list[Problem] = []

    def read(self) -> None:
        """Read every line; the problems are in the order of their lines, each told once."""
        self.splitter.split()
        self.problems += self.splitter.problems
        for block in self.splitter.blocks:
            if block.background and block.broken and not block.statements:
                continue  # stray words before the first scenario say nothing that it would need
            if block.background:
                self.background = self._case(block, Scenario("", block.place), None)
            else:
                self.scenarios.append(self._scenario(block))
        self.problems = sorted(dict.fromkeys(self.problems), key=lambda each: each.line)

    def _scenario(self, block: Block) -> Scenario:
        """The scenario with the words of each row of its table; itself is that of the first."""
        rows: list[Row | None] = list(block.rows) or [None]
        before = len(self.problems)
        cases = (self._case(block, self._blank(block), row) for row in rows)
        first, *others = (self._each_player(case) for case in cases)
        self.problems[before:] = _not_once_a_row(self.problems[before:], len(rows))
        first.cases = [first, *others]
        return first

    def _each_player(self, case: Scenario) -> Scenario:
        """The case, with one line for each player in place of a line about several."""
        of_each = self.vocabulary.said_of_each
        case.given = one_by_one(case.given, case.players, of_each)
        case.steps = one_by_one(case.steps, case.players, of_each)
        return case

    def _blank(self, block: Block) -> Scenario:
        """A scenario that says nothing yet but what the background says."""
        blank = Scenario("", block.place, table=block.table, rows=len(block.rows))
        shared = self.background
        if shared is None:
            return blank
        return dataclasses.replace(
            blank,
            source=shared.source,
            tags=[*shared.tags],
            rulings={**shared.rulings},
            product=shared.product,
            players=[*shared.players],
            definitions=[*shared.definitions],
            given=[*shared.given],
            unreadable=shared.unreadable,
            incomplete=shared.incomplete,
        )

    def _case(self, block: Block, scenario: Scenario, row: Row | None) -> Scenario:
        """The scenario of a block, with what it names of a row."""
        scenario.row = row
        scenario.unreadable |= block.broken
        scenario.incomplete |= block.incomplete
        meant = ""
        for statement in block.statements:
            if block.table is not None and row is None and names_column(statement):
                continue
            if len(self.problems) > MOST_MISTAKES:
                scenario.unreadable = True
                break
            meant = meant if statement.keyword in JOINERS else ""
            if meant:
                statement = dataclasses.replace(statement, section=meant)
            try:
                self._add(scenario, self._line(statement, block, row))
            except ScenarioError as error:
                is_last = len(self.problems) == MOST_MISTAKES
                told = too_many_mistakes() if is_last else error
                self.problems.append(problem_of(told, statement.place))
                meant = error.section if isinstance(error, WrongSection) else meant
                if statement.section == "header":
                    scenario.unreadable = True
                else:
                    scenario.incomplete = True
        return scenario

    def _line(self, statement: Statement, block: Block, row: Row | None) -> Line:
        words = written(statement, block.columns, row)
        start = SECTIONS.get(statement.section, "header")
        try:
            tree = self.vocabulary.read(words.text, start)
        except UnexpectedInput as problem:
            wrong = self._gained(statement, words) or self._in_wrong_section(
                statement, words, block
            )
            raise wrong or explained(problem, words, start, self.vocabulary) from None
        if len(words.text) > LONGEST_REMEMBERED and depth(tree) > DEEPEST_LINE:
            raise ScenarioError(
                "TS0100",
                f"a line joins more than {DEEPEST_LINE} conditions or amounts",
                help="say it in several lines, or leave some out",
            )
        if tree.data == "header":
            # A definition of the product's own.
            (tree,) = (child for child in tree.children if not isinstance(child, Token))
        return Line(statement.section, statement.keyword, tree, words)

    def _gained(self, statement: Statement, words: Written) -> ScenarioError | None:
        """The mistake of a given line that says what somebody gains, if it is that."""
        found = GAINS.search(words.text)
        if statement.section != "given" or found is None:
            return None
        has = GAINS.sub("has", words.text, count=1)
        try:
            self.vocabulary.read(has, SECTIONS["given"])
        except UnexpectedInput:
            return None
        message = f"`given` says what there is, not what somebody {found[0]}"
        return ScenarioError(
            "TS0105", message, place=words.at(found.start() + 1), help=f"write `{has}`"
        )

    def _in_wrong_section(
        self, statement: Statement, words: Written, block: Block
    ) -> WrongSection | None:
        """The mistake of a line that another section could say, if it is that."""
        for section in _sections_instead(statement, block):
            try:
                self.vocabulary.read(words.text, SECTIONS[section])
            except UnexpectedInput:
                continue
            return WrongSection(statement, section)
        return None

    def _add(self, scenario: Scenario, line: Line) -> None:
        match line.section:
            case "header":
                _add_header(scenario, line)
            case "given":
                scenario.given.append(line)
            case _:
                scenario.steps.append(line)


def _not_once_a_row(problems: list[Problem], rows: int) -> list[Problem]:
    """Words that cannot be read in any row of a table are one mistake, not one in each cell."""
    found: dict[tuple[str, str, str], list[Problem]] = {}
    for each in problems:
        kind = each.message.split("`")[0] if each.help.startswith("expected") else each.message
        found.setdefault((each.code, kind, each.help), []).append(each)
    return [
        each for alike in found.values() for each in (alike[:1] if len(alike) == rows else alike)
    ]


class WrongSection(ScenarioError):
    """A line that is right in itself, but says what another section says."""

    def __init__(self, statement: Statement, section: str) -> None:
        super().__init__(
            "TS0105",
            f"this belongs to `{section}`, not to `{statement.section}`",
            help=f"write `{section}` instead of `{statement.keyword}`",
        )
        self.section = section


def _sections_instead(statement: Statement, block: Block) -> tuple[str, ...]:
    """The sections that could come where a line stands that its own section cannot say."""
    match statement.section:
        case "given":
            return ("when", "then")
        case "when" if block.happens_from == statement.place.line:
            return ("given", "then")
        case "when":
            return ("then",)
        case "then":
            return ("when",)
    return ()


def _add_header(scenario: Scenario, line: Line) -> None:
    """What a line of the header says; what is looked up by name later is kept as a line too."""
    words = line.words
    match words.data:
        case "scenario":
            scenario.title = unquoted(token(words, "STRING"))
            return
        case "id":
            _only_once(bool(scenario.id), "id")
            scenario.id = str(token(words, "ID"))
            return
        case "source":
            _only_once(bool(scenario.source), "source")
            scenario.source = unquoted(token(words, "STRING"))
            return
        case "tags":
            scenario.tags += [str(tag) for tag in tokens(words, "WORD")]
            return
        case "depends":
            name = token(words, "WORD")
            scenario.depends.append((str(name), line.at(name)))
            return
        case "for_any":
            _add_variables(scenario, line)
            return
        case "where":
            scenario.where.append(line)
            return
        case "cites":
            scenario.cites += [str(rule) for rule in tokens(words, "RULE")]
        case "ruling":
            name, value = tokens(words, "WORD")
            _only_once(str(name) in scenario.rulings, f"ruling {name}")
            scenario.rulings[str(name)] = str(value)
        case "game":
            _only_once(bool(scenario.product), "game")
            scenario.product = str(token(words, "WORD"))
            scenario.players = [str(name) for name in tokens(words, "NAME")]
        case "first_player" | "conflict" | "new_conflict":
            kinds = ("first_player",) if words.data == "first_player" else CONFLICTS
            stated = any(each.words.data in kinds for each in scenario.definitions)
            _only_once(stated, kinds[0].replace("_", " "))
    scenario.definitions.append(line)


def _add_variables(scenario: Scenario, line: Line) -> None:
    numbers = tokens(line.words, "NUMBER")
    low, *high = [int(number) for number in numbers]
    if high and high[0] < low:
        raise ScenarioError(
            "TS0125",
            f"there is no number from {low} to {high[0]}",
            place=line.at(numbers[1]),
            help=f"write `from {high[0]} to {low}`",
        )
    for name in tokens(line.words, "WORD"):
        _only_once(any(name == known for known, _, _ in scenario.variables), str(name))
        scenario.variables.append((str(name), low, high[0] if high else None))


GAINS = re.compile(r"\b(gains|keeps|gets)\b")
"""Verbs of a change, which a position does not have."""

CONFLICTS = ("conflict", "new_conflict")


def _only_once(again: bool, what: str) -> None:
    if again:
        raise ScenarioError(
            "TS0105", f"`{what}` is stated twice", help="leave out one of the two lines"
        )
