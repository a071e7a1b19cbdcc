"""Effects with a condition: who may use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import (
    ANY_FACTION,
    Acquired,
    AnotherInPlay,
    AtLeast,
    BesideAlliance,
    Both,
    CardsInPlay,
    CardsRevealed,
    Condition,
    Count,
    Discarded,
    FaceUpIcons,
    Gain,
    HoldsAlliance,
    If,
    InfluenceAtLeast,
    Is,
    Not,
    Owns,
    Per,
    PlacedOn,
    SwordCards,
    Trashed,
)
from rules_engine.imperium.actions import Accept, Choose
from rules_engine.imperium.frames import ChooseOption, Decide, Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Alliance, Deed, SpyAt, State, ThisTurn, Won
from rules_engine.kernel.decks import shuffled
from rules_engine.kernel.game import Action, Frame, legal, options
from rules_engine.kernel.numbers import pick
from rules_engine.kernel.outcomes import Seat
from verifier.current import choose, claim, domain, quantity
from verifier.effects import OWNER
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    claim_just,
    full_table,
)
from verifier.numbers import all_of, any_of
from verifier.play import line_from, play_out
from verifier.positions import (
    ALLIES,
    NAMES,
    ally_of,
    claim_only,
    factions,
    influence_of,
    printed,
    symbolic_state,
    with_cards,
)
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.conditions"
PLAYERS = 3

Way = tuple[Callable[[Seat, If, str], Frame], Callable[[Seat], Action | None]]

WAYS: dict[str, Way] = {
    "at once": (lambda who, effect, source: Run(who, Item(effect, source)), lambda _: None),
    "as an option": (
        lambda who, effect, source: ChooseOption(who, (effect, Gain(0, "water")), source),
        lambda who: Choose(who, 0),
    ),
    "if one likes": (
        lambda who, effect, source: Decide(who, Item(effect, source)),
        lambda who: Accept(who),
    ),
}
"""How an effect with a condition comes up: the frame, and the input that uses the effect."""

CASES = tuple({"way": way} for way in WAYS)


def _claim_used_only_if(way: str, condition: Condition, met: Callable[[State, Seat], Any]) -> None:
    """The effect is used exactly by whom the condition lets use it, and else changes nothing."""
    who: Seat = 0
    amount = quantity("amount", 1)
    make, use = WAYS[way]
    source = next(iter(printed().spaces))
    frame = make(who, If(condition, Gain(amount, "solari")), source)
    before = symbolic_state(PLAYERS, pending=(frame,))
    allowed = met(before, who)
    line, given = line_from(before), use(who)
    if given is not None:
        offered = legal(IMPERIUM, before, given) is None
        claim(offered == allowed, f"{NAMES[who]} may use it exactly if the condition is met")
        claim((given in options(IMPERIUM, before)) == allowed, "it is offered exactly then")
        if not offered:
            return
    line = line.given(given)
    while line.state.pending:
        line = line.given(None)
    gained = line.state.players[who].solari - before.players[who].solari
    right = gained == pick(allowed, amount, 0)
    claim(right, f"{NAMES[who]} gains the Solari exactly if the condition is met")
    claim_only(before, line.state, ("solari",), ("pending",))


@proves(
    {
        "UPR-FACTION-013": Twin(
            MODULE,
            "return holder_of(state, faction) == seat",
            "return holder_of(state, faction) is not None",
        )
    },
    cases=CASES,
)
def only_the_holder_uses_an_effect_with_an_alliance(way: str) -> None:
    """Unsatisfiable iff such an effect can be used by the holder of the token and nobody else.

    The token is that of the Faction named, whatever Influence anybody has. For the holder the
    effect is allowed and happens. For others it is refused, or nothing changes.
    """
    faction = choose("faction", factions())

    def met(state: State, who: Seat) -> bool:
        return ally_of(state, faction) == who

    _claim_used_only_if(way, HoldsAlliance(faction), met)


@proves(
    {
        "UPR-FACTION-014": Twin(
            MODULE,
            "return influence(state, seat, faction) >= amount",
            "return influence(state, seat, faction) > amount",
        )
    },
    cases=CASES,
)
def an_effect_with_influence_needs_that_much_of_it(way: str) -> None:
    """Unsatisfiable iff such an effect can be used exactly with so much Influence or more.

    The Influence is the player's own with the Faction named. With it the effect is allowed and
    happens; with less it is refused, or nothing changes.
    """
    faction = choose("faction", factions())
    needed = quantity("needed")

    def met(state: State, who: Seat) -> Any:
        return influence_of(state, faction, who) >= needed

    _claim_used_only_if(way, InfluenceAtLeast(faction, needed), met)


# The Fremen Bond

FREMEN = "fremen"
ASKER = CardFace("asker", "Asker", factions=(FREMEN,))
FRIEND = CardFace("friend", "Friend", factions=("emperor", FREMEN))
STRANGER = CardFace("stranger", "Stranger", factions=("emperor",))

IN_PLAY = {
    ("asker",): False,
    ("asker", "stranger"): False,
    ("asker", "asker"): True,
    ("asker", "friend"): True,
    ("asker", "friend", "friend", "stranger"): True,
    ("friend", "stranger"): True,
    ("stranger",): False,
    (): False,
}
"""Cards in play, and whether one of them is a Fremen card other than the one that asks."""


@proves(
    {
        "UPR-ICON-005": Twin(
            "rules_engine.imperium.conditions",
            "return found - 1 if itself else found",
            "return found",
        )
    },
)
def a_fremen_bond_needs_another_fremen_card_in_play() -> None:
    """Unsatisfiable iff a bond gives its effect just if the owner has another Fremen card in play.

    The card that asks does not count, an equal one does. Fremen cards of the owner elsewhere and
    of other players do not. Without one nothing happens; nothing else ever changes.
    """
    cards = choose("in play", tuple(IN_PLAY))
    amount = quantity("amount")
    bond = If(AnotherInPlay(FREMEN), Gain(amount, "water"))
    own = {"in_play": cards, "hand": ("friend",), "discard": ("friend",)}
    others = {"in_play": ("friend",)}
    faces = (ASKER, FRIEND, STRANGER)
    frame = Run(OWNER, Item(bond, ASKER.id, boxed=True))
    before = with_cards((frame,), own, others, cards=faces, turn=None)
    after, _ = play_out(before)
    gained = amount if IN_PLAY[cards] else 0
    old, new = before.players[OWNER], after.players[OWNER]
    claim(new.water == old.water + gained, "the effect comes just with another Fremen card")
    claim_only(before, after, ("water",), ("pending",))


# Whose things a condition asks about

POST = "post_fremen"
DEAR, CHEAPER = CardFace("dear", "Dear", cost=3), CardFace("cheaper", "Cheaper", cost=2)
ACQUIRED, REVEALED = "bought", "revealed"
MAKER_SPACE, FACTION_SPACE, COMBAT_SPACE = "hagga_basin", "secrets", "arrakeen"
MAKER_POST = "post_hagga_basin"
ICON = "crysknife"

Truth = Callable[[State, Seat, ThisTurn | None], Any]


def _acquired(turn: ThisTurn | None) -> bool:
    return turn is not None and ACQUIRED in turn.acquired


IN_TURN: dict[str, tuple[Condition, Truth]] = {
    "spice this turn": (
        AtLeast("spice_gained_this_turn", 3),
        lambda _, __, turn: False if turn is None else turn.spice >= 3,
    ),
    "units this turn": (
        AtLeast("units_deployed_this_turn", 3),
        lambda _, __, turn: False if turn is None else turn.most_deployed >= 3,
    ),
    "a Spy recalled": (
        Is("recalled_spy_this_turn"),
        lambda _, __, turn: turn is not None and turn.recalled_spy,
    ),
    "at a Maker space": (
        Is("at_maker_space"),
        lambda _, __, turn: turn is not None and turn.space == MAKER_SPACE,
    ),
    "at a Faction's space": (
        Is("at_faction_space"),
        lambda _, __, turn: turn is not None and turn.space == FACTION_SPACE,
    ),
    "acquired": (Acquired(ACQUIRED), lambda _, __, turn: _acquired(turn)),
    "not acquired": (Not(Acquired(ACQUIRED)), lambda _, __, turn: not _acquired(turn)),
    "agents to recall": (
        AtLeast("agents_to_recall", 2),
        lambda _, __, turn: turn is None or turn.space == FACTION_SPACE,
    ),
}
"""What is about the turn: the condition, and whether it holds, given the own turn, if it is one."""

OF_PLAYER: dict[str, tuple[Condition, Truth]] = {
    "Spies": (
        AtLeast("spies_on_board", 2),
        lambda state, seat, _: sum(spy.seat == seat for spy in state.spies) >= 2,
    ),
    "units": (
        AtLeast("units_in_conflict", 2),
        lambda state, seat, _: state.players[seat].troops + state.players[seat].sandworms >= 2,
    ),
    "strength": (
        AtLeast("strength", 5),
        lambda state, seat, _: state.players[seat].strength >= 5,
    ),
    "deck": (AtLeast("deck_size", 1), lambda *_: True),
    "a larger deck": (AtLeast("deck_size", 2), lambda *_: False),
    "High Council": (
        Is("high_council"),
        lambda state, seat, _: state.players[seat].high_council,
    ),
    "Swordmaster": (
        Is("swordmaster"),
        lambda state, seat, _: state.players[seat].swordmaster,
    ),
    "Maker Hooks": (Is("maker_hooks"), lambda state, seat, _: state.players[seat].maker_hooks),
    "spying on a Maker space": (
        Is("spying_on_maker_space"),
        lambda state, seat, _: SpyAt(MAKER_POST, seat) in state.spies,
    ),
    "copies": (Owns("copy", 4), lambda *_: True),
    "more copies": (Owns("copy", 5), lambda *_: False),
    "any Alliance": (
        HoldsAlliance(ANY_FACTION),
        lambda state, seat, _: any(each.holder == seat for each in state.alliances),
    ),
    "beside an Alliance": (
        BesideAlliance(2),
        lambda state, seat, _: any_of(
            *(
                influence_of(state, each.faction, seat) >= 2
                for each in state.alliances
                if each.holder is not None and each.holder != seat
            )
        ),
    ),
    "both": (
        Both(Is("high_council"), Is("maker_hooks")),
        lambda state, seat, _: all_of(
            state.players[seat].high_council, state.players[seat].maker_hooks
        ),
    ),
}
"""What is about the owner's own things."""

ALL_ASKED = {**IN_TURN, **OF_PLAYER}


def _asked_of(
    seat: Seat,
    players: int,
    turn: ThisTurn,
    frame: Run,
    own: Mapping[str, Any] | None = None,
    spy: Seat | None = None,
    ally: Seat | None = None,
) -> State:
    """A table at which others have what the owner may be asked for; the owner has it, or not.

    `spy` has the Spy at a Maker space, `ally` all the Alliances; `own` is what the owner has else.
    """
    copies = dict.fromkeys(("hand", "discard", "in_play"), ("copy",))
    mine = {**copies, "deck": shuffled(("copy",))}
    theirs = {
        "set_aside": ("copy",),
        "swordmaster": True,
        "deck": shuffled(("copy",) * 3),
        "in_play": ("copy", FRIEND.id),
        "won": (Won("skirmish_crysknife", ICON),),
    }
    following = (seat + 1) % players
    by_maker = following if spy is None else spy
    spies = (SpyAt(MAKER_POST, by_maker), SpyAt(POST, seat), SpyAt(POST, following))
    out = (MAKER_SPACE, COMBAT_SPACE)
    state = full_table(
        seat,
        players,
        (frame,),
        {**mine, **(own or {})},
        {**copies, **theirs},
        cards=(CardFace("copy", "Copy"), ASKER, FRIEND, STRANGER, DEAR, CHEAPER),
        spies=spies,
        agents=tuple(AgentAt(space, who) for space in out for who in range(players)),
        alliances=tuple(Alliance(faction, ally) for faction in factions()),
        turn=turn,
    )
    for faction in factions():
        domain(_stand_for(state, faction, ally))
    return state


def _stand_for(state: State, faction: str, ally: Seat | None) -> Any:
    """Whether everybody's Influence is such that this player, or nobody, holds the Alliance."""
    standing = [influence_of(state, faction, each.seat) for each in state.players]
    if ally is None:
        return all_of(*(each < ALLIES for each in standing))
    highest = (each <= standing[ally] for each in standing)
    return all_of(standing[ally] >= ALLIES, *highest)


def _own_turn(state: State, seat: Seat) -> ThisTurn | None:
    return state.turn if state.turn is not None and state.turn.seat == seat else None


@proves(
    {
        "UPR-CHOAM-012": Twin(
            MODULE,
            "    turn = own_turn(state, seat)\n    return 0 if turn is None else turn.spice",
            "    turn = state.turn\n    return 0 if turn is None else turn.spice",
        ),
        "UPR-AGENT-013": Twin(
            MODULE,
            "return count_true(at.seat == seat and at.space != sent for at in state.agents)",
            "return count_true(at.seat == seat for at in state.agents)",
        ),
        "UPR-SPY-001": Twin(
            MODULE,
            "return any(space_face(state, space).maker for space in spied_spaces(state, seat))",
            "return any(\n        space_face(state, space).maker\n"
            "        for who in range(len(state.players))\n"
            "        for space in spied_spaces(state, who)\n    )",
        ),
    },
)
def a_condition_is_about_its_owner_and_the_own_turn() -> None:
    """Unsatisfiable iff a condition holds just by what its owner has, or did in the own turn.

    What other players have, also the one in turn, does not count. If it holds its effect comes, and
    else what stands otherwise; nothing else of anybody changes.
    """
    players = 3
    seat = any_seat(players)
    asked_for = choose("condition", tuple(ALL_ASKED))
    condition, truth = ALL_ASKED[asked_for]
    spaces = (MAKER_SPACE, FACTION_SPACE, COMBAT_SPACE) if asked_for in IN_TURN else (MAKER_SPACE,)
    in_turn = (seat, (seat + 1) % players) if asked_for in IN_TURN else ((seat + 1) % players,)
    turn = busy_turn(
        choose("turn of", in_turn),
        "agent",
        space=choose("space", spaces),
        recalled_spy=asked_for != "a Spy recalled" or choose("recalled", (True, False)),
        acquired=choose("bought", ((ACQUIRED,), ("earlier",))) if "acquired" in asked_for else (),
    )
    effect = If(condition, Gain(1, "solari"), Gain(1, "water"))
    spy, ally = seat, seat
    if asked_for in OF_PLAYER:
        spy = ally = choose("who has it", (seat, (seat + 1) % players))
    own = {"swordmaster": asked_for == "Swordmaster" and spy == seat}
    frame = Run(seat, Item(effect, ASKER.id))
    before = _asked_of(seat, players, turn, frame, own, spy=spy, ally=ally)
    old = before.players[seat]
    holds = truth(before, seat, _own_turn(before, seat))
    after, _ = play_out(before)
    came = pick(holds, 1, 0)
    new = {"solari": old.solari + came, "water": old.water + 1 - came}
    claim_just(before, after, {seat: new})


DID: dict[str, tuple[Condition, str, str, str]] = {
    "discarded": (Discarded(FREMEN), "discards", FRIEND.id, STRANGER.id),
    "trashed": (Trashed(3), "trashes", DEAR.id, CHEAPER.id),
    "placed": (PlacedOn("faction"), "places", POST, MAKER_POST),
}
"""What a card asks that it did: the condition, the kind of deed, to what, and what is not it."""

WHICH = {
    "that": (True, True, True),
    "another card": (False, True, True),
    "another deed": (True, False, True),
    "to something else": (True, True, False),
}
"""Whether the card, the kind of deed and what it was done to are those that are asked about."""


@proves(
    {
        "UPR-ROUND-005": Twin(
            MODULE,
            "if deed.kind == kind and deed.source == source)",
            "if deed.kind == kind)",
        )
    },
    cases=TABLES,
)
def a_card_asks_what_it_did_itself_in_the_own_turn(players: int) -> None:
    """Unsatisfiable iff such a condition holds just for that deed of that card in the own turn.

    What it was done to has to be what the condition says: a card of the Faction, or of at least
    that cost, or a post linked to such a space.
    """
    seat = any_seat(players)
    condition, kind, asked_for, another = DID[choose("condition", tuple(DID))]
    same_card, same_kind, same_thing = WHICH[choose("deed", tuple(WHICH))]
    whose = choose("turn of", (seat, (seat + 1) % players))
    what = asked_for if same_thing else another
    deed = Deed(kind if same_kind else "other", ASKER.id if same_card else STRANGER.id, what)
    turn = busy_turn(whose, "agent", deeds=(Deed("counts", ASKER.id, asked_for), deed))
    frame = Run(seat, Item(If(condition, Gain(1, "solari")), ASKER.id))
    before = _asked_of(seat, players, turn, frame)
    after, _ = play_out(before)
    holds = same_card and same_kind and same_thing and whose == seat
    solari = before.players[seat].solari + (1 if holds else 0)
    claim_just(before, after, {seat: {"solari": solari}})


COUNTS: dict[str, tuple[Count, int, int]] = {
    "cards in play": (CardsInPlay(FREMEN), 2, 2),
    "cards revealed": (CardsRevealed(FREMEN), 1, 0),
    "cards with swords": (SwordCards(), 2, 0),
    "face-up icons": (FaceUpIcons(ICON), 1, 1),
}
"""What is counted, and how many the owner has: in the own turn, and in another's."""


@proves(
    {
        "UPR-COMBAT-028": Twin(
            MODULE,
            "won = player(state, seat).won",
            "won = tuple(each for owner in state.players for each in owner.won)",
        ),
        "UPR-ROUND-005": Twin(
            MODULE,
            "return 0 if turn is None else of_faction(state, turn.shown, faction)",
            "return of_faction(state, player(state, seat).in_play, faction)",
        ),
    },
    cases=TABLES,
)
def a_count_is_of_its_owners_things_and_the_own_turns(players: int) -> None:
    """Unsatisfiable iff an effect for each comes as often as its owner has such things.

    Those of others do not count, a card with swords that asks does not count itself, and what was
    revealed counts just in the own turn. Nothing else of anybody changes.
    """
    seat = any_seat(players)
    count, own, another = COUNTS[choose("counted", tuple(COUNTS))]
    whose = choose("turn of", (seat, (seat + 1) % players))
    amount = quantity("amount", 1)
    turn = busy_turn(
        whose,
        "reveal",
        shown=(FRIEND.id, STRANGER.id),
        sword_cards=(ASKER.id, FRIEND.id, STRANGER.id),
    )
    cards = ("spice_freighters", "choam_security", "battle_for_arrakeen")
    won = (Won(cards[0], ICON), Won(cards[1], ICON, face_up=False), Won(cards[2], "wild"))
    mine = {"in_play": (ASKER.id, FRIEND.id, STRANGER.id), "won": won}
    frame = Run(seat, Item(Per(count, Gain(amount, "solari")), ASKER.id))
    before = _asked_of(seat, players, turn, frame, own=mine)
    after, _ = play_out(before)
    times = own if whose == seat else another
    solari = before.players[seat].solari + times * amount
    claim_just(before, after, {seat: {"solari": solari}})
