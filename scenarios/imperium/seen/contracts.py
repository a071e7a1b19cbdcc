"""Contracts as they are seen: held, completed, face up, or all gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scenarios.imperium.seen.look import Seen, has_cards, is_empty, lies_there
from scenarios.language.syntax import Line, Words

if TYPE_CHECKING:
    from scenarios.run import Run


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "holds_contracts": has_cards("contracts", "contract"),
    "has_completed": has_cards("completed", "contract"),
    "contract_row": lies_there("contract_row", "contract"),
    "no_contracts_left": is_empty("contract_deck"),
}
