"""What others say, as it can be shown anywhere: all of it can be seen, and it is not too long."""

from __future__ import annotations

import json
from typing import Any

LONGEST = 1_000
"""Characters of a text that are shown, if nothing else is said."""


def plain(text: str, longest: int = LONGEST, *, lines: bool = False) -> str:
    """The text with what cannot be seen written as Python does, cut where it is too long.

    A line stays one line, unless `lines` says that there may be several.
    """
    kept = text[:longest]
    shown = "".join(map(_seen_in_lines if lines else _seen, kept))
    left = len(text) - len(kept)
    return f"{shown}… ({left} more)" if left else shown


def _seen(each: str) -> str:
    # Also what turns the direction of writing, and halves of characters, which no file can hold.
    return each if each.isprintable() else each.encode("unicode_escape").decode()


def _seen_in_lines(each: str) -> str:
    return each if each == "\n" else _seen(each)


DEEPEST = 50
"""Levels of lists and tables in a value; nothing that is observed has more than a few."""

TOO_DEEP = "(lists in lists, too deep to be shown)"


def shallow(value: Any) -> Any:
    """The value, unless it is nested so deeply that writing it could fail."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
        if not level:
            return value
    return TOO_DEEP


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def plain_value(value: Any, longest: int = LONGEST) -> str:
    """A value of JSON on one line; a text is without quotes, unless it looks like another value."""
    kept = shallow(value)
    if isinstance(kept, str) and not _looks_like_json(kept):
        return plain(kept, longest)
    return plain(json.dumps(kept, ensure_ascii=False), longest)


def _looks_like_json(text: str) -> bool:
    return text.strip()[:1] in JSON_BEGINS or text.strip() in ("true", "false", "null")


JSON_BEGINS = ("", *'"[{-0123456789')
"""What a value of JSON that is no word begins with; an empty text would not be seen at all."""
