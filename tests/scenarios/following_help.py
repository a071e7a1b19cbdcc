"""Whether a change to a file is what the help of an error says: followed by the letter.

A help says one thing or several, of which one has to be done. Each way of saying a remedy has a
check here; a help that is none of them says nothing that one could do.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

KEYWORD = re.compile(r"(given|when|then|and|but)\s+")
WORD = re.compile(r"[\w'<>]+|[^\w\s]")
QUOTED = re.compile(r"`([^`]+)`")
NUMBER = re.compile(r"\d+")

SLOTS = {
    'a name in quotes, like "Dagger"': r'"[^"]+"',
    "a number": r"\b\d+\b",
    "a player, whose name begins with a capital letter": r"\b[A-Z]\w+",
}
"""Words that are expected without being named, and what is such a word."""


class Change(NamedTuple):
    """The lines that are in one of two texts only, and the texts."""

    removed: list[str]
    added: list[str]
    before: list[str]
    after: list[str]

    @property
    def new_words(self) -> Counter[str]:
        """The words that were written."""
        return words_of(self.added) - words_of(self.removed)

    @property
    def old_words(self) -> Counter[str]:
        """The words that were taken away."""
        return words_of(self.removed) - words_of(self.added)


def words_of(lines: list[str]) -> Counter[str]:
    """How often each word is in some lines, but for the words that only join lines."""
    return Counter(word for line in lines for word in WORD.findall(KEYWORD.sub("", line, count=1)))


def changed(before: str, after: str) -> Change:
    """What is different between two texts."""
    old, new = ([line.strip() for line in text.splitlines()] for text in (before, after))
    told = list(difflib.ndiff(old, new))
    removed = [line[2:] for line in told if line.startswith("- ") and line[2:]]
    added = [line[2:] for line in told if line.startswith("+ ") and line[2:]]
    return Change(removed, added, old, new)


def said(line: str) -> str:
    """What a line says, whichever word joins it to others."""
    return KEYWORD.sub("", line.strip(), count=1)


def form(line: str) -> str:
    """A line with any name, number and quoted words in it."""
    words = re.sub(r'("[^"]*"(, )?)+', "Q", said(line))
    words = re.sub(r"\b(nothing|Q)\b", "Q", words)
    return re.sub(r"\b\d+\b", "N", re.sub(r"\b[A-Z]\w+", "X", words))


def has(lines: list[str], words: str) -> bool:
    """Whether a line has these words; `…` stands for any."""
    pattern = re.escape(words).replace("…", ".+")
    return any(re.search(rf"(?<!\w){pattern}(?!\w)", line) for line in lines)


# One check for each way to say a remedy


def _wrote_what_was_meant(meant: str, change: Change) -> bool:
    return any(has(change.added, words) for words in QUOTED.findall(meant))


def _wrote_one_of(named: str, change: Change) -> bool:
    return any(has(change.added, words) for words in QUOTED.findall(named) if change.new_words)


def _wrote_as_expected(expected: str, change: Change) -> bool:
    for words in QUOTED.findall(expected):
        if words == "the end of the line":
            if change.removed[0].startswith(change.added[0]):
                return True
        elif words in SLOTS:
            if re.search(SLOTS[words], change.added[0]):
                return True
        elif words in change.new_words:
            return True
    return False


def _wrote_like(sample: str, change: Change) -> bool:
    samples = {form(words) for words in QUOTED.findall(sample)}
    return any(form(line) in samples for line in change.added)


def _wrote_a_part_like(sample: str, change: Change) -> bool:
    return any(
        form(words) in form(line) for words in QUOTED.findall(sample) for line in change.added
    )


def _wrote_in_words_of(sample: str, change: Change) -> bool:
    return bool(change.new_words) and set(change.new_words) <= set(WORD.findall(sample))


def _wrote_every(named: str, change: Change) -> bool:
    return all(has(change.added, words) for words in QUOTED.findall(named))


def _wrote_a_cell_for_each(columns: str, change: Change) -> bool:
    cells = change.added[0].strip("|").split("|")
    return len(cells) == len(QUOTED.findall(columns))


def _named_the_columns(heading: str, change: Change) -> bool:
    cells = change.added[0].replace(" ", "")
    return any(cells == sample.replace(" ", "") for sample in QUOTED.findall(heading))


def _wrote_another_name(_: str, change: Change) -> bool:
    before, after = Counter(change.before), Counter(change.after)
    return len(before) == len(after) and bool(change.new_words) and bool(change.old_words)


def _wrote_a_number(bounds: str, change: Change) -> bool:
    new = [int(word) for word in change.new_words if word.isdigit()]
    low, high = [int(each) for each in NUMBER.findall(bounds)] or (0, 10**9)
    return bool(new) and all(low <= number <= high for number in new)


def _wrote_a_smaller_number(_: str, change: Change) -> bool:
    old, new = (
        [int(word) for word in words if word.isdigit()]
        for words in (change.old_words, change.new_words)
    )
    return bool(old and new) and max(new) < max(old)


def _added_the_line(line: str, change: Change) -> bool:
    wanted = {said(words) for words in QUOTED.findall(line)}
    return any(said(each) in wanted for each in change.added)


def _added_a_line_that_begins(kinds: str, change: Change) -> bool:
    return change.added[0].startswith(tuple(QUOTED.findall(kinds)))


def _left_out(named: str, change: Change) -> bool:
    words = QUOTED.findall(named)
    gone = not words or any(has(change.removed, each) for each in words)
    return gone and bool(change.old_words) and not change.new_words


def _stated_what_is_allowed(listed: str, change: Change) -> bool:
    allowed = QUOTED.findall(listed)
    return bool(change.added) and all(said(line) in allowed for line in change.added)


def _moved(_: str, change: Change) -> bool:
    before, after = (sorted(said(line) for line in text) for text in (change.before, change.after))
    return before == after and change.before != change.after


def _made_a_scenario_of_it(_: str, change: Change) -> bool:
    def scenarios(lines: list[str]) -> int:
        return sum(line.startswith("scenario ") for line in lines)

    return scenarios(change.after) > scenarios(change.before)


def _closed_the_quote(_: str, change: Change) -> bool:
    return change.new_words == Counter('"')


def _named_three_or_four(_: str, change: Change) -> bool:
    return len(change.added[0].split(",")) in (3, 4)


def _wrote_what_there_is(_: str, change: Change) -> bool:
    """What a failed expectation says instead is in its message, which is checked there."""
    return bool(change.added)


REMEDIES: list[tuple[str, Callable[[str, Change], bool]]] = [
    (r"did you mean (.+?)\?", _wrote_what_was_meant),
    (r"known: (.+)", _wrote_one_of),
    (r"(?:name|write|is) one of (.+)", _wrote_one_of),
    (r"\bexpected (.+)", _wrote_as_expected),
    (r"write (`.+)", _wrote_what_was_meant),
    (r"write both in one line: (.+)", _wrote_what_was_meant),
    (r"write another name\b(.*)", _wrote_another_name),
    (r"write a number( from \d+ to \d+)?", _wrote_a_number),
    (r"write a smaller number()", _wrote_a_smaller_number),
    (r"write numbers()", _wrote_a_number),
    (r"write one cell for each of (.+)", _wrote_a_cell_for_each),
    (r"write the names of the columns first, like (.+)", _named_the_columns),
    (r"write a line for each: (.+)", _wrote_every),
    (r"write it like (.+)", _wrote_in_words_of),
    (r"write the largest value in `for any`, like (`[^`]+`)", _wrote_a_part_like),
    (r"(?:name them|count them|write whose|write about one), like (.+)", _wrote_like),
    (r"add a line like (`[^`]+`)", _wrote_like),
    (r"add the line (`[^`]+`)", _added_the_line),
    (r"add a (`\w+`) line, or an (?:`\w+`) line", _added_a_line_that_begins),
    (r"add a row like (`\|)", lambda _, change: change.added[0].startswith("|")),
    (r"leave out (?:a )?(`[^`]+`)", _left_out),
    (r"leave (?:out|the line out|it out|a line out)()", _left_out),
    (r"leave the [a-z]+ out()", _left_out),
    (r"(?:state one of|allowed here|state the order, a line for each): (.+)",
     _stated_what_is_allowed),
    (r"move the line up()", _moved),
    (r"put it into a scenario of its own()", _made_a_scenario_of_it),
    (r"end the name with()", _closed_the_quote),
    (r"exclude them with (`where`)", _added_a_line_that_begins),
    (r"name three or four players()", _named_three_or_four),
    (r"^(?:since the last `when`|nothing happened before)()", _wrote_what_there_is),
]  # fmt: skip
"""How a help says what to do, and whether a change does that."""


def remedies(help_: str) -> list[tuple[str, Callable[[str, Change], bool]]]:
    """What a help says to do: the words that say with what, and the check that it is done."""
    return [
        (found[1] or "", done)
        for pattern, done in REMEDIES
        for found in re.finditer(pattern, help_)
    ]


def follows(help_: str, change: Change) -> bool:
    """Whether a change does one of the things that a help says."""
    return any(done(words, change) for words, done in remedies(help_))
