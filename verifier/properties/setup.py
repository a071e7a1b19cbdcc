"""Setup: what everyone starts with, and what is dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules_engine.catalogue.faces import CardFace, IntrigueFace
from rules_engine.imperium.frames import DealObjectives, FillContracts, FillRow, RoundStart
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game, starting_state
from rules_engine.imperium.state import Config, State, Won
from rules_engine.kernel.decks import Deck, possibly_in, size
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import Answer, legal
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from verifier.changes import player_kept, players_kept
from verifier.current import choose, claim
from verifier.numbers import all_of
from verifier.play import play_out
from verifier.positions import (
    AGENTS,
    NAMES,
    PRODUCT,
    SPIES,
    TROOPS,
    printed,
    unchanged,
)
from verifier.registry import DATA_CHECK, Twin, proves
from verifier.relied_on import relied_on
from verifier.seats import TABLES, anyone, claim_told, done_by

TRACKS = ("emperor", "spacing_guild", "bene_gesserit", "fremen")


def _new(players: int, choam: bool, leader: str | None) -> State:
    """A new game; the first player has this Leader, the others have others, or nobody has one."""
    leaders = None
    if leader is not None:
        faces = printed().leaders.values()
        others = (each.id for each in faces if not each.back and not each.choam)
        leaders = (leader, *(each for each in others if each != leader))[:players]
    return new_game(PRODUCT, NAMES[:players], Rulings(), choam=choam, leaders=leaders)


def _some_leader(choam: bool) -> str | None:
    """Any Leader that the first player can have, or none."""
    faces = printed().leaders.values()
    fronts = (face.id for face in faces if not face.back and (choam or not face.choam))
    return choose("leader", (None, *fronts))


@proves(
    {
        "UPR-FACTION-001": Twin(
            "rules_engine.imperium.setup",
            "tracks=tuple(Track(faction, 0) for faction in printed.tracks)",
            "tracks=tuple(Track(faction, 1) for faction in printed.tracks)",
        )
    },
    cases=({"players": 3}, {"players": 4}),
)
def every_cube_starts_at_the_bottom_of_its_track(players: int) -> None:
    """Unsatisfiable iff everyone starts a game with no Influence on each of the four tracks.

    Nobody holds an Alliance then.
    """
    choam = choose("choam", (False, True))
    state = _new(players, choam, _some_leader(choam))
    claim(len(state.players) == players, "everyone is there")
    for owner in state.players:
        standing = {track.faction: track.influence for track in owner.tracks}
        claim(len(owner.tracks) == len(TRACKS), f"{owner.name} has one cube for each track")
        claim(standing == dict.fromkeys(TRACKS, 0), f"{owner.name}'s cubes are at the bottom")
    holders = {alliance.faction: alliance.holder for alliance in state.alliances}
    claim(holders == dict.fromkeys(TRACKS), "nobody holds an Alliance")


@proves(
    {
        "UPR-STR-007": Twin(
            "rules_engine.imperium.setup", "        strength=0,\n", "        strength=2,\n"
        ),
        "UPR-AGENT-012": Twin(
            "rules_engine.imperium.setup", "agents=AGENTS,\n", "agents=AGENTS + 1,\n"
        ),
        "UPR-ACQ-010": Twin(
            "rules_engine.imperium.setup",
            "DEALING = (RoundStart(), FillContracts(), FillRow(), DealObjectives(0))",
            "DEALING = (FillRow(), RoundStart(), FillContracts(), DealObjectives(0))",
        ),
    },
    cases=({"players": 3}, {"players": 4}),
)
def a_game_begins_with_all_that_every_step_keeps(players: int) -> None:
    """Unsatisfiable iff a new game is a position in which the invariants of every step hold.

    Everyone has twelve troops, three Spies and two Agents, none of them out, no sandworm, sword,
    strength or Persuasion, and nothing less than none; a Score marker starts on 1 in a game of
    four, else on 0. No turn and no Conflict is current, nobody holds a location, and each Imperium
    and Intrigue card is in its deck as often as it is printed. The Conflict Deck has one card of
    level I over five of II over four of III. Everyone is dealt an Objective, from the first seat on
    and out of those there are, and the Row is filled before the first round; before that nobody
    has to decide.
    """
    choam = choose("choam", (False, True))
    state = _new(players, choam, _some_leader(choam))
    for owner in state.players:
        troops = (owner.supply, owner.garrison, owner.troops, owner.memories)
        claim(sum(troops) == TROOPS, f"{owner.name} has twelve troops")
        claim((owner.spies, owner.agents, owner.swordmaster) == (SPIES, AGENTS, False), "all home")
        nothing = (owner.sandworms, owner.swords, owner.strength, owner.persuasion, owner.troops)
        claim(nothing == (0,) * len(nothing) and not owner.revealed, "nothing is in the Conflict")
        resources = (owner.solari, owner.spice, owner.water, *troops)
        claim(min(resources) >= 0, f"{owner.name} has not less than nothing")
        points = 1 if players == 4 else 0
        claim(owner.victory_points == points, f"{owner.name}'s Score marker is at the start")
    claim(state.agents == () and state.spies == (), "the board is empty")
    claim(state.turn is None and state.conflict is None, "nothing is going on")
    claim(state.first_player in range(players), "somebody has the First Player marker")
    claim(_levels(state.conflict_deck) == [(1, {1}), (5, {2}), (4, {3})], "ten Conflicts lie ready")
    claim(not any(each.holder is not None for each in state.controls), "nobody has Control")
    claim(relied_on(state), "what comes first finds what it relies on")
    kinds = [type(frame) for frame in state.pending]
    dealt = kinds[kinds.index(RoundStart) + 1 :]
    claim(FillRow in dealt and state.row == (), "the Row is filled before the first round")
    claim(set(dealt) <= BY_CHANCE, "nobody decides before")
    claim(state.pending[-1] == DealObjectives(0), "Objectives are dealt from the first seat on")
    for card in (*printed().objectives, "dagger"):
        possible = legal(IMPERIUM, state, Answer(card)) is None
        claim(possible == (card in state.objectives), "just an Objective of this game is dealt")
    claim(
        _whole(state.imperium_deck, printed().cards.values(), choam), "every Imperium card is there"
    )
    claim(
        _whole(state.intrigue_deck, printed().intrigue.values(), choam), "every Intrigue card too"
    )


WITHOUT_DIPLOMACY = "staban_tuek"
"""The Leader who starts without Diplomacy."""
FEYD, TRAINING_START = "feyd_rautha_harkonnen", "start"


@proves(
    {
        "UPR-CLAR-001": Twin(
            "rules_engine.imperium.setup",
            "training=face.training[0].id",
            "training=face.training[-1].id",
        ),
        "UPR-CLAR-003": Twin(
            "rules_engine.imperium.setup",
            "new_player(config, seat, name, chosen[seat])",
            "new_player(config, seat, name, chosen[0])",
        ),
    },
    cases=TABLES,
)
def everyone_starts_alike_but_for_the_leader(players: int) -> None:
    """Unsatisfiable iff everyone starts with the own Leader, 1 water, 3 troops and ten cards.

    These are the starting cards, shuffled, in the own deck; Staban Tuek has no Diplomacy. Feyd's
    token is at the left end of its track, and no other Leader has one. Nobody has anything else,
    no bonus spice lies anywhere, and contracts are set aside just for a Leader who may take them,
    wherever that player sits; all others are in the bank.
    """
    choam = choose("choam", (False, True))
    leaders = _leaders(players, choam)
    state = new_game(PRODUCT, NAMES[:players], Rulings(), choam=choam, leaders=leaders)
    for owner in state.players:
        leader = None if leaders is None else leaders[owner.seat]
        claim(owner.leader == leader, f"{owner.name} has the own Leader")
        claim((owner.solari, owner.spice, owner.water) == (0, 0, 1), f"{owner.name} has 1 water")
        claim((owner.garrison, owner.supply) == (3, 9), f"{owner.name} has 3 troops in garrison")
        start = TRAINING_START if leader == FEYD else None
        claim(owner.training == start, f"{owner.name}'s token is at the left end")
        cards = Counter({each.id: each.starting for each in printed().cards.values()})
        if leader == WITHOUT_DIPLOMACY:
            cards["diplomacy"] = 0
        claim(Counter(possibly_in(owner.deck)) == +cards, f"{owner.name} has the starting cards")
        piles = (owner.hand, owner.discard, owner.in_play, owner.intrigues, owner.won)
        more = (owner.standing, owner.set_aside, owner.contracts, owner.completed)
        claim(not any((*piles, *more)), f"{owner.name} has no other card")
        tokens = (owner.maker_hooks, owner.high_council, owner.swordmaster, owner.memories)
        claim(not any(tokens), f"{owner.name} has no token")
    claim(all(maker.bonus_spice == 0 for maker in state.makers), "no bonus spice lies there")
    claim(state.shield_wall, "the Wall stands")
    aside = SHADDAMS if leaders is not None and SHADDAM in leaders else ()
    claim(state.leader_contracts == aside, "contracts are set aside for their Leader alone")
    every = Counter({face.id: face.copies for face in printed().contracts.values()})
    bank = every - Counter(aside) if choam else Counter[str]()
    claim(Counter(possibly_in(state.contract_deck)) == bank, "all others are in the bank")


SHADDAM = "shaddam_corrino_iv"
SHADDAMS = ("contract_sardaukar_cards", "contract_sardaukar_recall")
"""The contracts that Shaddam may take."""


def _leaders(players: int, choam: bool) -> tuple[str, ...] | None:
    """No Leaders, or all different, any one that there is for the player of any seat."""
    leader = _some_leader(choam)
    if leader is None:
        return None
    fronts = (face.id for face in printed().leaders.values() if not face.back and not face.choam)
    others = [each for each in fronts if each != leader][: players - 1]
    seat = anyone(players)
    return (*others[:seat], leader, *others[seat:])


OBJECTIVES = {
    3: ("objective_crysknife", "objective_desert_mouse_first_player", "objective_ornithopter_1_3p"),
    4: (
        "objective_crysknife",
        "objective_crysknife_4_6p",
        "objective_desert_mouse_4_6p",
        "objective_desert_mouse_first_player",
    ),
}
"""The Objectives by the number of players, as the cards say."""
STARTS = "objective_desert_mouse_first_player"
"""The Objective with the First Player mark."""


@proves(
    {
        "UPR-ROUND-003": Twin(
            "rules_engine.imperium.setup",
            "state = change(state, first_player=frame.seat)",
            "state = change(state, first_player=clockwise(state, frame.seat)[1])",
        ),
        "UPR-COMBAT-028": Twin(
            "rules_engine.imperium.setup",
            "won=(Won(card, face.icon),)",
            "won=(Won(card, face.icon, False),)",
        ),
    },
    cases=TABLES,
)
def each_player_is_dealt_an_objective_face_up(players: int) -> None:
    """Unsatisfiable iff the Objective dealt lies face up before its player, and is dealt once.

    There are as many as players, those that are for this number. Everybody sees it; who has the one
    with the mark is First Player, and nobody else becomes it. The next seat is dealt the next,
    until all have one. Nothing else changes.
    """
    start = _new(players, False, None)
    claim(start.objectives == OBJECTIVES[players], "just the Objectives for so many are used")
    who, card = anyone(players), choose("card", OBJECTIVES[players])
    first = anyone(players, "first player")
    before = change(start, first_player=first, pending=(DealObjectives(who),))
    after, events = done_by(before, Answer(card))
    icon = printed().objectives[card].icon
    claim(after.players[who].won == (Won(card, icon, True),), "it lies face up")
    kept = all_of(player_kept(before, after, who, "won"), players_kept(before, after, who))
    claim(kept, "nothing else of anybody changes")
    left = tuple(each for each in OBJECTIVES[players] if each != card)
    claim(after.objectives == left, "it is dealt once")
    claim(after.first_player == (who if card == STARTS else first), "the mark says who starts")
    following = () if who == players - 1 else (DealObjectives(who + 1),)
    claim(after.pending == following, "the next one is dealt the next")
    table = unchanged(before, after, "players", "objectives", "first_player", "pending")
    claim(table, "the table stays as it is")
    claim_told(events, "objective", who, card=card)


BY_CHANCE = {DealObjectives, FillRow, FillContracts}
"""What is dealt: chance decides, and no player."""


def _levels(deck: Deck) -> list[tuple[int, set[int]]]:
    """How many cards each part of the Conflict Deck has, and of which levels they may be."""
    faces = printed().conflicts
    return [(size((part,)), {faces[card].level for card in possibly_in((part,))}) for part in deck]


def _whole(deck: Deck, faces: Iterable[CardFace | IntrigueFace], choam: bool) -> bool:
    """Whether each card that is used is in a deck as often as it is printed, and nothing else."""
    wanted = {each.id: each.copies for each in faces if _used(each, choam)}
    return Counter(possibly_in(deck)) == Counter(wanted)


def _used(face: CardFace | IntrigueFace, choam: bool) -> bool:
    """Whether a card is shuffled into the deck: no promo card, and one of the module only in it."""
    promo = isinstance(face, CardFace) and face.promo
    return (choam or not face.choam) and not promo and face.copies > 0


CONTRACTS = 20
FACE_UP = 2


@proves(
    {
        "UPR-CHOAM-002": Twin("rules_engine.imperium.contracts", "FACE_UP = 2", "FACE_UP = 3"),
    },
)
def two_contracts_are_turned_up_and_the_rest_is_the_bank() -> None:
    """Unsatisfiable iff setup deals two of the 20 contracts face up and leaves 18 in the bank.

    All 20 are there, each in one place, and no player has one. It is done before the first round.
    """
    start = _new(3, True, None)
    kinds = [type(frame) for frame in start.pending]
    claim(kinds.count(FillContracts) == 1, "contracts are dealt once")
    claim(kinds.index(RoundStart) < kinds.index(FillContracts), "before the first round")
    dealt, _ = play_out(change(start, pending=(FillContracts(),)))
    claim(len(dealt.contract_row) == FACE_UP, "two contracts are face up")
    claim(size(dealt.contract_deck) == CONTRACTS - FACE_UP, "18 contracts are in the bank")
    there = Counter(dealt.contract_row) + Counter(possibly_in(dealt.contract_deck))
    every = {face.id: face.copies for face in printed().contracts.values()}
    claim(there == Counter(every), "every contract is in one place")
    claim(not dealt.leader_contracts, "none is set aside")
    held = [owner.name for owner in dealt.players if owner.contracts or owner.completed]
    claim(not held, "no player has a contract")


@proves(
    {
        "UPR-CHOAM-006": Twin(
            "rules_engine.imperium.setup",
            "contract_deck=_contract_deck(printed, set_aside) if choam else (),",
            "contract_deck=_contract_deck(printed, set_aside),",
        ),
    },
    cases=({"players": 3}, {"players": 4}),
)
def without_the_module_there_are_no_contracts(players: int) -> None:
    """Unsatisfiable iff a new game without the module has no contract anywhere, so none to deal.

    A game of which nobody says whether it has the module, or promo cards, has neither.
    """
    state = _new(players, False, _some_leader(False))
    on_the_table = (state.contract_row, state.contract_deck, state.leader_contracts)
    claim(not any(on_the_table), "no contract is on the table")
    held = [owner.name for owner in state.players if owner.contracts or owner.completed]
    claim(not held, "no player has a contract")
    plain = new_game(PRODUCT, NAMES[:players], Rulings())
    claim(plain == _new(players, False, None), "a game has no module that nobody names")
    claim(plain.config == Config(PRODUCT, players), "nor promo cards")
    bare = change(plain, pending=())
    claim(starting_state(PRODUCT, NAMES[:players], Rulings()) == bare, "nor has its position")


# Who plays


def _refused(names: tuple[str, ...], leaders: tuple[str, ...] | None, choam: bool) -> str:
    """What is said against a game with these players and Leaders; nothing if it can begin."""
    try:
        new_game(PRODUCT, names, Rulings(), choam=choam, leaders=leaders)
    except TruthsayerError as error:
        return f"{error.message} {error.help}"
    return ""


def _free(choam: bool) -> set[str]:
    """The Leaders that somebody can have."""
    taken_out = {"reverend_mother_jessica"} | (set() if choam else {"shaddam_corrino_iv"})
    return {*printed().leaders} - taken_out


@proves(
    {
        "UPR-CHOAM-005": Twin(
            "rules_engine.imperium.setup",
            "if face.choam and not config.choam:",
            "if face.choam and config.choam:",
        )
    },
    kind=DATA_CHECK,
)
def shaddam_leads_only_with_the_module() -> None:
    """Unsatisfiable iff every Leader can be taken but backs, and Shaddam without the module.

    What is said about another one names it, and all that can be taken. Nobody has the Leader of
    another player, everyone has one if somebody has, and there are 3 or 4 players.
    """
    others = ("muad_dib", "gurney_halleck", "lady_jessica")
    for choam in (False, True):
        for leader in (*printed().leaders, "nobody"):
            leaders = (leader, *[each for each in others if each != leader][:2])
            said = _refused(NAMES[:3], leaders, choam)
            banned = ("reverend_mother_jessica", "nobody")
            wrong = leader in banned or (leader == "shaddam_corrino_iv" and not choam)
            claim(bool(said) == wrong, f"{leader} can be taken if the rules say so")
            claim(f"`{leader}`" in said or not wrong, f"{leader} is named")
            listed = {each for each in printed().leaders if f" {each}" in said}
            claim(listed == _free(choam) or not wrong, "those who can be taken are named")
        twice = _refused(NAMES[:3], (others[0], others[0], others[1]), choam)
        claim(f"`{others[0]}`" in twice, "two players do not have one Leader")
        claim(_refused(NAMES[:3], others[:2], choam) != "", "everyone has a Leader")
    for count in range(1, 7):
        names = tuple(f"player {number}" for number in range(count))
        said = _refused(names, None, False)
        claim((said == "") == (count in (3, 4)), f"{count} players can play if there are rules")
