"""Which rules random games should cite, and why some never are."""

from __future__ import annotations

import functools
from importlib import resources

import msgspec

from rules_engine.rulebook.index import Rule, cite, rules
from rules_engine.rulebook.waiting import waiting

MODES = {"3p", "4p"}
"""The numbers of players that random games are for."""


def in_scope() -> tuple[Rule, ...]:
    """Uprising's own rules for three or four players, but for those that nothing can settle."""
    return tuple(
        rule
        for rule in rules()
        if rule.id.startswith("UPR-")
        and rule.check != "none"
        and (not rule.modes or MODES & set(rule.modes))
    )


@functools.cache
def reasons() -> dict[str, str]:
    """Why a rule is never cited, by its id: it waits for another product, or as the file says."""
    text = resources.files("rules_engine.rulebook").joinpath("never_cited.toml").read_bytes()
    found = msgspec.toml.decode(text, type=dict[str, str])
    cite(*found)
    scope = {rule.id for rule in in_scope()}
    waits = {
        rule: f"waits for {group.needs}: {group.because}"
        for rule, group in waiting("uprising").items()
        if rule in scope
    }
    return {**waits, **found}
