"""The Reveal turn: who takes it and when, what it brings, and what is left after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_engine.catalogue.faces import CardFace, LeaderFace
from rules_engine.catalogue.things import sentences, things
from rules_engine.effects.tree import Condition, Effect, Gain, If, Swords, walk
from rules_engine.imperium.actions import EndTurn, PlayAgent, Resolve, Reveal
from rules_engine.imperium.frames import AgentTurn, Combat, Item, PlayerTurns, RevealTurn, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Player, State, ThisTurn, follows
from rules_engine.kernel.decks import zone
from rules_engine.kernel.game import Action, asked, handle, legal, options
from rules_engine.kernel.numbers import pick
from rules_engine.kernel.outcomes import Seat, Step
from rules_engine.kernel.records import Record
from verifier.changes import player_kept, players_kept
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.numbers import all_of
from verifier.play import Watch, next_state
from verifier.positions import (
    AGENTS,
    NAMES,
    NO_UNITS,
    claim_only,
    printed,
    unchanged,
    with_cards,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.seats import TABLES, anyone, claim_told, counting, done_by, seated
from verifier.seats import after as after_seat
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.reveal_turn"

HANDS = (
    (),
    ("dagger",),
    ("dagger", "dagger"),
    ("convincing_argument", "dagger", "diplomacy"),
    ("convincing_argument", "convincing_argument", "dagger", "dagger", "signet_ring"),
)
"""Hands of up to five cards, also with equal ones."""

PLAYED = ((), ("diplomacy",), ("dune_the_desert_planet", "reconnaissance"))
"""Cards in play from Agent turns before."""


def _card(name: str, *reveal: Effect, icons: tuple[str, ...] = ()) -> CardFace:
    """A card that exists in this game only, with a Reveal box."""
    return CardFace(name, name, agent_icons=icons, reveal=reveal)


def _deciding(own: dict[str, Any], who: Seat = OWNER, players: int = 3, **slots: Any) -> State:
    """A player is about to decide what kind of turn to take."""
    known: dict[str, Any] = {"turn": ThisTurn(who), "agents": (), "reveal_order": ()}
    frames = (Combat(), PlayerTurns(after_seat(who, players)), Turn(who))
    others = {"swordmaster": False}
    return seated(who, frames, own, others, players=players, **{**known, **slots})


def _ending(own: dict[str, Any], who: Seat, players: int, **slots: Any) -> State:
    """All effects of a player's Reveal turn are resolved."""
    turn = counting(who, "reveal")
    frames = (PlayerTurns(after_seat(who, players)), RevealTurn(who, ()))
    known: dict[str, Any] = {"turn": turn, "intrigue_discard": (), "trashed": ()}
    own = {"standing": (), "set_aside": (), **own}
    others = {"in_play": ("dagger",), "discard": (), "standing": (), "set_aside": ()}
    return seated(who, frames, own, others, players=players, **{**known, **slots})


def _claim_only(
    before: State, now: State, who: Seat, own: tuple[str, ...], table: tuple[str, ...]
) -> None:
    """Claim that nothing changes but these fields of one player and of the table."""
    kept = all_of(player_kept(before, now, who, *own), players_kept(before, now, who))
    claim(kept, "nothing else of anybody changes")
    claim(unchanged(before, now, "players", *table), "the table stays as it is")


# When to reveal


def _agents() -> tuple[dict[str, Any], Lazy]:
    """Two, one or no Agent left, also with the Swordmaster: what the player has, and the board."""
    spaces = tuple(sorted(printed().spaces)[:3])
    out = tuple(AgentAt(space, OWNER) for space in spaces)
    own = {
        "agents": Lazy("agents", (0, 0, 1, 2)),
        "swordmaster": Lazy("agents", (False, True, False, False)),
    }
    return own, Lazy("agents", (out[:2], out, out[:1], ()))


@proves(
    {
        "UPR-REVEAL-001": Twin(
            "rules_engine.imperium.agent_turn",
            "if player(state, seat).agents < 1:",
            "if player(state, seat).agents < 0:",
        )
    },
    cases=({"turn": "reveal"}, {"turn": "agent"}),
)
def without_agents_only_a_reveal_turn_is_left(turn: str) -> None:
    """Unsatisfiable iff a Reveal turn is always allowed, and is the only turn without an Agent.

    With 0 to 2 Agents left the player may reveal, which gives a Reveal turn and uses no Agent. With
    none, playing a card that has every icon to any space is refused, and only the Reveal turn is
    offered.
    """
    own, board = _agents()
    icons = sorted({space.icon for space in printed().spaces.values()})
    opener = _card("opener", icons=tuple(icons))
    own |= {"hand": (opener.id,), "in_play": (), "intrigues": (), **NO_UNITS}
    before = _deciding(own, agents=board, spies=(), cards=(opener,))
    reveal = Reveal(OWNER)
    stage(before, (reveal,))
    claim(legal(IMPERIUM, before, reveal) is None, "a Reveal turn is allowed")
    if turn == "reveal":
        after = next_state(before, reveal)
        claim(isinstance(after.pending[-1], RevealTurn), "it is a Reveal turn")
        claim(after.players[OWNER].agents == before.players[OWNER].agents, "no Agent is used")
        return
    assume(before.players[OWNER].agents == 0)
    play = PlayAgent(OWNER, opener.id, choose("space", tuple(printed().spaces)))
    claim(legal(IMPERIUM, before, play) is not None, "without an Agent none is sent")
    claim(options(IMPERIUM, before) == (reveal,), "only the Reveal turn is offered")


# Revealing


@proves(
    {"UPR-REVEAL-003": Twin(MODULE, "for card in shown:", "for card in dict.fromkeys(shown):")},
    cases=TABLES,
)
def every_card_in_hand_is_revealed(players: int) -> None:
    """Unsatisfiable iff the whole hand comes into play at once, beside what is there already.

    The player has revealed from then on, as the latest of all, and may have another strength.
    The turn is a Reveal turn that has shown these cards, and remembers what it has counted; all
    are told which cards they are. Nothing else of the player changes, nothing of other players and,
    but for the turn itself, nothing on the table.
    """
    who = anyone(players)
    first = after_seat(who, players)
    second = after_seat(first, players)
    orders = ((), (second, first), (first, who, second))
    hand, played, order = choose(
        "cards and order", tuple(zip(HANDS, PLAYED * 2, orders * 2, strict=False))
    )
    own = {"hand": hand, "in_play": played, "discard": ("seek_allies",), "high_council": False}
    before = _deciding(own, who, players, reveal_order=order, turn=counting(who, "undecided"))
    after, events = done_by(before, Reveal(who))
    others = tuple(seat for seat in order if seat != who)
    claim(after.reveal_order == (*others, who), "the player is the latest to reveal")
    owner = after.players[who]
    claim(owner.hand == (), "the hand is empty")
    claim(owner.in_play == zone(hand + played), "all of its cards are in play")
    claim(owner.revealed, f"{NAMES[who]} has revealed")
    changed = ("hand", "in_play", "revealed", "strength")
    _claim_only(before, after, who, changed, ("turn", "reveal_order", "pending"))
    claim_told(events, "reveals", who, cards=list(hand))
    turn = after.turn
    claim(turn is not None, "the turn goes on")
    if turn is not None and before.turn is not None:
        claim((turn.kind, turn.shown) == ("reveal", hand), "it is a Reveal turn of these cards")
        claim(unchanged(before.turn, turn, "kind", "shown"), "what it has counted stays")


def _boxes() -> dict[str, CardFace]:
    """Cards with any Persuasion and swords in their Reveal boxes; one was played before."""
    amounts = {name: quantity(name) for name in ("persuasion", "swords", "both", "unseen")}
    faces = (
        _card("argument", Gain(amounts["persuasion"], "persuasion")),
        _card("blade", Swords(amounts["swords"])),
        _card("speech", Gain(amounts["both"], "persuasion"), Swords(amounts["both"])),
        _card("played", Gain(amounts["unseen"], "persuasion"), Swords(amounts["unseen"])),
    )
    return {face.id: face for face in faces}


@proves(
    {
        "UPR-REVEAL-005": Twin(
            MODULE,
            "reveal_boxes(state, seat, shown), *leaders",
            "reveal_boxes(state, seat, player(state, seat).in_play), *leaders",
        )
    },
    cases=TABLES,
)
def only_cards_just_revealed_give_their_reveal_boxes(players: int) -> None:
    """Unsatisfiable iff the Reveal boxes of the cards just revealed are gained, and no others.

    Once all effects are resolved the player has as much more Persuasion, and as many more swords,
    as these boxes say together, and 2 Persuasion more for a seat on the High Council. A card in
    play from before adds nothing. Persuasion and swords of others stay.
    """
    faces = _boxes()
    who = anyone(players) if players == 3 else players - 1
    hand = choose("hand", ((), ("argument", "blade"), ("blade", "speech")))
    own = {"hand": hand, "in_play": ("played",), **NO_UNITS}
    before = _deciding(own, who, players, cards=tuple(faces.values()))
    inputs: tuple[Action, ...] = (Reveal(who),)
    stage(before, inputs)
    state = next_state(before, Reveal(who))
    while state.pending[-1] != RevealTurn(who, ()):
        inputs = (*inputs, Resolve(who, 0))
        stage(before, inputs)
        state = next_state(state, Resolve(who, 0))
    said = {
        "argument": (quantity("persuasion"), 0),
        "blade": (0, quantity("swords")),
        "speech": (quantity("both"), quantity("both")),
    }
    seat = pick(before.players[who].high_council, 2, 0)
    gained = (sum(said[card][0] for card in hand) + seat, sum(said[card][1] for card in hand))
    for old, new in zip(before.players, state.players, strict=True):
        persuasion, swords = gained if old.seat == who else (0, 0)
        claim(new.persuasion == old.persuasion + persuasion, f"{old.name}'s Persuasion adds up")
        claim(new.swords == old.swords + swords, f"{old.name}'s swords add up")


# What Leaders say


TESTED: dict[str, Callable[[Player], Any]] = {
    "gurney_halleck": lambda owner: owner.strength >= 6,
    "muad_dib": lambda owner: owner.sandworms >= 1,
}
"""The Leaders whose words for the Reveal turn have a condition, and that condition."""


@proves(
    {
        "UPR-REVEAL-005": Twin(
            MODULE,
            "*leaders.reveal_items(state, seat), *spaces)",
            "*spaces)",
        ),
        "UPR-FACTION-013": Twin(
            "rules_engine.imperium.turn_items",
            'if follows(state, "condition_check_time") == "when_resolved":',
            'if follows(state, "condition_check_time") == "at_start":',
        ),
    },
)
def a_leader_speaks_in_the_own_reveal_turn() -> None:
    """Unsatisfiable iff what a Leader says about Reveal turns, and nothing else, is due in one.

    A condition in it is tested now or when it is resolved, as `condition_check_time` says: tested
    now, only what it comes to is due, or nothing.
    """
    who = anyone(3)
    leader = choose("leader", tuple(printed().leaders))
    own = {"hand": (), "in_play": (), "high_council": False, "leader": leader}
    before = _deciding(own, who)
    after, _ = done_by(before, Reveal(who))
    frame = after.pending[-1]
    assert isinstance(frame, RevealTurn)
    said = printed().leaders[leader].ability
    effects = said.effects if said.when == "reveal_turn" else ()
    if leader in TESTED and follows(before, "condition_check_time") == "at_start":
        (tested,) = effects
        holds = TESTED[leader](after.players[who])
        effects = (tested.effect,) if isinstance(tested, If) and holds else ()
    claim(frame.items == tuple(Item(each, leader) for each in effects), "just that is due")


# The order of the steps


INPUTS: tuple[Action, ...] = (
    Reveal(OWNER),
    Resolve(OWNER, 0),
    Resolve(OWNER, 1),
    EndTurn(OWNER),
)
STEPS = {
    "the reveal": INPUTS[:1],
    "the first effect": INPUTS[1:3],
    "the second effect": INPUTS[1:2],
    "the clean up": INPUTS[3:],
}
"""The steps of a Reveal turn with two effects, and what is allowed at each."""


@proves(
    {
        "UPR-REVEAL-002": Twin(
            MODULE,
            "if not none(due(state, frame.seat, frame.items)):",
            "if none(due(state, frame.seat, frame.items)):",
        )
    },
    kind=ORDER,
)
def a_reveal_turn_reveals_then_resolves_then_cleans_up() -> None:
    """Unsatisfiable iff a Reveal turn is a reveal, then its effects, then the clean up.

    Whatever is tried in any order (to reveal, to resolve an effect, to end the turn), just the next
    step of these is allowed, and it is what happens: what moves the hand into play is the reveal,
    what gives Persuasion or swords is an effect, what leaves no card in play is the clean up.
    """
    persuasion, swords = quantity("persuasion", 1), quantity("swords", 1)
    faces = (_card("argument", Gain(persuasion, "persuasion")), _card("blade", Swords(swords)))
    own = {
        "hand": ("argument", "blade"),
        "in_play": ("dagger",),
        "discard": (),
        "standing": (),
        "set_aside": (),
        "high_council": False,
        **NO_UNITS,
    }
    start = state = _deciding(own, cards=faces, intrigue_discard=(), trashed=())
    inputs: tuple[Action, ...] = ()
    for number, (step, open_inputs) in enumerate(STEPS.items()):
        given = choose(f"input {number}", INPUTS)
        inputs = (*inputs, given)
        stage(start, inputs)
        allowed = legal(IMPERIUM, state, given) is None
        claim(allowed == (given in open_inputs), f"nothing but {step} is allowed")
        assume(allowed)
        after = next_state(state, given)
        claim(step.endswith(_step_taken(state, after)), f"it is {step}")
        state = after
    claim(isinstance(state.pending[-1], PlayerTurns), "the turn is over")


def _step_taken(before: State, after: State) -> str:
    """Which step of the turn this was, by what it did."""
    old, new = before.players[OWNER], after.players[OWNER]
    if len(new.hand) < len(old.hand):
        return "reveal"
    if len(new.in_play) < len(old.in_play):
        return "clean up"
    gained = new.persuasion + new.swords > old.persuasion + old.swords
    return "effect" if gained else "nothing"


# Clean up


@proves(
    {
        "UPR-REVEAL-008": Twin(
            "rules_engine.imperium.cards",
            "for card in player(state, seat).in_play:",
            "for card in dict.fromkeys(player(state, seat).in_play):",
        )
    },
    cases=TABLES,
)
def clean_up_discards_all_cards_in_play(players: int) -> None:
    """Unsatisfiable iff, at the end of a Reveal turn, the cards in play go to the discard pile.

    None stays in play, none is lost, and what was there stays. Intrigue cards that stood face up
    are discarded, cards still set aside leave the game. But for the Persuasion, of which none is
    left, nothing else of the player changes, nothing of others, and on the table only that the turn
    is over.
    """
    who = anyone(players)
    in_play, discard = choose("cards", tuple(zip(HANDS, (*PLAYED, *PLAYED), strict=False)))
    one, other, *_ = printed().intrigue
    standing, aside = choose("left", (((), ()), ((one,), ()), ((one,), ("diplomacy",))))
    own = {"in_play": in_play, "discard": discard, "hand": ("seek_allies",)}
    own |= {"standing": standing, "set_aside": aside}
    piles = {"intrigue_discard": (other,), "trashed": ("dagger",)}
    before = _ending(own, who, players, **piles)
    after, events = done_by(before, EndTurn(who))
    owner = after.players[who]
    claim(owner.in_play == (), "no card stays in play")
    claim(owner.discard == zone(in_play + discard), "all of them are in the discard pile")
    claim(after.turn is None, "the turn is over")
    claim(owner.persuasion == 0, "no Persuasion is left")
    claim((owner.standing, owner.set_aside) == ((), ()), "nothing stands or lies aside")
    claim(after.intrigue_discard == zone((other, *standing)), "Intrigue cards are discarded")
    claim(after.trashed == zone(("dagger", *aside)), "cards set aside have left the game")
    claim(isinstance(after.pending[-1], PlayerTurns), "somebody else is next")
    fields = ("in_play", "discard", "persuasion", "standing", "set_aside")
    table = ("turn", "pending", "intrigue_discard", "trashed")
    _claim_only(before, after, who, fields, table)
    claim_told(events, "cleans_up", who)


@proves(
    {
        "UPR-ACQ-007": Twin(
            MODULE,
            "    state = with_player(state, change(player(state, seat), persuasion=0))\n",
            "",
        )
    },
)
def unspent_persuasion_is_lost() -> None:
    """Unsatisfiable iff no Persuasion is left at the end of a Reveal turn, however much there was.

    Others keep theirs.
    """
    who = anyone(3)
    before = _ending({"in_play": ("dagger",), "discard": ()}, who, 3)
    after, _ = done_by(before, EndTurn(who))
    for old, new in zip(before.players, after.players, strict=True):
        left = 0 if old.seat == who else old.persuasion
        claim(new.persuasion == left, f"{old.name} has the Persuasion that is left")


@proves(
    {
        "UPR-ACQ-007": Twin(
            "rules_engine/catalogue/uprising/spaces.toml",
            'effects = ["draw 1 intrigue"]\nreveal',
            'effects = ["draw 1 intrigue", "gain 1 persuasion"]\nreveal',
        )
    },
    kind=DATA_CHECK,
)
def persuasion_is_printed_only_where_a_reveal_turn_gives_it() -> None:
    """Unsatisfiable iff Persuasion is gained by nothing but Reveal boxes and what is like them.

    That is: what a space gives on a Reveal turn, and an ability of a Leader that is for it. So no
    other turn gives any that could be left over.
    """
    for thing in things(printed()):
        places = [each.path[0] for each in sentences(thing.face) if _gives_persuasion(each.says)]
        on_reveal_turns = all(place in _for_reveal_turns(thing.face) for place in places)
        claim(on_reveal_turns, f"{thing.name} gives Persuasion on Reveal turns alone")


def _gives_persuasion(says: Effect | Condition) -> bool:
    parts = walk(says) if isinstance(says, Effect) else ()
    return any(isinstance(part, Gain) and part.what == "persuasion" for part in parts)


def _for_reveal_turns(face: Record) -> tuple[str, ...]:
    """The places of something printed that are for Reveal turns."""
    ability = isinstance(face, LeaderFace) and face.ability.when == "reveal_turn"
    return ("reveal", "ability") if ability else ("reveal",)


# One Reveal turn, and none after it


def _play_simply(state: State, watch: Watch) -> State:
    """Everybody ends an Agent turn, reveals, resolves what is due and ends the Reveal turn.

    It stops before Combat; `watch` may end the path.
    """
    start = state
    inputs: tuple[Action, ...] = ()
    stage(start)
    while not isinstance(state.pending[-1], Combat):
        given = None if asked(IMPERIUM, state).nobody() else _simple_input(state)
        if given is not None:
            inputs = (*inputs, given)
            stage(start, inputs)
        done = handle(IMPERIUM, state, given)
        assert isinstance(done, Step), f"refused: {done}"
        watch(state, done.state, done.events)
        state = done.state
    return state


def _simple_input(state: State) -> Action:
    top = state.pending[-1]
    if isinstance(top, Turn):
        return Reveal(top.seat)
    assert isinstance(top, AgentTurn | RevealTurn)
    return Resolve(top.seat, 0) if top.items else EndTurn(top.seat)


def _at_the_end_of_a_round(hand: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a player has who reveals without units, and what the table has."""
    own = {
        "hand": hand,
        "in_play": (),
        "discard": (),
        "standing": (),
        "set_aside": (),
        "high_council": False,
        **NO_UNITS,
    }
    table = {
        "turn": None,
        "agents": (),
        "reveal_order": (),
        "intrigue_discard": (),
        "trashed": (),
    }
    return own, table


@proves(
    {
        "UPR-REVEAL-001": Twin(
            "rules_engine.imperium.round",
            "if not player(state, seat).revealed:",
            "if not player(state, seat).revealed and player(state, seat).hand:",
        ),
        "UPR-REVEAL-009": Twin(MODULE, "revealed=True", "revealed=False"),
    },
    kind=ORDER,
)
def everyone_reveals_once_and_then_takes_no_turn() -> None:
    """Unsatisfiable iff, until Combat, each player who had not revealed takes one Reveal turn.

    The history of the turns says so, where every turn is taken as a Reveal turn: a player who had
    revealed takes none, and none comes after a player's Reveal turn.
    """
    own, table = _at_the_end_of_a_round(("dagger",))
    others = {**own, "hand": ()}
    frames = (Combat(), PlayerTurns(choose("next", (0, 1, 2))))
    before = with_cards(frames, own, others, **table)
    seats = range(len(before.players))
    revealed = [each.seat for each in before.players if each.revealed]
    turns: list[Seat] = []

    def watch(_: State, after: State, __: object) -> None:
        top = after.pending[-1]
        if isinstance(top, Turn):
            again = top.seat in (*revealed, *turns)
            claim(not again, f"{NAMES[top.seat]} takes no turn after a Reveal turn")
            assume(not again)
            turns.append(top.seat)

    after = _play_simply(before, watch)
    due = [seat for seat in seats if seat not in revealed]
    claim(sorted(turns) == due, "everyone else has had a turn")
    for each in after.players:
        claim(each.revealed, f"{each.name} has revealed")


@proves(
    {
        "UPR-REVEAL-009": Twin(
            "rules_engine.imperium.round",
            "if not player(state, seat).revealed:",
            "if not player(state, seat).revealed or player(state, seat).agents >= 1:",
        )
    },
    cases=({"players": 3}, {"players": 4}),
)
def the_next_turn_is_of_somebody_who_has_not_revealed(players: int) -> None:
    """Unsatisfiable iff the next turn is that of the next player clockwise who has not revealed.

    Whether the players have Agents left does not matter. Combat comes when all have revealed.
    """
    following = choose("next", range(players))
    agents = {"agents": Lazy("agents", (AGENTS, 0))}
    spaces = sorted(printed().spaces)[:AGENTS]
    out = tuple(AgentAt(space, seat) for space in spaces for seat in range(players))
    board = Lazy("agents", ((), out))
    frames = (Combat(), PlayerTurns(following))
    before = with_cards(frames, agents, agents, players=players, turn=None, agents=board)
    stage(before)
    done = handle(IMPERIUM, before)
    assert isinstance(done, Step)
    order = [(following + step) % players for step in range(players)]
    waiting = [seat for seat in order if not before.players[seat].revealed]
    top = done.state.pending[-1]
    if waiting:
        claim(top == Turn(waiting[0]), f"the turn is {NAMES[waiting[0]]}'s")
    else:
        claim(top == Combat(), "Combat comes next")
    claim_only(before, done.state, (), ("turn", "pending"))


# In play


@proves(
    {
        "UPR-REVEAL-010": Twin(
            "rules_engine.imperium.agent_turn",
            'return Step(change(state, turn=None), (Event("ends_turn", END, frame.seat),))',
            "return reveal_turn.clean_up(state, frame.seat)",
        )
    },
    kind=ORDER,
)
def a_played_card_stays_in_play_until_clean_up() -> None:
    """Unsatisfiable iff a card played on an Agent turn is in play until the Reveal turn ends.

    After every step of the rest of the Agent turn, of the Reveal turns of others and of the own
    Reveal turn it is in play, and so is a card revealed meanwhile. After the clean up both are in
    the discard pile.
    """
    own, table = _at_the_end_of_a_round(("dagger",))
    others = {**own, "hand": ()}
    own |= {"in_play": ("diplomacy",), "revealed": False, "intrigues": ()}
    turn = ThisTurn(OWNER, kind="agent")
    frames = (Combat(), PlayerTurns(OWNER + 1), AgentTurn(OWNER, ()))
    before = with_cards(frames, own, others, **{**table, "turn": turn})
    ended: list[bool] = []

    def watch(old: State, new: State, _: object) -> None:
        was, now = old.pending[-1], new.players[OWNER]
        if was == RevealTurn(OWNER, ()):
            ended.append(True)
            claim(now.in_play == (), "after the clean up nothing is in play")
            claim(now.discard == ("dagger", "diplomacy"), "both cards are discarded")
        elif not ended:
            claim("diplomacy" in now.in_play, "the card played before is in play")
            shown = "dagger" in now.in_play
            claim(shown == now.revealed, "a card revealed is in play")
            assume(all((shown == now.revealed, "diplomacy" in now.in_play)))

    _play_simply(before, watch)
    claim(ended == [True], "the Reveal turn has ended once")
