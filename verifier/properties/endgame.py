"""The Endgame: the winner, the tiebreakers, and the Score marker."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from rules_engine.catalogue.faces import IntrigueFace, Way
from rules_engine.effects import tree
from rules_engine.effects.tree import Gain
from rules_engine.imperium.actions import Flip, Pass, PlayIntrigue
from rules_engine.imperium.frames import EndgameIntrigues, FinalScore, Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, Won, follows
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import asked, legal, options
from rules_engine.kernel.numbers import count_true, pick
from rules_engine.kernel.outcomes import Event, Seat
from verifier.changes import left_alone
from verifier.current import assume, choose, claim, quantity, stage
from verifier.full_tables import (
    TABLES,
    any_seat,
    claim_just,
    full_table,
    plus,
)
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
from verifier.registry import ORDER, Twin, proves
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
)
def the_winner_is_highest_in_points_then_in_the_tiebreakers() -> None:
    """Unsatisfiable iff nobody beats a winner, and all others are beaten or lose as ruled.

    Players are compared by points, then spice, Solari, water and garrisoned troops. If several are
    equal in all of these, `tiebreak_after_garrison` says whether they all win or just one of them:
    then the one who was the last of them to reveal. Each winner is told. The tiebreakers are named
    as a reason exactly if others have as many points as a winner.
    """
    orders = tuple(permutations(range(PLAYERS)))
    order = Lazy("order of Reveal turns", orders)
    before = symbolic_state(PLAYERS, reveal_order=order, pending=(FinalScore(),))
    stage(before)
    best = [_unbeaten(own, before.players) for own in before.players]
    line = line_from(before).given(None)
    winners = line.state.winners
    _claim_reasons(before.players, line.events)
    told = tuple(event.player for event in line.events)
    claim(told == winners, "it is told of each winner")
    if count_true(best) >= 2 and follows(before, TIEBREAK) == "latest_reveal":
        tied = [each.seat for each in before.players if best[each.seat]]
        claim(winners == (max(tied, key=before.reveal_order.index),), "the last to reveal wins")
        return
    for seat, wins in enumerate(best):
        claim(winners.count(seat) == pick(wins, 1, 0), f"{NAMES[seat]} wins if nobody is ahead")


def _unbeaten(own: Player, players: tuple[Player, ...]) -> Any:
    return opposite(any_of(*(_beats(each, own) for each in players if not left_alone(each, own))))


def _claim_reasons(players: tuple[Player, ...], events: tuple[Event, ...]) -> None:
    """The rule about ties is among the reasons exactly if there is one."""
    for event in events:
        assert event.player is not None
        points = players[event.player].victory_points
        claim(event.facts["points"] == points, "the points that are told are the winner's")
        tied = count_true(each.victory_points == points for each in players) >= 2
        claim(tied == ("UPR-END-005" in event.rules), "a tie is a reason if there is one")


@proves(
    {
        "UPR-END-005": Twin(
            MODULE,
            'follows(state, "tiebreak_after_garrison") == "latest_reveal"',
            'follows(state, "tiebreak_after_garrison") == "shared"',
        )
    },
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


# The chances of the Endgame

LATE = "late"
CARDS = (IntrigueFace(LATE, LATE, 9, (Way("endgame", (Gain(1, "vp"),)),)),)


@proves(
    {
        "UPR-END-003": Twin(
            MODULE,
            "        return play(push(state, frame), action)",
            "        return play(state, action)",
        )
    },
    cases=TABLES,
    kind=ORDER,
)
def everybody_has_one_chance_in_the_endgame(players: int) -> None:
    """Unsatisfiable iff each player in turn, from the First Player on, may play Endgame cards.

    Whoever plays one has the chance still, until a pass. The own cards are offered, and nobody
    else may play or pass. Each chance comes once, and nothing is left after the last. Who played
    has the points, and the cards are on the discard pile; nothing else of anybody changes.
    """
    first = choose("first player", range(players))
    plays = choose("who plays", range(players))

    def held(who: Seat) -> dict[str, Any]:
        return {"intrigues": (LATE, LATE) if who == plays else (LATE,)}

    before = full_table(
        first,
        players,
        (EndgameIntrigues(first),),
        each=held,
        intrigues=CARDS,
        first_player=first,
    )
    line = line_from(before)
    for step in range(players):
        who = (first + step) % players
        play = PlayIntrigue(who, LATE, 0)
        claim(asked(IMPERIUM, line.state).players == (who,), "it is the chance of the next one")
        claim(tuple(options(IMPERIUM, line.state)) == (play, Pass(who)), "play or pass")
        other = (who + 1) % players
        for action in (PlayIntrigue(other, LATE, 0), Pass(other)):
            claim(legal(IMPERIUM, line.state, action) is not None, "nobody else may")
        if who == plays:
            line = line.then(play).then(play)
        line = line.then(Pass(who))
    claim(not line.state.pending, "each chance comes once")
    points = before.players[plays].victory_points + 2
    new = {plays: {"victory_points": points, "intrigues": ()}}
    pile = plus(before.intrigue_discard, LATE, LATE)
    claim_just(before, line.state, new, intrigue_discard=pile)


WILD, WILD_TOO, OTHER, PLAIN = "propaganda", "trade_dispute", "shadow_contest", "spice_freighters"
SUPPLIES = (
    (Won(WILD, "wild"), Won(OTHER, "ornithopter")),
    (Won(WILD, "wild"), Won(OTHER, "ornithopter", face_up=False)),
    (Won(WILD, "wild", face_up=False), Won(OTHER, "ornithopter")),
    (Won(WILD, "wild"),),
    (Won(PLAIN, None), Won(WILD, "wild")),
    (Won(WILD, "wild"), Won(WILD_TOO, "wild"), Won(OTHER, "ornithopter")),
    (Won(WILD_TOO, "wild", face_up=False), Won(WILD, "wild"), Won(OTHER, "ornithopter")),
)
"""Cards won, with a wild icon, another or, unlike the printed ones, none, face up or down."""


@proves(
    {
        "UPR-COMBAT-030": Twin(
            MODULE,
            "    owner = change(owner, won=turned_down(owner, action.card))\n",
            "",
        )
    },
    cases=TABLES,
)
def a_wild_icon_pairs_once_with_one_that_is_face_up(players: int) -> None:
    """Unsatisfiable iff a pair of a wild icon and another, both face up, may be turned down.

    The other one may be wild too if the ruling says so, but is another card. Just such pairs are
    allowed and offered. Both cards lie face down then, the player has 1 point more and the chance
    still, and nothing else of anybody changes.
    """
    seat = any_seat(players)
    won = choose("won", SUPPLIES)
    before = full_table(seat, players, (EndgameIntrigues(seat),), {"won": won})
    wild_too = follows(before, "wild_icons_match") == "yes"
    for card in (OTHER, WILD, WILD_TOO, PLAIN):
        flip = Flip(seat, card)
        named = [each for each in won if each.card == card and each.face_up]
        others = [each for each in won if each.face_up and each not in named[:1]]
        pairs = (
            bool(named)
            and named[0].icon is not None
            and (wild_too or named[0].icon != "wild")
            and any(each.icon == "wild" for each in others)
        )
        claim((legal(IMPERIUM, before, flip) is None) == pairs, "just such a pair is allowed")
        claim((flip in options(IMPERIUM, before)) == pairs, "just such a pair is offered")
        if not pairs:
            continue
        line = line_from(before).given(flip)
        old, new = before.players[seat], line.state.players[seat]
        claim(line.state.pending == before.pending, "the chance goes on")
        down = [each.card for each in won if not each.face_up]
        now = sorted(each.card for each in new.won if not each.face_up)
        wild = next(each.card for each in others if each.icon == "wild")
        claim(now == sorted((*down, card, wild)), "both lie face down")
        gained = {"victory_points": old.victory_points + 1, "won": new.won}
        claim_just(before, line.state, {seat: gained})
        same_cards = [(each.card, each.icon) for each in new.won]
        claim(same_cards == [(each.card, each.icon) for each in won], "no card is lost")
