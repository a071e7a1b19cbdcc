"""From `game` and `given` to a position: stated, starting value, or unknown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from lark import Token

from rules_engine.imperium.frames import Combat, Makers, PlayerTurns, Recall, Turn
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import Player, State, ThisTurn, clockwise, player, with_player
from rules_engine.imperium.strength import strength
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import Place
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from rules_engine.rulebook.rulings import chosen
from scenarios.imperium.given import (
    board,
    cards,
    conflicts,
    contracts,
    decks,
    leaders,
    quantities,
    rounds,
    strengths,
)
from scenarios.imperium.table import ONE_OF_TWO, Table
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, token
from scenarios.language.values import Environment, amount
from verifier.watched import Unknown, watched


class Position:
    """Builds the position of a scenario; what nobody stated and setup does not give is unknown."""

    def __init__(self, table: Table, environment: Environment) -> None:
        self.scenario = table.scenario
        self.environment = environment
        self.table = table
        self.state = self._start()
        self.turn_of: Seat | None = None
        self.known: set[tuple[Seat, str]] = set()
        self.row_known = False
        self.contracts_known = False
        self.used_up: list[str] = []
        self.left_in_reserve: dict[str, tuple[Line, int]] = {}
        self.conflict_deck_is_empty = False
        self.turned_up: dict[str, Line] = {}
        self.strengths: dict[Seat, Any] = {}
        self.strength_lines: dict[Seat, Line] = {}
        self.units_open: set[Seat] = set()
        self.trashed: dict[Seat, tuple[str, ...]] = {}
        self.troop_lines: dict[Seat, Line] = {}
        self.stated: dict[tuple[object, ...], Line] = {}
        self.round: int | None = None

    def _start(self) -> State:
        """The position of setup, with the modules and Leaders that the scenario names."""
        modules = {
            str(token(line.words, "MODULE"))
            for line in self.scenario.definitions
            if line.words.data == "module"
        }
        choam = "choam" in modules
        return starting_state(
            self.scenario.product,
            tuple(self.scenario.players),
            chosen(self.scenario.rulings),
            self.table.names.cards,
            self.table.names.conflicts,
            self.table.names.intrigues,
            self.table.names.contracts,
            choam=choam,
            leaders=leaders.leaders_at_start(self.table, choam=choam),
            promos="promos" in modules,
        )

    def build(self, to_move: Seat | None, opening: str = "") -> State:
        """The position, checked against the invariants; `to_move` acts first if nobody is named.

        Before the game begins nothing is unknown: nobody has a card yet. Before a round begins, the
        one before it is over, if there was one.
        """
        for line in self.scenario.definitions:
            self._define(line)
        # A deck is what is left of it, so its cards are laid out after all others.
        for line in sorted(self.scenario.given, key=_states_a_deck):
            self._given(line)
        decks.empty_decks(self)
        decks.lower_stacks(self)
        conflicts.deal_conflicts(self)
        quantities.fill_supply(self)
        strengths.settle_markers(self)
        cards.check_row(self)
        self.check()
        if opening == "game_begins":
            return self.state
        first = 0 if opening == "round_begins" else 1
        self.state = change(self.state, round=first if self.round is None else self.round)
        self._take_turn(self._whose_turn(to_move))
        return self._forget()

    def _define(self, line: Line) -> None:
        words = line.words
        if words.data == "first_player":
            seat = self.table.seat(line, token(words, "NAME"))
            self.state = change(self.state, first_player=seat)
            self.turn_of = seat if self.turn_of is None else self.turn_of
        elif words.data in ("conflict", "new_conflict"):
            card = self.table.id(line, token(words, "STRING"), "conflict")
            self.state = change(self.state, conflict=card)
            board.check_location(self, line)
            conflicts.leave_conflict_deck(self, line, card)

    def _given(self, line: Line) -> None:
        words = line.words
        if words.data == "state":
            (words,) = phrases(words)
        if words.data == "has":
            seat = self.table.seat(line, token(words, "NAME"))
            (quantity,) = phrases(words)
            quantities.give_quantity(self, line, seat, quantity)
        else:
            FACTS[str(words.data)](self, line, words)

    def change_player(self, seat: Seat, **fields: Any) -> None:
        """Give a player other values."""
        self.state = with_player(self.state, change(player(self.state, seat), **fields))

    def amount(self, line: Line, words: Words) -> Any:
        """The number that a phrase begins with."""
        return amount(line, phrases(words)[0], self.environment)

    # What single lines need

    def once(self, line: Line, *what: object) -> None:
        """Refuse a second statement about the same thing."""
        if what in self.stated:
            raise ScenarioError(
                "TS0105",
                "this is stated twice",
                place=line.place,
                help=_in_one_line(self.stated[what], line),
            )
        self.stated[what] = line

    # Afterwards

    def check(self) -> None:
        """Refuse a position that breaks an invariant."""
        for invariant in INVARIANTS:
            for broken in invariant.broken(self.state):
                said = self._with_names(broken)
                raise ScenarioError(
                    "TS0110",
                    f"this position is impossible: {said}",
                    place=self._culprit(said),
                    help=self._remedy(invariant.name, said),
                    rules=invariant.rules,
                )

    def _with_names(self, broken: str) -> str:
        """What is broken, with the printed names of Factions, spaces and posts for their ids."""
        printed = self.table.names.printed
        faces = (printed.tracks, printed.spaces, printed.posts)
        names = {each: face.name for group in faces for each, face in group.items()}
        return re.sub(r"[a-z_]+", lambda word: names.get(word[0], word[0]), broken)

    def _remedy(self, invariant: str, said: str) -> str:
        """What to do, with the names of whom and what the message is about."""
        factions = [face.name for face in self.table.names.printed.tracks.values()]
        name = next((each for each in self.scenario.players if each in said), "John")
        faction = next((each for each in factions if each in said), "Fremen")
        return REMEDIES[invariant].format(name=name, faction=faction)

    def _culprit(self, said: str) -> Place:
        """The last of the given lines that share most names with the message."""
        lines = self.scenario.given
        if not lines:
            return self.scenario.place
        shared = [sum(name in said for name in _all_names(line.words)) for line in lines]
        return next(
            line.place
            for line, number in zip(reversed(lines), reversed(shared), strict=True)
            if number == max(shared)
        )

    def _whose_turn(self, to_move: Seat | None) -> Seat | None:
        """Who is named to be at turn, or acts first; nobody takes a turn after revealing."""
        seat = self.turn_of if self.turn_of is not None else to_move
        moved = seat is not None and self.strengths.get(seat, 0) != 0
        if seat is None or not (moved or player(self.state, seat).revealed):
            return seat
        if seat != to_move and ("turn",) not in self.stated:
            return None
        name = self.scenario.players[seat]
        stated = f"the strength of {name}" if moved else f"`{name} has revealed`"
        raise ScenarioError(
            "TS0110",
            f"this position is impossible: {name} has revealed already",
            place=self.scenario.steps[0].place if self.scenario.steps else self.scenario.place,
            help=f"leave out {stated}, or let another act",
            rules=cite("UPR-REVEAL-009"),
        )

    def _take_turn(self, seat: Seat | None) -> None:
        """The rest of the round is pending below the turn of the player who is to act."""
        if seat is None:
            return
        following = clockwise(self.state, seat)[1]
        frames = (Recall(), Makers(), Combat(), PlayerTurns(following), Turn(seat))
        self.state = change(self.state, turn=ThisTurn(seat), pending=frames)

    def _forget(self) -> State:
        """What was not stated and has no starting value becomes unknown."""
        state = self.state
        for each in state.players:
            slots: dict[str, Any] = {}
            if (each.seat, "hand") not in self.known:
                slots["hand"] = Unknown(f"{each.name}'s hand")
            if (each.seat, "won") not in self.known:
                slots["won"] = Unknown(f"the cards {each.name} has won")
            slots |= self._marker(each)
            state = with_player(state, watched(each, **slots))
        unknown: dict[str, Any] = {}
        if state.conflict is None:
            unknown["conflict"] = Unknown("the Conflict card")
        if not size(state.conflict_deck) and not self.conflict_deck_is_empty:
            # Cards that are named elsewhere do not say that the deck has run out.
            unknown["conflict_deck"] = Unknown("the Conflict Deck")
        if state.config.choam and not self.contracts_known:
            unknown["contract_row"] = Unknown("the face-up contracts")
        if not self.row_known:
            unknown["row"] = Unknown("the Imperium Row")
        watched_state: State = watched(state, **unknown)
        return watched_state

    def _marker(self, owner: Player) -> dict[str, Any]:
        """Where the Combat marker stands, and what it leaves open; it moves on Reveal turns."""
        if owner.seat not in self.strengths:
            return {"strength": strength(owner)} if owner.revealed else {}
        marker = {"strength": self.strengths[owner.seat], "revealed": self._has_revealed(owner)}
        if owner.seat not in self.units_open:
            return marker
        hidden = ("troops", "sandworms", "swords", "supply")
        behind = [field for field in hidden if (owner.seat, field) not in self.known]
        return marker | {f: Unknown(f"{owner.name}'s {f} behind the strength") for f in behind}

    def _has_revealed(self, owner: Player) -> bool:
        """A marker is set on the own Reveal turn; one on 0 may also wait for it."""
        turn = self.state.turn
        waits = (owner.seat, "not revealed") in self.known or (turn and turn.seat == owner.seat)
        return owner.revealed or not waits


def _in_one_line(first: Line, second: Line) -> str:
    """What to do about two lines on one thing: what both of them list can stand in one."""
    lists = [
        [word for word in _tokens(line.words) if word.type == "STRING"]
        for line in (first, second)
        if any(line.words.find_data("cards")) and not line.about
    ]
    if len(lists) < 2 or not all(lists):
        return ONE_OF_TWO
    listed, more = lists
    text, end = first.written.text, (listed[-1].column or 1) - 1 + len(listed[-1])
    joined = text[:end] + "".join(f", {word}" for word in more) + text[end:]
    return f"write both in one line: `{joined}`"


def _states_a_deck(line: Line) -> int:
    """What is left of a deck comes after what lies elsewhere, and what needs all decks, last."""
    if any(word == "deck" and word.type == "ZONE" for word in _tokens(line.words)):
        return 1
    return 2 if phrases(line.words, "out_of_game") else 0


def _tokens(words: Words) -> Iterator[Token]:
    """Every word of a phrase."""
    return words.scan_values(lambda value: isinstance(value, Token))


def _all_names(words: Words) -> list[str]:
    kinds = ("NAME", "SPACE", "POST", "FACTION")
    return [str(word) for word in _tokens(words) if word.type in kinds]


REMEDIES = {
    "twelve_troops": "leave out how many are in supply, or write numbers that make 12 in all",
    "nothing_negative": "leave a line out: there are not so many of these pieces",
    "influence_on_track": "write a number from 0 to 6",
    "one_ally_each": "add the line `{name} has 4 influence with the {faction}`",
    "highest_ally_holds": "add the line `{name} holds the {faction} alliance`, or state less",
    "no_sheltered_sandworm": "write `the shield wall is gone`, or leave the sandworms out",
    "icons_are_matched": "write `has matched` for both: a pair lies face down",
    "spies_conserved": "leave a line out: a player has three Spies, and one at most on a post",
    "agents_conserved": "leave a line out, write how many Agents are left beside the board, or add "
    "the line `{name} has the swordmaster`",
    "four_seats": "leave a line out: the High Council has four seats",
    "contracts_conserved": "leave out a contract: two are face up, and each is in one place",
    "strength_needs_units": "add a line like `{name} has 2 troops in conflict`",
    "five_in_the_row": "leave out a card: the Imperium Row has five",
    "cards_conserved": "leave out a copy: the game has not so many",
    "intrigues_conserved": "leave out a copy: the game has not so many",
    "reserve_conserved": "leave out a copy: the Reserve has not so many",
}
"""What to do about each invariant that a stated position breaks."""

FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    **board.FACTS,
    **cards.FACTS,
    **conflicts.FACTS,
    **contracts.FACTS,
    **leaders.FACTS,
    **rounds.FACTS,
    **strengths.FACTS,
}
"""How each fact of the vocabulary makes the position what it says."""
