"""Where Victory Points come from."""

from __future__ import annotations

from rules_engine.imperium.influence import FRIENDS
from rules_engine.imperium.frames import AllianceTie, PickTrack, TakeConflictCard
from rules_engine.imperium.state import State
from rules_engine.kernel.numbers import Quantity, count_true
from rules_engine.kernel.outcomes import Event, Seat
from verifier.current import claim
from verifier.effects import about_to_resolve, example, kind_names, printed_effects, resolve
from verifier.positions import NAMES
from verifier.registry import Twin, proves

TRACK = "track"
ALLIANCE = "alliance"


def _named(events: tuple[Event, ...], seat: Seat) -> Quantity:
    """The points that events name besides those of tracks and Alliances."""
    points: Quantity = 0
    for event in events:
        if event.key == "scores" and event.player == seat:
            if event.facts["why"] not in (TRACK, ALLIANCE):
                points = points + event.facts["points"]
    return points


def _standing(state: State, seat: Seat) -> Quantity:
    """Tracks at 2 or more, and Alliances held."""
    tracks = count_true(track.influence >= FRIENDS for track in state.players[seat].tracks)
    return tracks + sum(alliance.holder == seat for alliance in state.alliances)


@proves(
    "UPR-FACTION-004",
    "UPR-FACTION-005",
    "UPR-FACTION-009",
    "UPR-FACTION-010",
    "UPR-END-007",
    bounds="every kind of effect with any amounts and every printed effect, 3 and 4 players",
    cases=tuple(
        {"effect": name, "players": 3} for name in (*kind_names(), *printed_effects())
    ),
    twin=Twin(
        "rules_engine.imperium.influence",
        "if before >= FRIENDS and after < FRIENDS:",
        "if before > FRIENDS and after < FRIENDS:",
    ),
)
def victory_points_follow_tracks_alliances_and_events(effect: str, players: int) -> None:
    """Unsatisfiable iff every change of a score is explained.

    For each player, along every path of every effect: the change in Victory Points is the change
    in tracks at 2 or more, plus the change in Alliances held, plus the points that `scores` events
    name for anything else.
    """
    before = about_to_resolve(*example(effect), players)
    after, events = resolve(before)
    for seat in range(players):
        scored = after.players[seat].victory_points - before.players[seat].victory_points
        explained = _standing(after, seat) - _standing(before, seat) + _named(events, seat)
        claim(scored == explained, f"{NAMES[seat]}'s Victory Points are explained")
