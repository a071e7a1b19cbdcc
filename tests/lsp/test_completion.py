"""What is offered at the cursor is what the grammar takes there: all of it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from lark import Token
from lark.exceptions import UnexpectedInput

from scenarios.imperium.names import vocabulary
from scenarios.language.statements import DEFINITIONS, HEADERS, JOINERS, SECTIONS, STARTERS
from scenarios.language.unread import LONGEST_NAME
from scenarios.names_check import CARDS, EFFECTS, SENTENCES
from tests.lsp.texts import OWN_CARD, cursor, place_of
from truthsayer.cli.lookup import library_texts
from truthsayer.lsp.completion import completions
from truthsayer.lsp.grammar import accepted_after, phrases_of_next

HEAD = 'scenario "x"\ngame uprising with John, Abby, Ned\n'


def offered(text: str) -> list[str]:
    """What is offered at the mark `|`."""
    return [each.text for each in completions(*cursor(text))]


def completed(text: str) -> list[str]:
    """The line with the mark as it is after each completion."""
    lines, line, column = cursor(text)
    return [
        lines[line][: each.start] + each.text + lines[line][each.end :]
        for each in completions(lines, line, column)
    ]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("given Abby has hand |", '"Dagger"'),
        ("when Abby trashes intrigue |", '"Detonation"'),
        ("when Abby takes contract |", '"Harvest 3"'),
        ("given Abby is led by |", '"Lady Jessica"'),
        ("given |", "everyone"),
        ("when |", "everyone"),
        ("then nobody has |", "any"),
        ("given Abby and |", "Ned"),
        ("given Abby, Ned |", "have"),
        ("given Abby has |", "no"),
        ("when everyone draws 5 |", "cards"),
        ("then the reserve has 3 |", '"Prepare the Way"'),
        ("then the combat marker of Abby is |", "turned"),
        ("then chance |", "is"),
        ('contract "Own" for |', "visiting"),
        ('contract "Own" for visiting |', "Arrakeen"),
        ('contract "Own" for acquiring |', '"Prepare the Way"'),
        ('when Abby discards "Dagger", |', '"Diplomacy"'),
        ("conflict |", '"Siege of Arrakeen"'),
        ("given Abby has a spy at |", "Arrakeen"),
        ("module |", "choam"),
        ("game |", "uprising"),
        ("first player |", "Ned"),
        ("ruling |", "sandworm_choice_when_protected"),
        ("ruling sandworm_choice_when_protected is |", "allowed"),
        ("depends on ruling |", "alliance_loss_tie"),
        ("tags |", "deploy_limit"),
        ("then Abby cannot deploy 3 troops because |", "UPR-UNIT-013"),
        ("ask what can |", "John"),
        ("  |", "given"),
        ("|", "scenario"),
        ("exa|", "examples"),
    ],
)
def test_what_can_follow_is_offered(line: str, wanted: str) -> None:
    assert wanted in offered(HEAD + line)


def test_cards_are_offered_by_what_the_phrase_is_about() -> None:
    assert "Dagger" not in "".join(offered(f'{HEAD}given Abby has intrigue "|'))
    assert "Detonation" not in "".join(offered(f'{HEAD}given Abby has hand "|'))
    assert '"Dagger"' in offered(f"{HEAD}when Abby plays |")
    assert '"Detonation"' in offered(f"{HEAD}when Abby plays |")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('given Abby has hand "Dag|', ['given Abby has hand "Dagger"']),
        ('given Abby has hand "Dag|"', ['given Abby has hand "Dagger"']),
        ('given Abby has hand "Dag|ge", "x"', ['given Abby has hand "Dagger", "x"']),
        ('given Abby has hand "x", "Dag|', ['given Abby has hand "x", "Dagger"']),
        ('when Abby plays "Dag| to Arrakeen', ['when Abby plays "Dagger" to Arrakeen']),
        ('when Abby plays "Dagger" to Imp|', None),
        ("given Abby has 2 influence with the bene g|", None),
    ],
)
def test_a_completed_line_has_its_quotes_and_nothing_twice(
    line: str, wanted: list[str] | None
) -> None:
    found = completed(HEAD + line)
    if wanted is not None:
        assert found == wanted
    assert found
    assert all(each.count('"') % 2 == 0 for each in found)


def test_only_the_players_cards_and_columns_of_this_scenario_are_offered() -> None:
    other = 'scenario "y"\ngame uprising with Ann, Ben, Cid\n'
    assert "John" not in offered(f"{HEAD}{other}then |")
    assert "Ann" in offered(f"{HEAD}{other}then |")
    text = f"{HEAD}given Abby has <| spice\nexamples\n  ¦ few ¦ many ¦\n".replace("¦", "|")
    lines, line, column = cursor(text)
    found = [each.text for each in completions(lines, line, column)]
    assert found == ["<few>", "<many>"]
    rows = "examples\n  ¦ amount ¦\n  ¦ 3 ¦\n".replace("¦", "|")
    lines, line, column = cursor(f"{HEAD}given Abby has <amount> | \n{rows}")
    assert "spice" in [each.text for each in completions(lines, line, column)]
    assert '"Trial Ride"' in offered(OWN_CARD.replace('hand "Trial Ride"', "hand |"))
    assert '"Trial Ride"' not in offered(f"{OWN_CARD}\n{HEAD}given Abby has hand |")


def test_shared_lines_before_the_first_scenario_count_for_all() -> None:
    shared = 'game uprising with Ann, Ben, Cid\n\nscenario "x"\nid A\n\nscenario "y"\n'
    assert "Ann" in offered(f"{shared}then |")


def test_variables_of_for_any_are_offered() -> None:
    assert {"j", "a"} <= set(offered(f"{HEAD}for any j, a from 0\nwhere |"))


@pytest.mark.parametrize(
    "line", ["# then |", "| a | b", "nonsense |", "and |", "then Abby flies |"]
)
def test_where_nothing_can_stand_nothing_is_offered(line: str) -> None:
    text = f'scenario "x"\n{line.replace("| a | b", "¦ a |")}'.replace("¦", "")
    assert offered(text) == []


def test_every_word_that_begins_a_line_is_offered() -> None:
    assert set(offered("|")) == set(STARTERS)


# The library as the measure


class Shape(NamedTuple):
    """A line of the library that is built like none before it: its words and where they stand."""

    lines: list[str]
    line: int
    offset: int
    rule: str
    words: list[Token]


def shapes() -> Iterator[Shape]:
    """One line of every shape that the library has."""
    seen = set()
    parser = vocabulary("uprising").parser
    for _, text in library_texts("uprising"):
        lines, rule = text.split("\n"), ""
        for number, line in enumerate(lines):
            first = (line.split(None, 1) or [""])[0]
            rule = SECTIONS.get(first, rule)
            header = first in HEADERS or first in DEFINITIONS
            if not (header or first in SECTIONS or first in JOINERS) or "<" in line:
                continue
            offset = line.index(first) + (0 if header else len(first))
            start = "header" if header else rule
            try:
                words = parser.parse_interactive(line[offset:], start=start).exhaust_lexer()
            except UnexpectedInput:  # a line that is meant to be wrong, or is expanded first
                continue
            shape = (start, *(word.type for word in words))
            if shape not in seen:
                seen.add(shape)
                yield Shape(lines, number, offset, start, words)


FREE = {"NUMBER", "ID", "COMMA", "COLON", "RELATION", "PLUS", "MINUS"}
"""Kinds of word of which nothing can be offered, or nothing that is worth it."""


def free(shape: Shape, at: int) -> bool:
    """Whether a word of a line can be anything: a new name, an effect, a number."""
    word = shape.words[at]
    first = str(shape.words[0])
    head = shape.lines[shape.line][shape.offset :][: word.start_pos]
    if word.type == "STRING":
        possible = phrases_of_next(head, shape.rule)
        effects = {*SENTENCES, *EFFECTS} - {"offered"}
        return not possible & CARDS.keys() or bool(possible & effects)
    defines = word.type == "NAME" and first == "game"
    return defines or word.type in FREE or word.type == "WORD"


def test_every_word_of_the_library_is_offered_where_it_stands() -> None:
    missing = []
    checked = 0
    for shape in shapes():
        line = shape.lines[shape.line]
        for at, word in enumerate(shape.words):
            if not free(shape, at):
                checked += 1
                column = shape.offset + (word.start_pos or 0)
                found = completions(shape.lines, shape.line, column)
                plain = " ".join(str(word).split()).lower()
                if plain not in {each.text.lower() for each in found if each.start == column}:
                    missing.append((line, str(word)))
    assert checked > 1000
    assert missing == []


def test_everything_offered_in_the_library_can_be_read_up_to_there() -> None:
    wrong = []
    checked = 0
    for number, shape in enumerate(shapes()):
        if number % 5:
            continue
        line = shape.lines[shape.line]
        column = shape.offset + (shape.words[-1].start_pos or 0)
        offers = completions(shape.lines, shape.line, column)
        for each in [offer for offer in offers if offer.kind != "column"][:40]:
            checked += 1
            head = line[shape.offset : each.start] + each.text
            if not accepted_after(f"{head} ", shape.rule) and not reads(head, shape.rule):
                wrong.append(head)
    assert checked > 500
    assert wrong == []


def reads(text: str, rule: str) -> bool:
    return bool(vocabulary("uprising").parser.parse(text, start=rule))


def test_a_name_of_several_words_is_offered_after_each_of_them() -> None:
    text = f"{HEAD}given Abby has a spy at Imperial Basin"
    line, column = place_of(text, "Imperial Basin")
    lines = text.split("\n")
    for typed in range(column, column + len("Imperial Basin")):
        found = completions(lines, line, typed)
        assert "Imperial Basin" in [each.text for each in found if each.start == column], typed
    names = [name for _, known in vocabulary("uprising").names for name in known]
    assert all(len(name.split()) <= LONGEST_NAME for name in names)
