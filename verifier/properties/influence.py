"""Influence and the Alliance: who holds the token after a gain or a loss."""

from __future__ import annotations

from typing import Any

from rules_engine.effects.tree import Effect, GainInfluence, LoseInfluence
from rules_engine.imperium.actions import GiveAlliance
from rules_engine.imperium.frames import AllianceTie, Effects, Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.influence import ALLIES, TOP, holder_of, influence
from rules_engine.imperium.state import State, follows
from rules_engine.kernel.game import asked, handle, legal, options
from rules_engine.kernel.numbers import Quantity, count_true, larger, most, pick
from rules_engine.kernel.outcomes import Seat, Step
from verifier.current import assume, choose, claim, quantity, stage
from verifier.numbers import all_of, implies, opposite
from verifier.play import play_out
from verifier.positions import BELOW_FOUR, NAMES, factions, printed, symbolic_state
from verifier.registry import Twin, proves

TIE = "alliance_loss_tie"
MODULE = "rules_engine.imperium.influence"

PLAYERS = ({"players": 3}, {"players": 4})
BOUNDS = (
    "all amounts, all Influence from 0 to 6, any Faction, any holder, 3 and 4 players without "
    "Leaders"
)


def _about_to(players: int, effect: Effect, who: Seat) -> State:
    """A position in which a player is about to gain or lose Influence."""
    source = next(iter(printed().spaces))
    return symbolic_state(players, pending=(Run(who, Item(effect, source)),))


def _moves(before: State) -> State:
    """The position after the move, a tie decided in every way, the bonus at 4 not yet taken."""
    after, _ = play_out(before, apart=(Effects,))
    return after


def _gains(players: int) -> tuple[State, Seat, str]:
    who = choose("who", range(players))
    faction = choose("faction", factions())
    return _about_to(players, GainInfluence(quantity("amount", 1), faction), who), who, faction


def _loses(players: int) -> tuple[State, Seat, str]:
    who = choose("who", range(players))
    faction = choose("faction", factions())
    return _about_to(players, LoseInfluence(quantity("amount", 1), faction), who), who, faction


def _gains_or_loses(players: int) -> tuple[State, Seat, str]:
    return choose("move", (_gains, _loses))(players)


def _others(state: State, faction: str, who: Seat) -> dict[Seat, Quantity]:
    """The Influence of everybody else."""
    return {
        each.seat: influence(state, each.seat, faction)
        for each in state.players
        if each.seat != who
    }


# The track


@proves(
    {
        "UPR-FACTION-003": Twin(
            MODULE, "after = smaller(before + amount, TOP)", "after = before + amount"
        )
    },
    bounds=BOUNDS,
    cases=PLAYERS,
)
def influence_stays_on_its_track(players: int) -> None:
    """Unsatisfiable iff Influence is from 0 to 6 after every gain and loss, as it was before."""
    before, who, faction = _gains_or_loses(players)
    after, _ = play_out(before, apart=(Effects, AllianceTie))
    own = influence(after, who, faction)
    claim(all_of(own >= 0, own <= TOP), f"{NAMES[who]}'s Influence is from 0 to {TOP}")


# One token for each Faction


@proves(
    {
        "UPR-FACTION-009": Twin(
            MODULE,
            "change(alliance, holder=holder) if alliance.faction == faction else alliance",
            "change(alliance, holder=holder)",
        )
    },
    bounds=BOUNDS,
    cases=PLAYERS,
)
def each_faction_has_one_alliance_token(players: int) -> None:
    """Unsatisfiable iff each Faction has one token, and a move leaves those of others alone.

    A token has one holder or none: the list names each Faction once, before and after.
    """
    before, _, faction = _gains_or_loses(players)
    after = _moves(before)
    named = tuple(alliance.faction for alliance in after.alliances)
    claim(named == factions(), "each Faction has one Alliance token")
    # A record left as it was has not moved, whoever holds it.
    pairs = zip(before.alliances, after.alliances, strict=True)
    moved = [pair for pair in pairs if pair[0] is not pair[1] and pair[0].faction != faction]
    if moved:
        old, new = choose("other token", moved)
        claim(old.holder == new.holder, f"the {old.faction} token has not moved")


@proves(
    {
        "UPR-FACTION-009": Twin(
            MODULE,
            "seat, ALLIANCE) if after >= ALLIES else Step(state)",
            "seat, ALLIANCE)",
        )
    },
    bounds=f"{BOUNDS}; where a ruling lets a holder below 4 keep the token, nothing is claimed",
    cases=PLAYERS,
)
def an_alliance_holder_has_at_least_four_influence(players: int) -> None:
    """Unsatisfiable iff a holder has 4 or more after a gain or loss, if it was so before.

    Where the ruling `alliance_loss_below_4` lets a falling holder keep the token, it need not be.
    """
    before, _, faction = _gains_or_loses(players)
    after = _moves(before)
    holder = holder_of(after, faction)
    claim(
        holder is None
        or influence(after, holder, faction) >= ALLIES
        or follows(after, BELOW_FOUR) == "kept",
        f"the {faction} token is held with {ALLIES} or more Influence",
    )


# A gain


@proves(
    {
        "UPR-FACTION-009": Twin(
            MODULE,
            "after > influence(state, holder, faction)",
            "after >= influence(state, holder, faction)",
        ),
        "UPR-FACTION-010": Twin(
            MODULE,
            "after > influence(state, holder, faction)",
            "after >= influence(state, holder, faction)",
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
        "UPR-FACTION-010": Twin(MODULE, "if top < ALLIES or top <= own:", "if top <= own:"),
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
