"""The board spaces: what a visit to each of them costs and leaves to everybody."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules_engine.imperium.actions import (
    Accept,
    EndTurn,
    GiveUpIntrigue,
    PickFaction,
    RecallAgent,
    Resolve,
    Reveal,
    TakeContract,
    Trash,
)
from rules_engine.imperium.frames import (
    AgentTurn,
    ChooseOption,
    Decide,
    Item,
    PickAgent,
    PickCost,
    RevealTurn,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Player, State, follows
from rules_engine.kernel.decks import shuffled
from rules_engine.kernel.game import handle, legal
from rules_engine.kernel.numbers import Quantity, count_true, pick
from rules_engine.kernel.outcomes import Step
from verifier.current import choose, claim, stage
from verifier.numbers import all_of
from verifier.positions import (
    NAMES,
    behind_the_wall,
    factions,
    influence_of,
    printed,
    symbolic_state,
)
from verifier.registry import Twin, proves
from verifier.visits import (
    OTHER,
    PAPER,
    TABLE,
    VISITOR,
    Changes,
    Visit,
    about_to_visit,
    claim_open,
    claim_options,
    claim_outcome,
    controller_gets,
    draws,
    draws_intrigue,
    has,
    one_influence,
    places_spies,
    recruits,
    spy_at_four,
    takes_bonus_spice,
    together,
    visit,
    visitor,
)
from verifier.watched import Lazy

SPACES = "rules_engine/catalogue/uprising/spaces.toml"

# The icons of the spaces
EMPEROR = "emperor"
GUILD = "spacing_guild"
BENE_GESSERIT = "bene_gesserit"
FREMEN = "fremen"
LANDSRAAD = "landsraad"
CITY = "city"
SPICE_TRADE = "spice_trade"

PRIVILEGE_SWAP = "imperial_privilege_discard_or_trash"
PRIVILEGE_RECALL = "imperial_privilege_no_agent"
TRASHED_INTRIGUE = "trashed_intrigue_zone"
SHELTERED_OPTION = "sandworm_choice_when_protected"

NO_RIVAL = (None, VISITOR)
"""No opponent holds a token."""


# The Emperor


def _contracts() -> dict[str, Any]:
    """No CHOAM module, or two contracts face up and two in the bank, or none left at all.

    None of those to be had is complete when it is taken; the others are an opponent's.
    """
    faces = printed().contracts.values()
    every = Counter({face.id: face.copies for face in faces})
    row = ("contract_arrakeen_water", "contract_heighliner_water")
    bank = ("contract_espionage", "contract_espionage")
    rest = tuple(sorted((every - Counter(row + bank)).elements()))
    gone = tuple(sorted(every.elements()))
    name = "contracts"

    def completed(owner: Player) -> dict[str, Any]:
        return {"completed": Lazy(name, ((), rest, gone))} if owner.seat == OTHER else {}

    return {
        "choam": Lazy(name, (False, True, True)),
        "contract_row": Lazy(name, ((), row, ())),
        "contract_deck": Lazy(name, ((), shuffled(bank), ())),
        "leader_contracts": (),
        "others": completed,
    }


def _a_contract_or_2_solari(done: Visit) -> Changes:
    """A face-up contract, which is replaced from the bank; 2 Solari if there is none."""
    face_up = done.before.contract_row
    if not face_up:
        return visitor(solari=2)
    taken = [each.contract for each in done.inputs if isinstance(each, TakeContract)]
    claim(len(taken) == 1 and taken[0] in face_up, "one of the face-up contracts is taken")
    claim(list(done.after.players[VISITOR].contracts) == taken, "the visitor has just that one")
    return {VISITOR: {"contracts": 1}, TABLE: {"contract_deck": -1}}


@proves(
    {
        "UPR-BOARD-004": Twin(
            SPACES,
            '"gain 1 influence emperor", "take 1 contract"',
            '"gain 1 influence emperor", "gain 2 solari"',
        )
    },
)
def dutiful_service_gives_emperor_influence_and_a_contract() -> None:
    """Unsatisfiable iff Dutiful Service is free and gives Emperor Influence and a contract.

    Without the module, or with no contract left, it gives 2 Solari in its place, and only then. The
    Emperor icon and no other opens it, and it is no Combat space. The one Influence brings what it
    brings everywhere: the point at 2, a Spy at 4, the Alliance. Nothing else changes for anybody.
    """
    before = about_to_visit(
        "dutiful_service", EMPEROR, moving=(EMPEROR,), holders=NO_RIVAL, **_contracts()
    )
    claim_open(before, "dutiful_service", True)
    done = visit(before, "dutiful_service")
    claim_outcome(
        done,
        one_influence(done, EMPEROR),
        places_spies(done, spy_at_four(done)),
        _a_contract_or_2_solari(done),
        combat=False,
    )


@proves(
    {"UPR-BOARD-017": Twin(SPACES, '"recruit 4 troops"', '"recruit 3 troops"')},
)
def sardaukar_gives_emperor_influence_an_intrigue_card_and_4_troops() -> None:
    """Unsatisfiable iff Sardaukar costs 4 spice and gives Influence, an Intrigue card and 4 troops.

    The Emperor icon and no other opens it, for whoever has 4 spice, and it is no Combat space. As
    many troops come as the supply has. The one Influence brings what it brings everywhere. Nothing
    else changes for anybody.
    """
    before = about_to_visit("sardaukar", EMPEROR, moving=(EMPEROR,))
    claim_open(before, "sardaukar", has(before, "spice") >= 4)
    done = visit(before, "sardaukar")
    claim_outcome(
        done,
        visitor(spice=-4),
        one_influence(done, EMPEROR),
        places_spies(done, spy_at_four(done)),
        draws_intrigue(1),
        recruits(done, 4),
        combat=False,
    )


# The Spacing Guild


@proves(
    {
        "UPR-BOARD-009": Twin(
            SPACES,
            '"gain 1 influence spacing_guild", "gain 1 water"',
            '"gain 1 influence spacing_guild", "gain 2 water"',
        )
    },
)
def deliver_supplies_gives_guild_influence_and_water() -> None:
    """Unsatisfiable iff Deliver Supplies is free and gives one Guild Influence and 1 water.

    The Guild icon and no other opens it, and it is no Combat space. The one Influence brings what
    it brings everywhere. Nothing else changes for anybody.
    """
    before = about_to_visit("deliver_supplies", GUILD, moving=(GUILD,))
    claim_open(before, "deliver_supplies", True)
    done = visit(before, "deliver_supplies")
    claim_outcome(done, one_influence(done, GUILD), visitor(water=1), combat=False)


@proves(
    {"UPR-BOARD-012": Twin(SPACES, 'cost = "pay 5 spice"', 'cost = "pay 4 spice"')},
)
def heighliner_gives_guild_influence_and_5_troops() -> None:
    """Unsatisfiable iff Heighliner costs 5 spice and gives one Guild Influence and 5 troops.

    The Guild icon and no other opens it, for whoever has 5 spice, and it is a Combat space. As many
    troops come as the supply has. The one Influence brings what it brings everywhere. Nothing else
    changes for anybody.
    """
    before = about_to_visit("heighliner", GUILD, moving=(GUILD,))
    claim_open(before, "heighliner", has(before, "spice") >= 5)
    done = visit(before, "heighliner")
    claim_outcome(
        done, visitor(spice=-5), one_influence(done, GUILD), recruits(done, 5), combat=True
    )


# The Bene Gesserit


@proves(
    {
        "UPR-BOARD-006": Twin(
            SPACES,
            '"gain 1 influence bene_gesserit", "draw 1 card", "place 1 spy"',
            '"gain 1 influence bene_gesserit", "draw 1 intrigue", "place 1 spy"',
        )
    },
)
def espionage_gives_bene_gesserit_influence_a_card_and_a_spy() -> None:
    """Unsatisfiable iff Espionage costs 1 spice and gives Influence, a card and a Spy to place.

    The Bene Gesserit icon and no other opens it, for whoever has 1 spice, and it is no Combat
    space. The Spy may be placed or not. The one Influence brings what it brings everywhere. Nothing
    else changes for anybody.
    """
    before = about_to_visit("espionage", BENE_GESSERIT, players=4, moving=(BENE_GESSERIT,))
    claim_open(before, "espionage", has(before, "spice") >= 1)
    done = visit(before, "espionage")
    claim_outcome(
        done,
        visitor(spice=-1),
        one_influence(done, BENE_GESSERIT),
        draws(1),
        places_spies(done, 1),
        combat=False,
    )


def _intrigues_of_others(owner: Player) -> dict[str, Any]:
    """Three or four Intrigue cards of one opponent, four or five of the other."""
    least = 3 if owner.seat == OTHER else 4
    held = ((PAPER,) * least, (PAPER,) * (least + 1))
    return {"intrigues": Lazy(f"{owner.name}.intrigues", held)}


def _a_card_from_each_holder_of_4(done: Visit) -> Changes:
    """Each opponent with at least four Intrigue cards loses one to the visitor."""
    victims = [
        each.seat
        for each in done.before.players
        if each.seat != VISITOR and len(each.intrigues) >= 4
    ]
    return together(
        visitor(intrigues=len(victims)), {victim: {"intrigues": -1} for victim in victims}
    )


@proves(
    {
        "UPR-BOARD-018": Twin(
            SPACES, "steal intrigue from holders of 4", "steal intrigue from holders of 5"
        )
    },
)
def secrets_gives_influence_and_intrigue_cards_of_those_who_have_4() -> None:
    """Unsatisfiable iff Secrets gives Influence, an Intrigue card, and one from each who has four.

    It is free; the Bene Gesserit icon and no other opens it, and it is no Combat space. An opponent
    with three Intrigue cards keeps them. The one Influence brings what it brings everywhere.
    Nothing else changes for anybody.
    """
    before = about_to_visit(
        "secrets",
        BENE_GESSERIT,
        moving=(BENE_GESSERIT,),
        holders=NO_RIVAL,
        others=_intrigues_of_others,
    )
    claim_open(before, "secrets", True)
    done = visit(before, "secrets")
    claim_outcome(
        done,
        one_influence(done, BENE_GESSERIT),
        draws_intrigue(1),
        _a_card_from_each_holder_of_4(done),
        combat=False,
    )


# The Fremen


TRASH_AT = 2
"""The place of the trash among the effects of Desert Tactics."""
SWAP_AT = 0
"""The place of the swap among the effects of Imperial Privilege."""


def _can_resolve(done: Visit, place: int) -> bool:
    """Whether the effect at this place can be resolved first of all."""
    first = done.asked(AgentTurn)[0]
    return legal(IMPERIUM, first, Resolve(VISITOR, place)) is None


def _due(state: State) -> tuple[Item, ...]:
    turn = state.pending[-1]
    assert isinstance(turn, AgentTurn)
    return turn.items


def _claim_optional(done: Visit, place: int) -> None:
    """Where the effect at this place is the only one left, the turn may end without it."""
    turns = done.asked(AgentTurn)
    effect = _due(turns[0])[place]
    for at in turns:
        if _due(at) == (effect,):
            may_end = legal(IMPERIUM, at, EndTurn(VISITOR)) is None
            claim(may_end, "the turn may end without it")


def _trashed(done: Visit) -> Changes:
    """The cards that were trashed are out of the game."""
    cards = [each for each in done.inputs if isinstance(each, Trash)]
    zones = Counter(each.zone for each in cards)
    return {
        VISITOR: {zone: -count for zone, count in zones.items()},
        TABLE: {"trashed": len(cards)},
    }


@proves(
    {
        "UPR-BOARD-002": Twin(
            SPACES,
            '"recruit 1 troop", "may trash 1 card"',
            '"recruit 2 troops", "may trash 1 card"',
        )
    },
)
def desert_tactics_gives_fremen_influence_a_troop_and_a_card_to_trash() -> None:
    """Unsatisfiable iff Desert Tactics costs 1 water and gives Influence, a troop and a trash.

    The Fremen icon and no other opens it, for whoever has 1 water, and it is a Combat space. One
    card is trashed, or none if the visitor likes. The troop comes if the supply has one; the one
    Influence brings what it brings everywhere. Nothing else changes for anybody.
    """
    before = about_to_visit("desert_tactics", FREMEN, moving=(FREMEN,), holders=NO_RIVAL)
    claim_open(before, "desert_tactics", has(before, "water") >= 1)
    done = visit(before, "desert_tactics")
    claim(_can_resolve(done, TRASH_AT), "a card may be trashed")
    _claim_optional(done, TRASH_AT)
    claim(len(done.after.trashed) <= 1, "at most one card is trashed")
    claim_outcome(
        done,
        visitor(water=-1),
        one_influence(done, FREMEN),
        recruits(done, 1),
        _trashed(done),
        combat=True,
    )


@proves(
    {
        "UPR-BOARD-008": Twin(
            SPACES,
            'effects = ["gain 1 influence fremen", "draw 1 card"]',
            'effects = ["gain 1 influence fremen", "draw 2 cards"]',
        )
    },
)
def fremkit_gives_fremen_influence_and_a_card() -> None:
    """Unsatisfiable iff Fremkit is free and gives one Fremen Influence and a card.

    The Fremen icon and no other opens it, and it is a Combat space. The one Influence brings what
    it brings everywhere. Nothing else changes for anybody.
    """
    before = about_to_visit("fremkit", FREMEN, moving=(FREMEN,))
    claim_open(before, "fremkit", True)
    done = visit(before, "fremkit")
    claim_outcome(done, one_influence(done, FREMEN), draws(1), combat=True)


# The Landsraad


@proves(
    {
        "UPR-BOARD-005": Twin(
            SPACES,
            'effects = ["draw 1 intrigue"]\nreveal',
            'effects = ["draw 2 intrigue"]\nreveal',
        )
    },
)
def assembly_hall_gives_an_intrigue_card() -> None:
    """Unsatisfiable iff Assembly Hall is free and gives an Intrigue card.

    The Landsraad icon and no other opens it, and it is no Combat space. Nothing else changes for
    anybody.
    """
    before = about_to_visit("assembly_hall", LANDSRAAD)
    claim_open(before, "assembly_hall", True)
    done = visit(before, "assembly_hall")
    claim_outcome(done, draws_intrigue(1), combat=False)


@proves(
    {
        "UPR-BOARD-010": Twin(
            SPACES,
            "[pay 2 solari] recruit 2 troops & gain 1 water",
            "[pay 2 solari] recruit 2 troops & gain 2 water",
        )
    },
)
def gather_support_gives_2_troops_and_water_for_2_solari() -> None:
    """Unsatisfiable iff Gather Support gives 2 troops, and 1 water too if 2 Solari are paid.

    The Landsraad icon and no other opens it, and it is no Combat space. Nothing or 2 Solari are
    paid at once, the latter by whoever has them. As many troops come as the supply has. Nothing
    else changes for anybody.
    """
    before = about_to_visit("gather_support", LANDSRAAD)
    claim_open(before, "gather_support", True)
    done = visit(before, "gather_support")
    (costs,) = done.asked(PickCost)
    claim_options(costs, True, has(before, "solari") >= 2)
    paid = visitor(solari=-2, water=1) if done.option() == 1 else {}
    claim_outcome(done, paid, recruits(done, 2), combat=False)


@proves(
    {
        "UPR-BOARD-013": Twin(
            SPACES, "gain 2 spice & draw 1 intrigue", "gain 1 spice & draw 1 intrigue"
        )
    },
)
def high_council_gives_a_seat_and_later_spice_an_intrigue_card_and_troops() -> None:
    """Unsatisfiable iff High Council costs 5 Solari and gives the seat, or more to who has it.

    The Landsraad icon and no other opens it, for whoever has 5 Solari, and it is no Combat space. A
    visitor with a seat gets 2 spice, an Intrigue card and 3 troops, as far as the supply goes.
    Nothing else changes for anybody.
    """
    before = about_to_visit("high_council", LANDSRAAD)
    claim_open(before, "high_council", has(before, "solari") >= 5)
    done = visit(before, "high_council")
    if before.players[VISITOR].high_council:
        gained = together(visitor(spice=2), draws_intrigue(1), recruits(done, 3))
    else:
        gained = together(visitor(high_council=1))
    claim_outcome(done, visitor(solari=-5), gained, combat=False)


@proves(
    {
        "UPR-BOARD-023": Twin(
            "rules_engine.imperium.council",
            "if owner.high_council:",
            "if any(each.high_council for each in state.players):",
        )
    },
)
def the_first_visit_to_the_high_council_takes_a_free_seat() -> None:
    """Unsatisfiable iff the first visit to High Council adds one seat taken, and a later one none.

    It is the visitor's; there is one left even for the fourth player. Seats of others stay theirs.
    """
    before = about_to_visit("high_council", LANDSRAAD, players=4)
    claim_open(before, "high_council", has(before, "solari") >= 5)
    done = visit(before, "high_council")
    then, now = ([each.high_council for each in state.players] for state in (before, done.after))
    claim(now[VISITOR], f"{NAMES[VISITOR]} has a seat")
    claim(now[1:] == then[1:], "the seats of the others are as they were")
    claim(sum(now) == sum(then) + (not then[VISITOR]), "a seat is taken on the first visit alone")


@proves(
    {"UPR-BOARD-023": Twin("rules_engine.imperium.council", "SEATS = 4", "SEATS = 3")},
)
def the_high_council_has_four_seats() -> None:
    """Unsatisfiable iff a position breaks the law of the seats exactly if more than four are taken.

    The engine knows this law as `four_seats`.
    """
    seated = choose("seated", range(7))
    state = symbolic_state(6, lambda owner: {"high_council": owner.seat < seated})
    stage(state)
    (law,) = (each for each in IMPERIUM.invariants if each.name == "four_seats")
    broken = bool(list(law.broken(state)))
    claim(broken == (seated > 4), "no more than four seats can be taken")


def _another_agent() -> dict[str, Any]:
    """No other Agent of the visitor on the board, or one."""
    name = "Red.agents"
    return {
        "agents": Lazy(name, ((), (AgentAt("fremkit", VISITOR),))),
        "own": {
            "agents": Lazy(name, (2, 1)),
            "intrigues": Lazy("Red.intrigues", ((), (PAPER,))),
        },
    }


def _swapped(done: Visit) -> Changes:
    """An Intrigue card was given up for a new one, or not; a ruling says where it goes."""
    if done.times(GiveUpIntrigue) == 0:
        return {}
    trashed = follows(done.before, PRIVILEGE_SWAP) == "trash"
    gone = trashed and follows(done.before, TRASHED_INTRIGUE) == "out_of_game"
    pile = "trashed_intrigues" if gone else "intrigue_discard"
    return together({VISITOR: {"intrigues": -1}, TABLE: {pile: 1}}, draws_intrigue(1))


@proves(
    {
        "UPR-BOARD-015": Twin(
            SPACES,
            'requirement = "influence emperor >= 2"',
            'requirement = "influence emperor >= 1"',
        )
    },
)
def imperial_privilege_swaps_an_intrigue_card_recalls_an_agent_and_gives_a_card() -> None:
    """Unsatisfiable iff Imperial Privilege costs 3 Solari, and a swap, a recall and a card follow.

    The Landsraad icon and no other opens it, for whoever has 3 Solari and 2 Emperor Influence, and
    it is no Combat space. The swap of an Intrigue card is left to the visitor. Another Agent comes
    back if there is one, never the one just sent. A card is drawn, unless a ruling wants an Agent
    recalled for it and there is none. Nothing else changes for anybody.
    """
    space = "imperial_privilege"
    rulings = (PRIVILEGE_SWAP, PRIVILEGE_RECALL, TRASHED_INTRIGUE)
    before = about_to_visit(space, LANDSRAAD, rulings=rulings, **_another_agent())
    claim_open(
        before, space, all_of(has(before, "solari") >= 3, influence_of(before, EMPEROR) >= 2)
    )
    done = visit(before, space)
    holds_a_card = len(before.players[VISITOR].intrigues) == 1
    claim(_can_resolve(done, SWAP_AT) == holds_a_card, "a held Intrigue card can be swapped")
    _claim_optional(done, SWAP_AT)
    out = len(before.agents)
    claim(len(done.asked(PickAgent)) == out, "an Agent is recalled just if there is another one")
    for at in done.asked(PickAgent):
        own = legal(IMPERIUM, at, RecallAgent(VISITOR, space)) is None
        claim(not own, "the Agent just sent stays")
    no_card = not out and follows(before, PRIVILEGE_RECALL) == "no_draw"
    claim_outcome(
        done,
        visitor(solari=-3),
        _swapped(done),
        {VISITOR: {"agents": out}, TABLE: {"agents": -out}},
        draws(0 if no_card else 1),
        combat=False,
    )


def _swordmasters(owner: Player) -> dict[str, Any]:
    """The player has two Agents, or three with the Swordmaster."""
    name = f"{owner.name}.swordmaster"
    return {"swordmaster": Lazy(name, (False, True)), "agents": Lazy(name, (2, 3))}


@proves(
    {
        "UPR-BOARD-022": Twin(
            SPACES, 'requirement = "not swordmaster"', 'requirement = "influence emperor >= 0"'
        )
    },
)
def the_swordmaster_is_bought_once_for_8_or_6_solari() -> None:
    """Unsatisfiable iff Swordmaster gives a third Agent, once to a player, for 8 Solari or 6.

    It costs 6 if any player has one. The Landsraad icon and no other opens it, for whoever has
    enough Solari and no Swordmaster, and it is no Combat space. The new Agent is at home at once.
    Nothing else changes for anybody.
    """
    name = "Red.swordmaster"
    own = {"swordmaster": Lazy(name, (False, True)), "agents": Lazy(name, (2, 3))}
    before = about_to_visit("swordmaster", LANDSRAAD, own=own, others=_swordmasters)
    cost = 6 if any(each.swordmaster for each in before.players) else 8
    lacks_one = not before.players[VISITOR].swordmaster
    claim_open(before, "swordmaster", all_of(lacks_one, has(before, "solari") >= cost))
    done = visit(before, "swordmaster")
    claim_outcome(done, visitor(solari=-cost, swordmaster=1, agents=1), combat=False)


@proves(
    {
        "UPR-BOARD-025": Twin(
            "rules_engine.imperium.agent_turn",
            "any(each.swordmaster for each in state.players)",
            "all(each.swordmaster for each in state.players[1:])",
        )
    },
)
def one_swordmaster_makes_it_cheaper_for_everybody() -> None:
    """Unsatisfiable iff one other player's Swordmaster, whoever it is, lowers the price to 6.

    With nobody's it is 8: who has less cannot go there, and who has as much pays just that.
    """
    before = about_to_visit("swordmaster", LANDSRAAD, others=_swordmasters)
    owners = count_true(each.swordmaster for each in before.players[1:])
    price = pick(owners >= 1, 6, 8)
    claim_open(before, "swordmaster", has(before, "solari") >= price)
    done = visit(before, "swordmaster")
    claim(has(done.after, "solari") == has(before, "solari") - price, "just the price is paid")


# The cities


@proves(
    {
        "UPR-BOARD-003": Twin(
            SPACES,
            'control_bonus = ["gain 1 solari"]\ncontrol_rules = ["UPR-CTRL-005"]',
            'control_bonus = ["gain 1 spice"]\ncontrol_rules = ["UPR-CTRL-005"]',
        )
    },
)
def arrakeen_gives_a_troop_and_a_card() -> None:
    """Unsatisfiable iff Arrakeen is free and gives a troop and a card, its controller 1 Solari.

    The City icon and no other opens it, and it is a Combat space. The troop comes if the supply has
    one. The controller may be the visitor. Nothing else changes for anybody.
    """
    before = about_to_visit("arrakeen", CITY)
    claim_open(before, "arrakeen", True)
    done = visit(before, "arrakeen")
    claim_outcome(done, recruits(done, 1), draws(1), controller_gets(done, solari=1), combat=True)


@proves(
    {
        "UPR-BOARD-016": Twin(
            SPACES,
            'effects = ["recruit 2 troops", "draw 2 cards"]',
            'effects = ["recruit 2 troops", "draw 1 card"]',
        )
    },
)
def research_station_gives_2_troops_and_2_cards() -> None:
    """Unsatisfiable iff Research Station costs 2 water and gives 2 troops and 2 cards.

    The City icon and no other opens it, for whoever has 2 water, and it is a Combat space. As many
    troops come as the supply has. Nothing else changes for anybody.
    """
    before = about_to_visit("research_station", CITY)
    claim_open(before, "research_station", has(before, "water") >= 2)
    done = visit(before, "research_station")
    claim_outcome(done, visitor(water=-2), recruits(done, 2), draws(2), combat=True)


@proves(
    {
        "UPR-BOARD-020": Twin(
            SPACES,
            "take maker_hooks & recruit 1 troop & gain 1 water |",
            "take maker_hooks & recruit 1 troop |",
        )
    },
)
def sietch_tabr_gives_maker_hooks_or_removes_the_wall() -> None:
    """Unsatisfiable iff Sietch Tabr gives hooks, a troop and water, or water and the Wall's end.

    It is free; the City icon and no other opens it, for whoever has 2 Fremen Influence, and it is a
    Combat space. Just one of the two is picked, either by anybody. Hooks come to who has none, the
    troop if the supply has one. Whether the Wall goes is left to the visitor. Nothing else changes
    for anybody.
    """
    before = about_to_visit("sietch_tabr", CITY)
    claim_open(before, "sietch_tabr", influence_of(before, FREMEN) >= 2)
    done = visit(before, "sietch_tabr")
    (offered,) = done.asked(ChooseOption)
    claim_options(offered, True, True)
    gained: Changes
    if done.option() == 0:
        hooks = not before.players[VISITOR].maker_hooks
        gained = together(visitor(maker_hooks=int(hooks)), recruits(done, 1))
    else:
        asked = done.asked(Decide)
        claim(len(asked) == 1, "the visitor decides whether the Wall goes")
        for at in asked:
            claim(legal(IMPERIUM, at, Accept(VISITOR)) is None, "the Wall may be removed")
        removed = done.times(Accept) == 1 and before.shield_wall
        gained = {TABLE: {"shield_wall": -int(removed)}}
    claim_outcome(done, visitor(water=1), gained, combat=True)


@proves(
    {"UPR-BOARD-021": Twin(SPACES, "[pay 1 spice] gain 4 solari", "[pay 1 spice] gain 3 solari")},
)
def spice_refinery_gives_2_solari_or_4_for_spice() -> None:
    """Unsatisfiable iff Spice Refinery gives 2 Solari, or 4 for 1 spice, its controller 1 Solari.

    The City icon and no other opens it, and it is a Combat space. Nothing or 1 spice is paid at
    once, the latter by whoever has it. The controller may be the visitor. Nothing else changes for
    anybody.
    """
    before = about_to_visit("spice_refinery", CITY)
    claim_open(before, "spice_refinery", True)
    done = visit(before, "spice_refinery")
    (costs,) = done.asked(PickCost)
    claim_options(costs, True, has(before, "spice") >= 1)
    gained = visitor(solari=4, spice=-1) if done.option() == 1 else visitor(solari=2)
    claim_outcome(done, gained, controller_gets(done, solari=1), combat=True)


# The Spice Trade


@proves(
    {
        "UPR-BOARD-001": Twin(
            SPACES, 'effects = ["draw 1 card", "take 1 contract"]', 'effects = ["take 1 contract"]'
        )
    },
)
def accept_contract_gives_a_card_and_a_contract() -> None:
    """Unsatisfiable iff Accept Contract is free and gives a card and a contract.

    Without the module, or with no contract left, it gives 2 Solari in its place, and only then. The
    Spice Trade icon and no other opens it, and it is no Combat space. Nothing else changes for
    anybody.
    """
    before = about_to_visit("accept_contract", SPICE_TRADE, **_contracts())
    claim_open(before, "accept_contract", True)
    done = visit(before, "accept_contract")
    claim_outcome(done, draws(1), _a_contract_or_2_solari(done), combat=False)


def _conflicts() -> dict[str, Any]:
    """A Conflict at a location behind the Shield Wall, or at none."""
    cards = printed().conflicts.values()
    sheltered = next(card.id for card in cards if card.location == "arrakeen")
    elsewhere = next(card.id for card in cards if card.location is None)
    return {"conflict": Lazy("conflict", (sheltered, elsewhere))}


def _claim_harvest(space: str, water: int, spice: int, sandworms: int) -> None:
    """A visit for water gives bonus spice, and either spice or, with Maker Hooks, sandworms."""
    before = about_to_visit(space, SPICE_TRADE, rulings=(SHELTERED_OPTION,), **_conflicts())
    claim_open(before, space, has(before, "water") >= water)
    done = visit(before, space)
    sheltered = behind_the_wall(before)
    offered = not sheltered or follows(before, SHELTERED_OPTION) == "allowed"
    (options,) = done.asked(ChooseOption)
    claim_options(options, True, before.players[VISITOR].maker_hooks and offered)
    if done.option() == 0:
        gained = visitor(spice=spice)
    else:
        gained = visitor(sandworms=0 if sheltered else sandworms)
    claim_outcome(done, visitor(water=-water), takes_bonus_spice(done), gained, combat=True)


@proves(
    {
        "UPR-BOARD-007": Twin(
            SPACES, "if maker_hooks: summon 2 sandworms", "if maker_hooks: summon 1 sandworm"
        )
    },
)
def deep_desert_gives_4_spice_or_2_sandworms() -> None:
    """Unsatisfiable iff Deep Desert costs 3 water and gives 4 spice or, with hooks, 2 sandworms.

    All bonus spice there is the visitor's in both cases. The Spice Trade icon and no other opens
    it, for whoever has 3 water, and it is a Combat space. Just one of the two is picked, the
    sandworms only with Maker Hooks. No sandworm comes behind the Wall: a ruling says whether they
    can be picked then. Nothing else changes for anybody.
    """
    _claim_harvest("deep_desert", water=3, spice=4, sandworms=2)


@proves(
    {
        "UPR-BOARD-011": Twin(
            SPACES,
            "choose: gain 2 spice | if maker_hooks: summon 1 sandworm",
            "choose: gain 2 spice | summon 1 sandworm",
        )
    },
)
def hagga_basin_gives_2_spice_or_a_sandworm() -> None:
    """Unsatisfiable iff Hagga Basin costs 1 water and gives 2 spice or, with hooks, a sandworm.

    All bonus spice there is the visitor's in both cases. The Spice Trade icon and no other opens
    it, for whoever has 1 water, and it is a Combat space. Just one of the two is picked, the
    sandworm only with Maker Hooks. None comes behind the Wall: a ruling says whether it can be
    picked then. Nothing else changes for anybody.
    """
    _claim_harvest("hagga_basin", water=1, spice=2, sandworms=1)


@proves(
    {
        "UPR-BOARD-014": Twin(
            SPACES,
            'effects = ["gain 1 spice", "gain bonus_spice"]',
            'effects = ["gain 2 spice", "gain bonus_spice"]',
        )
    },
)
def imperial_basin_gives_a_spice_and_what_lies_there() -> None:
    """Unsatisfiable iff Imperial Basin is free and gives 1 spice and all bonus spice there.

    Its controller, who may be the visitor, gets 1 spice. The Spice Trade icon and no other opens
    it, and it is a Combat space. Nothing else changes for anybody.
    """
    before = about_to_visit("imperial_basin", SPICE_TRADE)
    claim_open(before, "imperial_basin", True)
    done = visit(before, "imperial_basin")
    claim_outcome(
        done,
        visitor(spice=1),
        takes_bonus_spice(done),
        controller_gets(done, spice=1),
        combat=True,
    )


@proves(
    {"UPR-BOARD-019": Twin(SPACES, '"gain 5 solari"', '"gain 6 solari"')},
)
def shipping_gives_5_solari_and_influence_of_choice() -> None:
    """Unsatisfiable iff Shipping costs 3 spice and gives 5 Solari and an Influence of choice.

    The Spice Trade icon and no other opens it, for whoever has 3 spice and 2 Guild Influence, and
    it is no Combat space. Any Faction can be picked whose track has room, or any at all if none
    has. The one Influence brings what it brings everywhere. Nothing else changes for anybody.
    """
    before = about_to_visit("shipping", SPICE_TRADE, moving=factions(), holders=NO_RIVAL)
    claim_open(
        before, "shipping", all_of(has(before, "spice") >= 3, influence_of(before, GUILD) >= 2)
    )
    done = visit(before, "shipping")
    (faction,) = (each.faction for each in done.inputs if isinstance(each, PickFaction))
    claim_outcome(
        done,
        visitor(spice=-3, solari=5),
        one_influence(done, faction),
        places_spies(done, spy_at_four(done) if faction == EMPEROR else 0),
        combat=False,
    )


# What counts on the Reveal turn


def _revealed_persuasion(before: State) -> Quantity:
    """The Persuasion that the visitor's Reveal turn gives by itself."""
    state = before
    given: Any = Reveal(VISITOR)
    inputs: tuple[Any, ...] = ()
    while given is not None:
        inputs = (*inputs, given)
        stage(before, inputs)
        done = handle(IMPERIUM, state, given)
        assert isinstance(done, Step), f"an effect that is due is refused: {done}"
        state = done.state
        (frame,) = state.pending
        assert isinstance(frame, RevealTurn)
        given = Resolve(VISITOR, 0) if frame.items else None
    return has(state, "persuasion") - has(before, "persuasion")


@proves(
    {
        "UPR-BOARD-005": Twin(
            "rules_engine.imperium.reveal_turn",
            "        if at.seat == seat\n        for effect",
            "        for effect",
        )
    },
)
def an_agent_at_assembly_hall_gives_a_persuasion_on_the_reveal_turn() -> None:
    """Unsatisfiable iff the own Agent at Assembly Hall adds 1 Persuasion to the Reveal turn.

    It has to be there then: one elsewhere or somebody else's adds none.
    """
    name = "Agents"
    here, there = "assembly_hall", "fremkit"
    boards = ((), (AgentAt(here, VISITOR),), (AgentAt(here, OTHER),), (AgentAt(there, VISITOR),))
    before = about_to_visit(
        here,
        LANDSRAAD,
        agents=Lazy(name, boards),
        reveal_order=(),
        own={"hand": (), "high_council": False, "agents": Lazy(name, (2, 1, 2, 1))},
        others=lambda each: {"agents": Lazy(name, (2, 2, 1, 2)) if each.seat == OTHER else 2},
    )
    is_there = AgentAt(here, VISITOR) in before.agents
    claim(_revealed_persuasion(before) == int(is_there), "1 Persuasion comes just for that Agent")


@proves(
    {
        "UPR-BOARD-013": Twin(
            "rules_engine.imperium.council",
            'SEAT_PERSUASION = tree.Gain(2, "persuasion")',
            'SEAT_PERSUASION = tree.Gain(4, "persuasion")',
        )
    },
)
def a_council_seat_gives_2_persuasion_on_every_reveal_turn() -> None:
    """Unsatisfiable iff a Reveal turn gives 2 Persuasion to who has a seat, and else none.

    The position is the same however often the High Council was visited.
    """
    before = about_to_visit("high_council", LANDSRAAD, reveal_order=(), own={"hand": ()})
    seated = before.players[VISITOR].high_council
    claim(_revealed_persuasion(before) == 2 * int(seated), "2 Persuasion come just for a seat")
