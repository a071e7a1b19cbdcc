"""Our records as messages."""

from __future__ import annotations

from collections.abc import Iterable

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook import index
from truthsayer.v1 import common_pb2


def rule_refs(rule_ids: Iterable[str]) -> list[common_pb2.RuleRef]:
    """The rules with their sources, each once."""
    return [
        common_pb2.RuleRef(id=rule_id, source=index.rule(rule_id).source())
        for rule_id in dict.fromkeys(rule_ids)
    ]


def problem(error: TruthsayerError) -> common_pb2.Problem:
    """An error as the message that its reader gets."""
    place = error.place
    return common_pb2.Problem(
        code=error.code,
        message=error.message,
        file=place.file if place else "",
        line=place.line if place else 0,
        column=place.column if place else 0,
        text=place.text if place else "",
        help=error.help,
        rules=rule_refs(error.rules),
    )


def verdict(word: str) -> common_pb2.Verdict.ValueType:
    """The verdict that our records call by this word."""
    return common_pb2.Verdict.Value(f"VERDICT_{word.upper()}")
