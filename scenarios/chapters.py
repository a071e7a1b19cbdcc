"""The file of the library in which the scenarios of each chapter of the rules stand."""

from __future__ import annotations

CHAPTER_FILES = {
    "UNIT": "units",
    "WORM": "sandworms",
    "WALL": "shield_wall",
    "CTRL": "control",
    "SPY": "spies",
    "AGENT": "agent_turn",
    "COST": "costs",
    "REVEAL": "reveal_turn",
    "STR": "strength",
    "ACQ": "acquire",
    "COMBAT": "combat",
    "MAKER": "makers",
    "RECALL": "recall",
    "END": "endgame",
    "CHOAM": "contracts",
    "FACTION": "influence",
    "ROUND": "round",
    "ICON": "icons",
    "CLAR": "clarifications",
    "BOARD": "board_spaces",
}
"""By the middle part of a rule's id; the chapters whose rules all wait have no file yet."""


def chapter_file(product: str, rule: str) -> str:
    """The path, below the library, of the file that shows a rule."""
    return f"{product}/{CHAPTER_FILES[rule.split('-')[1]]}.scenario"
