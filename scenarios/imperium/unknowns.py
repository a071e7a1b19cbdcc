"""How a scenario states what would otherwise be unknown."""

from __future__ import annotations

import re

ANY_CARD = 'name the cards that are drawn, like `{0} draws "Dagger"`, instead of `any card`'

STATED = {
    r"(.+)'s hand": "add a line like `given {0} has hand {card}`",
    r"the cards (.+) has won": "add a line like `given {0} has won nothing`",
    r"(.+)'s (?:troops|supply) behind the strength": (
        "add a line like `given {0} has 2 troops in conflict`"
    ),
    r"(.+)'s sandworms behind the strength": (
        "add a line like `given {0} has no sandworms in conflict`"
    ),
    r"(.+)'s swords behind the strength": "add a line like `given {0} has no swords`",
    r"the Conflict card": 'add a line like `conflict "Skirmish (Crysknife)"`',
    r"the Conflict Deck": "add the line `given the conflict deck is empty`, or name fewer cards",
    r"the face-up contracts": 'add a line like `given the contracts are "Harvest 3"`',
    r"the Imperium Row": "add a line like `given the row is {card}`",
    r"the order of the Reveal turns": "add a line like `given John has revealed` for each player",
    r"(.+)'s deck": 'add a line like `given {0} has "Dagger" in deck`',
    r"(.+)'s (?:discard|discard pile|in play|cards)": ANY_CARD,
    r"the cards? (.+) (?:draws|looks at).*": ANY_CARD,
}
"""What can be unknown, as the engine calls it, and the line that states it."""


NEW_HANDS = "add a line like `given everyone has hand nothing`"
"""What to write where a line that names nobody brings new cards to every hand."""

SOME_CARD = {r"(.+)'s hand": '"Dagger"', r"the Imperium Row": '"Truthtrance"'}


def how_to_state(path: str, card: str = "") -> str:
    """What to write so that something is known, if it helps with this card in quotes."""
    for known, line in STATED.items():
        found = re.fullmatch(known, path)
        if found:
            return line.format(*found.groups(), card=card or SOME_CARD.get(known))
    return f"state {path} in `given`"
