"""What a player has, in the words of the language, and how two positions differ in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from rules_engine.imperium import influence
from rules_engine.imperium.faces import printed
from rules_engine.imperium.state import Player, State, player
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.outcomes import Seat

COUNTED = {
    "solari": ("Solari", "Solari"),
    "spice": ("spice", "spice"),
    "water": ("water", "water"),
    "persuasion": ("persuasion", "persuasion"),
    "victory_points": ("victory point", "victory points"),
    "garrison": ("troop in garrison", "troops in garrison"),
    "troops": ("troop in conflict", "troops in conflict"),
    "sandworms": ("sandworm in conflict", "sandworms in conflict"),
    "swords": ("sword", "swords"),
    "agents": ("agent", "agents"),
    "spies": ("spy in supply", "spies in supply"),
    "memories": ("memory", "memories"),
}
"""The quantities of a player: one of them, and several."""

LISTED = {
    "hand": ("card in hand", "cards in hand"),
    "intrigues": ("intrigue card", "intrigue cards"),
    "contracts": ("contract", "contracts"),
    "completed": ("completed contract", "completed contracts"),
}
"""What a player has a list of."""

HELD = {
    "maker_hooks": "maker hooks",
    "high_council": "a seat on the high council",
    "swordmaster": "the swordmaster",
}
"""What a player has or has not."""


def several(field: str) -> str:
    """What several of a quantity are called."""
    return COUNTED[field][1]


class Holding(NamedTuple):
    """So much of something, in words."""

    amount: Any
    one: str
    several: str

    def text(self, amount: Any) -> str:
        """An amount of it: a thing of which there is only one needs no number."""
        if not self.several:
            return self.one if amount else f"not {self.one}"
        return f"{amount!r} {self.one if amount == 1 else self.several}"


class Change(NamedTuple):
    """What a player has more or less of."""

    holding: Holding
    before: Any
    after: Any

    def text(self) -> str:
        """How much it is more or less."""
        more = self.after > self.before
        return self.holding.text(self.after - self.before if more else self.before - self.after)


def holdings(state: State, seat: Seat) -> dict[str, Holding]:
    """Everything that a player has, as far as it is known."""
    return {**_own(player(state, seat)), **_on_the_board(state, seat)}


def _own(owner: Player) -> dict[str, Holding]:
    found: dict[str, Holding] = {}
    for field in (*COUNTED, *LISTED, *HELD):
        try:
            value = getattr(owner, field)
        except UnknownRead:
            continue
        if field in COUNTED:
            found[field] = Holding(value, *COUNTED[field])
        elif field in LISTED:
            found[field] = Holding(len(value), *LISTED[field])
        else:
            found[field] = Holding(int(value), HELD[field], "")
    return found


def _cards_owned(owner: Player) -> Iterator[tuple[str, Holding]]:
    """All cards of a player's own, wherever they lie, and those won, as far as they are known."""
    with suppress(UnknownRead):
        held = sum(len(getattr(owner, zone)) for zone in ("hand", "discard", "in_play"))
        own = held + size(owner.deck)
        yield "own cards", Holding(own, "card of one's own", "cards of one's own")
    with suppress(UnknownRead):
        yield "won", Holding(len(owner.won), "won card", "won cards")


def _on_the_board(state: State, seat: Seat) -> dict[str, Holding]:
    found: dict[str, Holding] = {}
    for face in printed(state).tracks.values():
        name = f"influence with the {face.name}"
        at = influence.influence(state, seat, face.faction)
        found[f"influence {face.faction}"] = Holding(at, name, name)
        holds = influence.holder_of(state, face.faction) == seat
        found[f"alliance {face.faction}"] = Holding(int(holds), f"the {face.name} alliance", "")
    for held in state.controls:
        words = f"control of {printed(state).spaces[held.space].name}"
        found[f"control {held.space}"] = Holding(int(held.holder == seat), words, "")
    return found


def changes(before: State, after: State, seat: Seat, *, owned: bool = False) -> list[Change]:
    """What a player has more or less of in a later position; what is unknown is left out.

    With `owned`, also cards of the player's own, wherever they lie.
    """
    then, now = holdings(before, seat), holdings(after, seat)
    if owned:
        then |= _cards_owned(player(before, seat))
        now |= _cards_owned(player(after, seat))
    return [
        Change(now[key], then[key].amount, now[key].amount)
        for key in then
        if key in now and then[key].amount != now[key].amount
    ]


def gains(found: list[Change]) -> list[Change]:
    """What there is more of."""
    return [each for each in found if each.after > each.before]


def losses(found: list[Change]) -> list[Change]:
    """What there is less of."""
    return [each for each in found if each.after < each.before]
