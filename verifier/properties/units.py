"""Units: the Conflict they are sent to, what they are, recruiting them, and where they may go."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects import tree
from rules_engine.imperium.actions import Deploy, PlayAgent, Resolve, Retreat, Reveal
from rules_engine.imperium.combat import FIRST, reward_items
from rules_engine.imperium.frames import (
    AgentTurn,
    DrawHands,
    Effects,
    EndCombat,
    Item,
    PickDeploy,
    PickRetreat,
    PlayerTurns,
    ResolveCombat,
    RevealConflict,
    RoundStart,
    Run,
    Taking,
    Turn,
    WinIntrigues,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, follows
from rules_engine.kernel.decks import Deck, Pool, possibly_in, size, zone
from rules_engine.kernel.game import Frame, asked, legal
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Event, Seat
from verifier.any_effect import printed_effects
from verifier.changes import player_kept, players_kept, table_kept
from verifier.current import assume, choose, claim, domain, quantity, stage
from verifier.numbers import all_of, any_of, implies
from verifier.play import play_out
from verifier.positions import (
    NAMES,
    TROOPS,
    Computed,
    covered_config,
    factions,
    printed,
    symbolic_state,
    turns,
    unchanged,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.seats import after as after_seat
from verifier.seats import anyone, claim_told, counting, done_alone, done_by
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

    after, events = play_out(before, apart=(DrawHands, PlayerTurns, Turn), watch=watch)
    card = after.conflict
    claim_told(events, "conflict", None, card=card)
    claim_told(events, "round", None, round=1)
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
            "return pick(strength == 0, NONE, placed)",
            "return placed",
        )
    },
)
def only_units_in_the_conflict_win_rewards() -> None:
    """Unsatisfiable iff whoever gains by a Conflict, or takes its card, has a unit in it.

    Combat is played out from its resolution: who has no unit then has what there was before.
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

        return {"strength": Computed(names, marked), "won": (), "intrigues": ()}

    first, second, third = ((tree.Gain(amount, "spice"),) for amount in (3, 2, 1))
    prize = ConflictFace("prize", "Prize", first, second, third)
    before = symbolic_state(
        PLAYERS,
        strength,
        config=covered_config(PLAYERS, (prize,)),
        conflict=prize.id,
        first_player=0,
        turn=None,
        pending=(ResolveCombat(),),
    )
    after, _ = play_out(before, apart=(WinIntrigues, EndCombat))
    for old, new in zip(before.players, after.players, strict=True):
        gains = any_of(new.spice != old.spice, new.won != ())
        fights = old.troops + old.sandworms >= 1
        claim(implies(gains, fights), f"{old.name} fights to gain anything")
        kept = player_kept(before, after, old.seat, "spice", "won")
        claim(kept, f"{old.name} has all else")


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


def _claim_counted(before: State, after: State, who: Seat, **more: Quantity) -> None:
    """Claim that just the own turn has counted so much more of these, and nothing else."""
    was, now = before.turn, after.turn
    claim((was is None) == (now is None), "no turn begins or ends")
    if was is None or now is None:
        return
    for name, amount in more.items():
        counted = amount if was.seat == who else 0
        claim(getattr(now, name) == getattr(was, name) + counted, f"it is counted: {name}")
    claim(unchanged(was, now, *more), "the turn remembers all else")


def _about_to_recruit(wanted: Quantity) -> tuple[State, Seat]:
    who = choose("who", range(PLAYERS))
    sources = next(iter(printed().spaces)), next(iter(printed().cards))
    frame = Run(who, Item(tree.Recruit(wanted), choose("source", sources)))
    return symbolic_state(PLAYERS, turn=turns(who, (who + 1) % PLAYERS), pending=(frame,)), who


@proves(
    {
        "UPR-UNIT-005": Twin(
            MODULE,
            "supply=owner.supply - recruited, garrison=owner.garrison + recruited)",
            "supply=owner.supply - recruited, troops=owner.troops + recruited)",
        )
    },
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
)
def only_what_the_supply_holds_is_recruited() -> None:
    """Unsatisfiable iff a recruit yields what is wanted, or all of the supply if that is less.

    An empty supply yields nothing. The player has twelve troops in all after it, none of them less
    than nothing anywhere. The own turn adds what came to its recruits and what was lacking to what
    it lacks; the turn of another counts nothing.
    """
    wanted = quantity("wanted")
    before, who = _about_to_recruit(wanted)
    old = before.players[who]
    after, events = play_out(before)
    new = after.players[who]
    come = new.garrison - old.garrison
    claim_told(events, "recruits", who, troops=come)
    _claim_counted(before, after, who, recruited=come, short=wanted - come)
    claim(
        any_of(come == wanted, all_of(come == old.supply, wanted > old.supply)),
        f"{old.name} gets what is wanted, or all there is",
    )
    claim(new.supply == old.supply - come, f"{old.name}'s supply gives as much")
    claim(new.supply >= 0, f"{old.name}'s supply does not fall below 0")
    claim(new.supply + new.garrison + new.troops == TROOPS, f"{old.name} has twelve troops")


# What the turn counts of units


def _counting(who: Seat, frame: Frame, **known: Any) -> State:
    """A player is about to move units, in no turn, the own one or that of the next player."""
    own = counting(who, "agent", **known)
    other = counting(after_seat(who, PLAYERS), "agent", **known)
    turn = Lazy("turn", (None, own, other))
    conflict = next(face.id for face in printed().conflicts.values() if face.location is None)
    return symbolic_state(
        PLAYERS, lambda _: WITH_A_SANDWORM, turn=turn, conflict=conflict, pending=(frame,)
    )


WITH_A_SANDWORM: dict[str, Any] = {"sandworms": 1, "revealed": False}
"""For players whose strength and swords do not matter: a unit stays, and nothing is totalled."""


def _claim_moved(before: State, after: State, who: Seat, troops: Quantity) -> None:
    """Claim that so many troops have gone from the garrison to the Conflict, or back if below 0."""
    old, new = before.players[who], after.players[who]
    claim(new.garrison == old.garrison - troops, f"{old.name}'s garrison gives or gets them")
    claim(new.troops == old.troops + troops, f"{old.name}'s Conflict gets or gives them")
    own = player_kept(before, after, who, "garrison", "troops")
    kept = all_of(own, players_kept(before, after, who))
    claim(kept, "nothing else of anybody changes")
    claim(table_kept(before, after), "nothing on the table changes")


def _claim_peak(before: State, after: State, who: Seat) -> None:
    """Claim that the own turn knows the most units deployed in it that were there at one time."""
    was, now = before.turn, after.turn
    if was is None or now is None or was.seat != who:
        return
    there = now.staying + now.summoned
    most = pick(there > was.most_deployed, there, was.most_deployed)
    claim(now.most_deployed == most, "the most that were there at one time is known")


@proves(
    {
        "UPR-UNIT-011": Twin(
            MODULE,
            "state = change(state, turn=_peak(change(turn, staying=turn.staying + troops)))",
            "state = change(state, turn=_peak(change(turn, staying=troops)))",
        )
    },
)
def troops_deployed_by_an_effect_are_counted_by_the_own_turn() -> None:
    """Unsatisfiable iff troops that an effect lets in go to the Conflict, and are counted.

    The own turn adds them to those that stay, and knows the most that were there at one time; its
    allowance is not touched, and the turn of another counts nothing. Nothing else changes.
    """
    who, troops = anyone(PLAYERS), quantity("troops", 1)
    before = _counting(who, PickDeploy(who, quantity("most")))
    given = Deploy(who, troops)
    stage(before, (given,))
    assume(legal(IMPERIUM, before, given) is None)
    after, events = done_by(before, given)
    _claim_moved(before, after, who, troops)
    was = before.turn
    peak = 0 if was is None or after.turn is None else after.turn.most_deployed - was.most_deployed
    _claim_counted(before, after, who, staying=troops, most_deployed=peak)
    _claim_peak(before, after, who)
    claim_told(events, "deploys", who, troops=troops)


@proves(
    {
        "UPR-UNIT-013": Twin(
            MODULE,
            "state = change(state, turn=change(turn, deployed=turn.deployed + troops))",
            "state = change(state, turn=change(turn, deployed=troops))",
        )
    },
)
def troops_deployed_by_right_use_up_the_allowance() -> None:
    """Unsatisfiable iff deployed troops are added to those deployed this turn and still there.

    They go from the garrison to the Conflict. The turn knows the most that were there at one time.
    Nothing else changes.
    """
    who, troops = anyone(PLAYERS), quantity("troops", 1)
    before = _own_turn(who)
    given = Deploy(who, troops)
    stage(before, (given,))
    assume(legal(IMPERIUM, before, given) is None)
    after, events = done_by(before, given)
    _claim_moved(before, after, who, troops)
    was, now = before.turn, after.turn
    assert was is not None
    assert now is not None
    peak = now.most_deployed - was.most_deployed
    _claim_counted(before, after, who, deployed=troops, staying=troops, most_deployed=peak)
    _claim_peak(before, after, who)
    claim_told(events, "deploys", who, troops=troops)


def _own_turn(who: Seat) -> State:
    """An own Agent turn at a Combat space, in which an effect of another source is due."""
    item = Item(tree.Gain(1, "water"), next(iter(printed().spaces)))
    turn = counting(who, "agent", combat=True)
    return symbolic_state(
        PLAYERS,
        lambda _: {"intrigues": (), **WITH_A_SANDWORM},
        turn=turn,
        conflict=None,
        pending=(AgentTurn(who, (item,)),),
    )


@proves(
    {
        "UPR-UNIT-011": Twin(
            MODULE,
            "    state = _leave(state, seat, troops, refund=True)\n",
            "    state = _leave(state, seat, troops, refund=False)\n",
        )
    },
)
def troops_taken_back_are_as_if_never_deployed() -> None:
    """Unsatisfiable iff troops deployed this turn can be taken back just if the ruling says so.

    No more than were deployed and are still there. They are in the garrison again, and no count of
    the turn has them any more. Nothing else changes.
    """
    who, troops = anyone(PLAYERS), quantity("troops")
    before = _own_turn(who)
    given = Retreat(who, troops)
    stage(before, (given,))
    was, owner = before.turn, before.players[who]
    assert was is not None
    assume(all_of(was.staying <= owner.troops, was.most_deployed >= was.staying + was.summoned))
    allowed = legal(IMPERIUM, before, given) is None
    if follows(before, "deploy_takeback") == "final":
        claim(not allowed, "they are there for good")
        return
    can = all_of(troops >= 1, troops <= was.deployed, troops <= was.staying)
    claim(can == allowed, "so many were deployed this turn and are there")
    if allowed:
        after, events = done_by(before, given)
        _claim_moved(before, after, who, -troops)
        fewer = dict.fromkeys(("deployed", "staying", "most_deployed"), -troops)
        _claim_counted(before, after, who, **fewer)
        claim_told(events, "takes_back", who, troops=troops)


@proves(
    {
        "UPR-COMBAT-041": Twin(
            MODULE,
            'refund=follows(state, "retreat_does_not_refund") == "yes")',
            'refund=follows(state, "retreat_does_not_refund") == "no")',
        )
    },
)
def troops_that_retreat_are_no_longer_there() -> None:
    """Unsatisfiable iff troops retreat to the garrison, as many as their owner says or must.

    The owner is asked if there is a choice. Those deployed in the own turn go first: so many fewer
    of them stay, and fewer were deployed if `retreat_does_not_refund` says so. The most that were
    there stays known, and the turn of another counts nothing. Nothing else changes.
    """
    who, least, most = anyone(PLAYERS), quantity("least"), quantity("most")
    before = _counting(who, PickRetreat(who, least, most))
    there = before.players[who].troops
    assume(all_of(least <= most, least <= there))
    stage(before)
    able = pick(most < there, most, there)
    nobody = asked(IMPERIUM, before).nobody()
    claim((able > least) == (not nobody), "it is asked if there is a choice")
    troops = able
    if nobody:
        after, events = done_alone(before)
    else:
        troops = quantity("troops")
        given = Retreat(who, troops)
        stage(before, (given,))
        allowed = legal(IMPERIUM, before, given) is None
        claim(all_of(troops >= least, troops <= able) == allowed, "as many as it says")
        assume(allowed)
        after, events = done_by(before, given)
    _claim_moved(before, after, who, -troops)
    claim_told(events, "retreats", who, troops=troops)
    was = before.turn
    if was is None:
        claim(after.turn is None, "no turn begins")
        return
    refund = follows(before, "retreat_does_not_refund") == "yes"
    gone = pick(was.staying < troops, was.staying, troops)
    back = pick(was.deployed < troops, was.deployed, troops)
    _claim_counted(before, after, who, staying=-gone, deployed=-back if refund else 0)


@proves(
    {
        "UPR-UNIT-003": Twin(
            MODULE,
            "_peak(change(turn, summoned=turn.summoned + sandworms))",
            "_peak(change(turn, summoned=sandworms))",
        )
    },
)
def sandworms_are_units_that_the_own_turn_counts() -> None:
    """Unsatisfiable iff summoned sandworms are added to those that the own turn has summoned.

    They count among the most units that were there at one time. The turn of another counts none.
    """
    who, sandworms = anyone(PLAYERS), quantity("sandworms", 1)
    effect = tree.Summon(sandworms)
    before = _counting(who, Run(who, Item(effect, next(iter(printed().spaces)))))
    after, _ = done_alone(before)
    old, new = before.players[who], after.players[who]
    claim(new.sandworms == old.sandworms + sandworms, "they are in the Conflict")
    was = before.turn
    peak = 0 if was is None or after.turn is None else after.turn.most_deployed - was.most_deployed
    _claim_counted(before, after, who, summoned=sandworms, most_deployed=peak)
    _claim_peak(before, after, who)


@proves(
    {
        "UPR-COST-003": Twin(
            MODULE,
            "if player(state, seat).troops < effect.least:",
            "if player(state, seat).troops + player(state, seat).sandworms < effect.least:",
        )
    },
)
def only_troops_in_the_conflict_pay_for_a_retreat() -> None:
    """Unsatisfiable iff a cost of troops that retreat can be paid exactly with so many there.

    Sandworms and troops elsewhere are of no help.
    """
    who, least = anyone(PLAYERS), quantity("least", 1)
    source = next(iter(printed().spaces))
    cost = tree.Arrow(tree.Retreat(least, least), tree.Gain(1, "water"))
    items = (Item(cost, source), Item(tree.Gain(1, "water"), source))
    before = symbolic_state(PLAYERS, turn=None, pending=(Effects(who, items),))
    given = Resolve(who, 0)
    stage(before, (given,))
    allowed = legal(IMPERIUM, before, given) is None
    claim((before.players[who].troops >= least) == allowed, "so many troops are there")


# Combat spaces


@proves(
    {
        "UPR-UNIT-009": Twin(
            SPACES,
            'name = "Gather Support"\nicon = "landsraad"\n',
            'name = "Gather Support"\nicon = "landsraad"\ncombat = true\n',
        )
    },
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
