"""What Leaders do by themselves: the training track, and a space once more."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import CardFace
from rules_engine.effects.tree import (
    Arrow,
    AtPlacement,
    Effect,
    FlipLeader,
    Gain,
    GainInfluence,
    May,
    RepeatSpace,
    Train,
    UseSignet,
)
from rules_engine.imperium.actions import PlayAgent, Resolve
from rules_engine.imperium.actions import Train as PickWay
from rules_engine.imperium.frames import (
    AgentTurn,
    DrawFromDeck,
    DrawFromIntrigue,
    Effects,
    Item,
    Placed,
    Run,
    Turn,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, SpyAt, State, ThisTurn, follows
from rules_engine.kernel.game import Frame, legal, options
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.changes import nothing_changed, only, player_kept, players_kept
from verifier.current import assume, choose, claim, stage
from verifier.numbers import all_of
from verifier.placements import assume_default
from verifier.play import Line, line_from, play_out
from verifier.positions import (
    AGENTS,
    NAMES,
    SPIES,
    covered_config,
    open_rulings,
    printed,
    remembering_leader,
    symbolic_state,
    unchanged,
)
from verifier.registry import Twin, proves
from verifier.seats import after, anyone, claim_told, counting, done_alone, done_by, seated

FEYD = "feyd_rautha_harkonnen"
END = "final"
"""The rightmost space of the training track."""

COLUMNS = {
    "start": 0,
    "paid_trash": 1,
    "spy_a": 1,
    "trash_b": 2,
    "trash_c": 3,
    "spy_c": 3,
    "spice_d": 4,
    END: 5,
}
"""How far to the right each space of the training track is."""

PLAYERS = 3
SIGNET = "signet_ring"


def _training(effect: Effect, space: str) -> Line:
    """Feyd's token is on a space of its track, and an effect of Feyd's is about to happen."""
    who: Seat = 0

    def led(owner: Player) -> dict[str, str]:
        return {"leader": FEYD, "training": space} if owner.seat == who else {}

    return line_from(symbolic_state(PLAYERS, led, pending=(Run(who, Item(effect, SIGNET)),)))


@proves(
    {
        "UPR-CLAR-002": Twin(
            "rules_engine/catalogue/uprising/leaders.toml", "next = []", 'next = ["start"]'
        )
    },
)
def the_training_token_stays_at_the_right_end() -> None:
    """Unsatisfiable iff at the right end the token stays where it is, and nothing comes of it.

    A further step of training, also by the Signet Ring, changes nothing for anybody, and nothing
    is left to be done.
    """
    effects: tuple[Effect, ...] = (Train(), UseSignet())
    line = _training(choose("effect", effects), END)
    before = line.state
    while line.state.pending and not options(IMPERIUM, line.state):
        line = line.given(None)
    after = line.state
    claim(not after.pending, "nothing is left to be done")
    for old, new in zip(before.players, after.players, strict=True):
        claim(unchanged(old, new), f"nothing changes for {old.name}")
    claim(unchanged(before, after, "players", "pending"), "the table stays as it is")


@proves(
    {
        "UPR-CLAR-002": Twin(
            "rules_engine/catalogue/uprising/leaders.toml",
            'next = ["spice_d"]',
            'next = ["trash_b"]',
        )
    },
)
def training_goes_to_the_right() -> None:
    """Unsatisfiable iff a step of training never takes the token to the left or leaves it behind.

    From every space but the rightmost the token goes to a space further to the right, along each
    way that is allowed or offered, which are the same, so that it comes to the right end.
    """
    space = choose("space", tuple(each for each in COLUMNS if each != END))
    line = _training(Train(), space).given(None)
    if line.state.players[0].training == space:
        way = PickWay(0, choose("way", tuple(COLUMNS)))
        allowed = legal(IMPERIUM, line.state, way) is None
        claim(allowed == (way in options(IMPERIUM, line.state)), "what is allowed is offered")
        assume(allowed)
        line = line.given(way)
    now = line.state.players[0].training
    claim(now in COLUMNS and COLUMNS[now] > COLUMNS[space], "the token is further to the right")
    claim_told(line.events, "trains", 0, training=now)
    (reward,) = (each.reward for each in printed().leaders[FEYD].training if each.id == now)
    items = tuple(Item(effect, FEYD) for effect in reward)
    claim(line.state.pending == (Effects(0, items),), "what its new space shows comes next")
    claim(only(line.start, line.state, 0, training=now), "nothing else changes for anybody")


# Sending an Agent


CARD = "any_card"
VISITED = ("secrets", "fremkit", "imperial_basin", "arrakeen")
"""A space of the Bene Gesserit, one of the Fremen, a Maker space, and one that is neither."""
SMUGGLER = "staban_tuek"
"""Who gets a spice for an opponent's Agent at a Maker space that a Spy of his watches."""
MAKER_SPACES = ("deep_desert", "hagga_basin", "imperial_basin")
DEAREST = 3
"""How much water the dearest of them costs. UPR-BOARD-007"""
ICONS = {"lady_jessica": ("bene_gesserit",), "reverend_mother_jessica": ("bene_gesserit", "fremen")}
"""The Leaders who say something about an Agent sent to spaces with these icons."""


def _sending(
    who: Seat, leaders: dict[Seat, str], signet: bool, spies: tuple[SpyAt, ...] = ()
) -> State:
    """A player is about to play a card that opens every space, with the Signet icon or without."""
    icons = tuple(sorted({each.icon for each in printed().spaces.values()}))
    box: tuple[Effect, ...] = (UseSignet(), Gain(1, "water")) if signet else (Gain(1, "water"),)
    card = CardFace(CARD, "Any Card", agent_icons=icons, agent=box)

    def more(owner: Player) -> dict[str, Any]:
        out = sum(spy.seat == owner.seat for spy in spies)
        known = {"leader": leaders.get(owner.seat), "spies": SPIES - out, "contracts": ()}
        pieces = {"agents": AGENTS, "swordmaster": False, "in_play": ()}
        return {**known, **pieces, "hand": (CARD,) if owner.seat == who else ()}

    return symbolic_state(
        PLAYERS,
        more,
        config=change(covered_config(PLAYERS), cards=(card,), rulings=open_rulings(())),
        agents=(),
        spies=spies,
        turn=ThisTurn(who),
        pending=(Turn(who),),
    )


def _at_once(state: State) -> tuple[Run, ...]:
    """What happens before the effects of the turn are due."""
    return tuple(frame for frame in state.pending if isinstance(frame, Run))


def _due(state: State) -> tuple[Item, ...]:
    """The effects that are due once an Agent is there."""
    (placed,) = (frame for frame in state.pending if isinstance(frame, Placed))
    return placed.items


@proves(
    {
        "UPR-AGENT-014": Twin(
            "rules_engine.imperium.leaders",
            "for effect in (face.signet if _is_signet(item) else (item.effect,))",
            "for effect in (face.signet if not item.boxed else (item.effect,))",
        ),
        "UPR-CLAR-007": Twin(
            "rules_engine.imperium.leaders",
            "if face is None or not any(map(_is_signet, box)):",
            "if face is None:",
        ),
    },
)
def an_agent_sent_brings_just_what_the_leader_says() -> None:
    """Unsatisfiable iff a Leader adds just the own words to a turn in which an Agent is sent.

    In the place of the Signet icon come the effects of the Signet ability, and the other effects of
    the card stay. What a Leader says about such a space is due besides. What applies from the
    moment an Agent is sent by the icon happens at once, for that player, and only with the icon.
    """
    who = anyone(3)
    leader = choose("leader", (None, *printed().leaders))
    space, signet = choose("space", VISITED), choose("signet", (True, False))
    before = _sending(who, {} if leader is None else {who: leader}, signet)
    after, _ = done_by(before, PlayAgent(who, CARD, space))
    face = None if leader is None else printed().leaders[leader]
    ability = (UseSignet(),) if face is None else face.signet
    of_card = [*(ability if signet else ()), Gain(1, "water")]
    due = _due(after)
    claim([each.effect for each in due if each.source == CARD] == of_card, "the box is right")
    claim(all(each.boxed == (each.source == CARD) for each in due), "and is the card's")
    speaks = printed().spaces[space].icon in ICONS.get(str(leader), ())
    words = () if face is None or not speaks else face.ability.effects
    claim(
        [each.effect for each in due if each.source == leader] == [*words], "the ability is right"
    )
    claim({each.source for each in due} <= {CARD, leader, space}, "nothing else is due")
    at_once = () if face is None or not signet else face.on_signet
    runs = tuple(Run(who, Item(each, str(leader))) for each in at_once)
    claim(after.pending[1:] == runs, "what applies at once comes first")


@proves(
    {
        "UPR-ROUND-005": Twin(
            "rules_engine.imperium.leaders",
            "if other.seat != seat and space in spied_spaces(state, other.seat)",
            "if space in spied_spaces(state, other.seat)",
        )
    },
)
def a_watching_smuggler_gets_a_spice() -> None:
    """Unsatisfiable iff a Spy that watches a Maker space gives Staban a spice for others' Agents.

    It is he who gets it, at once. His own Agent gives none, nor does a Spy elsewhere or another
    space.
    """
    who, smuggler = anyone(3), anyone(3, "smuggler")
    space = choose("space", (*MAKER_SPACES, "arrakeen"))
    linked = [post.id for post in printed().posts.values() if space in post.spaces]
    other = next(post for post in printed().posts if post not in linked)
    post = choose("post", (linked[0], other))
    spies = [SpyAt(post, smuggler)]
    if post == other:
        spies.append(SpyAt(linked[0], after(smuggler, PLAYERS)))
    spies.sort(key=lambda spy: (spy.post, spy.seat))
    before = _sending(who, {smuggler: SMUGGLER}, False, tuple(spies))
    assume(before.players[who].water >= DEAREST)
    sent, _ = done_by(before, PlayAgent(who, CARD, space))
    watches = space in MAKER_SPACES and post == linked[0] and who != smuggler
    gets = (Run(smuggler, Item(Gain(1, "spice"), SMUGGLER)),) if watches else ()
    claim(_at_once(sent) == gets, "the spice is Staban's, and comes at once")


# The other side


JESSICA, REVEREND = "lady_jessica", "reverend_mother_jessica"


@proves(
    {
        "UPR-CLAR-003": Twin(
            "rules_engine.imperium.leaders",
            "state = add_to_turn(state, seat, sending_items(state, seat, space))",
            "state = add_to_turn(state, seat, ())",
        )
    },
)
def the_other_side_speaks_on_the_very_turn() -> None:
    """Unsatisfiable iff the ability of the side turned up joins the turn that turned it up.

    That is so if it speaks of the visited space, behind what is due already. A card is drawn for
    each memory.
    """
    who = anyone(3)
    space = choose("space", ("secrets", "fremkit", "arrakeen"))
    waiting = (Item(Gain(1, "water"), space),)
    frames = (AgentTurn(who, waiting), Run(who, Item(FlipLeader(), JESSICA)))
    own = {**remembering_leader(NAMES[who])}
    before = seated(who, frames, own, turn=counting(who, "agent", space=space), rulings=())
    after, events = done_alone(before)
    speaks = printed().spaces[space].icon in ICONS[REVEREND]
    words = printed().leaders[REVEREND].ability.effects if speaks else ()
    turn, draw = after.pending
    joined = (*waiting, *(Item(each, REVEREND) for each in words))
    claim(turn == AgentTurn(who, joined), "the new ability is due, and what was due before")
    old = before.players[who]
    claim(draw == DrawFromDeck(who, old.memories), "a card is drawn for each memory")
    supply = old.supply + old.memories
    changes = {"leader": REVEREND, "memories": 0, "supply": supply}
    claim(only(before, after, who, **changes), "the memories are in the supply, and no more")
    claim_told(events, "flips_leader", who, troops=old.memories, leader=REVEREND)


@proves(
    {
        "UPR-ROUND-005": Twin(
            "rules_engine.imperium.leaders",
            'allowed = follows(state, "jessica_spice_agony_no_troop") == "pay_and_draw"',
            'allowed = follows(state, "jessica_spice_agony_no_troop") == "not_allowed"',
        )
    },
)
def lady_jessica_buys_and_turns_as_the_rulings_say() -> None:
    """Unsatisfiable iff Spice Agony takes a spice and the flip nothing, each where it can be done.

    Without a troop in supply the first can be bought if `jessica_spice_agony_no_troop` lets it,
    without a memory the second be done if `jessica_zero_memories` does. What both bring besides,
    `memories_come_from_the_supply_and_go_back_to_it` says.
    """
    who = anyone(3)
    face = printed().leaders[JESSICA]
    (agony,), (flip,) = face.signet, face.ability.effects
    water = Item(Gain(1, "water"), SPACE)
    items = (Item(agony, SIGNET), Item(flip, JESSICA), water)
    before = seated(who, (Effects(who, items),), {**remembering_leader(NAMES[who])}, turn=None)
    assume_default(before, "no_deliberate_fizzle")
    owner = before.players[who]
    index = choose("index", (0, 1))
    given = Resolve(who, index)
    stage(before, (given,))
    allowed = legal(IMPERIUM, before, given) is None
    if index == 0:
        free = follows(before, "jessica_spice_agony_no_troop") == "pay_and_draw"
        can = all_of(owner.spice >= 1, True if free else owner.supply >= 1)
    else:
        free = follows(before, "jessica_zero_memories") == "allowed"
        can = True if free else owner.memories >= 1
    claim(can == allowed, "it is allowed as the rulings say")
    if not allowed:
        return
    now, _ = play_out(before, apart=(Effects, DrawFromDeck, DrawFromIntrigue), first=given)
    spice = owner.spice - 1 if index == 0 else owner.spice
    claim(now.players[who].spice == spice, "the one costs a spice, the other none")
    claim(players_kept(before, now, who), "nobody else pays or gets anything")
    kept = player_kept(before, now, who, "spice", "leader", "memories", "supply")
    claim(kept, "nothing else is paid")


# The visited space once more


REPEAT = "reverend_mother_jessica"
SPACE = "fremkit"
"""A space of the Fremen, where a card is drawn."""


@proves(
    {
        "UPR-ROUND-005": Twin(
            "rules_engine.imperium.leaders",
            "if any(_is_printed_duty(state, item, space) for item in frame.items):",
            "if all(_is_printed_duty(state, item, space) for item in frame.items):",
        )
    },
)
def a_space_is_repeated_after_it_was_resolved() -> None:
    """Unsatisfiable iff one water buys the visited space again just when its own effects are done.

    That is so of every space. The Influence of the visit may still be due, and what can be left. So
    may effects of the card, and where no turn is pending nothing of the space is.
    """
    who: Seat = 0
    space = choose("space", tuple(printed().spaces))
    shown = [each for each in printed().spaces[space].effects if not isinstance(each, AtPlacement)]
    of_card = Item(Gain(1, "spice"), SIGNET)
    due = choose("due", (*((each,) for each in shown), (), None))
    turn = () if due is None else (AgentTurn(who, (*(Item(each, space) for each in due), of_card)),)
    (ability,) = printed().leaders[REPEAT].ability.effects
    next_up = Effects(who, (Item(ability, REPEAT), of_card))
    before = symbolic_state(
        PLAYERS,
        lambda owner: {"leader": REPEAT} if owner.seat == who else {},
        turn=ThisTurn(who, kind="agent", space=space),
        pending=(*turn, next_up),
    )
    buys = Resolve(who, 0)
    stage(before, (buys,))
    allowed = legal(IMPERIUM, before, buys) is None
    enough = before.players[who].water >= 1
    visit = GainInfluence(1, printed().spaces[space].icon)
    if any(each != visit and not isinstance(each, May | Arrow) for each in due or ()):
        claim(not allowed, "the space is resolved first")
    else:
        claim(allowed == enough, "the space is repeated for a water")


@proves(
    {
        "UPR-ROUND-005": Twin(
            "rules_engine.imperium.leaders",
            'again = follows(state, "reverend_mother_scope") == "with_influence"',
            'again = follows(state, "reverend_mother_scope") == "printed_effects"',
        )
    },
)
def what_a_space_shows_is_due_once_more() -> None:
    """Unsatisfiable iff repeating the visited space makes its printed effects due in the own turn.

    The Influence of the visit comes again only if `reverend_mother_scope` says so, and what was
    bought with a cost at the visit does not. They are behind what is due, and nothing changes as
    yet. Without a visit in the own turn nothing is due.
    """
    who = anyone(3)
    space = choose("space", tuple(printed().spaces))
    own_turn = choose("own turn", (True, False))
    whose = who if own_turn else after(who, 3)
    waiting = (Item(Gain(1, "solari"), SIGNET),)
    frames: tuple[Frame, ...] = (AgentTurn(whose, waiting), Run(who, Item(RepeatSpace(), REPEAT)))
    turn = counting(whose, "agent", space=space)
    before = seated(who, frames, {"leader": REPEAT}, turn=turn)
    now, events = done_alone(before)
    face = printed().spaces[space]
    visit = GainInfluence(1, face.icon)
    scope = own_turn and follows(before, "reverend_mother_scope") == "with_influence"
    shown = [each for each in face.effects if not isinstance(each, AtPlacement)]
    again = [each for each in shown if scope or each != visit]
    joined = (*waiting, *(Item(each, space) for each in again)) if own_turn else waiting
    claim(now.pending == (AgentTurn(whose, joined),), "just that is due once more")
    claim(nothing_changed(before, now), "nothing changes as yet")
    if own_turn:
        claim_told(events, "repeats_space", who, space=space)
