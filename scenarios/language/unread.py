"""Says of a line that cannot be read what was expected, and what was probably meant."""

from __future__ import annotations

import re

from lark.exceptions import UnexpectedInput, UnexpectedToken

from scenarios.language.errors import ScenarioError, suggestion
from scenarios.language.syntax import Written
from scenarios.language.vocabulary import SLOTS, Vocabulary

LONGEST_NAME = 4
"""How many words a name has at most."""

LIKE_A_WORD, LIKE_A_NAME = 0.6, 0.75
"""How like a name a word has to be, and several words, which resemble something more easily."""

SHOWN = 10
"""How many expected words are shown."""

OTHER_QUOTES = re.compile(
    '[\u201c-\u201f\u00ab\u00bb](?P<double>[^"\u201c-\u201f\u00ab\u00bb]+)[\u201c-\u201f\u00ab\u00bb]'
    "|['\u2018-\u201b](?P<single>[^\"]+?)['\u2018-\u201b](?!\\w)"
)
"""A name between quotation marks as other programs and languages have them."""


POSSESSIVE = re.compile(r"(\w+)['\u2019]s\s+$")
"""A player of whom something is said as one says it of what belongs to somebody."""


QUESTIONS_LIKE = {
    r"why did (\w+) not\s+": (
        "why did {0} not gain 2 spice",
        "why did {0} not lose 1 victory point",
        "why did {0} not gain the first reward",
        "why did {0} not win the conflict",
        'why did "{0} deploys 2 troops" not happen',
    ),
    r"(?:can|why cannot) (\w+)\s+": (
        "can {0} reveal",
        "can {0} deploy 2 troops",
        "what can {0} do",
        "what does {0} gain",
        "who wins the conflict",
        "who wins",
    ),
}
"""What can be asked, by how a question begins that cannot be read further."""


def explained(
    problem: UnexpectedInput, written: Written, start: str, vocabulary: Vocabulary
) -> ScenarioError:
    """What was expected where the grammar stopped reading, and what was probably meant."""
    text = written.text
    column = problem.column if problem.column > 0 else len(text) + 1
    if isinstance(problem, UnexpectedToken) and problem.token.type == "$END":
        column = len(text) + 1
    where = written.at(column)
    rest = text[column - 1 :]
    if re.match(r"[0-9]{10}", rest):
        message = "a number has at most nine digits"
        return ScenarioError("TS0101", message, place=where, help="write a smaller number")
    if re.match(r'"[^"]*$', rest):
        message = "a quotation mark is missing"
        return ScenarioError("TS0101", message, place=where, help='end the name with `"`')
    expected = vocabulary.accepted_after(text[: column - 1], start)
    other = OTHER_QUOTES.match(rest)
    if other and "STRING" in expected:
        message = "a name stands in straight quotation marks"
        help_ = f'write `"{other["double"] or other["single"]}"`'
        return ScenarioError("TS0101", message, place=where, help=help_)
    whose = POSSESSIVE.search(text[: column - 1])
    if whose:
        message = "what somebody has is said with `has`"
        help_ = f"write `{whose[1]} has` instead of `{whose[0].strip()}`"
        return ScenarioError("TS0101", message, place=where, help=help_)
    near = _nearest(rest, expected, vocabulary)
    if near is not None:
        kind, attempt, hint = near
        what = f"no {readable(kind)} `{attempt}`" if kind else f"did not expect `{attempt}` here"
        return ScenarioError("TS0104" if kind else "TS0101", what, place=where, help=hint)
    word = rest.split(None, 1)[0] if rest.strip() else ""
    kinds = [kind for kind, _ in vocabulary.names if kind in expected]
    if kinds and len(expected) == len(kinds) and rest.strip():
        known = [name for kind, names in vocabulary.names if kind in kinds for name in names]
        message = f"no {readable(kinds[0])} `{word}`"
        return ScenarioError("TS0104", message, place=where, help=suggestion(word, known))
    samples = _questions_like(text[: column - 1]) if start == "question" else []
    if samples and word:
        help_ = "write one of " + ", ".join(f"`{each}`" for each in samples)
        message = f"`{word}` is nothing that can be asked so"
        return ScenarioError("TS0101", message, place=where, help=help_)
    shown = dict.fromkeys(each for kind in expected for each in shown_as(kind, vocabulary))
    hint = "expected " + ", ".join(f"`{each}`" for each in list(shown)[:SHOWN])
    hint = hint if shown else "leave the line out: nothing like it can be said"
    message = f"did not expect `{word}` here" if word else "the line ends too early"
    return ScenarioError("TS0101", message, place=where, help=hint)


def _questions_like(before: str) -> list[str]:
    """Questions about the same player, where what is asked of the player cannot be read."""
    for pattern, samples in QUESTIONS_LIKE.items():
        found = re.fullmatch(pattern, before)
        if found:
            return [each.format(found[1]) for each in samples]
    return []


def _nearest(rest: str, expected: list[str], vocabulary: Vocabulary) -> tuple[str, str, str] | None:
    """What was probably meant: its kind (none for a plain word), what stands there, a hint."""
    words = re.split(r"[,:]", rest)[0].split()
    for count in range(min(len(words), LONGEST_NAME), 0, -1):
        attempt = " ".join(words[:count])
        needed = LIKE_A_WORD if count == 1 else LIKE_A_NAME
        known = {n: kind for kind, names in vocabulary.names if kind in expected for n in names}
        hint = suggestion(attempt, known, needed)
        if hint.startswith("did you mean"):
            meant = next(name for name in known if f"`{name}`" in hint)
            return known[meant], attempt, hint
    plain = [each for kind in expected for each in vocabulary.plain_words(kind)]
    hint = suggestion(words[0], plain) if words else ""
    return ("", words[0], hint) if hint.startswith("did you mean") else None


def shown_as(kind: str, vocabulary: Vocabulary) -> list[str]:
    """How an expected word is shown to a person."""
    if kind in SLOTS:
        return [SLOTS[kind]]
    if any(kind == known for known, _ in vocabulary.names):
        return [f"a {readable(kind)}"]
    return vocabulary.plain_words(kind)[:1]


def readable(kind: str) -> str:
    """The kind of a name in words."""
    return kind.replace("_", " ").lower()
