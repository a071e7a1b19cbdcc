"""Influence and the Alliance: who holds the token after a gain or a loss."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from rules_engine.effects.tree import (
    ANY_FACTION,
    DrawIntrigue,
    Effect,
    Gain,
    GainInfluence,
    LoseInfluence,
    PlaceSpy,
    VisitInfluence,
    walk,
)
from rules_engine.effects.tree import SPIED_ON as SPIED
from rules_engine.imperium.actions import GiveAlliance, PickFaction, PlayAgent, Resolve
from rules_engine.imperium.frames import (
    GROUPS,
    AgentTurn,
    AllianceTie,
    Effects,
    Item,
    PickTrack,
    RevealTurn,
    Run,
    SpyPlacement,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.influence import influence
from rules_engine.imperium.state import Player, SpyAt, State, follows
from rules_engine.kernel.game import asked, handle, legal, options
from rules_engine.kernel.numbers import Quantity, count_true, larger, most, pick, smaller
from rules_engine.kernel.outcomes import Seat, Step
from verifier.changes import player_kept, same, table_kept
from verifier.current import assume, choose, claim, claims_of, quantity, stage
from verifier.numbers import all_of, any_of, implies, opposite
from verifier.play import line_from, play_out
from verifier.positions import (
    ALLIES,
    BELOW_FOUR,
    FRIENDS,
    NAMES,
    SPIES,
    TOP,
    ally_of,
    before_sending,
    factions,
    few_intrigues,
    influence_of,
    plain_card,
    printed,
    symbolic_state,
)
from verifier.registry import Family, Twin, Twins, proves

TIE = "alliance_loss_tie"
MODULE = "rules_engine.imperium.influence"

PLAYERS = ({"players": 3}, {"players": 4})


# A move and all that comes of it


@dataclass(frozen=True)
class Move:
    """A cube has moved: who gained or lost how much with which Faction, and what came of it."""

    before: State
    after: State
    who: Seat
    faction: str
    amount: Quantity

    @property
    def holder(self) -> Seat | None:
        """Who held the token before."""
        return ally_of(self.before, self.faction)

    @property
    def holder_now(self) -> Seat | None:
        """Who holds it after."""
        return ally_of(self.after, self.faction)

    def stands(self, seat: Seat) -> Quantity:
        """The Influence of a player after the move."""
        return influence_of(self.after, self.faction, seat)

    def others(self) -> dict[Seat, Quantity]:
        """The Influence of everybody else after the move."""
        return {each.seat: self.stands(each.seat) for each in self.after.players if self._not(each)}

    def _not(self, player: Player) -> bool:
        return player.seat != self.who


def _moved(players: int, kind: type[GainInfluence] | type[LoseInfluence]) -> Move:
    """Any player gains or loses Influence in the turn of the next; a tie is decided in any way."""
    who = choose("who", range(players))
    faction = choose("faction", factions())
    amount = quantity("amount", 1)
    turn = AgentTurn((who + 1) % players, ())
    run = Run(who, Item(kind(amount, faction), next(iter(printed().spaces))))

    def more(_: Player) -> dict[str, Any]:
        return {"intrigues": (), "spies": SPIES}

    before = symbolic_state(players, more, spies=(), pending=(turn, run), **few_intrigues())
    after, _ = play_out(before, apart=(AgentTurn, SpyPlacement))
    return Move(before, after, who, faction, amount)


Claims = Callable[[Move], None]
CLAIMS: dict[str, Claims] = {}
"""What is claimed of a move, by the name of the property."""


def _gained(names: tuple[str, ...], players: int) -> None:
    _claim_all(names, _moved(players, GainInfluence))


def _lost(names: tuple[str, ...], players: int) -> None:
    _claim_all(names, _moved(players, LoseInfluence))


def _claim_all(names: tuple[str, ...], move: Move) -> None:
    for name in names:
        with claims_of(name):
            CLAIMS[name](move)


GAINS = Family("gains of Influence", _gained)
LOSSES = Family("losses of Influence", _lost)


def _of_every(family: Family, twins: Twins) -> Callable[[Claims], Claims]:
    """Register claims about every gain or every loss as a property."""

    def register(claims: Claims) -> Claims:
        name = claims.__name__

        def run(players: int) -> None:
            family.run((name,), players)

        functools.update_wrapper(run, claims)
        CLAIMS[name] = claims
        proves(twins, cases=PLAYERS, family=family)(run)
        return claims

    return register


def _about_to(players: int, effect: Effect, who: Seat) -> State:
    """A position in which a player is about to gain or lose Influence."""
    source = next(iter(printed().spaces))
    return symbolic_state(players, pending=(Run(who, Item(effect, source)),))


# A gain


@_of_every(
    GAINS,
    {
        "UPR-FACTION-009": Twin(
            MODULE,
            "seat, ALLIANCE) if after >= ALLIES else Step(state)",
            "seat, ALLIANCE) if after > ALLIES else Step(state)",
        ),
        "UPR-FACTION-010": Twin(
            MODULE,
            "after > influence(state, holder, faction)",
            "after > influence(state, holder, faction) + 1",
        ),
        "UPR-FACTION-011": Twin(
            MODULE,
            "after > influence(state, holder, faction)",
            "after >= influence(state, holder, faction)",
        ),
    },
)
def only_who_rises_above_the_holder_takes_the_alliance(move: Move) -> None:
    """Unsatisfiable iff a gain moves the token exactly when the rule says so, and to nobody else.

    It goes to the player who gains, from 4 Influence on, if nobody holds it or that player now
    stands strictly above the holder; else it stays where it was.
    """
    own = move.stands(move.who)
    takes: Any = own >= ALLIES
    if move.holder is not None:
        takes = all_of(takes, own > move.stands(move.holder))
    claim(implies(takes, move.holder_now == move.who), f"{NAMES[move.who]} takes the token")
    stays = move.holder_now == move.holder
    claim(implies(opposite(takes), stays), "the token stays where it was")


# A loss


@_of_every(
    LOSSES,
    {
        "UPR-FACTION-010": Twin(
            MODULE,
            "if holder_of(state, faction) != seat:",
            "if holder_of(state, faction) is None:",
        )
    },
)
def a_loss_of_somebody_else_moves_no_alliance(move: Move) -> None:
    """Unsatisfiable iff the token stays where it is when somebody loses who does not hold it."""
    if move.holder != move.who:
        claim(move.holder_now == move.holder, "the token stays where it was")


def _claim_heir(move: Move, nobody: Seat | None) -> None:
    """The highest of the others above the old holder has the token, from 4 Influence on.

    `nobody` has it if there is no such player.
    """
    others, now = move.others(), move.holder_now
    top = most(others.values())
    heir_exists = all_of(top >= ALLIES, top > move.stands(move.who))
    if now in others:
        claim(all_of(heir_exists, others[now] == top), f"{NAMES[now]} is the highest of the others")
    else:
        claim(opposite(heir_exists), "the highest of the others has the token")
        claim(now == nobody, "without such a player the token is where the ruling says")


@_of_every(
    LOSSES,
    {
        "UPR-FACTION-010": Twin(
            MODULE, "if top < ALLIES or top <= own:", "if top < ALLIES or top < own:"
        )
    },
)
def a_falling_holder_passes_the_alliance_on_as_ruled(move: Move) -> None:
    """Unsatisfiable iff `alliance_loss_tie` decides who holds the token after a loss down to 4.

    `taken`: the highest of those who now stand strictly higher has it, one of them in a tie; else
    it stays. `kept`: it stays in any case.
    """
    if move.holder != move.who or move.stands(move.who) < ALLIES:
        return
    if follows(move.after, TIE) == "taken":
        _claim_heir(move, nobody=move.who)
    else:
        claim(move.holder_now == move.who, f"{NAMES[move.who]} keeps the token")


@_of_every(
    LOSSES,
    {
        "UPR-FACTION-009": Twin(MODULE, "if top < ALLIES or top <= own:", "if top <= own:"),
        "UPR-FACTION-010": Twin(MODULE, "    if heirs:\n", "    if heirs and not below:\n"),
    },
)
def below_four_the_alliance_is_lost_as_ruled(move: Move) -> None:
    """Unsatisfiable iff `alliance_loss_below_4` decides what becomes of the token below 4.

    `lost`: the highest of the others with 4 or more has it, else nobody. `kept`: it stays.
    """
    if move.holder != move.who or move.stands(move.who) >= ALLIES:
        return
    if follows(move.after, BELOW_FOUR) == "lost":
        _claim_heir(move, nobody=None)
    else:
        claim(move.holder_now == move.who, f"{NAMES[move.who]} keeps the token")


@proves(
    {
        "UPR-FACTION-010": Twin(
            MODULE, "AllianceTie(seat, faction, heirs)", "AllianceTie(heirs[0], faction, heirs)"
        )
    },
    cases=PLAYERS,
)
def the_old_holder_decides_between_tied_heirs(players: int) -> None:
    """Unsatisfiable iff the falling holder, and nobody else, picks among exactly the tied players.

    Who is picked has the token afterwards. That is so if a ruling takes it away and at least two of
    the others are tied at their highest Influence, which is 4 or more and higher than what the
    falling holder has left.
    """
    who = choose("who", range(players))
    faction = choose("faction", factions())
    before = _about_to(players, LoseInfluence(quantity("amount", 1), faction), who)
    assume(ally_of(before, faction) == who)
    others = {seat: influence_of(before, faction, seat) for seat in range(players) if seat != who}
    top = most(others.values())
    tied = {seat: theirs == top for seat, theirs in others.items()}
    own = larger(influence(before, who, faction) - quantity("amount", 1), 0)
    assume(all_of(top >= ALLIES, top > own, count_true(tied.values()) >= 2))
    assume(_token_taken(before, own))
    stage(before)
    done = handle(IMPERIUM, before)
    assert isinstance(done, Step)
    decides = bool(done.state.pending) and isinstance(done.state.pending[-1], AllianceTie)
    claim(decides, f"{NAMES[who]} has to decide")
    if decides:
        claim(asked(IMPERIUM, done.state).players == (who,), f"{NAMES[who]} decides alone")
        _claim_free_choice(done.state, who, {**tied, who: False})


def _token_taken(state: State, left: Quantity) -> bool:
    """Whether a ruling lets others take the token from a holder who has so much Influence left."""
    if left < ALLIES:
        return follows(state, BELOW_FOUR) == "lost"
    return follows(state, TIE) == "taken"


def _claim_free_choice(state: State, who: Seat, tied: dict[Seat, bool]) -> None:
    """The tied players, and nobody else, are offered once and allowed."""
    offered = [option.to for option in options(IMPERIUM, state)]
    for seat, is_tied in tied.items():
        times = pick(is_tied, 1, 0)
        claim(offered.count(seat) == times, f"{NAMES[seat]} is offered if tied at the top")
        allowed = legal(IMPERIUM, state, GiveAlliance(who, seat)) is None
        claim(is_tied == allowed, f"{NAMES[seat]} is allowed if tied at the top")
        if allowed:
            _claim_given(state, GiveAlliance(who, seat))


def _claim_given(state: State, given: GiveAlliance) -> None:
    """The one who is named has the token afterwards."""
    done = handle(IMPERIUM, state, given)
    assert isinstance(done, Step)
    faction = next(each.faction for each in state.pending if isinstance(each, AllianceTie))
    claim(ally_of(done.state, faction) == given.to, f"{NAMES[given.to]} holds it once named")


@proves(
    {
        "UPR-FACTION-007": Twin(
            MODULE,
            "BONUS_KEPT if before >= ALLIES and after < ALLIES else ()",
            "BONUS_KEPT if before > ALLIES and after < ALLIES else ()",
        ),
        "UPR-FACTION-009": Twin(
            MODULE,
            "rules = ALLIANCE + ALLIANCE_MOVES if below else ALLIANCE_MOVES",
            "rules = ALLIANCE_MOVES",
        ),
    },
)
def a_loss_names_the_rules_about_four_where_they_decide() -> None:
    """Unsatisfiable iff the report of a loss names the rules about 4 Influence where they matter.

    A loss is told once, and that of the Alliance exactly if its holder has it no longer. That the
    bonus is not given back is told exactly if the cube falls from 4 or more to less. The rule that
    4 Influence are needed for the Alliance is told with its loss exactly if the holder has less.
    """
    who, faction = 0, "fremen"
    before = _about_to(3, LoseInfluence(quantity("amount", 1), faction), who)
    line = line_from(before).given(None)
    old, new = (influence(state, who, faction) for state in (before, line.state))
    falls = all_of(old >= ALLIES, new < ALLIES)
    moved, lost = (
        [each for each in line.events if each.key == key] for key in ("influence", "loses_alliance")
    )
    claim([each.player for each in moved] == [who], "the loss is told once")
    for event in moved:
        told = "UPR-FACTION-007" in event.rules
        claim(falls if told else opposite(falls), "the bonus is kept if there was one")
    loses = ally_of(before, faction) == who != ally_of(line.state, faction)
    claim([each.player for each in lost] == ([who] if loses else []), "so is that of the Alliance")
    for event in lost:
        told = "UPR-FACTION-009" in event.rules
        claim(told == (new < ALLIES), "the Alliance needs 4 Influence")


# What each player has after a move


GIVEN_AT_FOUR = {"spacing_guild": ("solari", 3), "fremen": ("water", 1)}
"""What the fourth space gives in resources; a Spy and an Intrigue card are claimed as such."""


@_of_every(
    GAINS,
    {
        "UPR-FACTION-003": Twin(
            MODULE, "after = smaller(before + amount, TOP)", "after = before + amount"
        ),
        "UPR-FACTION-004": Twin(
            MODULE,
            'scored = score(state, seat, 1, "track", POINT_AT_TWO)',
            'scored = score(state, state.first_player, 1, "track", POINT_AT_TWO)',
        ),
        "UPR-FACTION-009": Twin(
            MODULE,
            'scored = score(_with_holder(state, faction, seat), seat, 1, "alliance", rules)',
            "scored = Step(_with_holder(state, faction, seat))",
        ),
    },
)
def a_gain_changes_just_the_cube_the_token_the_points_and_the_bonus(move: Move) -> None:
    """Unsatisfiable iff after a gain everybody has the right Influence, points and bonus.

    The cube of the player who gains moves up by the amount, to 6 at most; no other cube moves.
    Coming up to 2 is a point; so is the token for who has taken it, and one less for who has lost
    it. The bonus at 4 comes if the gain leads up to it, or past it. Nobody has anything else more
    or less, no other token moves, and nothing else on the table changes.
    """
    old = influence_of(move.before, move.faction, move.who)
    _claim_account(move, smaller(old + move.amount, TOP))


@_of_every(
    LOSSES,
    {
        "UPR-FACTION-003": Twin(
            MODULE, "after = larger(before - amount, 0)", "after = larger(before - 1, 0)"
        ),
        "UPR-FACTION-005": Twin(
            MODULE, "if before >= FRIENDS and after < FRIENDS:", "if after < FRIENDS:"
        ),
        "UPR-FACTION-010": Twin(
            MODULE,
            'scored = score(_with_holder(state, faction, None), seat, -1, "alliance", rules)',
            "scored = Step(_with_holder(state, faction, None))",
        ),
    },
)
def a_loss_changes_just_the_cube_the_token_and_the_points(move: Move) -> None:
    """Unsatisfiable iff after a loss everybody has the right Influence and points.

    The cube of the player who loses moves down by the amount, to 0 at least; no other cube moves.
    Falling below 2 is a point less; so is the token for who has lost it, and one more for who has
    taken it. No bonus comes, or goes back. Nobody has anything else more or less, no other token
    moves, and nothing else on the table changes.
    """
    old = influence_of(move.before, move.faction, move.who)
    _claim_account(move, larger(old - move.amount, 0))


def _claim_account(move: Move, new: Quantity) -> None:
    """The cube stands here now, and everybody has just what comes of that."""
    before, after, who, faction = move.before, move.after, move.who, move.faction
    old = influence_of(before, faction, who)
    _claim_cubes(before, after, {(who, faction): new})
    rises, falls = _crosses(old, new, FRIENDS), _crosses(new, old, FRIENDS)
    for seat in range(len(before.players)):
        track = pick(rises, 1, 0) - pick(falls, 1, 0) if seat == who else 0
        token = int(move.holder_now == seat) - int(move.holder == seat)
        points = before.players[seat].victory_points + track + token
        claim(after.players[seat].victory_points == points, f"{NAMES[seat]} has the points")
    _claim_bonus(before, after, who, faction, _crosses(old, new, ALLIES))
    for one, other in zip(before.alliances, after.alliances, strict=True):
        claim(one.faction == other.faction, "every token is there once")
        # What was not written has not moved, wherever it is.
        kept = one.faction == faction or same(one, other, "holder")
        claim(kept, f"the token of the {one.faction} stays")


def _crosses(low: Quantity, high: Quantity, space: int) -> Any:
    """Whether a space of the track is above one number, and not above the other."""
    return all_of(low < space, high >= space)


def _claim_cubes(before: State, after: State, moved: dict[tuple[Seat, str], Quantity]) -> None:
    """These cubes are where they should be, and all others where they were."""
    for seat in range(len(before.players)):
        for faction in factions():
            was = influence_of(before, faction, seat)
            stands = influence_of(after, faction, seat) == moved.get((seat, faction), was)
            claim(stands, f"{NAMES[seat]}'s {faction} track is where it should be")


def _claim_bonus(before: State, after: State, who: Seat, faction: str, reached: Any) -> None:
    """Who reaches 4 has the bonus, nobody else has; and nothing else changed."""
    old, new = before.players[who], after.players[who]
    what, gained = GIVEN_AT_FOUR.get(faction, ("solari", 0))
    given = getattr(new, what) == getattr(old, what) + pick(reached, gained, 0)
    claim(given, f"{NAMES[who]} has the bonus of the {faction} track")
    cards = len(new.intrigues) - len(old.intrigues)
    drawn = pick(reached, 1, 0) if faction == "bene_gesserit" else 0
    claim(drawn == cards, f"{NAMES[who]} has an Intrigue card for 4 with the Bene Gesserit")
    placing = [frame for frame in after.pending if isinstance(frame, SpyPlacement)]
    spy = reached if faction == "emperor" else False
    claim(spy == bool(placing), f"{NAMES[who]} places a Spy for 4 with the Emperor")
    claim(all(frame.seat == who for frame in placing), f"{NAMES[who]} places it")
    moved = ("tracks", "victory_points")
    for seat in range(len(before.players)):
        bonus = (what, "intrigues") if seat == who else ()
        claim(player_kept(before, after, seat, *moved, *bonus), f"{NAMES[seat]} has all else")
    decks = ("intrigue_deck", "intrigue_discard") if cards else ()
    claim(table_kept(before, after, "alliances", *decks), "nothing else on the table changes")


# What a gain brings besides


BONUS_AT_FOUR = {
    "emperor": PlaceSpy(),
    "spacing_guild": Gain(3, "solari"),
    "bene_gesserit": DrawIntrigue(1),
    "fremen": Gain(1, "water"),
}
"""What is printed on the fourth space of each track."""

TRACK_TIMING = "emperor_track_spy_timing"

BONUS_AT_TWO = {
    "lady_margot_fenring": ("bene_gesserit", Gain(2, "spice")),
    "princess_irulan": ("emperor", DrawIntrigue(1)),
}
"""The Leaders who get something at 2 Influence: with which Faction, and what."""


def _reaches(before: State, who: Seat, faction: str, amount: Quantity, space: int) -> Any:
    """Whether a gain takes the cube to a space of the track, or past it, from below."""
    old = influence(before, who, faction)
    return all_of(old < space, old + amount >= space)


def _after_gain(before: State) -> State:
    """The position after a gain, before anything that comes of it."""
    return line_from(before).given(None).state


def _due(state: State) -> list[tuple[Seat, Item]]:
    """Every effect that is due, and for whom; nothing else may be pending."""
    groups = [frame for frame in state.pending if isinstance(frame, GROUPS)]
    assert len(groups) == len(state.pending), "more is pending than effects"
    return [(group.seat, item) for group in groups for item in group.items]


def _sources_next(state: State) -> list[str]:
    """Where the effects come from that are to be resolved before anything else."""
    top = state.pending[-1]
    return [item.source for item in top.items] if isinstance(top, Effects) else []


@proves(
    {
        "UPR-FACTION-006": Twin(
            MODULE,
            "if before < ALLIES and after >= ALLIES:",
            "if before <= ALLIES and after >= ALLIES:",
        )
    },
)
def reaching_four_brings_the_bonus_of_the_track() -> None:
    """Unsatisfiable iff a gain makes the bonus due exactly when it takes the cube up to 4 or past.

    It is due once, for the player who gains, and nothing else is; if nothing is due, nothing is
    pending for it either. It comes next, unless the gain is in the player's own turn and
    `emperor_track_spy_timing` lets it wait there.
    """
    who: Seat = 0
    faction = choose("faction", factions())
    amount = quantity("amount", 1)
    own_turns = ((AgentTurn(who, ()),), (RevealTurn(who, ()),))
    below = choose("turn", ((), *own_turns, (AgentTurn(1, ()),)))
    gained = Run(who, Item(GainInfluence(amount, faction), next(iter(printed().spaces))))
    before = symbolic_state(3, pending=(*below, gained))
    after = _after_gain(before)
    due = [(seat, item.effect) for seat, item in _due(after)]
    reached = _reaches(before, who, faction, amount, ALLIES)
    bonus = [(who, BONUS_AT_FOUR[faction])]
    claim(implies(reached, due == bonus), f"the bonus of the {faction} track is due once")
    claim(implies(opposite(reached), due == []), "nothing is due")
    if not due:
        claim(after.pending == below, "nothing is left to be done for it")
    waits = below in own_turns and follows(after, TRACK_TIMING) == "until_end_of_turn"
    if due and not waits:
        claim(faction in _sources_next(after), "the bonus comes next")


@proves(
    {
        "UPR-CLAR-004": Twin(
            MODULE,
            "if before < FRIENDS and after >= FRIENDS:\n        items",
            "if before < FRIENDS and after == FRIENDS:\n        items",
        )
    },
)
def passing_two_is_reaching_two_for_leaders() -> None:
    """Unsatisfiable iff the Leader's bonus comes exactly when a gain leads up to 2, or past it.

    It is due once, next, for the player who gains, if the gain is with the Leader's own Faction.
    Then it is +2 spice for Lady Margot Fenring and an Intrigue card for Princess Irulan; with any
    other Faction, from 2 Influence on, and when somebody else gains, the Leader gives nothing.
    """
    who: Seat = 0
    led_by = choose("who has the Leader", (who, 1))
    leader = choose("leader", tuple(BONUS_AT_TWO))
    faction = choose("faction", factions())
    amount = quantity("amount", 1)
    gained = Run(who, Item(GainInfluence(amount, faction), next(iter(printed().spaces))))

    def led(owner: Player) -> dict[str, Any]:
        return {"leader": leader} if owner.seat == led_by else {}

    below = choose("turn", ((), (AgentTurn(who, ()),)))
    before = symbolic_state(3, led, pending=(*below, gained))
    after = _after_gain(before)
    given = [(seat, item.effect) for seat, item in _due(after) if item.source == leader]
    own_faction, bonus = BONUS_AT_TWO[leader]
    reaches = _reaches(before, who, faction, amount, FRIENDS)
    reached = all_of(faction == own_faction, led_by == who, reaches)
    claim(implies(reached, given == [(who, bonus)]), "the Leader's bonus is due once")
    claim(implies(opposite(reached), given == []), "the Leader gives nothing")
    if given:
        claim(leader in _sources_next(after), "the Leader's bonus comes next")


# Which Faction


@proves(
    {
        "UPR-FACTION-017": Twin(
            MODULE,
            "return gain(state, frame.seat, action.faction, frame.amount, ANY_FACTION)",
            """if frame.amount > 1:
            state = push(state, change(frame, amount=frame.amount - 1))
        return gain(state, frame.seat, action.faction, 1, ANY_FACTION)""",
        )
    },
)
def all_influence_of_one_gain_goes_to_one_faction() -> None:
    """Unsatisfiable iff Influence with a Faction of choice all goes to the one Faction picked.

    The player picks once, any track that has room, or any at all if none has. That track moves by
    the whole amount, up to 6 at most, and no other track of anybody, now or by a further pick.
    """
    who: Seat = 0
    picked = PickFaction(who, choose("picked", factions()))
    amount = quantity("amount", 1)
    before = _about_to(3, GainInfluence(amount, ANY_FACTION), who)
    asking = line_from(before).given(None)
    claim(asked(IMPERIUM, asking.state).players == (who,), f"{NAMES[who]} picks the Faction")
    allowed = legal(IMPERIUM, asking.state, picked) is None
    rooms = {each: influence(before, who, each) < TOP for each in factions()}
    free = any_of(rooms[picked.faction], opposite(any_of(*rooms.values())))
    claim(free == allowed, "a track with room may be picked, or any if none has room")
    assume(allowed)
    after = asking.given(picked).state
    for faction in factions():
        for seat in range(3):
            old, new = (influence(state, seat, faction) for state in (before, after))
            moves = seat == who and faction == picked.faction
            wanted = smaller(old + amount, TOP) if moves else old
            claim(new == wanted, f"{NAMES[seat]}'s {faction} track is where it should be")
    again = [frame for frame in after.pending if isinstance(frame, PickTrack)]
    claim(not again, "no other Faction is picked")


@proves(
    {
        "UPR-FACTION-015": Twin(
            MODULE,
            "items = tuple(Item(change(effect, faction=faction), source) for faction in factions)",
            "items = (Item(change(effect, faction=tree.ANY_FACTION), source),) * len(factions)",
        )
    },
)
def influence_with_the_factions_spied_on_is_one_gain_each() -> None:
    """Unsatisfiable iff just the Factions spied on are due to give Influence, each once.

    A Spy on a Faction's post spies on that Faction, one on any other post on none; up to three
    Spies are out. Those of another player count for nothing. Without such a Spy nothing is due, and
    nothing is pending.
    """
    who, other = 0, 1
    amount = quantity("amount", 1)
    posts = choose("posts", _some_posts())
    gained = Run(who, Item(GainInfluence(amount, SPIED), next(iter(printed().spaces))))
    theirs = [SpyAt(post, other) for post in POST_OF.values()][:SPIES]
    spies = tuple(sorted((*theirs, *(SpyAt(post, who) for post in posts)), key=_by_post))

    def more(owner: Player) -> dict[str, Any]:
        return {"spies": SPIES - sum(spy.seat == owner.seat for spy in spies)}

    before = symbolic_state(3, more, spies=spies, pending=(gained,))
    after = _after_gain(before)
    due = [(seat, item.effect) for seat, item in _due(after)]
    spied_on = (faction for faction, post in POST_OF.items() if post in posts)
    wanted = [(who, GainInfluence(amount, faction)) for faction in spied_on]
    claim(len(due) == len(wanted) and all(each in due for each in wanted), "one gain for each")
    if not wanted:
        claim(after.pending == (), "nothing is left to be done for it")


POST_OF = {
    "emperor": "post_emperor",
    "spacing_guild": "post_spacing_guild",
    "bene_gesserit": "post_bene_gesserit",
    "fremen": "post_fremen",
}
"""The post from which each Faction is spied on."""


def _some_posts() -> tuple[tuple[str, ...], ...]:
    """No post, each one alone, and two or three posts of Factions."""
    several = (combinations(POST_OF.values(), number) for number in (2, SPIES))
    return ((), *((post,) for post in printed().posts), *chain(*several))


def _by_post(spy: SpyAt) -> tuple[str, Seat]:
    return spy.post, spy.seat


# A visit


FACTION_SPACES = {
    "emperor": ("dutiful_service", "sardaukar"),
    "spacing_guild": ("deliver_supplies", "heighliner"),
    "bene_gesserit": ("espionage", "secrets"),
    "fremen": ("desert_tactics", "fremkit"),
}


@proves(
    {
        "UPR-FACTION-002": Twin(
            "rules_engine/catalogue/uprising/spaces.toml",
            'effects = ["gain 1 influence fremen", "draw 1 card"]',
            'effects = ["gain 2 influence fremen", "draw 1 card"]',
        )
    },
    cases=tuple({"faction": faction} for faction in FACTION_SPACES),
)
def a_visit_to_a_faction_gives_one_influence_with_it(faction: str) -> None:
    """Unsatisfiable iff an Agent sent to a Faction's space brings one Influence with that Faction.

    One of the effects then due gives it, without condition, cost or choice. It moves the visitor's
    cube up by one, if that is not at 6, and no other cube of anybody. No other effect that is due
    moves Influence.
    """
    who: Seat = 0
    space = choose("space", FACTION_SPACES[faction])
    before = before_sending(space, who, 3)
    send = PlayAgent(who, plain_card(space), space)
    assume(legal(IMPERIUM, before, send) is None)
    sent = line_from(before).then(send)
    effects = [item.effect for _, item in _due(sent.state)]
    moving = [at for at, effect in enumerate(effects) if _moves_influence(effect)]
    claim(len(moving) == 1, "one of the effects moves Influence")
    claim(isinstance(effects[moving[0]], GainInfluence), "it does nothing else")
    after = sent.given(Resolve(who, moving[0])).state
    for seat in range(3):
        for each in factions():
            old, new = (influence(state, seat, each) for state in (before, after))
            wanted = smaller(old + 1, TOP) if (seat, each) == (who, faction) else old
            claim(new == wanted, f"{NAMES[seat]}'s {each} track is where it should be")


def _moves_influence(effect: Effect) -> bool:
    kinds = (GainInfluence, LoseInfluence, VisitInfluence)
    return any(isinstance(part, kinds) for part in walk(effect))
