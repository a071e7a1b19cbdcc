"""Given contracts: held, completed, face up, or all gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.kernel.decks import zone
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.imperium.given.decks import taken_out, use_up, without_module
from scenarios.language.syntax import Line, Words, token

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def _holds_contracts(position: Position, line: Line, words: Words) -> None:
    _contracts(position, line, words, "contracts")


def _has_completed(position: Position, line: Line, words: Words) -> None:
    _contracts(position, line, words, "completed")


def _contracts(position: Position, line: Line, words: Words, where: str) -> None:
    seat = position.table.seat(line, token(words, "NAME"))
    position.once(line, seat, where)
    contracts = _drawn_contracts(position, line, words)
    position.change_player(seat, **{where: zone(contracts)})


def _drawn_contracts(position: Position, line: Line, words: Words) -> tuple[str, ...]:
    """Named contracts, taken from the bank or from those set aside for a Leader."""
    if not position.state.config.choam:
        rules = cite("UPR-CHOAM-006")
        raise without_module(line, "there are no contracts in", "choam", rules)
    contracts = position.table.all_of(line, words, "contract")
    apart = Counter(position.state.leader_contracts)
    from_bank = tuple((Counter(contracts) - apart).elements())
    left = taken_out(position, line, position.state.contract_deck, from_bank, cite("UPR-CHOAM-002"))
    kept = zone((apart - Counter(contracts)).elements())
    position.state = change(position.state, contract_deck=left, leader_contracts=kept)
    return contracts


def _contract_row(position: Position, line: Line, words: Words) -> None:
    position.once(line, "contract row")
    contracts = _drawn_contracts(position, line, words)
    position.state = change(position.state, contract_row=zone(contracts))
    position.contracts_known = True


def _no_contracts_left(position: Position, line: Line, _: Words) -> None:
    use_up(position, line, "contract_deck")


FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    "holds_contracts": _holds_contracts,
    "has_completed": _has_completed,
    "contract_row": _contract_row,
    "no_contracts_left": _no_contracts_left,
}
