"""Contracts as they are seen: held, completed, face up, or all gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from scenarios.imperium.seen.look import Seen, card_names, has_cards, is_empty
from scenarios.language.syntax import Line, Words, phrases

if TYPE_CHECKING:
    from scenarios.run import Run


def _see_contract_row(run: Run, line: Line, words: Words) -> Seen:
    wanted = run.table.cards(line, phrases(words, "cards")[0], "contract")
    there = run.state.contract_row
    return Seen(Counter(there) == Counter(wanted), card_names(run, wanted), card_names(run, there))


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "holds_contracts": has_cards("contracts", "contract"),
    "has_completed": has_cards("completed", "contract"),
    "contract_row": _see_contract_row,
    "no_contracts_left": is_empty("contract_deck"),
}
