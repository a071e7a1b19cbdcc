"""The Endgame: the winner, the tiebreakers, and the Score marker."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium.frames import FinalScore, Item, Run
from rules_engine.imperium.state import Player, State, follows
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.numbers import count_true, pick
from rules_engine.kernel.outcomes import Event
from verifier.current import assume, choose, claim, quantity, stage
from verifier.numbers import all_of, any_of, opposite
from verifier.play import line_from, next_state, play_out
from verifier.positions import (
    NAMES,
    ally_of,
    factions,
    influence_of,
    printed,
    symbolic_state,
    unchanged,
)
from verifier.registry import Twin, proves
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.endgame"
PLAYERS = 3
TIEBREAK = "tiebreak_after_garrison"

COMPARED = ("victory_points", "spice", "solari", "water", "garrison")
"""What decides, the first thing first. UPR-END-005"""


def _beats(one: Player, other: Player) -> Any:
    """Whether the first thing in which two players differ is more for the one than the other."""
    better: Any = False
    for what in reversed(COMPARED):
        ours, theirs = getattr(one, what), getattr(other, what)
        better = any_of(ours > theirs, all_of(ours == theirs, better))
    return better


@proves(
    {
        "UPR-END-004": Twin(
            MODULE,
            "return (each.victory_points, each.spice, each.solari, each.water, each.garrison)",
            "return (each.spice, each.victory_points, each.solari, each.water, each.garrison)",
        ),
        "UPR-END-005": Twin(
            MODULE,
            "return (each.victory_points, each.spice, each.solari, each.water, each.garrison)",
            "return (each.victory_points, each.solari, each.spice, each.water, each.garrison)",
        ),
    },
    bounds="any points, spice, Solari, water and garrisons, 3 players, any order of Reveal turns",
)
def the_winner_is_highest_in_points_then_in_the_tiebreakers() -> None:
    """Unsatisfiable iff nobody beats a winner, and all others are beaten or lose as ruled.

    Players are compared by points, then spice, Solari, water and garrisoned troops. If several are
    equal in all of these, `tiebreak_after_garrison` says whether they all win or just one of them:
    then the one who was the last of them to reveal. The tiebreakers are named as a reason exactly
    if others have as many points as a winner.
    """
    orders = tuple(permutations(range(PLAYERS)))
    order = Lazy("order of Reveal turns", orders)
    before = symbolic_state(PLAYERS, reveal_order=order, pending=(FinalScore(),))
    stage(before)
    best = [_unbeaten(own, before.players) for own in before.players]
    line = line_from(before).given(None)
    winners = line.state.winners
    _claim_reasons(before.players, line.events)
    if count_true(best) >= 2 and follows(before, TIEBREAK) == "latest_reveal":
        tied = [each.seat for each in before.players if best[each.seat]]
        claim(winners == (max(tied, key=before.reveal_order.index),), "the last to reveal wins")
        return
    for seat, wins in enumerate(best):
        claim(winners.count(seat) == pick(wins, 1, 0), f"{NAMES[seat]} wins if nobody is ahead")


def _unbeaten(own: Player, players: tuple[Player, ...]) -> Any:
    return opposite(any_of(*(_beats(each, own) for each in players if each is not own)))


def _claim_reasons(players: tuple[Player, ...], events: tuple[Event, ...]) -> None:
    """The rule about ties is among the reasons exactly if there is one."""
    for event in events:
        points = event.facts["points"]
        tied = count_true(each.victory_points == points for each in players) >= 2
        claim(tied == ("UPR-END-005" in event.rules), "a tie is a reason if there is one")


@proves(
    {
        "UPR-END-005": Twin(
            MODULE,
            "if any(seat not in state.reveal_order for seat in best):",
            "if not state.reveal_order:",
        )
    },
    bounds="3 players who are equal in points, spice, Solari, water and garrisoned troops, of whom "
    "one or none is known to have revealed",
)
def who_revealed_last_is_not_guessed() -> None:
    """Unsatisfiable iff a last tie is reported as unknown where the order of Reveal turns is.

    That is so if `tiebreak_after_garrison` lets that order decide; else nobody asks for it.
    """
    equal = dict.fromkeys(COMPARED, 3) | {"supply": 9, "troops": 0}
    order = Lazy("order of Reveal turns", ((), (0,), (2,)))
    before = symbolic_state(PLAYERS, lambda _: equal, reveal_order=order, pending=(FinalScore(),))
    stage(before)
    try:
        next_state(before)
        guessed = True
    except UnknownRead:
        guessed = False
    decides = follows(before, TIEBREAK) == "latest_reveal"
    claim(guessed != decides, "it is not guessed")


# The Score marker


def _about_to(effect: tree.Effect, who: int) -> State:
    source = next(iter(printed().spaces))
    state = symbolic_state(PLAYERS, pending=(Run(who, Item(effect, source)),))
    stage(state)
    return state


def _claim_score(before: State, after: State, who: int, points: Any) -> None:
    """One player's Score marker has moved by so many points, and no other."""
    for old, new in zip(before.players, after.players, strict=True):
        moved = points if old.seat == who else 0
        claim(
            new.victory_points == old.victory_points + moved,
            f"{old.name}'s marker has moved by the points",
        )


@proves(
    {
        "UPR-END-007": Twin(
            "rules_engine.imperium.points",
            "victory_points=owner.victory_points + points",
            "victory_points=owner.victory_points + (points if points > 0 else 0)",
        )
    },
    bounds="any points gained by an effect, one lost with a second Influence; any points before, "
    "any Influence, 3 players without Leaders",
    cases=({"gains": True}, {"gains": False}),
)
def the_score_marker_moves_with_each_point(gains: bool) -> None:
    """Unsatisfiable iff a marker moves up by each point gained and down by each point lost.

    The point lost is that of two Influence with a Faction of which one is lost, without an Alliance
    token moving. Nobody else's marker moves.
    """
    who = choose("who", range(PLAYERS))
    if gains:
        points = quantity("points", 1)
        before = _about_to(tree.Gain(points, "vp"), who)
        after, _ = play_out(before)
        claim(unchanged(before.players[who], after.players[who], "victory_points"), "only points")
        _claim_score(before, after, who, points)
        return
    faction = choose("faction", factions())
    before = _about_to(tree.LoseInfluence(1, faction), who)
    assume(influence_of(before, faction, who) == 2)
    assume(ally_of(before, faction) != who)
    after, _ = play_out(before)
    _claim_score(before, after, who, -1)
