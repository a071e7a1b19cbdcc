"""What each field of a request has to be, checked before a method sees it.

A message can be well formed and still have no sense: nothing where something is needed, a number
out of its range, a text beyond all use. The table says for every field what is right. What needs
more than the field itself to be judged, such as a position, its method checks.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

from google.protobuf.message import Message

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from server.answers.limits import MOST_CASES, MOST_FOUND, MOST_REPLAYED, TooMuch

LONGEST_ID = 200
LARGEST_INT = 2**31 - 1


class Rule(Record):
    """What a field has to be."""

    required: bool = False
    """A text that is not empty, a list with something in it, a message that is there."""

    longest: int | None = None
    """The most characters of a text, or of each in a list."""

    most: int | None = None
    """The most entries of a list, or the largest number."""

    least: int | None = None
    """The smallest number."""


FREE = Rule()
"""Whatever fits its type; a method may still check more."""

NAME = Rule(required=True, longest=LONGEST_ID)
OPTIONAL_NAME = Rule(longest=LONGEST_ID)
NEEDED = Rule(required=True)
FEW = Rule(least=0, most=MOST_FOUND)

RULES: dict[str, dict[str, Rule]] = {
    "GetRuleRequest": {"id": NEEDED},
    "SearchRulesRequest": {"words": FREE, "product": FREE, "most": FEW},
    "SearchRequest": {"question": FREE, "product": FREE, "most": FEW},
    "ListRulesRequest": {},
    "GetRulingRequest": {"name": NAME},
    "ListRulingsRequest": {},
    "GetCardRequest": {"name": NAME, "product": OPTIONAL_NAME},
    "GetCoverageRequest": {"rule": NAME, "product": OPTIONAL_NAME},
    "NewGameRequest": {
        "product": NAME,
        "players": Rule(required=True, most=100),
        "rulings": Rule(longest=LONGEST_ID, most=1_000),
        "choam": FREE,
        "leaders": Rule(longest=LONGEST_ID, most=100),
        "promos": FREE,
    },
    "StepRequest": {"position": NEEDED, "input": NEEDED},
    "ActionsRequest": {"position": NEEDED},
    "ViewRequest": {"position": NEEDED, "seat": FREE, "spectator": FREE},
    "EvaluateRequest": {"cases": Rule(required=True, most=MOST_CASES), "positions": FREE},
    # What is wrong with a case is told with the case, and spoils no other.
    "EvaluateCase": {"position": FREE, "inputs": FREE},
    "ReplayRequest": {"position": NEEDED, "inputs": Rule(most=MOST_REPLAYED)},
    "ReplayInput": {"input": NEEDED, "fingerprint": Rule(longest=32)},
    "CheckRequest": {"files": FREE, "vacuity": FREE},
    "AskRequest": {"file": NEEDED},
    "FormatRequest": {"file": NEEDED},
    "ExportRequest": {"files": FREE},
    "SourceFile": {"name": FREE, "text": FREE},
    "ListPropertiesRequest": {},
    "ProveRequest": {
        "names": Rule(most=10_000),
        "confirm": FREE,
        "limits": FREE,
    },
    "Limits": {"paths": Rule(most=LARGEST_INT), "work": FREE},
}
"""By message and field. Who calls for a run of the conformance kit holds a conversation, which its
method follows step by step; sessions have their own checks."""


def check_fields(request: Message) -> None:
    """Refuse a request with a field that is not what it has to be."""
    _check(request, "")


def _check(message: Message, path: str) -> None:
    for field, rule in _looked_at(message.DESCRIPTOR):
        value = getattr(message, field.name)
        where = f"{path}{field.name}"
        if rule.required and not _given(message, field, value):
            raise _wrong(where, "is missing", "every field is described in proto/truthsayer/v1")
        _check_value(rule, field, where, value)
        for at, inside in _messages(field, value):
            _check(inside, f"{where}{at}.")


@functools.cache
def _looked_at(kind: Any) -> tuple[tuple[Any, Rule], ...]:
    """The fields of a kind of message that can be wrong, with what they have to be."""
    rules = RULES.get(kind.name, {})
    return tuple(
        (field, rules[field.name])
        for field in kind.fields
        if field.name in rules and (rules[field.name] is not FREE or _inside(field))
    )


def _inside(field: Any) -> bool:
    """Whether messages are in a field in which something can be wrong."""
    return field.message_type is not None and bool(_looked_at(field.message_type))


def _given(message: Message, field: Any, value: Any) -> bool:
    if field.message_type is not None and not field.is_repeated:
        return message.HasField(field.name)
    return bool(value)


def _check_value(rule: Rule, field: Any, where: str, value: Any) -> None:
    if field.is_repeated:
        if rule.most is not None and len(value) > rule.most:
            raise TooMuch(
                f"`{where}` has {len(value)} entries, more than {rule.most}", "send fewer at a time"
            )
        texts = [*value, *value.values()] if hasattr(value, "values") else value
        _check_lengths(rule, where, texts)
    elif isinstance(value, str):
        _check_lengths(rule, where, (value,))
    elif isinstance(value, int):
        too_small = rule.least is not None and value < rule.least
        if too_small or (rule.most is not None and value > rule.most):
            raise _wrong(where, f"cannot be {value}", f"from {rule.least or 0} to {rule.most}")


def _check_lengths(rule: Rule, where: str, texts: Iterable[Any]) -> None:
    if rule.longest is None:
        return
    for text in texts:
        if len(text) > rule.longest:
            raise _wrong(
                where, f"has {len(text)} characters", f"at most {rule.longest} make sense here"
            )


def _messages(field: Any, value: Any) -> Iterator[tuple[str, Message]]:
    """The messages in a field, each with what tells its place."""
    if not _inside(field):
        return
    if field.is_repeated:
        for number, each in enumerate(value):
            yield f"[{number}]", each
    else:
        yield "", value


def _wrong(field: str, what: str, help: str) -> TruthsayerError:
    return TruthsayerError("TS0870", f"the field `{field}` {what}", help=help)
