"""What no sentence for a player has in it."""

from __future__ import annotations

import re

COUNTED = "troop|sword|sandworm|card|Agent|unit|time|contract|Intrigue card|Victory Point"

PATTERNS = {
    "a raw id": r"\w_\w",
    "a value of the program": r"\b(?:True|False|None|none)\b",
    "a negative number": r"(?<![\w-])-\d",
    "nothing, as a number": r"(?<![\d.])\b0 ",
    "a card that is no name": r"card a card\b",
    "a doubled word": r"\b([a-z]+) \1\b",
    "one in the plural": rf"\b1 (?:(?:{COUNTED})s|Spies|copies|memories)\b",
    "several in the singular": rf"\b(?:\d\d|[2-9]) (?:{COUNTED}|Spy|copy|memory)\b(?! card)",
    "the wrong article": r"\b[Aa] [AEIOaeio]\w|\b[Aa]n [bcdfgBCDFG]\w",
    "a fact that is missing": "…",
    "a blank too many": r"\S  +\S| [,.;:]",
}
"""What each of them is, and how it is recognised."""


def clumsy(text: str) -> list[str]:
    """What is wrong with a sentence."""
    return [what for what, pattern in PATTERNS.items() if re.search(pattern, text)]
