"""Control of the critical locations: who takes it, what it pays, and the defence it allows."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects.tree import Effect, TakeControl
from rules_engine.imperium.actions import Accept, Decline, PlayAgent
from rules_engine.imperium.frames import (
    AgentTurn,
    Defend,
    Item,
    ResolveCombat,
    RevealConflict,
    Run,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Control, Player, State
from rules_engine.kernel.decks import Pool, zone
from rules_engine.kernel.game import Answer, asked, legal, options
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.changes import left_alone
from verifier.current import assume, choose, claim, stage
from verifier.numbers import all_of, any_of
from verifier.play import next_state, play_out
from verifier.positions import (
    NAMES,
    before_sending,
    claim_only,
    covered_config,
    plain_card,
    printed,
    symbolic_state,
    unchanged,
)
from verifier.registry import DATA_CHECK, Twin, proves

PLAYERS = 3
MODULE = "rules_engine.imperium.control"
CONFLICTS = "rules_engine/catalogue/uprising/conflicts.toml"

LOCATIONS = {
    "Arrakeen": "arrakeen",
    "Spice Refinery": "spice_refinery",
    "Imperial Basin": "imperial_basin",
}
"""The spaces that Conflicts are fought at, by what the title of a card calls them."""
BONUS = {"arrakeen": "solari", "spice_refinery": "solari", "imperial_basin": "spice"}
"""What one of is paid to the controller. UPR-CTRL-005 to UPR-CTRL-007"""
COSTS = {("spice_refinery", "spice"): (0, 1)}
"""What a visitor may pay for going to a location. UPR-BOARD-021"""

CARDS = (
    "siege_of_arrakeen",
    "seize_spice_refinery",
    "secure_imperial_basin",
    "battle_for_arrakeen",
    "battle_for_spice_refinery",
    "battle_for_imperial_basin",
)
"""The Conflict cards that name a location in their title."""


def _controls(state: State) -> dict[str, Control]:
    return {control.space: control for control in state.controls}


# Which Conflicts are for a location


@proves(
    {
        "UPR-CTRL-001": Twin(
            CONFLICTS,
            'icon = "desert_mouse"\nlocation = "imperial_basin"',
            'icon = "desert_mouse"\nlocation = "arrakeen"',
        )
    },
    kind=DATA_CHECK,
)
def the_title_of_a_conflict_card_tells_its_location() -> None:
    """Unsatisfiable iff a Conflict is at the location that its title names, and else at none.

    Six cards name one: two for each of the three locations.
    """
    faces = printed().conflicts
    for face in faces.values():
        named = [space for title, space in LOCATIONS.items() if title in face.name]
        location = named[0] if named else None
        claim(face.location == location, f"{face.name} is at {location}")
    at_one = {face.id for face in faces.values() if face.location is not None}
    claim(at_one == set(CARDS), "six cards are fought at a location")


# Taking control


def _only_control(card: str) -> ConflictFace:
    """A printed Conflict card with nothing but control in its rewards, and without its icon."""
    face = printed().conflicts[card]

    def kept(reward: tuple[Effect, ...]) -> tuple[Effect, ...]:
        return tuple(effect for effect in reward if isinstance(effect, TakeControl))

    return change(
        face,
        id=f"control_of_{card}",
        first=kept(face.first),
        second=kept(face.second),
        third=kept(face.third),
        icon=None,
    )


@proves(
    {
        "UPR-CTRL-002": Twin(
            "rules_engine.imperium.combat",
            "getattr(conflict_face(state, card), taking.reward)",
            "conflict_face(state, card).first",
        )
    },
)
def only_the_winner_takes_control() -> None:
    """Unsatisfiable iff Combat at a location puts the winner's marker on it, and moves no other.

    The winner has strength, and more than each other player; without a winner every marker stays.
    """
    face = _only_control(choose("card", CARDS))
    before = symbolic_state(
        PLAYERS,
        lambda owner: {
            "won": (),
            "intrigues": (),
            "sandworms": 0,
            **({"strength": 0} if owner.seat == 2 else {}),
        },
        config=covered_config(PLAYERS, (face,)),
        conflict=face.id,
        first_player=0,
        shield_wall=False,
        pending=(ResolveCombat(),),
    )
    wins = [_wins(before, owner) for owner in before.players]
    after, _ = play_out(before)
    old, new = _controls(before), _controls(after)
    claim(old.keys() == new.keys(), "each location is there once")
    # A record left as it was has the holder from before.
    kept = [space for space in old if left_alone(new[space], old[space])]
    assert face.location is not None
    elsewhere = [space for space in old if space != face.location]
    claim(all(space in kept for space in elsewhere), "nothing changes at other locations")
    moved = face.location not in kept
    for owner in before.players:
        takes = moved and new[face.location].holder == owner.seat
        claim(wins[owner.seat] == takes, f"{owner.name} takes control only by winning")
    claim(any_of(*wins, not moved), "without a winner the marker stays")


def _wins(state: State, owner: Player) -> Any:
    """Whether a player has strength, and more than everybody else."""
    others = (each.strength for each in state.players if each.seat != owner.seat)
    return all_of(owner.strength > 0, *(owner.strength > other for other in others))


@proves(
    {
        "UPR-CTRL-003": Twin(
            MODULE,
            "change(control, holder=seat) if control.space == space else control",
            "change(control, holder=seat) if control.space == space and control.holder is None "
            "else control",
        )
    },
    cases=({"players": 3}, {"players": 4}),
)
def a_new_marker_replaces_the_old_one(players: int) -> None:
    """Unsatisfiable iff whoever takes control of a location is the only one with a marker there.

    Whoever had one there before has none; the other locations, and all else, stay as they were.
    """
    who = choose("who", range(players))
    space = choose("space", tuple(LOCATIONS.values()))
    card = next(card for card in CARDS if printed().conflicts[card].location == space)
    frame = Run(who, Item(TakeControl(space), card))
    before = symbolic_state(players, conflict=card, pending=(frame,))
    after, _ = play_out(before)
    spaces = [control.space for control in after.controls]
    claim(spaces == [control.space for control in before.controls], "each location is there once")
    new = _controls(after)
    claim(new[space].holder == who, f"{NAMES[who]}'s marker is there")
    for control in before.controls:
        if control.space != space:
            claim(left_alone(new[control.space], control), f"nothing changes at {control.space}")
    claim_only(before, after, (), ("controls", "pending"))


# What control pays


@proves(
    {
        "UPR-CTRL-004": Twin(
            MODULE,
            "    if holder is None:\n        return Step(state)\n    events",
            "    if holder is None or (state.turn is not None and holder == state.turn.seat):\n"
            "        return Step(state)\n    events",
        )
    },
)
def the_controller_is_paid_for_every_agent_sent() -> None:
    """Unsatisfiable iff an Agent sent to a location brings its bonus to the controller, just once.

    That is so whoever sends it, the controller too; without a controller nobody is paid. Nothing
    else of anybody changes, but for the card, the Agent, and the spice that a visitor of Spice
    Refinery may pay. The effects of the space come later.
    """
    space, who = choose("space", tuple(LOCATIONS.values())), choose("who", range(PLAYERS))
    before = before_sending(space, who, PLAYERS)
    send = PlayAgent(who, plain_card(space), space)
    after, _ = play_out(before, apart=(AgentTurn,), first=send)
    controller = _controls(before)[space].holder
    for old, new in zip(before.players, after.players, strict=True):
        for what in ("solari", "spice"):
            bonus = 1 if what == BONUS[space] and old.seat == controller else 0
            costs = COSTS.get((space, what), (0,)) if old.seat == who else (0,)
            now, then = getattr(new, what), getattr(old, what)
            right = any_of(*(now == then + bonus - cost for cost in costs))
            claim(right, f"{old.name} has the right {what}")
        sent = ("agents", "hand", "in_play") if old.seat == who else ()
        claim(unchanged(old, new, "solari", "spice", *sent), f"{old.name} has all else")


# Defending


@proves(
    {
        "UPR-CTRL-008": Twin(
            "rules_engine.imperium.units",
            "change(owner, supply=owner.supply - 1, troops=owner.troops + 1)",
            "change(owner, garrison=owner.garrison - 1, troops=owner.troops + 1)",
        )
    },
)
def the_controller_may_defend_with_a_troop_from_supply() -> None:
    """Unsatisfiable iff turning up a Conflict card asks just the controller of its location, once.

    With a troop in supply the controller may send one of them to the Conflict; with none it is
    refused. It may always be declined, and then no troop moves. Both are offered just if they are
    allowed. Nothing else of anybody changes, and without a controller, or a location, nobody is
    asked.
    """
    plain = next(face.id for face in printed().conflicts.values() if face.location is None)
    cards = (*CARDS, plain)
    before = symbolic_state(
        PLAYERS,
        lambda _: {"revealed": False, "strength": 0},
        conflict=None,
        conflict_deck=(Pool(1, zone(cards)),),
        pending=(RevealConflict(),),
    )
    card = choose("card", cards)
    given = Answer(card)
    stage(before, (given,))
    turned_up = next_state(before, given)
    location = printed().conflicts[card].location
    holder = None if location is None else _controls(before)[location].holder
    waiting = () if holder is None else (Defend(holder),)
    claim(turned_up.pending == waiting, "just the controller is asked")
    claim(left_alone(turned_up.players, before.players), "turning up the card moves no troop")
    if holder is None or turned_up.pending != waiting:
        return
    claim(asked(IMPERIUM, turned_up).players == (holder,), f"{NAMES[holder]} decides")
    old = before.players[holder]
    allowed = legal(IMPERIUM, turned_up, Accept(holder)) is None
    claim(allowed == (old.supply >= 1), "a troop has to be in supply")
    claim(legal(IMPERIUM, turned_up, Decline(holder)) is None, "it may be declined")
    both = [Accept(holder), Decline(holder)]
    claim(list(options(IMPERIUM, turned_up)) == (both if allowed else both[1:]), "so it is offered")
    accepts = choose("accepts", (True, False))
    assume(allowed or not accepts)
    decision = Accept(holder) if accepts else Decline(holder)
    stage(before, (given, decision))
    _claim_sent(before, next_state(turned_up, decision), holder, 1 if accepts else 0)


def _claim_sent(before: State, after: State, holder: Seat, sent: Quantity) -> None:
    """So many troops went from the controller's supply to the Conflict, and nothing else moved."""
    claim(not after.pending, "nobody is asked again")
    for old, new in zip(before.players, after.players, strict=True):
        if old.seat != holder:
            claim(left_alone(new, old), f"nothing of {old.name} changes")
    old, new = before.players[holder], after.players[holder]
    claim(new.troops == old.troops + sent, f"{old.name}'s troop is in the Conflict")
    claim(new.supply == old.supply - sent, f"{old.name}'s supply gives it")
    claim(unchanged(old, new, "troops", "supply"), f"{old.name} has all else")
