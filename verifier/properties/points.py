"""Where Victory Points come from."""

from __future__ import annotations

from rules_engine.imperium.influence import FRIENDS
from rules_engine.imperium.state import State
from rules_engine.kernel.numbers import Quantity, count_true
from rules_engine.kernel.outcomes import Event, Seat
from verifier.current import claim
from verifier.effects import (
    EFFECTS,
    LIMITS,
    about_to_happen,
    everything,
    pending_for,
    resolve_alone,
)
from verifier.positions import NAMES
from verifier.registry import Twin, proves

INFLUENCE = "rules_engine.imperium.influence"

TRACK = "track"
ALLIANCE = "alliance"

MOVES_INFLUENCE = ("GainInfluence", "LoseInfluence", "pick a track", "a tie for an Alliance")
"""Here the number of players matters."""


def _named(events: tuple[Event, ...], seat: Seat) -> Quantity:
    """The points that events name besides those of tracks and Alliances."""
    scores = [event for event in events if event.key == "scores" and event.player == seat]
    named = [event for event in scores if event.facts["why"] not in (TRACK, ALLIANCE)]
    return sum(event.facts["points"] for event in named)


def _tracks_at_two(before: State, after: State, seat: Seat) -> Quantity:
    """How many more tracks the player has at 2 or more; a record left as it was adds nothing."""
    old, new = before.players[seat].tracks, after.players[seat].tracks
    moved = [pair for pair in zip(old, new, strict=True) if pair[0] is not pair[1]]
    return count_true(track.influence >= FRIENDS for _, track in moved) - count_true(
        track.influence >= FRIENDS for track, _ in moved
    )


def _alliances(before: State, after: State, seat: Seat) -> Quantity:
    """How many more Alliances the player holds; a record left as it was adds nothing."""
    gained = [new for new in after.alliances if not any(new is old for old in before.alliances)]
    lost = [old for old in before.alliances if not any(old is new for new in after.alliances)]
    return sum(each.holder == seat for each in gained) - sum(each.holder == seat for each in lost)


@proves(
    {
        "UPR-FACTION-004": Twin(
            INFLUENCE,
            "if before < FRIENDS and after >= FRIENDS:\n        scored",
            "if before <= FRIENDS and after >= FRIENDS:\n        scored",
        ),
        "UPR-FACTION-005": Twin(
            INFLUENCE,
            "if before >= FRIENDS and after < FRIENDS:",
            "if before > FRIENDS and after < FRIENDS:",
        ),
        "UPR-FACTION-009": Twin(
            INFLUENCE,
            'score(_with_holder(state, faction, seat), seat, 1, "alliance", rules)',
            'score(_with_holder(state, faction, seat), seat, 2, "alliance", rules)',
        ),
        "UPR-FACTION-010": Twin(
            INFLUENCE,
            'score(_with_holder(state, faction, None), seat, -1, "alliance", rules)',
            'score(_with_holder(state, faction, None), seat, 0, "alliance", rules)',
        ),
        "UPR-END-007": Twin(
            "rules_engine.imperium.points",
            "victory_points=owner.victory_points + points",
            "victory_points=owner.victory_points + 1",
        ),
    },
    bounds=f"{EFFECTS}, 3 players, and 4 players where Influence moves; {LIMITS}",
    cases=(
        *({"effect": name, "players": 3} for name in everything()),
        *({"effect": name, "players": 4} for name in MOVES_INFLUENCE),
    ),
)
def victory_points_follow_tracks_alliances_and_events(effect: str, players: int) -> None:
    """Unsatisfiable iff every change of a score is explained.

    For each player, along every path of every effect up to those inside it: the change in Victory
    Points is the change in tracks at 2 or more, plus the change in Alliances held, plus the points
    that `scores` events name for anything else.
    """
    before = about_to_happen(pending_for(effect), players)
    after, events = resolve_alone(before)
    for seat in range(players):
        scored = after.players[seat].victory_points - before.players[seat].victory_points
        explained = (
            _tracks_at_two(before, after, seat)
            + _alliances(before, after, seat)
            + _named(events, seat)
        )
        claim(scored == explained, f"{NAMES[seat]}'s Victory Points are explained")
