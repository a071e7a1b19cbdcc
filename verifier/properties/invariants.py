"""What holds in every position: no step of the engine, whatever it is, breaks it.

Each step starts from any position in which all of this holds, so every game keeps it from setup on.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.influence import influence
from rules_engine.imperium.state import Alliance, Player, State, ThisTurn, Won, follows
from rules_engine.kernel.decks import possibly_in, size
from rules_engine.kernel.game import Frame, asked
from rules_engine.kernel.numbers import Quantity, count_true, pick
from rules_engine.kernel.outcomes import Event, Seat
from verifier.alike import Turned
from verifier.any_position import FROM_GARRISON, ROW, worth
from verifier.changes import changed, left_alone, same
from verifier.current import assume, at_another_table, choose, claim, claims_of
from verifier.numbers import all_of, any_of, implies
from verifier.positions import (
    AGENTS,
    ALLIES,
    BELOW_FOUR,
    FRIENDS,
    SPIES,
    TOP,
    behind_the_wall,
    factions,
)
from verifier.registry import Family, Twin, Twins, proves
from verifier.relied_on import relied_on, words_for
from verifier.steps import STEPS, Tried, claims_about, try_step
from verifier.tables import NUMBERS, Table, seated

Invariant = Callable[[State, State, tuple[Event, ...]], None]
"""Claims something about one step: the position before and after it, and what happened."""


INVARIANTS: dict[str, Invariant] = {}
"""Every invariant by its name."""


def holds_in_every_step(
    twins: Twins, *, first: tuple[str, ...] = ()
) -> Callable[[Invariant], Invariant]:
    """Register an invariant as a property with a case for each step, those of `first` first."""

    def register(invariant: Invariant) -> Invariant:
        name = invariant.__name__

        def run(step: str) -> None:
            run_together((name,), step)

        functools.update_wrapper(run, invariant)
        INVARIANTS[name] = invariant
        steps = (*first, *(step for step in STEPS if step not in first))
        cases = tuple({"step": step} for step in steps)
        proves(twins, cases=cases, family=FAMILY)(run)
        return invariant

    return register


def granted(step: str) -> tuple[str, ...]:
    """What is taken for granted where a step begins; other steps are shown to leave it so."""
    name = step.partition(" ")[0]
    return words_for(next(kind for kind in IMPERIUM.frames if kind.__name__ == name))


def run_together(names: tuple[str, ...], step: str) -> None:
    """Take a step once and make the claims of several invariants about it."""
    players = choose("players", (3,) if step in ONLY_THREE else NUMBERS)
    with seated(Table(players, 0)):
        tried = try_step(step)
    if ALIKE in names:
        with claims_of(ALIKE):
            _claim_alike(step, players, tried)
    assume(tried.done is not None)
    assert tried.done is not None
    after, events = tried.done.state, tried.done.events
    for name in names:
        if name != ALIKE:
            with claims_of(name), claims_about(step):
                INVARIANTS[name](tried.before, after, events)


ONLY_THREE = ("ResolveCombat", "FinalScore")
"""Steps in which everybody is ranked: with four players there are too many ways to be."""

FAMILY = Family("steps", run_together, granted)


def _claim_alike(step: str, players: int, here: Tried) -> None:
    """Claim that the step does the same when everybody sits some seats further on."""
    for by in range(1, players):
        with seated(Table(players, by)), at_another_table():
            there = try_step(step)
        turned = Turned(players, by)
        claim(turned.seats(here.asked) == there.asked, "the same players are asked")
        claim(_why(here) == _why(there), "the same is allowed")
        if here.done is None or there.done is None:
            claim(here.done is None and there.done is None, "the same can be done")
            continue
        if step in BY_SEATS:
            continue
        claim(
            turned.same_step(here.before, here.done.state, there.before, there.done.state),
            "the same becomes of everybody",
        )
        claim(turned.same_events(here.done.events, there.done.events), "the same is told")


def _why(tried: Tried) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The reasons why a step is refused."""
    reasons = () if tried.refused is None else tried.refused.reasons
    return tuple((reason.key, reason.rules) for reason in reasons)


ALIKE = "every_seat_is_treated_alike"
BY_SEATS = ("DealObjectives <- Answer",)
"""Setup deals to the seats one after the other, from the first to the last."""


@holds_in_every_step(
    {
        "UPR-COST-007": Twin(
            "rules_engine.imperium.resources",
            "    owner = player(state, seat)\n    state = with_player(state, change(owner, "
            "**{what: owned(owner, what) + amount}))",
            "    owner = player(state, 0)\n    state = with_player(state, change(owner, "
            "**{what: owned(owner, what) + amount}))",
        ),
    },
    first=("Run Gain",),
)
def every_seat_is_treated_alike(before: State, after: State, events: tuple[Event, ...]) -> None:
    """Unsatisfiable iff a step does the same when all players sit some seats further on.

    The one who acts may have any seat, with three and with four players, and everybody else and
    the First Player follow: the same players are asked, the same is allowed, everybody has the same
    afterwards, and the same is told of the same players. So whatever the other invariants say where
    the first seat acts, they say of all seats. What becomes of an Objective that is dealt is left
    out: that goes from the first seat to the last, as `each_player_is_dealt_an_objective_face_up`
    says of every seat.
    """
    del before, after, events


TROOPS = ("supply", "garrison", "troops", "memories")


# Units


@holds_in_every_step(
    {
        "UPR-UNIT-005": Twin(
            "rules_engine.imperium.units",
            "changed = change(owner, supply=owner.supply - recruited, "
            "garrison=owner.garrison + recruited)",
            "changed = change(owner, garrison=owner.garrison + recruited)",
        ),
        "UPR-UNIT-006": Twin(
            "rules_engine.imperium.units",
            "recruited = smaller(wanted, owner.supply)\n    changed = change(owner, "
            "supply=owner.supply - recruited,",
            "recruited = wanted\n    changed = change(owner, "
            "supply=owner.supply - smaller(wanted, owner.supply),",
        ),
    },
    first=("Run Recruit",),
)
def troops_always_total_twelve(before: State, after: State, events: tuple[Event, ...]) -> None:
    """Unsatisfiable iff no step changes the number of any player's troops.

    They are in the supply, the garrison, the Conflict or among the Leader's memories: twelve before
    the step, and as many after it.
    """
    del events
    as_many = [
        sum(getattr(old, place) for place in TROOPS) == sum(getattr(new, place) for place in TROOPS)
        for old, new in changed(before, after, *TROOPS)
    ]
    claim(all_of(*as_many), "every player has twelve troops")


UNITS = ("troops", "sandworms", "swords", "strength", "revealed")


@holds_in_every_step(
    {
        "UPR-STR-007": Twin(
            "rules_engine.imperium.strength",
            "return pick(units(owner) > 0, total, 0)",
            "return total",
        ),
        "UPR-STR-008": Twin(
            "rules_engine.imperium.units",
            'refund=follows(state, "retreat_does_not_refund") == "yes")\n'
            "    moved = move_marker(state, seat)",
            'refund=follows(state, "retreat_does_not_refund") == "yes")\n    moved = Step(state)',
        ),
        "UPR-STR-011": Twin(
            "rules_engine.imperium.sandworms",
            "    moved = move_marker(state, seat)",
            "    moved = Step(state)",
        ),
    },
    first=("PickRetreat <- Retreat", "Run Summon"),
)
def strength_is_what_the_units_are_worth(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff every step leaves each Combat marker where units and swords put it.

    For a player who has revealed that is 2 for a troop, 3 for a sandworm and 1 for a sword, so more
    than 0 with any unit; it is 0 without a unit, and 0 for a player who has not revealed.
    """
    del events
    right = [new.strength == worth(new) for _, new in changed(before, after, *UNITS)]
    claim(all_of(*right), "strength is what units and swords are worth")


@holds_in_every_step(
    {
        "UPR-WORM-002": Twin(
            "rules_engine.imperium.units",
            "    owner = change(before, garrison=before.garrison + troops, "
            "troops=before.troops - troops)",
            "    owner = change(before, garrison=before.garrison + troops, "
            "troops=before.troops - troops, sandworms=0)",
        ),
        "UPR-WORM-001": Twin(
            "rules_engine.imperium.sandworms",
            "change(owner, sandworms=owner.sandworms + sandworms)",
            "change(owner, garrison=owner.garrison + sandworms)",
        ),
        "UPR-WORM-009": Twin(
            "rules_engine.imperium.combat",
            "supply=each.supply + each.troops, troops=0,",
            "garrison=each.garrison + each.sandworms, supply=each.supply + each.troops, troops=0,",
        ),
    },
    first=("PickRetreat <- Retreat", "Run Summon", "EndCombat"),
)
def no_sandworm_is_ever_in_a_garrison(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff sandworms go from the bank to the Conflict and from there to the bank.

    Some come only to the player whose effect summons them, as many as it says or none; all of them
    go when the Combat ends and at no other time; and with no step do garrison, supply and memories
    together gain more than the troops that leave the Conflict.
    """
    del events
    ended = isinstance(before.pending[-1], frames.EndCombat)
    right: list[Any] = []
    for old, new in changed(before, after, "sandworms"):
        came = new.sandworms - old.sandworms
        right.append(new.sandworms == 0 if ended else _summoned(before, new.seat, came))
    for old, new in changed(before, after, *TROOPS):
        away = sum(getattr(new, place) - getattr(old, place) for place in AWAY)
        right.append(away == old.troops - new.troops)
    claim(all_of(*right), "sandworms are in the Conflict or in the bank")


AWAY = ("supply", "garrison", "memories")
"""Where troops are that are not in the Conflict."""


def _summoned(before: State, seat: Seat, came: Quantity) -> Any:
    """Whether so many sandworms come as an effect says which happens now, or none do."""
    many = (each.amount for each in _happening(before, seat) if isinstance(each, tree.Summon))
    return any_of(came == 0, *(came == amount for amount in many))


def _happening(before: State, seat: Seat) -> tuple[Any, ...]:
    """The effects of a player one of which happens now: the one that is run, or those due."""
    frame: Frame = before.pending[-1]
    if getattr(frame, "seat", None) != seat:
        return ()
    if isinstance(frame, frames.Run):
        return (frame.item.effect,)
    return tuple(item.effect for item in frame.items) if isinstance(frame, IN_GROUPS) else ()


IN_GROUPS = (frames.AgentTurn, frames.RevealTurn, frames.Effects)
"""The frames whose effects may happen at once."""


@holds_in_every_step(
    {
        "UPR-WALL-003": Twin(
            "rules_engine.imperium.sandworms",
            """    if protects_conflict(state):
        return Step(state, (Event("no_sandworm", PROTECTS, seat),))
""",
            "",
        ),
    },
    first=("Run Summon",),
)
def no_sandworm_enters_behind_a_standing_wall(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff no step adds a sandworm while the Wall shelters the Conflict.

    It shelters the three locations, as long as the token stands when the step begins.
    """
    del events
    kept_out = [
        implies(new.sandworms > old.sandworms, not behind_the_wall(before))
        for old, new in changed(before, after, "sandworms")
    ]
    claim(all_of(*kept_out), "no sandworm comes behind the Wall")


@holds_in_every_step(
    {
        "UPR-WALL-005": Twin(
            "rules_engine.imperium.shield_wall",
            """    if not state.shield_wall:
        return Step(state, (Event("no_wall_left", REMOVE, seat),))
    return Step(change(state, shield_wall=False), (Event("removes_wall", REMOVE, seat),))""",
            """    wall = not state.shield_wall
    return Step(change(state, shield_wall=wall), (Event("removes_wall", REMOVE, seat),))""",
        )
    },
    first=("Run RemoveShieldWall",),
)
def a_removed_wall_never_comes_back(before: State, after: State, events: tuple[Event, ...]) -> None:
    """Unsatisfiable iff no step puts the token back once it is gone."""
    del events
    back = not same(before, after, "shield_wall") and after.shield_wall
    claim(not back or before.shield_wall, "the Wall stays gone")


@holds_in_every_step(
    {
        "UPR-UNIT-013": Twin(
            "rules_engine.imperium.units", "FROM_GARRISON = 2", "FROM_GARRISON = 3"
        ),
        "UPR-UNIT-012": Twin(
            "rules_engine.imperium.units",
            "return turn.recruited + others - turn.deployed",
            "return turn.recruited + others",
        ),
        "UPR-UNIT-006": Twin(
            "rules_engine.imperium.units",
            "seat, recruited, wanted - recruited)",
            "seat, wanted, wanted - recruited)",
        ),
        "UPR-UNIT-008": Twin(
            "rules_engine.imperium.units",
            "others = FROM_GARRISON if turn.combat else 0",
            "others = FROM_GARRISON",
        ),
        "UPR-UNIT-011": Twin(
            "rules_engine.imperium.units",
            """    if troops > frame.most:
        yield Reason("more_than_the_effect", BY_EFFECT, {"most": frame.most})
""",
            "",
        ),
    },
    first=("AgentTurn <- Deploy", "RevealTurn <- Deploy", "PickDeploy <- Deploy", "Run Recruit"),
)
def no_more_troops_are_deployed_than_the_turn_allows(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff every troop that leaves a garrison for the Conflict is allowed to.

    By right of the turn's space: all troops deployed in the turn are at most its recruits, and two
    more at a Combat space. By an effect that says so: at most as many as it says, and they do not
    count. So it is at most two beyond the recruits, plus what such effects have added. Recruits of
    a turn are just the troops that come to its player's garrison or Conflict from elsewhere. The
    troops that it counts as deployed and still there are in the Conflict, and the most units of the
    turn that were there at one time are not fewer, if they were not before.
    """
    del events
    allowed: list[Any] = []
    for old, new in changed(before, after, "garrison", "troops"):
        moved = new.troops - old.troops
        sent = all_of(moved > 0, new.garrison < old.garrison)
        allowed.append(implies(sent, _may_come(before, after, new.seat, moved)))
    allowed += _turn_counts(before, after)
    claim(all_of(*allowed), "every deployed troop was allowed to come")


def _turn_counts(before: State, after: State) -> Iterator[Any]:
    """What the turn in progress counts is within its limits, if anything of it was written."""
    moved = any(True for _ in changed(before, after, "garrison", "troops"))
    if same(before, after, "turn") and not moved:
        return
    turn = after.turn
    if turn is None:
        return
    if before.turn is not None and (moved or not same(before.turn, turn, "recruited")):
        yield turn.recruited - before.turn.recruited == _came(before, after, turn.seat)
    if not same(before.turn, turn, "deployed", "recruited", "combat"):
        others = FROM_GARRISON if turn.combat else 0
        yield turn.deployed <= turn.recruited + others
    yield turn.staying <= after.players[turn.seat].troops
    if not same(before.turn, turn, "staying", "summoned", "most_deployed"):
        yield implies(before.turn is None or _peaked(before.turn), _peaked(turn))


def _came(before: State, after: State, seat: Seat) -> Quantity:
    """How many more troops a player has in garrison and Conflict together."""
    old, new = before.players[seat], after.players[seat]
    return new.garrison - old.garrison + new.troops - old.troops


def _peaked(turn: ThisTurn) -> Any:
    """Whether the most units at one time are at least those that are there now."""
    return turn.most_deployed >= turn.staying + turn.summoned


def _may_come(before: State, after: State, seat: Seat, moved: Quantity) -> Any:
    """Whether so many troops came by right of the turn, or as an effect says."""
    frame: Frame = before.pending[-1]
    if isinstance(frame, frames.PickDeploy):
        return moved <= frame.most
    was, now = before.turn, after.turn
    if was is None or now is None or now.seat != seat:
        return False
    return now.deployed == was.deployed + moved


# Resources, Influence and Victory Points


COUNTED = (
    "solari", "spice", "water", "supply", "garrison", "troops", "sandworms", "strength", "swords",
    "persuasion", "agents", "spies", "memories",
)  # fmt: skip


OF_TURNS = ("recruited", "short", "deployed", "staying", "summoned", "spice", "harvested")
"""What a turn counts; the most that was deployed at one time is not less than what is there."""


@holds_in_every_step(
    {
        "UPR-COST-001": Twin(
            "rules_engine.imperium.agent_turn",
            "    if resources.can_pay(state, frame.seat, cost.amount, cost.what):\n"
            "        return None\n",
            "    if cost.amount >= 0:\n        return None\n",
        ),
        "UPR-ACQ-004": Twin(
            "rules_engine.imperium.acquire",
            "if cost > player(state, seat).persuasion:",
            "if player(state, seat).persuasion < 1:",
        ),
        "UPR-UNIT-006": Twin(
            "rules_engine.imperium.units",
            "recruited = smaller(wanted, owner.supply)",
            "recruited = wanted",
        ),
    },
    first=("PickCost <- Choose", "RevealTurn <- Acquire", "Run Recruit"),
)
def nothing_is_ever_below_zero(before: State, after: State, events: tuple[Event, ...]) -> None:
    """Unsatisfiable iff after every step nobody has less than none of anything.

    That is: resources, Persuasion, troops wherever they are, sandworms, strength, swords, Agents,
    Spies, bonus spice on the board, cards on the Reserve stacks, and what a turn counts.
    """
    del events
    enough = [
        getattr(new, what) >= 0 for what in COUNTED for _, new in changed(before, after, what)
    ]
    if not same(before, after, "turn") and after.turn is not None:
        written = (what for what in OF_TURNS if not same(before.turn, after.turn, what))
        enough += [getattr(after.turn, what) >= 0 for what in written]
    if not same(before, after, "makers"):
        enough += [maker.bonus_spice >= 0 for maker in after.makers]
    if not same(before, after, "reserve"):
        enough += [stack.left >= 0 for stack in after.reserve]
    claim(all_of(*enough), "nobody has less than nothing")


@holds_in_every_step(
    {
        "UPR-COST-003": Twin(
            "rules_engine.imperium.effects",
            "if not payable(state, seat, effect.cost, source):",
            "if not effect.cost:",
        ),
        "UPR-COMBAT-033": Twin(
            "rules_engine.imperium.combat",
            "troops=0, sandworms=0, strength=0, swords=0)",
            "troops=0, sandworms=0, strength=0)",
        ),
    },
    first=("Run Arrow", "EndCombat"),
)
def each_frame_finds_what_it_relies_on(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff after every step what the next frame relies on is so.

    A payment can be paid, from when it is pending until it comes up; Persuasion comes up in its
    owner's Reveal turn; outside of turns none is in progress; from the Makers phase to the next
    Conflict none is current and nobody has a unit, a sword or strength, and nobody has revealed
    when a location may be defended; a token that tied players wait for is free, and each of them
    may hold it; an equal card is in both places, and can be paid; the cards looked at are as many
    as their fates. The steps start from positions in which this is so of the frame that they begin
    with.
    """
    del before, events
    claim(relied_on(after), "the next frame finds what it relies on")


@holds_in_every_step(
    {
        "UPR-FACTION-003": Twin(
            "rules_engine.imperium.influence",
            "after = smaller(before + amount, TOP)",
            "after = before + amount",
        ),
    },
    first=("Run GainInfluence",),
)
def influence_never_leaves_its_track(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff all Influence is from 0 to 6 after every step, as it was before."""
    del events
    on_track = [
        all_of(new.influence >= 0, new.influence <= TOP)
        for was, now in changed(before, after, "tracks")
        for old, new in zip(was.tracks, now.tracks, strict=True)
        if not left_alone(old, new)
    ]
    claim(all_of(*on_track), f"all Influence is from 0 to {TOP}")


@holds_in_every_step(
    {
        "UPR-END-007": Twin(
            "rules_engine.imperium.points",
            "victory_points=owner.victory_points + points)",
            "victory_points=owner.victory_points + 1)",
        ),
        "UPR-FACTION-004": Twin(
            "rules_engine.imperium.influence",
            "if before < FRIENDS and after >= FRIENDS:\n        scored",
            "if before <= FRIENDS and after >= FRIENDS:\n        scored",
        ),
        "UPR-FACTION-005": Twin(
            "rules_engine.imperium.influence",
            "if before >= FRIENDS and after < FRIENDS:",
            "if before > FRIENDS and after < FRIENDS:",
        ),
        "UPR-FACTION-010": Twin(
            "rules_engine.imperium.influence",
            'scored = score(_with_holder(state, faction, None), seat, -1, "alliance", rules)',
            "scored: Step[State] = Step(_with_holder(state, faction, None))",
        ),
    },
    first=("Run Gain", "Run LoseInfluence", "Run GainInfluence", "PickTrack <- PickFaction"),
)
def victory_points_come_from_tracks_alliances_matches_and_effects_alone(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff in every step each change of a score is explained by the position.

    It is the change in tracks on which the player has 2 or more, plus the change in Alliances held,
    plus one for a pair of equal battle icons that this step turns down, in the Endgame also for one
    with a wild icon, plus what an effect gives that says so.
    """
    del events
    moved = not same(before, after, "alliances")
    for old, new in zip(before.players, after.players, strict=True):
        if same(old, new, "victory_points", "tracks") and not moved:
            continue
        explained = _tracks(new) - _tracks(old) + _matched(old, new, before.pending[-1])
        if moved:
            explained += _alliances(before, after, new.seat)
        rest = new.victory_points - old.victory_points - explained
        claim(any_of(*(rest == points for points in _given(before, new.seat))), EXPLAINED)
    claim(True, "nothing else scores")


def _tracks(owner: Player) -> Quantity:
    return count_true(track.influence >= FRIENDS for track in owner.tracks)


def _alliances(before: State, after: State, seat: Seat) -> int:
    """How many more Alliances the player holds; a token left where it was adds nothing."""
    pairs = zip(before.alliances, after.alliances, strict=True)
    return sum(
        (new.holder == seat) - (old.holder == seat)
        for old, new in pairs
        if not left_alone(old, new)
    )


def _matched(old: Player, new: Player, frame: Frame) -> int:
    """1 if a pair of cards was turned down for its battle icons."""
    if same(old, new, "won"):
        return 0
    icons = [each.icon for each in (_face_down(new) - _face_down(old)).elements()]
    if len(icons) != 2 or None in icons:
        return 0
    if WILD in icons:
        return int(isinstance(frame, frames.EndgameIntrigues))
    return int(icons[0] == icons[1])


def _face_down(owner: Player) -> Counter[Won]:
    return Counter(each for each in owner.won if not each.face_up)


WILD = "wild"


def _given(before: State, seat: Seat) -> tuple[Quantity, ...]:
    """The points that an effect may give which happens now; if just one does, it gives them."""
    happening = _happening(before, seat)
    said = tuple(
        each.amount for each in happening if isinstance(each, tree.Gain) and each.what == POINTS
    )
    return said if said and isinstance(before.pending[-1], frames.Run) else (0, *said)


EXPLAINED = "points are explained"
POINTS = "vp"


@holds_in_every_step(
    {
        "UPR-ACQ-007": Twin(
            "rules_engine.imperium.reveal_turn",
            "    state = with_player(state, change(player(state, seat), persuasion=0))\n",
            "",
        ),
    },
    first=("RevealTurn <- EndTurn",),
)
def persuasion_is_never_carried_over(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff after every step nobody has Persuasion but in the own Reveal turn.

    So nothing of it is left when that turn ends, and none comes into another turn or round. That
    no effect of another turn gives any, `persuasion_is_printed_only_where_a_reveal_turn_gives_it`
    says.
    """
    del events
    over = not same(before, after, "turn")
    gone = [
        new.persuasion == 0
        for old, new in zip(before.players, after.players, strict=True)
        if (over or not same(old, new, "persuasion")) and not _reveals(after, new.seat)
    ]
    claim(all_of(*gone), "Persuasion is only there in the own Reveal turn")


def _reveals(state: State, seat: Seat) -> bool:
    turn = state.turn
    return turn is not None and turn.seat == seat and turn.kind == "reveal"


# Turns


@holds_in_every_step(
    {
        "UPR-ROUND-003": Twin(
            "rules_engine.imperium.agent_turn",
            'return Step(change(state, turn=None), (Event("ends_turn", END, frame.seat),))',
            'return Step(state, (Event("ends_turn", END, frame.seat),))',
        ),
        "UPR-REVEAL-001": Twin(
            "rules_engine.imperium.reveal_turn",
            'turn = change(state.turn or ThisTurn(seat), kind="reveal", shown=shown)',
            "turn = change(state.turn or ThisTurn(seat), shown=shown)",
        ),
    },
    first=("AgentTurn <- EndTurn", "Turn <- Reveal"),
)
def only_its_own_frames_begin_decide_and_end_a_turn(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff whose turn it is, and of which kind, changes by the frames of turns alone.

    A turn begins undecided when the next player's comes; the player makes an Agent or a Reveal turn
    of it; that ends it when it leaves. A step changes nothing else about it, and puts a frame that
    belongs to a turn only into a turn of this kind, of the frame's player. Only an Agent turn has a
    space, and so may be at a Combat space.
    """
    del events
    pushed = after.pending[len(before.pending) - 1 :]
    fits = [_whose(after) == of for of in map(_belongs, pushed) if of is not None]
    claim(all(fits), "a frame of a turn comes up in that turn")
    top: Frame = before.pending[-1]
    left = isinstance(top, GOING_ON) and not any(isinstance(frame, GOING_ON) for frame in pushed)
    claim(not left or after.turn is None, "the turn ends when its frame leaves")
    if not same(before, after, "turn"):
        was, now = _whose(before), _whose(after)
        claim(was == now or (was, now) in _ways_on(top), "the turn goes on")
        claim(_visits_as_agent(after.turn), "only an Agent turn is a visit")


Whose = tuple[Seat, str] | None
"""Whose turn it is and of which kind, if there is one."""

GOING_ON = (frames.AgentTurn, frames.RevealTurn)
OF_AGENT_TURNS = (frames.PickCost, frames.Placed, frames.GatherIntelligence, frames.AgentTurn)


def _whose(state: State) -> Whose:
    turn = state.turn
    return None if turn is None else (turn.seat, turn.kind)


def _visits_as_agent(turn: ThisTurn | None) -> bool:
    return turn is None or turn.kind == "agent" or (turn.space is None and not turn.combat)


def _belongs(frame: Frame) -> Whose:
    """The turn in which a frame comes up, if it belongs to a turn of a kind."""
    match frame:
        case frames.Turn(seat):
            return seat, UNDECIDED
        case frames.RevealTurn(seat):
            return seat, "reveal"
        case frames.PickPlace(seat) if frame.bought:
            return seat, "reveal"
        case _ if isinstance(frame, OF_AGENT_TURNS):
            return frame.seat, "agent"
        case _:
            return None


UNDECIDED = ThisTurn(0).kind


def _ways_on(frame: Frame) -> tuple[tuple[Whose, Whose], ...]:
    """How a frame may change whose turn it is and of which kind."""
    match frame:
        case frames.PlayerTurns():
            return tuple((None, (seat, UNDECIDED)) for seat in range(MOST_PLAYERS))
        case frames.Turn(seat):
            decided = ("agent", "reveal")
            return tuple(((seat, UNDECIDED), (seat, kind)) for kind in decided)
        case frames.AgentTurn() | frames.RevealTurn():
            return ((_belongs(frame), None),)
        case _:
            return ()


MOST_PLAYERS = 4


# Markers and tokens


@holds_in_every_step(
    {
        "UPR-CTRL-003": Twin(
            "rules_engine.imperium.control",
            "    controls = tuple(\n"
            "        change(control, holder=seat) if control.space == space else control\n"
            "        for control in state.controls\n"
            "    )\n",
            "    more = change(state.controls[0], space=space, holder=seat)\n"
            "    controls = (*state.controls, more)\n",
        ),
    },
    first=("Run TakeControl",),
)
def each_location_has_at_most_one_control_marker(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff after every step each location is listed once, with one player or nobody.

    A step that touches a marker leaves all others alone.
    """
    del events
    if same(before, after, "controls"):
        claim(True, "no marker was touched")
        return
    places = tuple(each.space for each in after.controls)
    claim(places == tuple(each.space for each in before.controls), "each location is there once")
    placed = [
        new
        for old, new in zip(before.controls, after.controls, strict=False)
        if not left_alone(old, new)
    ]
    claim(len(placed) <= 1, "one marker is placed at a time")
    claim(all(each.holder in range(len(after.players)) for each in placed), "a player holds it")


@holds_in_every_step(
    {
        "UPR-FACTION-009": Twin(
            "rules_engine.imperium.influence",
            "change(alliance, holder=holder) if alliance.faction == faction else alliance",
            "change(alliance, holder=holder)",
        ),
    },
    first=("Run GainInfluence",),
)
def each_faction_has_at_most_one_ally(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff after every step each Faction's token has one holder or none.

    The list names each Faction once, and one step moves one token at most.
    """
    del events
    if same(before, after, "alliances"):
        claim(True, "no token was touched")
        return
    claim(tuple(each.faction for each in after.alliances) == factions(), "each token is there once")
    moved = [
        new
        for old, new in zip(before.alliances, after.alliances, strict=False)
        if not left_alone(old, new)
    ]
    claim(len(moved) <= 1, "one token moves at a time")
    seats = (None, *range(len(after.players)))
    claim(all(each.holder in seats for each in moved), "a player holds it, or nobody")


@holds_in_every_step(
    {
        "UPR-FACTION-009": Twin(
            "rules_engine.imperium.influence",
            "seat, ALLIANCE) if after >= ALLIES else Step(state)",
            "seat, ALLIANCE) if after > ALLIES else Step(state)",
        ),
    },
    first=("Run GainInfluence",),
)
def an_alliance_goes_with_four_influence(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff after every step tokens are held by players with 4 Influence or more.

    A token that nobody holds is one for which nobody has 4 Influence, or tied players wait for it.
    Where the ruling `alliance_loss_below_4` lets a falling holder keep it, there may be less.
    """
    del events
    touched = _touched_factions(before, after)
    for alliance in after.alliances:
        if alliance.faction in touched:
            claim(_rightly_held(after, alliance), f"the {alliance.faction} token is rightly held")
    claim(True, "no other token was touched")


def _touched_factions(before: State, after: State) -> set[str]:
    """The Factions whose token or Influence was written."""
    tokens = zip(before.alliances, after.alliances, strict=False)
    moved = {new.faction for old, new in tokens if not left_alone(old, new)}
    for was, now in changed(before, after, "tracks"):
        tracks = zip(was.tracks, now.tracks, strict=True)
        moved |= {new.faction for old, new in tracks if not left_alone(old, new)}
    return moved


def _rightly_held(state: State, alliance: Alliance) -> Any:
    faction, holder = alliance.faction, alliance.holder
    if holder is not None:
        enough = influence(state, holder, faction) >= ALLIES
        return True if enough else follows(state, BELOW_FOUR) == "kept"
    top = state.pending[-1] if state.pending else None
    if isinstance(top, frames.AllianceTie) and top.faction == faction:
        return True
    return all_of(*(influence(state, each.seat, faction) < ALLIES for each in state.players))


# Spies and Agents


@holds_in_every_step(
    {
        "UPR-SPY-002": Twin(
            "rules_engine.imperium.spies",
            "        owner = change(owner, spies=owner.spies - 1)\n",
            "        pass\n",
        ),
        "UPR-SPY-008": Twin(
            "rules_engine.imperium.spies",
            "        owner = change(owner, spies=owner.spies + 1)\n",
            "        pass\n",
        ),
    },
    first=("SpyPlacement <- PlaceSpy", "PickSpies <- RecallSpy"),
)
def every_player_has_three_spies(before: State, after: State, events: tuple[Event, ...]) -> None:
    """Unsatisfiable iff after every step each player's Spies in supply and on posts are three."""
    del events
    if same(before, after, "spies") and not list(changed(before, after, "spies")):
        claim(True, "no Spy was touched")
        return
    for each in after.players:
        placed = sum(spy.seat == each.seat for spy in after.spies)
        claim(each.spies + placed == SPIES, f"{each.name} has three Spies")


@holds_in_every_step(
    {
        "UPR-SPY-003": Twin(
            "rules_engine.imperium.spies",
            "return frame.seat in there if frame.sharing else bool(there)",
            "return False if frame.sharing else bool(there)",
        ),
    },
    first=("SpyPlacement <- PlaceSpy",),
)
def no_player_has_two_spies_on_a_post(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff after every step no two Spies of one player are on one post."""
    del events
    once = same(before, after, "spies") or len(set(after.spies)) == len(after.spies)
    claim(once, "no player has two Spies on a post")


@holds_in_every_step(
    {
        "UPR-SPY-003": Twin(
            "rules_engine.imperium.spies",
            "return frame.seat in there if frame.sharing else bool(there)",
            "return frame.seat in there",
        ),
    },
    first=("SpyPlacement <- PlaceSpy",),
)
def a_post_is_shared_only_by_an_effect_that_allows_it(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff a Spy joins another on a post only where an effect allows it.

    Which effect is being resolved, the frame of the placement says.
    """
    del events
    if same(before, after, "spies"):
        claim(True, "no Spy was touched")
        return
    taken = {spy.post for spy in before.spies}
    joined = [spy.post for spy in after.spies if spy not in before.spies and spy.post in taken]
    frame: Frame = before.pending[-1]
    allowed = isinstance(frame, frames.SpyPlacement) and frame.sharing
    claim(not joined or allowed, "a post is shared only where an effect allows it")


@holds_in_every_step(
    {
        "UPR-AGENT-001": Twin(
            "rules_engine.imperium.agents",
            "    state = with_player(state, change(owner, agents=owner.agents - 1))\n",
            "",
        ),
        "UPR-AGENT-012": Twin(
            "rules_engine.imperium.council",
            "change(owner, swordmaster=True, agents=owner.agents + 1)",
            "change(owner, swordmaster=True)",
        ),
        "UPR-AGENT-013": Twin(
            "rules_engine.imperium.agents",
            "    agents = tuple(at for at in state.agents if at != AgentAt(space, seat))\n",
            "    agents = tuple(at for at in state.agents if at.seat != seat)\n",
        ),
        "UPR-RECALL-002": Twin(
            "rules_engine.imperium.recall",
            "count_true(at.seat == each.seat for at in state.agents)",
            "count_true(at.seat != each.seat for at in state.agents)",
        ),
    },
    first=("Recall", "PickAgent <- RecallAgent", "Run TakeSwordmaster", "Turn <- PlayAgent"),
)
def agents_are_conserved(before: State, after: State, events: tuple[Event, ...]) -> None:
    """Unsatisfiable iff after every step each player has two Agents, or three with a Swordmaster.

    At home and on the board together; and no two of one player are on one space.
    """
    del events
    fields = ("agents", "swordmaster")
    if same(before, after, "agents") and not list(changed(before, after, *fields)):
        claim(True, "no Agent was touched")
        return
    for each in after.players:
        out = sum(at.seat == each.seat for at in after.agents)
        wanted = AGENTS + pick(each.swordmaster, 1, 0)
        claim(each.agents + out == wanted, f"{each.name} has all Agents")
    claim(len(set(after.agents)) == len(after.agents), "no two Agents of one player on a space")


# Cards


@holds_in_every_step(
    {
        "UPR-ACQ-010": Twin(
            "rules_engine.imperium.acquire",
            "    return Step(push(state, FillRow()), (event,))",
            "    return Step(state, (event,))",
        ),
        "UPR-ACQ-011": Twin(
            "rules_engine.imperium.acquire",
            "push(state, Effects(seat, box + _said_about_it(state, seat)), *gap)",
            "push(state, *gap, Effects(seat, box + _said_about_it(state, seat)))",
        ),
    },
    first=("PickFromRow <- TakeFromRow", "RevealTurn <- Acquire"),
)
def the_row_has_five_cards_while_the_deck_lasts(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff the Imperium Row is full after every step, or about to be filled.

    It has five cards, or the deck is empty, or to fill it up is what comes next: so wherever a
    player has to decide, it is full or the deck is empty. It never has more than five.
    """
    del events
    if same(before, after, "row", "imperium_deck") and not _filled(before):
        claim(True, "the Row was not touched")
        return
    fills = bool(after.pending) and isinstance(after.pending[-1], frames.FillRow)
    full = len(after.row) == ROW or not size(after.imperium_deck)
    claim(len(after.row) <= ROW, "the Row has five cards at most")
    claim(full or fills, "the Row is full, or the deck is empty, or the Row is filled next")
    claim(not (fills and asked(IMPERIUM, after).players), "nobody decides before the Row is full")


def _filled(before: State) -> bool:
    return isinstance(before.pending[-1], frames.FillRow)


PERSONAL = (
    "hand",
    "discard",
    "in_play",
    "set_aside",
    "intrigues",
    "standing",
    "contracts",
    "completed",
)
COMMON = (
    "row", "trashed", "intrigue_discard", "trashed_intrigues", "contract_row", "leader_contracts",
    "objectives",
)  # fmt: skip
DECKS = ("imperium_deck", "intrigue_deck", "contract_deck", "conflict_deck")


@holds_in_every_step(
    {
        "UPR-ACQ-008": Twin(
            "rules_engine.imperium.acquire",
            "return change(state, row=without_card(state.row, card))",
            "return state",
        ),
        "UPR-REVEAL-008": Twin(
            "rules_engine.imperium.cards",
            '        state = move_card(state, seat, card, "in_play", "discard")',
            "        state = with_player(state, change(player(state, seat), in_play=()))",
        ),
        "UPR-ICON-003": Twin(
            "rules_engine.imperium.cards",
            "deck=owner.deck + shuffled(owner.discard), discard=())",
            "deck=owner.deck + shuffled(owner.discard))",
        ),
        "UPR-ICON-012": Twin(
            "rules_engine.imperium.trashing",
            "    return change(state, reserve=reserve), TRASH + TRASH_RESERVE",
            "    return state, TRASH + TRASH_RESERVE",
        ),
        "UPR-ROUND-006": Twin(
            "rules_engine.imperium.held_intrigue",
            "return change(state, intrigue_discard=with_card(state.intrigue_discard, card))",
            "return state",
        ),
        "UPR-COMBAT-025": Twin(
            "rules_engine.imperium.combat",
            "    state = change(state, conflict=None)\n    if match is None:",
            "    if match is None:",
        ),
    },
    first=(
        "RevealTurn <- Acquire",
        "RevealTurn <- EndTurn",
        "DrawFromDeck",
        "PickTrash <- Trash",
        "IntriguePlayed",
        "TakeConflictCard",
    ),
)
def every_card_is_in_exactly_one_place(
    before: State, after: State, events: tuple[Event, ...]
) -> None:
    """Unsatisfiable iff every step takes a card from one place for each that it puts in another.

    All cards count: of players, of the Row, the Reserve and the decks, Intrigue cards, contracts,
    Objectives and Conflict cards, those that left the game, and those that are looked at or played.
    A Conflict card that nobody has won goes to the box, which is no place of the game, when the
    Combat ends.
    """
    del events
    moved: Counter[str] = Counter()
    for place, cards in _places(before, after):
        for card in cards:
            moved[card] += place
    if isinstance(before.pending[-1], frames.EndCombat) and before.conflict is not None:
        moved[before.conflict] += 1
    claim(not any(moved.values()), "every card is in one place")


def _places(before: State, after: State) -> Iterator[tuple[int, Iterable[str]]]:
    """The cards of each place that was touched: -1 for what was there, 1 for what is there."""
    for sign, state, other in ((-1, before, after), (1, after, before)):
        for name in COMMON:
            if not same(state, other, name):
                yield sign, getattr(state, name)
        for name in DECKS:
            if not same(state, other, name):
                yield sign, possibly_in(getattr(state, name))
        if not same(state, other, "reserve"):
            yield from ((sign, (stack.card,) * stack.left) for stack in state.reserve)
        if not same(state, other, "conflict"):
            yield sign, () if state.conflict is None else (state.conflict,)
        yield from ((sign, _in_frame(frame)) for frame in state.pending)
        for own, theirs in zip(state.players, other.players, strict=True):
            for name in PERSONAL:
                if not same(own, theirs, name):
                    yield sign, getattr(own, name)
            if not same(own, theirs, "deck"):
                yield sign, possibly_in(own.deck)
            if not same(own, theirs, "won"):
                yield sign, tuple(won.card for won in own.won)


def _in_frame(frame: Frame) -> tuple[str, ...]:
    """Cards that are in no zone, because they are being looked at or played."""
    match frame:
        case frames.LookAtTop(seen=seen) | frames.SortCards(seen=seen):
            return seen
        case frames.IntriguePlayed(card=card):
            return (card,)
        case _:
            return ()
