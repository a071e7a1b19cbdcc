"""Units: the Conflict they are sent to, what they are, recruiting them, and where they may go."""

from __future__ import annotations

from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium.actions import PlayAgent, Reveal
from rules_engine.imperium.combat import FIRST, reward_items
from rules_engine.imperium.frames import (
    DrawHands,
    GiveRewards,
    Item,
    PlayerTurns,
    ResolveCombat,
    RevealConflict,
    RoundStart,
    Run,
    TakeConflictCard,
    Taking,
    Turn,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import Deck, Pool, possibly_in, size, zone
from rules_engine.kernel.game import handle, legal
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Event, Seat, Step
from verifier.any_effect import printed_effects
from verifier.changes import player_kept, players_kept, table_kept
from verifier.current import assume, choose, claim, domain, quantity, stage
from verifier.numbers import all_of, any_of, implies
from verifier.play import play_out
from verifier.positions import (
    NAMES,
    TROOPS,
    Computed,
    factions,
    printed,
    symbolic_state,
    turns,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.watched import Lazy

PLAYERS = 3
MODULE = "rules_engine.imperium.units"
SPACES = "rules_engine/catalogue/uprising/spaces.toml"


# The Conflict


def _some_decks() -> tuple[Deck, ...]:
    """Conflict Decks whose top card is any one of each level, with another card below it."""
    faces = printed().conflicts.values()
    levels = sorted({face.level for face in faces})
    tops = (zone(face.id for face in faces if face.level == level) for level in levels)
    return tuple((Pool(2, cards),) for cards in tops)


@proves(
    {
        "UPR-UNIT-001": Twin(
            "rules_engine.imperium.round",
            """        PlayerTurns(state.first_player),
        DrawHands(),
        RevealConflict(),
""",
            """        RevealConflict(),
        PlayerTurns(state.first_player),
        DrawHands(),
""",
        )
    },
    bounds="any Conflict card on top of a deck with one more of its level, none current before, no "
    "sandworms, any other quantities, any holders of Control, 3 players without Leaders",
    kind=ORDER,
)
def a_round_turns_up_its_conflict_card_before_any_turn() -> None:
    """Unsatisfiable iff a new Conflict card is current before hands are drawn and turns are taken.

    It is one of those that could be on top of the deck, and the deck has one card less. Until then
    no player can take a turn. The first reward of this round is then what is printed on that card,
    for a player without a sandworm.
    """
    decks = _some_decks()
    before = symbolic_state(
        PLAYERS,
        lambda _: {"sandworms": 0},
        round=0,
        reveal_order=(),
        conflict=None,
        conflict_deck=Lazy("deck", decks),
        turn=None,
        pending=(RoundStart(),),
    )

    def watch(old: State, _: State, __: tuple[Event, ...]) -> None:
        if isinstance(old.pending[-1], RevealConflict):
            card = next(iter(printed().cards))
            space = next(iter(printed().spaces))
            for seat in range(PLAYERS):
                for given in (Reveal(seat), PlayAgent(seat, card, space)):
                    refused = legal(IMPERIUM, old, given) is not None
                    claim(refused, f"{NAMES[seat]} has to wait for the Conflict card")

    after, _ = play_out(before, apart=(DrawHands, PlayerTurns, Turn), watch=watch)
    card = after.conflict
    claim(card is not None, "a Conflict card is current")
    if card is None:
        return
    claim(card in possibly_in(before.conflict_deck), "it comes from the Conflict Deck")
    claim(card not in possibly_in(after.conflict_deck), "it is no longer in the deck")
    claim(size(after.conflict_deck) == size(before.conflict_deck) - 1, "the deck has one less")
    waiting = [frame for frame in after.pending if isinstance(frame, PlayerTurns)]
    claim(len(waiting) == 1, "all turns are still to come")
    prize = reward_items(after, Taking(0, FIRST))
    first = printed().conflicts[card].first
    claim(prize == tuple(Item(effect, card) for effect in first), "it says what is fought over")


@proves(
    {
        "UPR-UNIT-002": Twin(
            "rules_engine.imperium.combat",
            "    if strength == 0:\n        return NONE\n",
            "",
        )
    },
    bounds="any units and any strength of all, 0 without a unit, 3 players without Leaders, the "
    "first of them the First Player",
)
def only_units_in_the_conflict_win_rewards() -> None:
    """Unsatisfiable iff whoever takes a reward or the card has a unit in the Conflict.

    Strength is 0 without a unit, as `revealing_sets_the_marker_to_units_and_swords` says. How many
    troops are in garrisons does not matter.
    """

    def strength(owner: Player) -> dict[str, Any]:
        name = owner.name
        names = (f"{name}.troops", f"{name}.sandworms", f"{name}.strength")

        def marked() -> Quantity:
            own = quantity(f"{name}.strength")
            domain(any_of(own == 0, quantity(names[0], 0, TROOPS) + quantity(names[1]) > 0))
            return own

        return {"strength": Computed(names, marked)}

    conflict = next(iter(printed().conflicts))
    before = symbolic_state(
        PLAYERS, strength, conflict=conflict, first_player=0, pending=(ResolveCombat(),)
    )
    stage(before)
    done = handle(IMPERIUM, before)
    assert isinstance(done, Step)
    takers = _takers(done.state)
    for owner in before.players:
        fights = owner.troops + owner.sandworms >= 1
        claim(implies(owner.seat in takers, fights), f"{owner.name} fights to take anything")


def _takers(state: State) -> set[Seat]:
    """Who is about to take a reward or the Conflict card."""
    found: set[Seat] = set()
    for frame in state.pending:
        match frame:
            case GiveRewards(takings):
                found.update(taking.seat for taking in takings)
            case TakeConflictCard(seat):
                found.add(seat)
    return found


# What units are


def _units_named() -> set[str]:
    """The units that printed effects recruit, deploy or call back."""
    kinds = (tree.Recruit, tree.DeployTroops, tree.Retreat)
    return {each.unit for each in printed_effects() if isinstance(each, kinds)}


@proves(
    {
        "UPR-UNIT-003": Twin(
            "rules_engine.imperium.conditions",
            '"units_in_conflict": lambda state, seat: strength.units(player(state, seat)),',
            '"units_in_conflict": lambda state, seat: player(state, seat).troops,',
        )
    },
    bounds="any troops and sandworms, any number asked for, any seat, 3 players without Leaders; "
    "the units that printed effects name are looked up",
)
def troops_and_sandworms_are_the_units() -> None:
    """Unsatisfiable iff an effect that asks for units counts troops and sandworms alike.

    It happens for just those who have as many of both together in the Conflict as it asks for, and
    no printed effect recruits, deploys or calls back a unit of any other kind.
    """
    who = choose("who", range(PLAYERS))
    wanted, points = quantity("wanted"), quantity("points", 1)
    effect = tree.If(tree.AtLeast("units_in_conflict", wanted), tree.Gain(points, "vp"))
    before = symbolic_state(
        PLAYERS, pending=(Run(who, Item(effect, next(iter(printed().spaces)))),)
    )
    after, _ = play_out(before)
    old, new = before.players[who], after.players[who]
    gained = pick(old.troops + old.sandworms >= wanted, points, 0)
    claim(
        new.victory_points == old.victory_points + gained,
        f"{old.name}'s troops and sandworms are counted",
    )
    claim(_units_named() == {"troop"}, "effects name no unit but the troop, besides sandworms")


# Recruiting


def _about_to_recruit(wanted: Quantity) -> tuple[State, Seat]:
    who = choose("who", range(PLAYERS))
    sources = next(iter(printed().spaces)), next(iter(printed().cards))
    frame = Run(who, Item(tree.Recruit(wanted), choose("source", sources)))
    return symbolic_state(PLAYERS, turn=turns(who, (who + 1) % PLAYERS), pending=(frame,)), who


RECRUITING = "any troops in supply, garrison and Conflict, by a space or a card, in and out of turn"
LIMITS = "any seat, 3 players without Leaders"


@proves(
    {
        "UPR-UNIT-005": Twin(
            MODULE,
            "supply=owner.supply - recruited, garrison=owner.garrison + recruited)",
            "supply=owner.supply - recruited, troops=owner.troops + recruited)",
        )
    },
    bounds=f"{RECRUITING}, any number that the supply holds, {LIMITS}",
)
def recruits_go_from_the_supply_to_the_garrison() -> None:
    """Unsatisfiable iff each troop recruited goes from supply to garrison, and all else stays.

    That is so as long as the supply holds as many; the Conflict gets none of them. What the turn
    remembers of it is left out.
    """
    wanted = quantity("wanted")
    before, who = _about_to_recruit(wanted)
    old = before.players[who]
    assume(wanted <= old.supply)
    after, _ = play_out(before)
    new = after.players[who]
    claim(new.supply == old.supply - wanted, f"{old.name}'s supply gives the troops")
    claim(new.garrison == old.garrison + wanted, f"{old.name}'s garrison gets the troops")
    kept = player_kept(before, after, who, "supply", "garrison")
    claim(kept, f"nothing else of {old.name} changes, nor what is in the Conflict")
    claim(players_kept(before, after, who), "nothing of the others changes")
    claim(table_kept(before, after), "nothing on the table changes")


@proves(
    {
        "UPR-UNIT-006": Twin(
            MODULE, "recruited = smaller(wanted, owner.supply)", "recruited = wanted"
        )
    },
    bounds=f"{RECRUITING}, any number wanted, {LIMITS}",
)
def only_what_the_supply_holds_is_recruited() -> None:
    """Unsatisfiable iff a recruit yields what is wanted, or all of the supply if that is less.

    An empty supply yields nothing. The player has twelve troops in all after it, none of them less
    than nothing anywhere.
    """
    wanted = quantity("wanted")
    before, who = _about_to_recruit(wanted)
    old = before.players[who]
    after, _ = play_out(before)
    new = after.players[who]
    come = new.garrison - old.garrison
    claim(
        any_of(come == wanted, all_of(come == old.supply, wanted > old.supply)),
        f"{old.name} gets what is wanted, or all there is",
    )
    claim(new.supply == old.supply - come, f"{old.name}'s supply gives as much")
    claim(new.supply >= 0, f"{old.name}'s supply does not fall below 0")
    claim(new.supply + new.garrison + new.troops == TROOPS, f"{old.name} has twelve troops")


# Combat spaces


@proves(
    {
        "UPR-UNIT-009": Twin(
            SPACES,
            'name = "Gather Support"\nicon = "landsraad"\n',
            'name = "Gather Support"\nicon = "landsraad"\ncombat = true\n',
        )
    },
    bounds="every board space of the product",
    kind=DATA_CHECK,
)
def combat_spaces_are_those_with_the_crossed_swords() -> None:
    """Unsatisfiable iff the table marks just the ten spaces that bear the mark on the board."""
    marked = {space.id for space in printed().spaces.values() if space.combat}
    claim(marked == {*ON_THE_PLANET, *OF_FACTIONS}, "the Combat spaces are those on the board")


ON_THE_PLANET = (
    "arrakeen",
    "research_station",
    "sietch_tabr",
    "spice_refinery",
    "deep_desert",
    "hagga_basin",
    "imperial_basin",
)
"""The Combat spaces that are cities or in the desert."""
OF_FACTIONS = ("heighliner", "desert_tactics", "fremkit")
"""The Combat spaces of Factions. UPR-UNIT-010"""


@proves(
    {
        "UPR-UNIT-010": Twin(
            SPACES,
            'name = "Fremkit"\nicon = "fremen"\ncombat = true\n',
            'name = "Fremkit"\nicon = "fremen"\n',
        )
    },
    bounds="every board space of the product",
    kind=DATA_CHECK,
)
def three_faction_spaces_are_combat_spaces() -> None:
    """Unsatisfiable iff of the spaces with a Faction's icon just three are Combat spaces.

    Heighliner is of the Spacing Guild, Desert Tactics and Fremkit are of the Fremen.
    """
    spaces = printed().spaces
    marked = {each.id for each in spaces.values() if each.icon in factions() and each.combat}
    claim(marked == set(OF_FACTIONS), "three Faction spaces are Combat spaces")
    icons = tuple(spaces[space].icon for space in OF_FACTIONS)
    claim(icons == ("spacing_guild", "fremen", "fremen"), "they are of the Guild and the Fremen")
