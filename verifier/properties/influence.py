"""Influence and the Alliance: who holds the token after a gain or a loss."""

from __future__ import annotations

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
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.influence import holder_of, influence
from rules_engine.imperium.state import Player, SpyAt, State, follows
from rules_engine.kernel.game import asked, handle, legal, options
from rules_engine.kernel.numbers import Quantity, count_true, larger, most, pick, smaller
from rules_engine.kernel.outcomes import Seat, Step
from verifier.current import assume, choose, claim, quantity, stage
from verifier.numbers import all_of, any_of, implies, opposite
from verifier.play import line_from, play_out
from verifier.positions import (
    ALLIES,
    BELOW_FOUR,
    FRIENDS,
    NAMES,
    SPIES,
    TOP,
    before_sending,
    factions,
    plain_card,
    printed,
    symbolic_state,
)
from verifier.registry import Twin, proves

TIE = "alliance_loss_tie"
MODULE = "rules_engine.imperium.influence"

PLAYERS = ({"players": 3}, {"players": 4})
ANY_MOVE = "all amounts, all Influence from 0 to 6, any holder"
BOUNDS = f"{ANY_MOVE}, 3 players with any Faction and 4 with the Fremen, without Leaders"
THREE = f"{ANY_MOVE}, any Faction, 3 players without Leaders"


def _about_to(players: int, effect: Effect, who: Seat) -> State:
    """A position in which a player is about to gain or lose Influence."""
    source = next(iter(printed().spaces))
    return symbolic_state(players, pending=(Run(who, Item(effect, source)),))


def _moves(before: State) -> State:
    """The position after the move, a tie decided in every way, the bonus at 4 not yet taken."""
    after, _ = play_out(before, apart=(Effects,))
    return after


def _some_factions(players: int) -> tuple[str, ...]:
    """All Factions; one of them is enough for a fourth player to make a difference."""
    return factions() if players == 3 else ("fremen",)


def _gains(players: int) -> tuple[State, Seat, str]:
    who = choose("who", range(players))
    faction = choose("faction", _some_factions(players))
    return _about_to(players, GainInfluence(quantity("amount", 1), faction), who), who, faction


def _loses(players: int) -> tuple[State, Seat, str]:
    who = choose("who", range(players))
    faction = choose("faction", _some_factions(players))
    return _about_to(players, LoseInfluence(quantity("amount", 1), faction), who), who, faction


def _others(state: State, faction: str, who: Seat) -> dict[Seat, Quantity]:
    """The Influence of everybody else."""
    return {
        each.seat: influence(state, each.seat, faction)
        for each in state.players
        if each.seat != who
    }


# A gain


@proves(
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
    bounds=BOUNDS,
    cases=PLAYERS,
)
def only_who_rises_above_the_holder_takes_the_alliance(players: int) -> None:
    """Unsatisfiable iff a gain moves the token exactly when the rule says so, and to nobody else.

    It goes to the player who gains, from 4 Influence on, if nobody holds it or that player now
    stands strictly above the holder; else it stays where it was.
    """
    before, who, faction = _gains(players)
    holder = holder_of(before, faction)
    after = _moves(before)
    own = influence(after, who, faction)
    takes: Any = own >= ALLIES
    if holder is not None:
        takes = all_of(takes, own > influence(after, holder, faction))
    now = holder_of(after, faction)
    claim(implies(takes, now == who), f"{NAMES[who]} takes the token")
    claim(implies(opposite(takes), now == holder), "the token stays where it was")


# A loss


@proves(
    {
        "UPR-FACTION-010": Twin(
            MODULE,
            "if holder_of(state, faction) != seat:",
            "if holder_of(state, faction) is None:",
        )
    },
    bounds=BOUNDS,
    cases=PLAYERS,
)
def a_loss_of_somebody_else_moves_no_alliance(players: int) -> None:
    """Unsatisfiable iff the token stays where it is when somebody loses who does not hold it."""
    before, who, faction = _loses(players)
    holder = holder_of(before, faction)
    assume(holder != who)
    claim(holder_of(_moves(before), faction) == holder, "the token stays where it was")


def _holder_falls(players: int) -> tuple[State, State, Seat, str]:
    before, who, faction = _loses(players)
    assume(holder_of(before, faction) == who)
    return before, _moves(before), who, faction


def _claim_heir(after: State, who: Seat, faction: str, nobody: Seat | None) -> None:
    """The highest of the others above the old holder has the token, from 4 Influence on.

    `nobody` has it if there is no such player.
    """
    others = _others(after, faction, who)
    own = influence(after, who, faction)
    top = most(others.values())
    heir_exists = all_of(top >= ALLIES, top > own)
    now = holder_of(after, faction)
    if now in others:
        claim(all_of(heir_exists, others[now] == top), f"{NAMES[now]} is the highest of the others")
    else:
        claim(opposite(heir_exists), "the highest of the others has the token")
        claim(now == nobody, "without such a player the token is where the ruling says")


@proves(
    {
        "UPR-FACTION-010": Twin(
            MODULE, "if top < ALLIES or top <= own:", "if top < ALLIES or top < own:"
        )
    },
    bounds=f"{BOUNDS}; the falling holder keeps 4 or more",
    cases=PLAYERS,
)
def a_falling_holder_passes_the_alliance_on_as_ruled(players: int) -> None:
    """Unsatisfiable iff `alliance_loss_tie` decides who holds the token after a loss down to 4.

    `taken`: the highest of those who now stand strictly higher has it, one of them in a tie; else
    it stays. `kept`: it stays in any case.
    """
    _, after, who, faction = _holder_falls(players)
    assume(influence(after, who, faction) >= ALLIES)
    if follows(after, TIE) == "taken":
        _claim_heir(after, who, faction, nobody=who)
    else:
        claim(holder_of(after, faction) == who, f"{NAMES[who]} keeps the token")


@proves(
    {
        "UPR-FACTION-009": Twin(MODULE, "if top < ALLIES or top <= own:", "if top <= own:"),
        "UPR-FACTION-010": Twin(MODULE, "    if heirs:\n", "    if heirs and not below:\n"),
    },
    bounds=f"{BOUNDS}; the holder falls below 4",
    cases=PLAYERS,
)
def below_four_the_alliance_is_lost_as_ruled(players: int) -> None:
    """Unsatisfiable iff `alliance_loss_below_4` decides what becomes of the token below 4.

    `lost`: the highest of the others with 4 or more has it, else nobody. `kept`: it stays.
    """
    _, after, who, faction = _holder_falls(players)
    assume(influence(after, who, faction) < ALLIES)
    if follows(after, BELOW_FOUR) == "lost":
        _claim_heir(after, who, faction, nobody=None)
    else:
        claim(holder_of(after, faction) == who, f"{NAMES[who]} keeps the token")


@proves(
    {
        "UPR-FACTION-010": Twin(
            MODULE, "AllianceTie(seat, faction, heirs)", "AllianceTie(heirs[0], faction, heirs)"
        )
    },
    bounds=BOUNDS,
    cases=PLAYERS,
)
def the_old_holder_decides_between_tied_heirs(players: int) -> None:
    """Unsatisfiable iff the falling holder, and nobody else, picks among exactly the tied players.

    That is so if a ruling takes the token away and at least two of the others are tied at their
    highest Influence, which is 4 or more and higher than what the falling holder has left.
    """
    before, who, faction = _loses(players)
    assume(holder_of(before, faction) == who)
    others = _others(before, faction, who)
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
    bounds=f"{ANY_MOVE}, the Fremen, 3 players without Leaders, the first of them losing",
)
def a_loss_names_just_the_rules_that_decide() -> None:
    """Unsatisfiable iff the report of a loss names the rules about 4 Influence where they matter.

    That the bonus is not given back is told exactly if the cube falls from 4 or more to less. The
    rule that 4 Influence are needed for the Alliance is told with its loss exactly if the holder
    has less.
    """
    who, faction = 0, "fremen"
    before = _about_to(3, LoseInfluence(quantity("amount", 1), faction), who)
    line = line_from(before).given(None)
    old, new = (influence(state, who, faction) for state in (before, line.state))
    falls = all_of(old >= ALLIES, new < ALLIES)
    for event in line.events:
        if event.key == "influence":
            told = "UPR-FACTION-007" in event.rules
            claim(falls if told else opposite(falls), "the bonus is kept if there was one")
        if event.key == "loses_alliance":
            told = "UPR-FACTION-009" in event.rules
            claim(told == (new < ALLIES), "the Alliance needs 4 Influence")


# What a gain brings besides


BONUS_AT_FOUR = {
    "emperor": PlaceSpy(),
    "spacing_guild": Gain(3, "solari"),
    "bene_gesserit": DrawIntrigue(1),
    "fremen": Gain(1, "water"),
}
"""What is printed on the fourth space of each track."""

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
    bounds=f"{THREE}, the first of them gaining, in the own Agent turn or Reveal turn or in "
    "neither",
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
    below = choose("turn", ((), (AgentTurn(who, ()),), (RevealTurn(who, ()),)))
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
    if due and not (below and follows(after, "emperor_track_spy_timing") == "until_end_of_turn"):
        claim(faction in _sources_next(after), "the bonus comes next")


@proves(
    {
        "UPR-CLAR-004": Twin(
            MODULE,
            "if before < FRIENDS and after >= FRIENDS:\n        items",
            "if before < FRIENDS and after == FRIENDS:\n        items",
        )
    },
    bounds=f"{ANY_MOVE}, any Faction, 3 players, the first of them with Lady Margot Fenring or "
    "Princess Irulan and gaining, in the own Agent turn or not; the others without Leaders",
)
def passing_two_is_reaching_two_for_leaders() -> None:
    """Unsatisfiable iff the Leader's bonus comes exactly when a gain leads up to 2, or past it.

    It is due once, next, for the player who gains, if the gain is with the Leader's own Faction.
    Then it is +2 spice for Lady Margot Fenring and an Intrigue card for Princess Irulan; with any
    other Faction, and from 2 Influence on, the Leader gives nothing.
    """
    who: Seat = 0
    leader = choose("leader", tuple(BONUS_AT_TWO))
    faction = choose("faction", factions())
    amount = quantity("amount", 1)
    gained = Run(who, Item(GainInfluence(amount, faction), next(iter(printed().spaces))))

    def led(owner: Player) -> dict[str, Any]:
        return {"leader": leader} if owner.seat == who else {}

    below = choose("turn", ((), (AgentTurn(who, ()),)))
    before = symbolic_state(3, led, pending=(*below, gained))
    after = _after_gain(before)
    given = [(seat, item.effect) for seat, item in _due(after) if item.source == leader]
    own_faction, bonus = BONUS_AT_TWO[leader]
    reached = all_of(faction == own_faction, _reaches(before, who, faction, amount, FRIENDS))
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
    bounds="all amounts from 1, all Influence from 0 to 6, any holders, 3 players without Leaders, "
    "the first of them gaining",
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
    bounds="all amounts, any quantities, 3 players without Leaders, the first of them gaining, "
    "with a Spy on the post of one Faction or of two, or on another post",
)
def influence_with_the_factions_spied_on_is_one_gain_each() -> None:
    """Unsatisfiable iff just the Factions spied on are due to give Influence, each once.

    Without such a Spy nothing is due, and nothing is pending.
    """
    who: Seat = 0
    amount = quantity("amount", 1)
    posts = choose("posts", tuple(SPIED_ON))
    gained = Run(who, Item(GainInfluence(amount, SPIED), next(iter(printed().spaces))))
    spies = tuple(SpyAt(post, who) for post in posts)

    def more(owner: Player) -> dict[str, Any]:
        return {"spies": SPIES - len(posts) if owner.seat == who else SPIES}

    before = symbolic_state(3, more, spies=spies, pending=(gained,))
    after = _after_gain(before)
    due = [(seat, item.effect) for seat, item in _due(after)]
    wanted = [(who, GainInfluence(amount, faction)) for faction in SPIED_ON[posts]]
    claim(len(due) == len(wanted) and all(each in due for each in wanted), "one gain for each")
    if not wanted:
        claim(after.pending == (), "nothing is left to be done for it")


SPIED_ON = {
    ("post_choam",): (),
    ("post_fremen",): ("fremen",),
    ("post_bene_gesserit", "post_emperor"): ("bene_gesserit", "emperor"),
}
"""The Factions that a Spy on some posts spies on."""


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
    bounds="the eight spaces of Factions, all quantities, any holders, 3 players without Leaders, "
    "the first of them visiting with a card without Agent box and without contracts, an empty "
    "board, the usual reading of every ruling but `alliance_loss_below_4`",
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
