"""Strength: what counts in the Conflict, and the Combat marker that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_engine.effects.tree import DeployTroops, Effect, Retreat, Summon, Swords
from rules_engine.imperium.actions import Deploy, Resolve, Reveal
from rules_engine.imperium.actions import Retreat as TakeBack
from rules_engine.imperium.frames import Item, RevealTurn, Run, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, ThisTurn, with_player
from rules_engine.imperium.strength import marker_of
from rules_engine.kernel.game import Action, handle
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from verifier.changes import left_alone
from verifier.current import assume, choose, claim, domain, quantity, stage
from verifier.numbers import all_of, any_of
from verifier.play import play_out
from verifier.positions import (
    NAMES,
    TROOPS,
    Computed,
    few_conflicts,
    printed,
    symbolic_state,
    turns,
)
from verifier.registry import Twin, proves

PLAYERS = 3
MODULE = "rules_engine.imperium.strength"
END_OF_TRACK = 20
WITHOUT_UNITS = ("UPR-STR-007", "UPR-STR-008", "UPR-COMBAT-009")
"""The rules about players who have no unit in the Conflict, or no longer."""


def total(owner: Player) -> Quantity:
    """What the rules make of a player's units and swords. UPR-STR-004 to UPR-STR-007"""
    fights = any_of(owner.troops > 0, owner.sandworms > 0)
    return pick(fights, 2 * owner.troops + 3 * owner.sandworms + owner.swords, 0)


def _others_are_left_alone(before: State, after: State, who: Seat) -> None:
    """A record left as it was has not changed in anything."""
    for old, new in zip(before.players, after.players, strict=True):
        if old.seat != who:
            claim(left_alone(old, new), f"nothing of {old.name} changes")


# Revealing


def _about_to_reveal() -> tuple[State, Seat]:
    """A player who has not revealed, and has no card, is to decide on a turn."""
    who = choose("who", range(PLAYERS))

    def nothing_shown(owner: Player) -> dict[str, Any]:
        shown = {"revealed": False, "strength": 0, "hand": (), "in_play": ()}
        return shown if owner.seat == who else {}

    state = symbolic_state(
        PLAYERS,
        nothing_shown,
        agents=(),
        reveal_order=(),
        turn=ThisTurn(who),
        pending=(Turn(who),),
    )
    return state, who


def _reveals(before: State, who: Seat) -> tuple[State, tuple[Event, ...]]:
    given = Reveal(who)
    stage(before, (given,))
    done = handle(IMPERIUM, before, given)
    assert isinstance(done, Step)
    return done.state, done.events


@proves(
    {
        "UPR-STR-002": Twin(MODULE, "return owner.troops + owner.sandworms", "return owner.troops"),
        "UPR-STR-004": Twin(MODULE, "TROOP = 2", "TROOP = 1"),
        "UPR-STR-005": Twin(MODULE, "SANDWORM = 3", "SANDWORM = 2"),
        "UPR-STR-007": Twin(MODULE, "return pick(units(owner) > 0, total, 0)", "return total"),
    },
)
def revealing_sets_the_marker_to_units_and_swords() -> None:
    """Unsatisfiable iff a Reveal turn begins with the right strength on the Combat track.

    It is 2 for each troop and 3 for each sandworm that the player has in the Conflict and 1 for
    each sword the player has, and 0 without a unit. Nothing of the others changes.
    """
    before, who = _about_to_reveal()
    after, _ = _reveals(before, who)
    expected = total(before.players[who])
    claim(after.players[who].strength == expected, f"{NAMES[who]}'s units and swords count")
    _others_are_left_alone(before, after, who)


@proves(
    {"UPR-STR-009": Twin(MODULE, '{"strength": now}', '{"strength": owner.strength}')},
)
def the_total_is_told_and_marked() -> None:
    """Unsatisfiable iff a total above 0 is told to all in one event and is what the marker shows.

    The event names the player and hides nothing from opponents, and it does not cite the rules of
    those who have no unit in the Conflict.
    """
    before, who = _about_to_reveal()
    right = total(before.players[who])
    assume(right > 0)
    after, events = _reveals(before, who)
    told = [event for event in events if event.key == "strength"]
    claim(len(told) == 1, "the total is told once")
    for event in told:
        claim(event.player == who and not event.secret, f"everybody is told of {NAMES[who]}")
        claim(event.facts["strength"] == right, "the total is told")
        claim(not set(WITHOUT_UNITS) & set(event.rules), "a player with a unit is told of as such")
    claim(after.players[who].strength == right, "the marker shows the total")


@proves(
    {
        "UPR-STR-010": Twin(
            MODULE,
            "    now = strength(owner)\n",
            "    now = pick(strength(owner) > 20, 20, strength(owner))\n",
        )
    },
)
def a_total_above_twenty_is_counted_on() -> None:
    """Unsatisfiable iff a total above 20 is marked in full: the track is no limit.

    What stands on the track is 20 and as much as the total has beyond it.
    """
    before, who = _about_to_reveal()
    beyond = total(before.players[who]) - END_OF_TRACK
    assume(beyond > 0)
    after, _ = _reveals(before, who)
    claim(after.players[who].strength == END_OF_TRACK + beyond, "the marker shows 20 and the rest")
    marker = marker_of(after.players[who].strength)
    claim(marker.turned, "the marker is turned over")
    claim(marker.stands_on == beyond, "it counts on from the start of the track")


@proves(
    {
        "UPR-STR-003": Twin(
            MODULE, "TROOP * owner.troops", "TROOP * (owner.troops + owner.garrison)"
        ),
        "UPR-UNIT-007": Twin(
            MODULE,
            "return owner.troops + owner.sandworms",
            "return owner.troops + owner.sandworms + owner.garrison",
        ),
    },
)
def troops_in_garrison_and_supply_do_not_fight() -> None:
    """Unsatisfiable iff two players with equal units in the Conflict have equal strength.

    They reveal with equal swords too; their other troops are spread over garrison and supply, each
    in any way.
    """
    before, who = _about_to_reveal()
    owner = before.players[who]
    garrison = quantity("another garrison", 0, TROOPS)
    domain(garrison + owner.troops <= TROOPS)
    spread = change(owner, garrison=garrison, supply=TROOPS - owner.troops - garrison)
    one, _ = _reveals(before, who)
    other = handle(IMPERIUM, with_player(before, spread), Reveal(who))
    assert isinstance(other, Step)
    claim(
        one.players[who].strength == other.state.players[who].strength,
        f"{NAMES[who]}'s troops elsewhere make no difference",
    )


# After the marker was set


def marked(owner: Player) -> dict[str, Any]:
    """A player who has revealed, with the marker where units and swords put it."""
    name = owner.name

    def shown() -> Quantity:
        troops = quantity(f"{name}.troops", 0, TROOPS)
        sandworms, swords = quantity(f"{name}.sandworms"), quantity(f"{name}.swords")
        return pick(any_of(troops > 0, sandworms > 0), 2 * troops + 3 * sandworms + swords, 0)

    names = tuple(f"{name}.{what}" for what in ("troops", "sandworms", "swords"))
    return {"revealed": True, "strength": Computed(names, shown)}


def _source() -> str:
    return next(iter(printed().spaces))


def _card() -> str:
    return next(card.id for card in printed().cards.values() if card.starting)


def _revealing(who: Seat, items: tuple[Item, ...] = ()) -> State:
    """The Reveal turn of a player is in progress, with these effects due.

    An effect lets the recruits of the turn be deployed: any number of them are in the Conflict.
    """
    mine = {"in_play": (_card(),), "intrigues": ()}
    recruited, sent = quantity("recruited", 0, TROOPS), quantity("sent", 0, TROOPS)
    domain(all_of(sent <= recruited, sent <= quantity(f"{NAMES[who]}.troops", 0, TROOPS)))
    return symbolic_state(
        PLAYERS,
        lambda owner: {**marked(owner), **mine} if owner.seat == who else {},
        turn=ThisTurn(
            who,
            kind="reveal",
            deployable=True,
            recruited=recruited,
            deployed=sent,
            staying=sent,
            most_deployed=sent,
            shown=(_card(),),
        ),
        pending=(RevealTurn(who, items),),
    )


@proves(
    {
        "UPR-STR-006": Twin(
            MODULE, "swords=owner.swords + swords)", "swords=owner.swords + 2 * swords)"
        )
    },
)
def each_sword_revealed_adds_one_strength() -> None:
    """Unsatisfiable iff swords resolved in a Reveal turn add just their number to the strength.

    Without a unit in the Conflict the strength stays 0. Nothing of the others changes.
    """
    who = choose("who", range(PLAYERS))
    swords = quantity("swords")
    before = _revealing(who, (Item(Swords(swords), _card(), boxed=True),))
    given = Resolve(who, 0)
    stage(before, (given,))
    done = handle(IMPERIUM, before, given)
    assert isinstance(done, Step)
    old, new = before.players[who], done.state.players[who]
    fights = any_of(old.troops > 0, old.sandworms > 0)
    claim(new.strength == old.strength + pick(fights, swords, 0), "each sword adds 1")
    _others_are_left_alone(before, done.state, who)


@proves(
    {
        "UPR-STR-008": Twin(
            "rules_engine.imperium.units",
            """"retreat_does_not_refund") == "yes")
    moved = move_marker(state, seat)""",
            """"retreat_does_not_refund") == "yes")
    moved = Step(state)""",
        )
    },
)
def losing_the_last_unit_leaves_no_strength() -> None:
    """Unsatisfiable iff the strength is 0 as soon as the last troop has retreated.

    The player has no sandworm and any number of swords. Nothing of the others changes.
    """
    who = choose("who", range(PLAYERS))
    leaving = quantity(f"{NAMES[who]}.troops", 0, TROOPS)
    assume(leaving >= 1)
    frame = Run(who, Item(Retreat(leaving, leaving), _source()))
    before = symbolic_state(
        PLAYERS,
        lambda owner: {**marked(owner), "sandworms": 0} if owner.seat == who else {},
        turn=turns(who, (who + 1) % PLAYERS),
        pending=(frame,),
    )
    after, _ = play_out(before)
    claim(after.players[who].troops == 0, f"{NAMES[who]} has no unit left")
    claim(after.players[who].strength == 0, f"{NAMES[who]} has no strength left")
    _others_are_left_alone(before, after, who)


def _by_effect(effect: Effect, who: Seat) -> tuple[State, Action | None]:
    state = symbolic_state(
        PLAYERS,
        lambda owner: marked(owner) if owner.seat == who else {},
        conflict=few_conflicts(),
        turn=turns(who, (who + 1) % PLAYERS),
        pending=(Run(who, Item(effect, _source())),),
    )
    return state, None


CHANGES: dict[str, Callable[[Seat], tuple[State, Action | None]]] = {
    "sandworms come": lambda who: _by_effect(Summon(quantity("amount")), who),
    "swords are added": lambda who: _by_effect(Swords(quantity("amount")), who),
    "an effect deploys": lambda who: _by_effect(DeployTroops(quantity("amount")), who),
    "troops retreat": lambda who: _by_effect(Retreat(0, quantity("amount")), who),
    "recruits deploy": lambda who: (_revealing(who), Deploy(who, quantity("amount", 1))),
    "troops are taken back": lambda who: (_revealing(who), TakeBack(who, quantity("amount", 1))),
}
"""Everything that moves units of a player who has revealed, or swords, before Combat ends."""


@proves(
    {
        "UPR-STR-011": Twin(
            "rules_engine.imperium.sandworms",
            "moved = move_marker(state, seat)",
            "moved = Step(state)",
        )
    },
    cases=tuple({"what": what} for what in CHANGES),
)
def the_marker_follows_units_and_swords(what: str) -> None:
    """Unsatisfiable iff the marker is right after each change of units or swords, as before it.

    Right is what `revealing_sets_the_marker_to_units_and_swords` says. Nothing of others changes.
    """
    who = choose("who", range(PLAYERS))
    before, given = CHANGES[what](who)
    after, _ = play_out(before, apart=(RevealTurn,), first=given)
    owner = after.players[who]
    claim(owner.strength == total(owner), f"{NAMES[who]}'s marker has moved")
    _others_are_left_alone(before, after, who)
