"""From `game` and `given` to a position: stated, starting value, or unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from lark import Token

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.imperium.acquire import ROW
from rules_engine.imperium.frames import Combat, Makers, PlayerTurns, Recall, Turn
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.sandworms import NEVER_IN_GARRISON
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.spies import SPIES
from rules_engine.imperium.state import (
    AgentAt,
    SpyAt,
    State,
    ThisTurn,
    Won,
    clockwise,
    player,
    with_player,
)
from rules_engine.imperium.strength import strength
from rules_engine.imperium.units import TROOPS
from rules_engine.kernel.decks import Deck, Pool, shuffled, size, zone
from rules_engine.kernel.errors import Place
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record, change
from rules_engine.rulebook.index import cite
from rules_engine.rulebook.rulings import chosen
from scenarios.imperium.names import lower_snake
from scenarios.imperium.table import (
    ONE_OF_TWO,
    ZONES,
    Table,
    impossible,
    name_one_of,
    new_effects,
)
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.language.values import Environment, amount, exactly_one
from verifier.watched import Unknown, watched

# The position


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
        self.deck_is_empty = False
        self.turned_up: dict[str, Line] = {}
        self.strengths: dict[Seat, Any] = {}
        self.troop_lines: dict[Seat, Line] = {}
        self.stated: set[tuple[object, ...]] = set()
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
            choam=choam,
            leaders=self._leaders(choam),
            promos="promos" in modules,
        )

    def _leaders(self, choam: bool) -> tuple[str | None, ...]:
        """The Leaders that players have at the start: a back side stands for its front."""
        found: dict[Seat, str] = {}
        for line in self.scenario.given:
            words = line.words if line.words.data != "state" else phrases(line.words)[0]
            if words.data == "led_by":
                seat = self.table.seat(line, token(words, "NAME"))
                leader = self._front(line, words)
                self._check_leader(line, words, choam, leader in found.values())
                found.setdefault(seat, leader)
        return tuple(found.get(seat) for seat in range(len(self.scenario.players)))

    def _front(self, line: Line, words: Words) -> str:
        leader = self.table.id(line, token(words, "STRING"), "leader")
        for face in self.table.names.printed.leaders.values():
            if face.turns_into == leader:
                return face.id
        return leader

    def _check_leader(self, line: Line, words: Words, choam: bool, taken: bool) -> None:
        """Refuse a Leader whom another player has, or who needs a module that is not used."""
        word = token(words, "STRING")
        face = self.table.names.printed.leaders[self._front(line, words)]
        if face.choam and not choam:
            raise ScenarioError(
                "TS0205",
                f"{face.name} is a Leader of the CHOAM module, which is not used",
                place=line.at(word),
                help="add the line `module choam` below `game`",
                rules=cite("UPR-CHOAM-005"),
            )
        if taken:
            raise ScenarioError(
                "TS0205",
                f"{face.name} leads somebody already",
                place=line.at(word),
                help=name_one_of(self.table.names.known("leader")),
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
        self._empty_decks()
        self._deal_conflicts()
        self._fill_supply()
        self._fill_row()
        self._check()
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
            self._check_location(line)
            self._leave_conflict_deck(line, card)

    def _check_location(self, line: Line) -> None:
        """A Conflict card names one of the locations that can be controlled, or none."""
        for space in tokens(line.words, "SPACE"):
            held = self.table.id(line, space, "space")
            if not any(control.space == held for control in self.state.controls):
                message = f"{space} cannot be controlled"
                raise impossible(line, message, cite("UPR-CTRL-001"), self._name_a_location())

    def _name_a_location(self) -> str:
        spaces = self.table.names.printed.spaces
        return name_one_of(spaces[control.space].name for control in self.state.controls)

    def _given(self, line: Line) -> None:
        words = line.words
        if words.data == "state":
            (words,) = phrases(words)
        if words.data == "has":
            seat = self.table.seat(line, token(words, "NAME"))
            (quantity,) = phrases(words)
            self._quantity(line, seat, quantity)
        else:
            FACTS[str(words.data)](self, line, words)

    def _change(self, seat: Seat, **fields: Any) -> None:
        self.state = with_player(self.state, change(player(self.state, seat), **fields))

    def _amount(self, line: Line, words: Words) -> Any:
        return amount(line, phrases(words)[0], self.environment)

    # Quantities

    def _once(self, line: Line, *what: object) -> None:
        """Refuse a second statement about the same thing."""
        if what in self.stated:
            raise ScenarioError(
                "TS0105",
                "this is stated twice",
                place=line.place,
                help=ONE_OF_TWO,
            )
        self.stated.add(what)

    def _quantity(self, line: Line, seat: Seat, words: Words) -> None:
        kinds = [str(t) for kind in ("RESOURCE", "FACTION") for t in tokens(words, kind)]
        self._once(line, seat, str(words.data), *kinds)
        value = self._amount(line, words)
        match words.data:
            case "garrison" | "troops" | "supply":
                self._troops(line, seat, str(words.data), value)
            case "sandworms_in_garrison":
                message = "a sandworm is never in a garrison"
                raise impossible(line, message, NEVER_IN_GARRISON, "write `in conflict` instead")
            case "resource":
                self._change(seat, **{str(token(words, "RESOURCE")).lower(): value})
            case "influence":
                self._influence(line, seat, words, value)
            case "memories":
                self._troops(line, seat, "memories", value)
            case "sandworms" | "victory_points" | "swords" | "agents":
                self._change(seat, **{str(words.data): value})
                self.known.add((seat, str(words.data)))
            case _:
                name, how = self.scenario.players[seat], NAMED_INSTEAD[str(words.data)]
                raise ScenarioError(
                    "TS0116",
                    "this cannot be given as a number",
                    place=line.place,
                    help=how.format(name, *tokens(words, "ZONE")),
                )

    def _troops(self, line: Line, seat: Seat, where: str, value: Any) -> None:
        self._change(seat, **{where: value})
        self.known.add((seat, where))
        self.troop_lines[seat] = line

    def _fill_supply(self) -> None:
        """The rest of a player's twelve troops is in supply, unless that was stated."""
        for seat, line in self.troop_lines.items():
            owner = player(self.state, seat)
            if (seat, "supply") in self.known:
                continue
            left = TROOPS - owner.garrison - owner.troops - owner.memories
            if left < 0:
                message = f"{owner.name} has more than {TROOPS} troops"
                remedy = f"write a smaller number: a player has {TROOPS} troops in all"
                raise impossible(line, message, cite("UPR-UNIT-005", "UPR-UNIT-006"), remedy)
            self._change(seat, supply=left)

    def _influence(self, line: Line, seat: Seat, words: Words, value: Any) -> None:
        faction = self.table.id(line, token(words, "FACTION"), "faction")
        tracks = tuple(
            change(track, influence=value) if track.faction == faction else track
            for track in player(self.state, seat).tracks
        )
        self._change(seat, tracks=tracks)

    # Cards

    def _hand(self, line: Line, words: Words) -> None:
        self._cards_in(line, words, "hand")

    def _in_zone(self, line: Line, words: Words) -> None:
        self._cards_in(line, words, ZONES[str(token(words, "ZONE"))])

    def _cards_in(self, line: Line, words: Words, where: str) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, where)
        cards = self.table.cards(line, phrases(words, "cards")[0], "card")
        for card in cards:
            self._take(line, seat, card)
        fields: Any = shuffled(cards) if where == "deck" else zone(cards)
        self._change(seat, **{where: fields})
        self.known.add((seat, where))

    def _take(self, line: Line, seat: Seat, card: str) -> None:
        """A named card is taken from wherever the starting position has it."""
        owner = player(self.state, seat)
        deck = Counter(card for part in owner.deck for card in _pool(part))
        supplies = Counter(card for part in self.state.imperium_deck for card in _pool(part))
        if deck[card]:
            deck[card] -= 1
            self._change(seat, deck=shuffled(deck.elements()))
        elif supplies[card]:
            supplies[card] -= 1
            self.state = change(self.state, imperium_deck=shuffled(supplies.elements()))
        elif any(stack.card == card and stack.left for stack in self.state.reserve):
            self.state = change(
                self.state,
                reserve=tuple(
                    change(stack, left=stack.left - 1) if stack.card == card else stack
                    for stack in self.state.reserve
                ),
            )
        elif not any(own.id == card for own in self.table.names.cards):
            raise self._too_many(line, card, cite("UPR-REVEAL-010"))

    def _too_many(self, line: Line, card: str, rules: tuple[str, ...]) -> ScenarioError:
        """There are not so many copies of a card, or none without the module it belongs to."""
        printed = self.table.names.printed
        face = printed.cards.get(card) or printed.intrigue.get(card) or printed.contracts[card]
        if getattr(face, "choam", False) and not self.state.config.choam:
            rules = cite("UPR-CHOAM-003", "UPR-CHOAM-004")
            return self._without_module(line, f"{face.name} is not in", "choam", rules)
        if getattr(face, "promo", False) and not self.state.config.promos:
            return self._without_module(line, f"{face.name} is not in", "promos", ())
        message = f"there are not that many copies of {face.name}: {_copies(face)}"
        return impossible(line, message, rules, f'leave out a `"{face.name}"` here or elsewhere')

    def _without_module(
        self, line: Line, what: str, module: str, rules: tuple[str, ...]
    ) -> ScenarioError:
        return ScenarioError(
            "TS0110",
            f"this position is impossible: {what} this game",
            place=line.place,
            help=f"add the line `module {module}` below `game`",
            rules=rules,
        )

    def _intrigue(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "intrigue")
        cards = self.table.cards(line, phrases(words, "cards")[0], "intrigue")
        left = self._taken_out(line, self.state.intrigue_deck, cards, cite("UPR-ICON-004"))
        self.state = change(self.state, intrigue_deck=left)
        self._change(seat, intrigues=zone(cards))

    def _row(self, line: Line, words: Words) -> None:
        self._once(line, "row")
        cards = self.table.cards(line, phrases(words, "cards")[0], "card")
        left = self._taken_out(line, self.state.imperium_deck, cards, cite("UPR-ACQ-010"))
        self.state = change(self.state, row=zone(cards), imperium_deck=left)
        self.row_known = True

    def _taken_out(
        self, line: Line, deck: Deck, cards: tuple[str, ...], rules: tuple[str, ...]
    ) -> Deck:
        """The deck without cards that were placed elsewhere; it has to have them.

        A card that exists in this scenario only is in no deck.
        """
        names = self.table.names
        own = {*(card.id for card in names.cards), *(card.id for card in names.intrigues)}
        left = Counter(card for part in deck for card in _pool(part))
        left.subtract(card for card in cards if card not in own)
        for card, count in left.items():
            if count < 0:
                raise self._too_many(line, card, rules)
        return shuffled(left.elements())

    def _fill_row(self) -> None:
        """A Row that was stated in part may be completed by nothing but the scenario itself."""
        if self.row_known and len(self.state.row) > ROW:
            raise ScenarioError(
                "TS0110",
                f"this position is impossible: the row has {len(self.state.row)} cards",
                place=self._last_about("row"),
                help=f"leave out {len(self.state.row) - ROW}: the Imperium Row has {ROW} cards",
                rules=cite("UPR-ACQ-010"),
            )

    def _has_trashed(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        cards = self.table.cards(line, phrases(words, "cards")[0], "card")
        for card in cards:
            self._take(line, seat, card)
        self.state = change(self.state, trashed=zone((*self.state.trashed, *cards)))

    def _out_of_game(self, line: Line, words: Words) -> None:
        """Cards out of the game, whoever trashed them; those of starting decks have to be told."""
        printed = self.table.names.printed
        cards = self.table.cards(line, phrases(words, "cards")[0], "card", "intrigue")
        plots = tuple(card for card in cards if card in printed.intrigue)
        others = tuple(card for card in cards if card not in printed.intrigue)
        starting = [
            card for card in others if card in printed.cards and printed.cards[card].starting
        ]
        decks = {(seat, "deck") for seat in range(len(self.scenario.players))}
        if starting and not decks <= self.known:
            name = printed.cards[starting[0]].name
            raise ScenarioError(
                "TS0116",
                f"whose {name} it was is not said",
                place=line.place,
                help=f'write whose, like `{self.scenario.players[0]} has trashed "{name}"`',
            )
        bought = tuple(card for card in others if card not in starting)
        rules = cite("UPR-ICON-011")
        self.state = change(
            self.state,
            imperium_deck=self._taken_out(line, self.state.imperium_deck, bought, rules),
            intrigue_deck=self._taken_out(line, self.state.intrigue_deck, plots, rules),
            trashed=zone((*self.state.trashed, *others)),
            trashed_intrigues=zone((*self.state.trashed_intrigues, *plots)),
        )

    def _set_aside(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "set_aside")
        cards = self.table.cards(line, phrases(words, "cards")[0], "card")
        left = self._taken_out(line, self.state.imperium_deck, cards, cite("UPR-ACQ-010"))
        self.state = change(self.state, imperium_deck=left)
        self._change(seat, set_aside=zone(cards))

    def _standing(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "standing")
        cards = self.table.cards(line, phrases(words, "cards")[0], "intrigue")
        left = self._taken_out(line, self.state.intrigue_deck, cards, cite("UPR-ICON-004"))
        self.state = change(self.state, intrigue_deck=left)
        self._change(seat, standing=zone(cards))

    def _no_cards_left(self, line: Line, _: Words) -> None:
        self._use_up(line, "imperium_deck")

    def _no_intrigues_left(self, line: Line, _: Words) -> None:
        self._use_up(line, "intrigue_deck")

    def _no_contracts_left(self, line: Line, _: Words) -> None:
        self._use_up(line, "contract_deck")

    def _use_up(self, line: Line, deck: str) -> None:
        """A deck has run out; nobody has to say where its cards have gone."""
        self._once(line, deck)
        self.used_up.append(deck)

    def _empty_decks(self) -> None:
        """After all cards were laid out, the rest of a used up deck is as good as in the box."""
        for deck in self.used_up:
            rest = zone(card for part in getattr(self.state, deck) for card in _pool(part))
            self.state = change(self.state, **{deck: (Pool(0, rest),) if rest else ()})

    def _intrigue_discard(self, line: Line, words: Words) -> None:
        self._once(line, "intrigue discard")
        cards = self.table.cards(line, phrases(words, "cards")[0], "intrigue")
        left = self._taken_out(line, self.state.intrigue_deck, cards, cite("UPR-ICON-004"))
        self.state = change(self.state, intrigue_deck=left, intrigue_discard=zone(cards))

    # Leaders, seats and contracts

    def _led_by(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "leader")
        leader = self.table.id(line, token(words, "STRING"), "leader")
        self._change(seat, leader=leader)

    def _trained(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "training")
        space = self.table.id(line, token(words, "STRING"), "training")
        faces = self.table.names.printed.leaders.values()
        (face,) = (face for face in faces if any(each.id == space for each in face.training))
        if player(self.state, seat).leader != face.id:
            message = f"only {face.name} has this training track"
            name = self.scenario.players[seat]
            remedy = f'add the line `{name} is led by "{face.name}"` above it'
            raise impossible(line, message, cite("UPR-CLAR-001"), remedy)
        self._change(seat, training=space)

    def _swordmaster(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "swordmaster")
        agents = player(self.state, seat).agents
        if (seat, "agents") not in self.known:
            agents += 1
        self._change(seat, swordmaster=True, agents=agents)

    def _no_swordmaster(self, line: Line, words: Words) -> None:
        self._once(line, self.table.seat(line, token(words, "NAME")), "swordmaster")

    def _seated(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "seat")
        self._change(seat, high_council=True)

    def _not_seated(self, line: Line, words: Words) -> None:
        self._once(line, self.table.seat(line, token(words, "NAME")), "seat")

    def _holds_contracts(self, line: Line, words: Words) -> None:
        self._contracts(line, words, "contracts")

    def _has_completed(self, line: Line, words: Words) -> None:
        self._contracts(line, words, "completed")

    def _contracts(self, line: Line, words: Words, where: str) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, where)
        contracts = self._drawn_contracts(line, words)
        self._change(seat, **{where: zone(contracts)})

    def _drawn_contracts(self, line: Line, words: Words) -> tuple[str, ...]:
        """Named contracts, taken from the bank or from those set aside for a Leader."""
        if not self.state.config.choam:
            rules = cite("UPR-CHOAM-006")
            raise self._without_module(line, "there are no contracts in", "choam", rules)
        contracts = self.table.cards(line, phrases(words, "cards")[0], "contract")
        apart = Counter(self.state.leader_contracts)
        from_bank = tuple((Counter(contracts) - apart).elements())
        left = self._taken_out(line, self.state.contract_deck, from_bank, cite("UPR-CHOAM-002"))
        kept = zone((apart - Counter(contracts)).elements())
        self.state = change(self.state, contract_deck=left, leader_contracts=kept)
        return contracts

    def _contract_row(self, line: Line, words: Words) -> None:
        self._once(line, "contract row")
        contracts = self._drawn_contracts(line, words)
        self.state = change(self.state, contract_row=zone(contracts))
        self.contracts_known = True

    # Pieces on the board

    def _spy(self, line: Line, words: Words) -> None:
        exactly_one(line, phrases(words)[0], self.environment)
        seat = self.table.seat(line, token(words, "NAME"))
        post = self.table.post(line, phrases(words, "space", "post")[0])
        spies = sorted((*self.state.spies, SpyAt(post, seat)), key=lambda s: (s.post, s.seat))
        self.state = change(self.state, spies=tuple(spies))
        own = sum(1 for spy in spies if spy.seat == seat)
        self._change(seat, spies=SPIES - own)

    def _agent(self, line: Line, words: Words) -> None:
        exactly_one(line, phrases(words)[0], self.environment)
        seat = self.table.seat(line, token(words, "NAME"))
        space = self.table.id(line, token(words, "SPACE"), "space")
        agents = sorted((*self.state.agents, AgentAt(space, seat)), key=lambda a: (a.space, a.seat))
        self.state = change(self.state, agents=tuple(agents))
        self._change(seat, agents=player(self.state, seat).agents - 1)

    def _hooks(self, line: Line, words: Words) -> None:
        self._change(self.table.seat(line, token(words, "NAME")), maker_hooks=True)

    def _no_hooks(self, line: Line, words: Words) -> None:
        self._change(self.table.seat(line, token(words, "NAME")), maker_hooks=False)

    def _won(self, line: Line, words: Words) -> None:
        self._add_all_won(line, words, face_up=True)

    def _matched(self, line: Line, words: Words) -> None:
        self._add_all_won(line, words, face_up=False)

    def _add_all_won(self, line: Line, words: Words, *, face_up: bool) -> None:
        """Conflict cards and Objectives in a player's supply; `nothing` says that there is none."""
        seat = self.table.seat(line, token(words, "NAME"))
        self.known.add((seat, "won"))
        for card in self.table.cards(line, phrases(words, "cards")[0], "conflict", "objective"):
            objective = self.table.names.printed.objectives.get(card)
            if objective is not None:
                self._leave_objectives(line, card)
                self._add_won(seat, Won(card, objective.icon, face_up))
            else:
                self._add_won(seat, Won(card, self._conflict_face(card).icon, face_up))
                self._leave_conflict_deck(line, card)

    def _conflict_face(self, card: str) -> ConflictFace:
        names = self.table.names
        return {**names.printed.conflicts, **_own(names.conflicts)}[card]

    def _won_by_nobody(self, line: Line, words: Words) -> None:
        """Conflict cards that were turned up and went to nobody."""
        for card in self.table.cards(line, phrases(words, "cards")[0], "conflict"):
            self._leave_conflict_deck(line, card)

    def _leave_conflict_deck(self, line: Line, card: str) -> None:
        """A Conflict card that is or was on the table; what lay above it was dealt before."""
        self._once(line, "conflict", card)
        self.turned_up[card] = line

    def _deal_conflicts(self) -> None:
        """The Conflict Deck is what is left after the cards that are or were on the table."""
        deck = self.state.conflict_deck
        reached = [at for at, part in enumerate(deck) if self.turned_up.keys() & {*_pool(part)}]
        left = []
        for at, part in enumerate(deck):
            named = [card for card in _pool(part) if card in self.turned_up]
            count = size((part,)) - len(named)
            if count < 0:
                message = "as many Conflict cards of its level as are dealt are named already"
                remedy = "leave it out, or name one of another level"
                line = list(self.turned_up.values())[-1]
                raise impossible(line, message, cite("BASE-SETUP-006"), remedy)
            above = bool(reached) and at < reached[-1]
            rest = tuple(card for card in _pool(part) if card not in named)
            if rest:
                left.append(Pool(0 if above or self.deck_is_empty else count, rest))
        self.state = change(self.state, conflict_deck=tuple(left))

    def _objective(self, line: Line, words: Words) -> None:
        exactly_one(line, phrases(words)[0], self.environment)
        seat = self.table.seat(line, token(words, "NAME"))
        icon = lower_snake(token(words, "ICON"))
        for card in self.state.objectives:
            if self.table.names.printed.objectives[card].icon == icon:
                self._leave_objectives(line, card)
                self._add_won(seat, Won(card, icon))
                return
        raise self._no_objective(line)

    def _holds_objectives(self, line: Line, words: Words) -> None:
        self._add_all_won(line, words, face_up=True)

    def _leave_objectives(self, line: Line, card: str) -> None:
        if card not in self.state.objectives:
            raise self._no_objective(line)
        left = tuple(each for each in self.state.objectives if each != card)
        self.state = change(self.state, objectives=left)

    def _no_objective(self, line: Line) -> ScenarioError:
        faces = self.table.names.printed.objectives
        left = name_one_of(faces[card].name for card in self.state.objectives)
        remedy = "leave the line out" + (f", or {left}" if self.state.objectives else "")
        message = "there is no such Objective left"
        return impossible(line, message, cite("UPR-COMBAT-028"), remedy)

    def _add_won(self, seat: Seat, won: Won) -> None:
        cards = (*player(self.state, seat).won, won)
        self._change(seat, won=tuple(sorted(cards, key=lambda each: each.card)))
        self.known.add((seat, "won"))

    def _not_revealed(self, line: Line, words: Words) -> None:
        self._once(line, self.table.seat(line, token(words, "NAME")), "revealed")

    def _revealed(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        self._once(line, seat, "revealed")
        self._change(seat, revealed=True)
        self.state = change(self.state, reveal_order=(*self.state.reveal_order, seat))

    def _controls(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        space = self.table.id(line, token(words, "SPACE"), "space")
        held = [c for c in self.state.controls if c.space == space]
        if not held:
            message = "that space cannot be controlled"
            raise impossible(line, message, cite("UPR-CTRL-001"), self._name_a_location())
        if held[0].holder is not None:
            message = "two players control one space"
            raise impossible(line, message, cite("UPR-CTRL-003"), ONE_OF_TWO)
        controls = tuple(
            change(c, holder=seat) if c.space == space else c for c in self.state.controls
        )
        self.state = change(self.state, controls=controls)

    def _uncontrolled(self, line: Line, words: Words) -> None:
        space = self.table.id(line, token(words, "SPACE"), "space")
        if any(c.space == space and c.holder is not None for c in self.state.controls):
            message = "somebody controls that space"
            raise impossible(line, message, cite("UPR-CTRL-003"), ONE_OF_TWO)

    def _holds(self, line: Line, words: Words) -> None:
        seat = self.table.seat(line, token(words, "NAME"))
        faction = self.table.id(line, token(words, "FACTION"), "faction")
        if any(a.faction == faction and a.holder is not None for a in self.state.alliances):
            rules = cite("UPR-FACTION-009", "UPR-FACTION-010")
            raise impossible(line, "two players hold one Alliance", rules, ONE_OF_TWO)
        alliances = tuple(
            change(a, holder=seat) if a.faction == faction else a for a in self.state.alliances
        )
        self.state = change(self.state, alliances=alliances)

    def _unheld(self, line: Line, words: Words) -> None:
        faction = self.table.id(line, token(words, "FACTION"), "faction")
        if any(a.faction == faction and a.holder is not None for a in self.state.alliances):
            message = "somebody holds that Alliance"
            raise impossible(line, message, cite("UPR-FACTION-009"), ONE_OF_TWO)

    def _wall_stands(self, line: Line, _: Words) -> None:
        self._once(line, "wall")
        self.state = change(self.state, shield_wall=True)

    def _wall_gone(self, line: Line, _: Words) -> None:
        self._once(line, "wall")
        self.state = change(self.state, shield_wall=False)

    def _bonus_spice(self, line: Line, words: Words) -> None:
        space = self.table.id(line, token(words, "SPACE"), "space")
        if not any(maker.space == space for maker in self.state.makers):
            spaces = self.table.names.printed.spaces
            remedy = name_one_of(spaces[maker.space].name for maker in self.state.makers)
            raise impossible(line, "that is no Maker space", cite("UPR-MAKER-001"), remedy)
        value = self._amount(line, words)
        makers = tuple(
            change(m, bonus_spice=value) if m.space == space else m for m in self.state.makers
        )
        self.state = change(self.state, makers=makers)

    def _strength(self, line: Line, words: Words) -> None:
        for name, value in zip(tokens(words, "NAME"), phrases(words), strict=True):
            seat = self.table.seat(line, name)
            self._once(line, seat, "strength")
            self.strengths[seat] = amount(line, value, self.environment)

    def _first_reward(self, line: Line, words: Words) -> None:
        effects = new_effects(line, token(words, "STRING"), self.table.names.printed)
        self.state = change(self.state, first_reward=self.state.first_reward + effects)

    def _round(self, line: Line, words: Words) -> None:
        self._once(line, "round")
        number = int(token(words, "NUMBER"))
        if number < 1:
            remedy = "write `it is round 1`"
            raise impossible(line, "rounds count from 1", cite("UPR-ROUND-001"), remedy)
        self.round = number

    def _no_conflicts_left(self, _: Line, __: Words) -> None:
        self.deck_is_empty = True

    def _turn_of(self, line: Line, words: Words) -> None:
        self._once(line, "turn")
        self.turn_of = self.table.seat(line, token(words, "NAME"))

    # Afterwards

    def _check(self) -> None:
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

    def _last_about(self, fact: str) -> Place:
        """The last given line that states a fact."""
        about = [line for line in self.scenario.given if phrases(line.words, fact)]
        return about[-1].place if about else self.scenario.place

    def _whose_turn(self, to_move: Seat | None) -> Seat | None:
        """Who is named to be at turn, or acts first; nobody takes a turn after revealing."""
        seat = self.turn_of if self.turn_of is not None else to_move
        if seat is None or not player(self.state, seat).revealed:
            return seat
        if seat != to_move:
            return None
        raise ScenarioError(
            "TS0110",
            f"this position is impossible: {self.scenario.players[seat]} has revealed already",
            place=self.scenario.steps[0].place if self.scenario.steps else self.scenario.place,
            help=f"leave out `{self.scenario.players[seat]} has revealed`, or let another act",
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
            if each.seat in self.strengths:
                for field in self._behind_the_strength(each.seat):
                    if (each.seat, field) not in self.known:
                        slots[field] = Unknown(f"{each.name}'s units behind the strength")
                slots |= {"strength": self.strengths[each.seat], "revealed": True}
            elif each.revealed:
                slots["strength"] = strength(each)
            state = with_player(state, watched(each, **slots))
        unknown: dict[str, Any] = {}
        if state.conflict is None:
            unknown["conflict"] = Unknown("the Conflict card")
        if not size(state.conflict_deck) and not self.deck_is_empty:
            # Cards that are named elsewhere do not say that the deck has run out.
            unknown["conflict_deck"] = Unknown("the Conflict Deck")
        if state.config.choam and not self.contracts_known:
            unknown["contract_row"] = Unknown("the face-up contracts")
        if not self.row_known:
            unknown["row"] = Unknown("the Imperium Row")
        watched_state: State = watched(state, **unknown)
        return watched_state

    def _behind_the_strength(self, seat: Seat) -> tuple[str, ...]:
        """What a marker hides; the supply follows from the troops if these were stated."""
        hidden = ("troops", "sandworms", "swords")
        return hidden if (seat, "troops") in self.known else (*hidden, "supply")


def _states_a_deck(line: Line) -> int:
    """What is left of a deck comes after what lies elsewhere, and what needs all decks, last."""
    if any(word == "deck" and word.type == "ZONE" for word in _tokens(line.words)):
        return 1
    return 2 if phrases(line.words, "out_of_game") else 0


def _tokens(words: Words) -> Iterator[Token]:
    """Every word of a phrase."""
    return words.scan_values(lambda value: isinstance(value, Token))


def _pool(part: Any) -> tuple[str, ...]:
    return tuple(part.cards) if hasattr(part, "cards") else (part.card,)


def _copies(face: Record) -> str:
    """How many copies there are of a card or a contract, and where."""
    return ", ".join(
        f"{number} in {where}"
        for field, where in COPIES.items()
        if (number := getattr(face, field, 0))
    )


COPIES = {"starting": "each starting deck", "reserve": "the Reserve", "copies": "its deck"}


def _own(faces: tuple[ConflictFace, ...]) -> dict[str, ConflictFace]:
    return {face.id: face for face in faces}


def _all_names(words: Words) -> list[str]:
    kinds = ("NAME", "SPACE", "POST", "FACTION")
    return [str(word) for word in _tokens(words) if word.type in kinds]


NAMED_INSTEAD = {
    "cards": 'name them, like `{0} has "Dagger" in {1}`',
    "intrigues": 'name them, like `{0} has intrigue "Detonation"`',
    "contracts": 'name them, like `{0} has contract "Harvest 3"`',
    "completed": 'name them, like `{0} has completed "Harvest 3"`',
    "spies": "leave the line out: all three Spies are in supply but for those at posts",
}
"""How things are given that are not just a number."""

REMEDIES = {
    "twelve_troops": "leave out how many are in supply, or write numbers that make 12 in all",
    "nothing_negative": "leave a line out: there are not so many of these pieces",
    "influence_on_track": "write a number from 0 to 6",
    "one_ally_each": "add the line `{name} has 4 influence with the {faction}`",
    "highest_ally_holds": "add the line `{name} holds the {faction} alliance`, or state less",
    "no_sheltered_sandworm": "write `the shield wall is gone`, or leave the sandworms out",
    "icons_are_matched": "write `has matched` for both: a pair lies face down",
    "spies_conserved": "leave a line out: a player has three Spies, and one at most on a post",
    "agents_conserved": "leave a line out, or write how many Agents are left beside the board",
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
    "hand": Position._hand,
    "intrigue": Position._intrigue,
    "in_zone": Position._in_zone,
    "spy": Position._spy,
    "agent": Position._agent,
    "hooks": Position._hooks,
    "no_hooks": Position._no_hooks,
    "swordmaster": Position._swordmaster,
    "no_swordmaster": Position._no_swordmaster,
    "seated": Position._seated,
    "not_seated": Position._not_seated,
    "led_by": Position._led_by,
    "trained": Position._trained,
    "holds_contracts": Position._holds_contracts,
    "has_completed": Position._has_completed,
    "contract_row": Position._contract_row,
    "no_contracts_left": Position._no_contracts_left,
    "no_cards_left": Position._no_cards_left,
    "no_intrigues_left": Position._no_intrigues_left,
    "intrigue_discard": Position._intrigue_discard,
    "set_aside": Position._set_aside,
    "standing": Position._standing,
    "won": Position._won,
    "matched": Position._matched,
    "won_by_nobody": Position._won_by_nobody,
    "objective": Position._objective,
    "holds_objectives": Position._holds_objectives,
    "has_trashed": Position._has_trashed,
    "out_of_game": Position._out_of_game,
    "not_revealed": Position._not_revealed,
    "first_reward": Position._first_reward,
    "round": Position._round,
    "revealed": Position._revealed,
    "controls": Position._controls,
    "uncontrolled": Position._uncontrolled,
    "holds": Position._holds,
    "unheld": Position._unheld,
    "wall_stands": Position._wall_stands,
    "wall_gone": Position._wall_gone,
    "bonus_spice": Position._bonus_spice,
    "strength": Position._strength,
    "row": Position._row,
    "no_conflicts_left": Position._no_conflicts_left,
    "turn_of": Position._turn_of,
}
"""How each fact of the vocabulary makes the position what it says."""
