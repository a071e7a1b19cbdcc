"""Given quantities: everything of which a player has a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rules_engine.imperium.state import player
from rules_engine.imperium.units import TROOPS
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.imperium.table import ZONES, impossible
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, token, tokens

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def give_quantity(position: Position, line: Line, seat: Seat, words: Words) -> None:
    """A player has so many of something."""
    kinds = [str(t) for kind in ("RESOURCE", "FACTION") for t in tokens(words, kind)]
    zones = [ZONES[str(zone)] for zone in tokens(words, "ZONE")]
    position.once(line, seat, *(zones or [str(words.data)]), *kinds)
    value = position.amount(line, words)
    match words.data:
        case "garrison" | "troops" | "supply":
            _troops(position, line, seat, str(words.data), value)
        case "resource":
            position.change_player(seat, **{str(token(words, "RESOURCE")).lower(): value})
        case "influence":
            _influence(position, line, seat, words, value)
        case "memories":
            _troops(position, line, seat, "memories", value)
        case "sandworms" | "victory_points" | "swords" | "agents":
            position.change_player(seat, **{str(words.data): value})
            position.known.add((seat, str(words.data)))
        case _ if value == 0 and words.data in NONE_OF:
            _none_of(position, seat, words)
        case _:
            name, how = position.scenario.players[seat], NAMED_INSTEAD[str(words.data)]
            raise ScenarioError(
                "TS0116",
                "this cannot be given as a number",
                place=line.place,
                help=how.format(name, *tokens(words, "ZONE")),
            )


def _none_of(position: Position, seat: Seat, words: Words) -> None:
    """A player has none of what else would have to be named."""
    where = ZONES[str(token(words, "ZONE"))] if words.data == "cards" else str(words.data)
    position.change_player(seat, **{where: ()})
    position.known.add((seat, where))


def _troops(position: Position, line: Line, seat: Seat, where: str, value: Any) -> None:
    position.change_player(seat, **{where: value})
    position.known.add((seat, where))
    position.troop_lines[seat] = line


def fill_supply(position: Position) -> None:
    """The rest of a player's twelve troops is in supply, unless that was stated."""
    for seat, line in position.troop_lines.items():
        owner = player(position.state, seat)
        if (seat, "supply") in position.known:
            continue
        left = TROOPS - owner.garrison - owner.troops - owner.memories
        if left < 0:
            message = f"{owner.name} has more than {TROOPS} troops"
            remedy = f"write a smaller number: a player has {TROOPS} troops in all"
            raise impossible(line, message, cite("UPR-UNIT-005", "UPR-UNIT-006"), remedy)
        position.change_player(seat, supply=left)


def _influence(position: Position, line: Line, seat: Seat, words: Words, value: Any) -> None:
    faction = position.table.id(line, token(words, "FACTION"), "faction")
    tracks = tuple(
        change(track, influence=value) if track.faction == faction else track
        for track in player(position.state, seat).tracks
    )
    position.change_player(seat, tracks=tracks)


NONE_OF = ("cards", "intrigues", "contracts", "completed")
"""What has to be named, unless there is none."""

NAMED_INSTEAD = {
    "cards": 'name them, like `{0} has "Dagger" in {1}`',
    "intrigues": 'name them, like `{0} has intrigue "Detonation"`',
    "contracts": 'name them, like `{0} has contract "Harvest 3"`',
    "completed": 'name them, like `{0} has completed "Harvest 3"`',
    "spies": "leave the line out: all three Spies are in supply but for those at posts",
}
"""How things are given that are not just a number."""
