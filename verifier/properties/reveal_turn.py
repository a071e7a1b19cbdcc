"""The Reveal turn: who takes it and when, what it brings, and what is left after it."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import CardFace, LeaderFace
from rules_engine.catalogue.things import sentences, things
from rules_engine.effects.tree import Condition, Effect, Gain, Swords, walk
from rules_engine.imperium.actions import EndTurn, PlayAgent, Resolve, Reveal
from rules_engine.imperium.frames import AgentTurn, Combat, PlayerTurns, RevealTurn, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, State, ThisTurn
from rules_engine.kernel.decks import zone
from rules_engine.kernel.game import Action, asked, handle, legal, options
from rules_engine.kernel.numbers import pick
from rules_engine.kernel.outcomes import Seat, Step
from rules_engine.kernel.records import Record
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.play import Watch, next_state
from verifier.positions import (
    AGENTS,
    NAMES,
    NO_UNITS,
    claim_only,
    printed,
    with_cards,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.reveal_turn"
BOUNDS = "any quantities, 3 players without Leaders, the revealing player in the first seat"

HANDS = (
    (),
    ("dagger",),
    ("dagger", "dagger"),
    ("convincing_argument", "dagger", "diplomacy"),
    ("convincing_argument", "convincing_argument", "dagger", "dagger", "signet_ring"),
)
"""Hands of up to five cards, also with equal ones."""

ORDERS = ((), (2, 1), (1, OWNER, 2))
"""Who has revealed before, the latest last: nobody, both others, and also the player."""

PLAYED = ((), ("diplomacy",), ("dune_the_desert_planet", "reconnaissance"))
"""Cards in play from Agent turns before."""


def _card(name: str, *reveal: Effect, icons: tuple[str, ...] = ()) -> CardFace:
    """A card that exists in this game only, with a Reveal box."""
    return CardFace(name, name, agent_icons=icons, reveal=reveal)


def _deciding(own: dict[str, Any], **slots: Any) -> State:
    """The player in the first seat is about to decide what kind of turn to take."""
    known: dict[str, Any] = {"turn": ThisTurn(OWNER), "agents": (), "reveal_order": ()}
    frames = (Combat(), PlayerTurns(OWNER + 1), Turn(OWNER))
    return with_cards(frames, own, {"swordmaster": False}, **{**known, **slots})


def _ending(own: dict[str, Any], **slots: Any) -> State:
    """All effects of the player's Reveal turn are resolved."""
    turn = ThisTurn(OWNER, kind="reveal")
    frames = (PlayerTurns(OWNER + 1), RevealTurn(OWNER, ()))
    known: dict[str, Any] = {"turn": turn, "intrigue_discard": (), "trashed": ()}
    return with_cards(frames, {"standing": (), "set_aside": (), **own}, **{**known, **slots})


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
    bounds=f"{BOUNDS}; a card with every icon in hand, every space, no Spies, no Intrigue card, "
    "no units of the player, no Agent and no Swordmaster of others",
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
    bounds=f"{BOUNDS}; hands of up to five and up to two cards in play, starting cards; no "
    "Agent on the board; nobody, both others or all have revealed before",
)
def every_card_in_hand_is_revealed() -> None:
    """Unsatisfiable iff the whole hand comes into play at once, beside what is there already.

    The player has revealed from then on, as the latest of all, and may have another strength.
    Nothing else of the player changes, nothing of other players and, but for the turn itself,
    nothing on the table.
    """
    hand, played = choose("hand", HANDS), choose("played", PLAYED)
    order = choose("order of Reveal turns", ORDERS)
    own = {"hand": hand, "in_play": played, "discard": ("seek_allies",)}
    before = _deciding(own, reveal_order=order)
    stage(before, (Reveal(OWNER),))
    after = next_state(before, Reveal(OWNER))
    others = tuple(seat for seat in order if seat != OWNER)
    claim(after.reveal_order == (*others, OWNER), "the player is the latest to reveal")
    owner = after.players[OWNER]
    claim(owner.hand == (), "the hand is empty")
    claim(owner.in_play == zone(hand + played), "all of its cards are in play")
    claim(owner.revealed, f"{NAMES[OWNER]} has revealed")
    changed = ("hand", "in_play", "revealed", "strength")
    claim_only(before, after, changed, ("turn", "reveal_order", "pending"))


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
    bounds=f"{BOUNDS}; none to two of three cards with any Persuasion and swords revealed, another "
    "in play before, no units of the player, no Agent on the board, effects resolved as listed",
)
def only_cards_just_revealed_give_their_reveal_boxes() -> None:
    """Unsatisfiable iff the Reveal boxes of the cards just revealed are gained, and no others.

    Once all effects are resolved the player has as much more Persuasion, and as many more swords,
    as these boxes say together, and 2 Persuasion more for a seat on the High Council. A card in
    play from before adds nothing. Persuasion and swords of others stay.
    """
    faces = _boxes()
    hand = choose("hand", ((), ("argument",), ("argument", "blade"), ("blade", "speech")))
    own = {"hand": hand, "in_play": ("played",), **NO_UNITS}
    before = _deciding(own, cards=tuple(faces.values()))
    inputs: tuple[Action, ...] = (Reveal(OWNER),)
    stage(before, inputs)
    state = next_state(before, Reveal(OWNER))
    while state.pending[-1] != RevealTurn(OWNER, ()):
        inputs = (*inputs, Resolve(OWNER, 0))
        stage(before, inputs)
        state = next_state(state, Resolve(OWNER, 0))
    said = {
        "argument": (quantity("persuasion"), 0),
        "blade": (0, quantity("swords")),
        "speech": (quantity("both"), quantity("both")),
    }
    seat = pick(before.players[OWNER].high_council, 2, 0)
    gained = (sum(said[card][0] for card in hand) + seat, sum(said[card][1] for card in hand))
    for old, new in zip(before.players, state.players, strict=True):
        persuasion, swords = gained if old.seat == OWNER else (0, 0)
        claim(new.persuasion == old.persuasion + persuasion, f"{old.name}'s Persuasion adds up")
        claim(new.swords == old.swords + swords, f"{old.name}'s swords add up")


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
    bounds=f"{BOUNDS}; two cards in hand, one effect that has to be resolved on each, another card "
    "in play; no purchases, no Intrigue cards, no Agent on the board, no units of the player and "
    "no seat on the High Council",
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
    bounds=f"{BOUNDS}; up to five cards in play and up to two in the discard pile, starting "
    "cards; no card set aside, no Intrigue card face up",
)
def clean_up_discards_all_cards_in_play() -> None:
    """Unsatisfiable iff, at the end of a Reveal turn, the cards in play go to the discard pile.

    None stays in play, none is lost, and what was there stays. But for the Persuasion nothing else
    of the player changes, nothing of others, and on the table only that the turn is over.
    """
    in_play, discard = choose("in play", HANDS), choose("discard", PLAYED)
    before = _ending({"in_play": in_play, "discard": discard, "hand": ("seek_allies",)})
    stage(before, (EndTurn(OWNER),))
    after = next_state(before, EndTurn(OWNER))
    owner = after.players[OWNER]
    claim(owner.in_play == (), "no card stays in play")
    claim(owner.discard == zone(in_play + discard), "all of them are in the discard pile")
    claim(after.turn is None, "the turn is over")
    claim_only(before, after, ("in_play", "discard", "persuasion"), ("turn", "pending"))


@proves(
    {
        "UPR-ACQ-007": Twin(
            MODULE,
            "    state = with_player(state, change(player(state, seat), persuasion=0))\n",
            "",
        )
    },
    bounds=f"{BOUNDS}; a card in play, no card set aside, no Intrigue card face up",
)
def unspent_persuasion_is_lost() -> None:
    """Unsatisfiable iff no Persuasion is left at the end of a Reveal turn, however much there was.

    Others keep theirs.
    """
    before = _ending({"in_play": ("dagger",), "discard": ()})
    stage(before, (EndTurn(OWNER),))
    after = next_state(before, EndTurn(OWNER))
    for old, new in zip(before.players, after.players, strict=True):
        left = 0 if old.seat == OWNER else old.persuasion
        claim(new.persuasion == left, f"{old.name} has the Persuasion that is left")


@proves(
    {
        "UPR-ACQ-007": Twin(
            "rules_engine/catalogue/uprising/spaces.toml",
            'effects = ["draw 1 intrigue"]\nreveal',
            'effects = ["draw 1 intrigue", "gain 1 persuasion"]\nreveal',
        )
    },
    bounds="every effect that is printed, also inside another, promo cards too",
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
    bounds="any quantities, 3 players without Leaders, anyone the next and anyone having revealed; "
    "nobody has an Agent on the board, a unit or a seat on the High Council, one has a card in "
    "hand",
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
    bounds="any quantities, 3 and 4 players without Leaders, anyone the next and anyone having "
    "revealed, all Agents at home or all on the board",
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
    bounds="any quantities, 3 players without Leaders, any of the others having revealed; no Agent "
    "turn in between, no card trashed, no Agent on the board, no units, no seat on the High "
    "Council",
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
