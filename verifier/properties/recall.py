"""Phase 5: when the Endgame comes, and what a new round begins with."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.actions import PlayAgent, Reveal
from rules_engine.imperium.frames import (
    EndgameIntrigues,
    FinalScore,
    Recall,
    RevealConflict,
    RoundStart,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import conflict_deck
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import Deck, Pool
from rules_engine.kernel.game import asked, legal
from rules_engine.kernel.numbers import pick
from verifier.current import assume, claim, stage
from verifier.numbers import any_of, opposite
from verifier.placements import PLAYERS, VISITORS, agents_on_board
from verifier.play import next_state
from verifier.positions import (
    AGENTS,
    NAMES,
    PRODUCT,
    covered,
    printed,
    symbolic_state,
    unchanged,
)
from verifier.registry import Twin, proves
from verifier.seats import claim_told, done_alone
from verifier.watched import AnyNumber, Lazy

MODULE = "rules_engine.imperium.recall"
SPACE = "imperial_basin"

TABLES = ({"players": 3}, {"players": 4})


def _conflicts_left() -> Deck:
    """The Conflict Deck with any number of cards of each level left."""
    levels = enumerate(conflict_deck(PRODUCT), start=1)
    return tuple(_some_left(f"conflicts.{level}.", pool) for level, pool in levels)


def _some_left(path: str, pool: Any) -> Pool:
    """Any number of the cards that a pool of the Conflict Deck starts with."""
    assert isinstance(pool, Pool)
    count = AnyNumber(f"{path}count", 0, pool.count)
    return covered(path, pool, count=count, cards=pool.cards)


def _phase_five(players: int, *, agents: bool = False) -> State:
    """Phase 5 begins; with Agents on the board in several ways, or with none."""
    board, homes = agents_on_board(SPACE, VISITORS, (0, 2))

    def more(owner: Player) -> dict[str, Any]:
        return homes[owner.seat] if agents else {"agents": AGENTS, "swordmaster": False}

    state = symbolic_state(
        players,
        more,
        agents=board if agents else (),
        conflict=Lazy("conflict", (None, next(iter(printed().conflicts)))),
        conflict_deck=_conflicts_left(),
        round=AnyNumber("round", 1),
        reveal_order=(0, 1),
        turn=None,
        pending=(Recall(),),
    )
    stage(state)
    return state


def _over(state: State) -> Any:
    """Whether somebody has 10 points or more, or no Conflict card is left."""
    left = sum(part.count for part in state.conflict_deck if isinstance(part, Pool))
    return any_of(left == 0, *(each.victory_points >= 10 for each in state.players))


# The Endgame


@proves(
    {
        "UPR-END-001": Twin(
            "rules_engine.imperium.endgame",
            "if any(each.victory_points >= POINTS for each in state.players):",
            "if any(each.victory_points > POINTS for each in state.players):",
        ),
        "UPR-END-002": Twin(
            "rules_engine.imperium.endgame",
            "return size(state.conflict_deck) == 0",
            "return False",
        ),
    },
    cases=TABLES,
)
def the_endgame_comes_with_ten_points_or_without_conflicts(players: int) -> None:
    """Unsatisfiable iff Phase 5 leads to the Endgame exactly if the rules say so, else to a round.

    Somebody has 10 Victory Points or more, or the Conflict Deck is empty.
    """
    before = _phase_five(players)
    over = _over(before)
    kinds = [type(frame) for frame in next_state(before).pending]
    ends = kinds == [FinalScore, EndgameIntrigues]
    claim(ends == over, "the Endgame comes if it is triggered")
    claim(ends or kinds == [RoundStart], "else a new round comes")


@proves(
    {
        "UPR-RECALL-001": Twin(
            MODULE,
            "state = push(state, FinalScore(), EndgameIntrigues(state.first_player))",
            "state = agents_home(state)\n"
            "        state = push(state, FinalScore(), EndgameIntrigues(state.first_player))",
        )
    },
)
def the_endgame_is_checked_before_agents_come_home() -> None:
    """Unsatisfiable iff, when the Endgame is triggered, Phase 5 changes nothing on the table.

    No Agent comes home, no marker moves and no round begins: what is next is the Endgame, from the
    First Player on.
    """
    before = _phase_five(PLAYERS, agents=True)
    assume(_over(before))
    after = next_state(before)
    claim(unchanged(before, after, "players", "pending"), "nothing on the board has changed")
    for old, new in zip(before.players, after.players, strict=True):
        claim(unchanged(old, new), f"{old.name} has what there was")
    following = (FinalScore(), EndgameIntrigues(before.first_player))
    claim(after.pending == following, "the Endgame is next")


# The new round


@proves(
    {
        "UPR-RECALL-002": Twin(
            MODULE,
            "return change(state, players=players, agents=())",
            "return change(state, players=players, agents=state.agents[1:])",
        )
    },
)
def all_agents_come_home() -> None:
    """Unsatisfiable iff, when the game goes on, every Agent is back on its owner's Leader.

    None is left on the board, each player has two, or three with the Swordmaster, and nothing else
    of any player has changed.
    """
    before = _phase_five(PLAYERS, agents=True)
    assume(opposite(_over(before)))
    after, events = done_alone(before)
    claim(after.agents == (), "no Agent is on the board")
    claim_told(events, "agents_return", None)
    table = unchanged(before, after, "agents", "players", "first_player", "pending")
    claim(table, "all else on the board stays")
    for old, new in zip(before.players, after.players, strict=True):
        claim(new.agents == pick(old.swordmaster, 3, 2), f"{old.name} has all Agents")
        claim(unchanged(old, new, "agents"), f"{old.name} has all else")


@proves(
    {
        "UPR-RECALL-003": Twin(
            MODULE,
            "following = clockwise(state, state.first_player)[1]",
            "following = clockwise(state, state.first_player)[-1]",
        )
    },
    cases=TABLES,
)
def the_first_player_marker_passes_clockwise(players: int) -> None:
    """Unsatisfiable iff, when the game goes on, the marker goes to the next seat and nothing else.

    The seat after the last is the first.
    """
    before = _phase_five(players)
    assume(opposite(_over(before)))
    after, events = done_alone(before)
    old = before.first_player
    following = 0 if old == players - 1 else old + 1
    claim(after.first_player == following, f"{NAMES[following]} is First Player")
    claim_told(events, "first_player", following)
    claim(
        unchanged(before, after, "first_player", "players", "agents", "pending"),
        "all else on the board stays",
    )
    for was, now in zip(before.players, after.players, strict=True):
        claim(unchanged(was, now), f"{was.name} has what there was")


@proves(
    {
        "UPR-RECALL-004": Twin(
            "rules_engine.imperium.round", "round=state.round + 1,", "round=state.round,"
        )
    },
    cases=TABLES,
)
def after_recall_the_next_round_begins_with_phase_one(players: int) -> None:
    """Unsatisfiable iff, when the game goes on, the next round begins by revealing a Conflict.

    Its number is one higher, nobody has revealed in it, and nobody can take a turn of any kind yet.
    """
    before = _phase_five(players)
    assume(opposite(_over(before)))
    recalled = next_state(before)
    claim(recalled.pending == (RoundStart(),), "Phase 1 is next")
    after = next_state(recalled)
    claim(after.round == before.round + 1, "it is the next round")
    claim(not any(each.revealed for each in after.players), "nobody has revealed")
    claim(isinstance(after.pending[-1], RevealConflict), "a Conflict is revealed first")
    claim(asked(IMPERIUM, after).chance, "nobody decides")
    card = "dagger"
    for seat in range(players):
        for action in (PlayAgent(seat, card, SPACE), Reveal(seat)):
            claim(legal(IMPERIUM, after, action) is not None, f"{NAMES[seat]} has no turn yet")
