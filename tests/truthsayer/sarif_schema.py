"""What SARIF 2.1.0 requires of the parts that we write, as a JSON Schema of our own."""

from __future__ import annotations

from typing import Any


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """An object with these members and no others, so that a misspelt one is noticed."""
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
        "additionalProperties": False,
    }


def _list(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


TEXT = {"type": "string", "minLength": 1}
MESSAGE = _object({"text": TEXT})
LEVEL = {"enum": ["none", "note", "warning", "error"]}
POSITIVE = {"type": "integer", "minimum": 1}

RULE = _object(
    {"id": TEXT},
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    defaultConfiguration=_object({}, level=LEVEL),
)
ADDRESS = _object(
    # No space, backslash, bracket or control character, and a `%` only before two digits.
    {"uri": {"type": "string", "pattern": r"^(?:[\w\-.~!$&'()*+,;=:@/]|%[0-9A-F]{2})+$"}},
    uriBaseId=TEXT,
)
LOCATION = _object(
    {
        "physicalLocation": _object(
            {"artifactLocation": ADDRESS},
            region=_object({"startLine": POSITIVE}, startColumn=POSITIVE),
        )
    }
)
RESULT = _object(
    {"ruleId": TEXT, "message": MESSAGE},
    level=LEVEL,
    locations=_list(LOCATION, minItems=1),
    properties={"type": "object"},
)
TOOL = _object(
    {"driver": _object({"name": TEXT}, version=TEXT, rules=_list(RULE, uniqueItems=True))}
)
RUN = _object(
    {"tool": TOOL, "results": _list(RESULT)},
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
)
SARIF = _object(
    {"version": {"const": "2.1.0"}, "runs": _list(RUN, minItems=1, maxItems=1)},
    **{"$schema": {"type": "string", "format": "uri"}},
)
