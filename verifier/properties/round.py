"""The round: its phases, new hands, whose turn it is, and when Intrigue cards are played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules_engine.catalogue.faces import ConflictFace, IntrigueFace, Way
from rules_engine.effects.tree import Gain
from rules_engine.imperium.actions import PlayIntrigue
from rules_engine.imperium.frames import (
    AgentTurn,
    Combat,
    CombatIntrigues,
    DrawFromDeck,
    DrawHands,
    EndCombat,
    EndgameIntrigues,
    GiveRewards,
    IntriguePlayed,
    Item,
    Makers,
    PlayerTurns,
    Recall,
    ResolveCombat,
    RevealConflict,
    RevealTurn,
    RoundStart,
    TakeConflictCard,
    Turn,
    WinIntrigues,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, ThisTurn, follows
from rules_engine.kernel.decks import Known, shuffled, size
from rules_engine.kernel.game import Frame, legal
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.records import change
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.placements import CARD, any_card
from verifier.play import play_out
from verifier.positions import (
    AGENTS,
    NAMES,
    TROOPS,
    covered_config,
    printed,
    symbolic_state,
    unchanged,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.seats import TABLES, anyone, claim_told, counting, done_alone
from verifier.watched import AnyNumber, Lazy

MODULE = "rules_engine.imperium.round"
PLAYERS = 3

PHASES: tuple[tuple[type[Frame], ...], ...] = (
    (RoundStart, RevealConflict, DrawHands, DrawFromDeck),
    (PlayerTurns, Turn, RevealTurn),
    (
        Combat,
        CombatIntrigues,
        ResolveCombat,
        GiveRewards,
        TakeConflictCard,
        WinIntrigues,
        EndCombat,
    ),
    (Makers,),
    (Recall,),
)
"""What is done in Round Start, Player Turns, Combat, Makers and Recall. UPR-ROUND-001"""


# The phases


def _new_round() -> State:
    """A round begins; nobody has cards, so that each player's turn is a Reveal turn.

    One player has a unit in the Conflict, which has no rewards. All have revealed in the round
    before.
    """
    empty: dict[str, Any] = dict.fromkeys(
        ("hand", "deck", "discard", "in_play", "intrigues", "standing", "set_aside"), ()
    )
    none: dict[str, Any] = dict.fromkeys(("sandworms", "strength", "swords", "persuasion"), 0)

    def more(owner: Player) -> dict[str, Any]:
        fights = 1 if owner.seat == OWNER else 0
        units = {"supply": TROOPS - fights, "garrison": 0, "troops": fights, **none}
        return {**empty, **units, "agents": AGENTS, "high_council": False, "won": ()}

    conflict = ConflictFace("no_rewards", "No Rewards", (), (), ())
    state = symbolic_state(
        PLAYERS,
        more,
        config=change(covered_config(PLAYERS), conflicts=(conflict,)),
        agents=(),
        spies=(),
        conflict=None,
        conflict_deck=(Known(conflict.id, ()),) * 2,
        row=(),
        reserve=(),
        intrigue_discard=(),
        trashed=(),
        round=AnyNumber("round"),
        reveal_order=(2, 0, 1),
        turn=None,
        pending=(RoundStart(),),
    )
    stage(state)
    return state


@proves(
    {
        "UPR-ROUND-001": Twin(
            MODULE,
            "        Makers(),\n        Combat(),\n",
            "        Combat(),\n        Makers(),\n",
        )
    },
    kind=ORDER,
)
def a_round_runs_through_its_five_phases_in_order() -> None:
    """Unsatisfiable iff whatever is done from one Round Start to what follows is in phase order.

    Round Start, Player Turns, Combat, Makers, Recall: each comes once, and nothing of a phase comes
    before the phase or after it. Then the next round begins, or the Endgame. After Round Start
    nobody has revealed, whatever was in the round before. It is a round in which every player takes
    a Reveal turn alone, without a card, and one of them has a unit in the Conflict.
    """
    history: list[int] = []

    def watch(before: State, after: State, __: tuple[Event, ...]) -> None:
        kind = type(before.pending[-1])
        if kind is RoundStart:
            claim(after.reveal_order == (), "nobody has revealed in the new round")
        phase = next(at for at, kinds in enumerate(PHASES, start=1) if kind in kinds)
        if history[-1:] != [phase]:
            history.append(phase)

    end, _ = play_out(_new_round(), apart=(RoundStart, EndgameIntrigues), watch=watch)
    claim(history == [1, 2, 3, 4, 5], "the phases come in order, each once")
    claim(type(end.pending[-1]) in (RoundStart, EndgameIntrigues), "a round or the end follows")


# New hands


@proves(
    {
        "UPR-ROUND-002": Twin(
            MODULE,
            "        DrawHands(),\n        RevealConflict(),\n",
            "        RevealConflict(),\n        DrawHands(),\n",
        )
    },
    kind=ORDER,
)
def the_conflict_is_revealed_before_hands_are_drawn() -> None:
    """Unsatisfiable iff hands are drawn once, after the new Conflict card lies face up."""
    seen: list[str | None] = []

    def watch(before: State, _: State, __: tuple[Event, ...]) -> None:
        if isinstance(before.pending[-1], DrawHands):
            seen.append(before.conflict)

    play_out(_new_round(), apart=(PlayerTurns,), watch=watch)
    claim(len(seen) == 1, "hands are drawn once")
    claim(None not in seen, "the Conflict is there before")


@proves(
    {"UPR-ROUND-002": Twin(MODULE, "HAND = 5", "HAND = 6")},
    cases=TABLES,
)
def everyone_draws_five_cards(players: int) -> None:
    """Unsatisfiable iff each player draws five cards, or all that deck and discard pile have.

    They come to those in hand. The discard pile is used only once the deck is empty; no card comes
    or goes. The First Player draws first, then the others clockwise.
    """
    who = anyone(players)
    deck, pile, hand = choose(
        "cards", ((0, 0, 0), (0, 2, 1), (3, 0, 1), (4, 6, 0), (5, 2, 1), (6, 0, 0), (6, 2, 1))
    )

    def cards(owner: Player) -> dict[str, Any]:
        in_deck, in_pile, held = (deck, pile, hand) if owner.seat == who else (5, 0, 0)
        return {
            "hand": (CARD,) * held,
            "deck": shuffled((CARD,) * in_deck),
            "discard": (CARD,) * in_pile,
        }

    config = change(covered_config(players), cards=(any_card(),))
    before = symbolic_state(players, cards, config=config, turn=None, pending=(DrawHands(),))
    order: list[int] = []

    def watch(then: State, _: State, __: tuple[Event, ...]) -> None:
        top = then.pending[-1]
        if isinstance(top, DrawFromDeck) and top.seat not in order[-1:]:
            order.append(top.seat)

    after, _ = play_out(before, watch=watch)
    first = before.first_player
    claim(order == [*range(first, players), *range(first)], "the First Player draws first")
    for each in after.players:
        in_deck, in_pile, held = (deck, pile, hand) if each.seat == who else (5, 0, 0)
        drawn = min(5, in_deck + in_pile)
        claim(len(each.hand) == held + drawn, f"{each.name} has five cards more")
        left = (in_deck - 5, in_pile) if in_deck >= 5 else (max(in_deck + in_pile - 5, 0), 0)
        claim((size(each.deck), len(each.discard)) == left, f"{each.name} has the others left")
        claim(
            unchanged(before.players[each.seat], each, "hand", "deck", "discard"),
            f"{each.name} has all else",
        )


# Whose turn it is


@proves(
    {
        "UPR-ROUND-003": Twin(
            MODULE,
            "following = clockwise(state, seat)[1]",
            "following = clockwise(state, frame.next)[1]",
        )
    },
    cases=TABLES,
)
def turns_go_clockwise_to_those_who_have_not_revealed(players: int) -> None:
    """Unsatisfiable iff the turn goes to the next player who has not revealed, one turn at a time.

    Clockwise from the seat that is next, who then is the seat after that player's. Phase 2 ends
    exactly when everybody has revealed. Nothing else changes.
    """
    turn = anyone(players, "next")
    before = symbolic_state(
        players,
        turn=Lazy("turn", (None, counting(turn, "agent"))),
        reveal_order=(),
        pending=(PlayerTurns(turn),),
    )
    after, events = done_alone(before)
    order = [*range(turn, players), *range(turn)]
    waiting = [seat for seat in order if not before.players[seat].revealed]
    if waiting:
        own = waiting[0]
        following = 0 if own == players - 1 else own + 1
        claim(after.pending == (PlayerTurns(following), Turn(own)), f"it is {NAMES[own]}'s turn")
        claim(after.turn == ThisTurn(own), "it has just begun, and nothing is left of another")
        claim_told(events, "turn", own)
    else:
        claim(after.pending == (), "Phase 2 is over")
    claim(unchanged(before, after, "turn", "pending"), "nothing else changes")


@proves(
    {"UPR-ROUND-003": Twin(MODULE, "PlayerTurns(state.first_player),", "PlayerTurns(0),")},
    kind=ORDER,
)
def the_first_player_begins_and_everyone_reveals_once() -> None:
    """Unsatisfiable iff the turns of such a round are one of each player, First Player first.

    Phase 2 ends with the last of them.
    """
    turns: list[int] = []

    def watch(before: State, _: State, __: tuple[Event, ...]) -> None:
        top = before.pending[-1]
        if isinstance(top, Turn):
            turns.append(top.seat)

    start = _new_round()
    end, _ = play_out(start, apart=(Combat,), watch=watch)
    first = start.first_player
    claim(turns == [*range(first, PLAYERS), *range(first)], "each has a turn, clockwise")
    claim(all(each.revealed for each in end.players), "everybody has revealed")


# Intrigue cards

INTRIGUE = "any_intrigue"
WAITING = Item(Gain(1, "water"), next(iter(printed().spaces)))
"""An effect that is due, so that the turn is not over."""

WINDOWS: Mapping[str, tuple[Frame, str]] = {
    "the beginning of a turn": (Turn(OWNER), "plot"),
    "an Agent turn": (AgentTurn(OWNER, (WAITING,)), "plot"),
    "a Reveal turn": (RevealTurn(OWNER, ()), "plot"),
    "Combat": (CombatIntrigues(OWNER), "combat"),
    "a Conflict won": (WinIntrigues(OWNER), "won"),
    "the Endgame": (EndgameIntrigues(OWNER), "endgame"),
}
"""When the owner can play an Intrigue card, and of which type it has to be. UPR-ROUND-007"""

TYPES = ("plot", "combat", "endgame")
TIMINGS = (*TYPES, "won")
"""A Combat card may also say that it is played on winning. UPR-COMBAT-008"""

WHEN = tuple({"when": name} for name in WINDOWS)


def _holding_a_card(when: str) -> State:
    """The owner holds an Intrigue card with a way to play it for each type, and has a unit."""
    amount = quantity("amount")
    ways = tuple(Way(timing, (Gain(amount, "spice"),)) for timing in TIMINGS)
    face = IntrigueFace(INTRIGUE, "Any Intrigue", 1, ways)
    other = next(iter(printed().intrigue))

    def cards(owner: Player) -> dict[str, Any]:
        return {"intrigues": (INTRIGUE, other) if owner.seat == OWNER else (), "won": ()}

    before = symbolic_state(
        PLAYERS,
        cards,
        config=change(covered_config(PLAYERS), intrigues=(face,)),
        intrigue_discard=Lazy("intrigue discard", ((), tuple(printed().intrigue)[1:2])),
        turn=ThisTurn(OWNER),
        pending=(WINDOWS[when][0],),
    )
    owner = before.players[OWNER]
    assume(owner.troops + owner.sandworms >= 1)
    return before


@proves(
    {
        "UPR-ROUND-007": Twin(
            "rules_engine.imperium.intrigue",
            "if way.timing != timing:",
            'if way.timing == "combat" != timing:',
        )
    },
    cases=WHEN,
)
def the_type_of_an_intrigue_card_fixes_when_it_is_played(when: str) -> None:
    """Unsatisfiable iff a held Intrigue card can be played exactly in the moment of its type.

    Plot cards in turns (before the kind of turn is decided, if `plot_window` says so), Combat cards
    in Combat, those that speak of winning after it, Endgame cards in the Endgame.
    """
    before = _holding_a_card(when)
    way = choose("way", range(len(TIMINGS)))
    action = PlayIntrigue(OWNER, INTRIGUE, way)
    stage(before, (action,))
    frame, timing = WINDOWS[when]
    open_now = not isinstance(frame, Turn) or follows(before, "plot_window") == "whole_turn"
    allowed = legal(IMPERIUM, before, action) is None
    claim(allowed == (open_now and TIMINGS[way] == timing), "it is allowed in its own time")


@proves(
    {
        "UPR-ROUND-007": Twin(
            "rules_engine/catalogue/uprising/intrigue.toml",
            'timing = "combat"\neffects = ["2 swords", "if sandworms_in_conflict >= 1',
            'timing = "fight"\neffects = ["2 swords", "if sandworms_in_conflict >= 1',
        )
    },
    kind=DATA_CHECK,
)
def there_are_three_types_of_intrigue_cards() -> None:
    """Unsatisfiable iff every way to play an Intrigue card is of one of the three types."""
    for face in printed().intrigue.values():
        claim(len(face.ways) >= 1, f"{face.name} can be played")
        claim(all(way.timing in TYPES for way in face.ways), f"{face.name} has a type")


@proves(
    {
        "UPR-ROUND-006": Twin(
            "rules_engine.imperium.intrigue",
            "return Step(to_discard_pile(state, frame.card), (event,))",
            "return Step(state, (event,))",
        )
    },
    cases=WHEN,
    kind=ORDER,
)
def a_played_intrigue_card_is_discarded_after_its_effects(when: str) -> None:
    """Unsatisfiable iff a played card leaves the hand, takes effect, and then is discarded.

    It is on the Intrigue discard pile once, with what lay there, not before its effect came, and
    nothing else has changed when the chance to play goes on.
    """
    before = _holding_a_card(when)
    frame, timing = WINDOWS[when]
    action = PlayIntrigue(OWNER, INTRIGUE, TIMINGS.index(timing))
    old = before.players[OWNER]

    def watch(then: State, now: State, _: tuple[Event, ...]) -> None:
        if isinstance(then.pending[-1], IntriguePlayed):
            gained = then.players[OWNER].spice == old.spice + quantity("amount")
            claim(gained, "the effect has come before")
        else:
            claim(unchanged(then, now, "players", "turn", "pending"), "nothing is discarded yet")

    after, _ = play_out(before, apart=(type(frame),), first=action, watch=watch)
    new = after.players[OWNER]
    claim(INTRIGUE not in new.intrigues, "the card has left the hand")
    claim(len(new.intrigues) == len(old.intrigues) - 1, "and no other")
    pile = tuple(sorted((*before.intrigue_discard, INTRIGUE)))
    claim(after.intrigue_discard == pile, "it is on the discard pile")
    claim(new.spice == old.spice + quantity("amount"), "its effect has come once")
    claim(unchanged(old, new, "intrigues", "spice"), "the player has all else")
    claim(unchanged(before, after, "intrigue_discard", "players", "turn", "pending"), "all stays")
    for seat in range(1, PLAYERS):
        claim(unchanged(before.players[seat], after.players[seat]), f"{NAMES[seat]} has all")
