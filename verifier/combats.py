"""Combat from its resolution to its end, with a Conflict that tells who was given which reward.

Each place gives any amount of a resource of its own, so what a player has afterwards says which
rewards were delivered, how often, and to whom.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects.tree import Gain
from rules_engine.imperium.frames import ResolveCombat
from rules_engine.imperium.state import Player, State, Won
from rules_engine.kernel.numbers import Quantity, count_true, pick
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import change
from verifier.changes import player_kept, same, table_kept
from verifier.current import quantity
from verifier.numbers import all_of, any_of, remembered
from verifier.play import play_out
from verifier.positions import any_leader, covered_config, open_rulings, printed, symbolic_state
from verifier.watched import AnyNumber, Lazy

FIRST, SECOND, THIRD, NOTHING = "first", "second", "third", "nothing"
PRIZES = {FIRST: "solari", SECOND: "spice", THIRD: "water"}
"""The resource that stands for each reward."""
ICON = "crysknife"
ORDER = "reward_order_players"
CARD = "a_prize_for_each_place"

TAKEN = ("solari", "spice", "water", "victory_points", "won")
"""What the rewards of this Conflict, and its card, change of a player."""
CLEARED = ("supply", "troops", "sandworms", "swords", "strength")
"""What the end of Combat changes of a player."""


def prize(place: str) -> Quantity:
    """How much of its resource a place gives."""
    return quantity(f"{place} prize", 1)


def added() -> Quantity:
    """How many Victory Points a card has added to the first reward."""
    return quantity("added")


def conflict() -> ConflictFace:
    """The Conflict card with a prize for each place."""
    first, second, third = ((Gain(prize(place), PRIZES[place]),) for place in PRIZES)
    return ConflictFace(CARD, "A Prize for Each Place", first, second, third, icon=ICON)


def won_before() -> tuple[tuple[Won, ...], ...]:
    """A card that does not matter and one of the Conflict's icon, face up or face down."""
    faces = printed().objectives.values()
    same = next(face.id for face in faces if face.icon == ICON)
    other = next(Won(face.id, face.icon) for face in faces if face.icon != ICON)
    return tuple(_by_card(other, Won(same, ICON, face_up)) for face_up in (True, False))


def _by_card(*cards: Won) -> tuple[Won, ...]:
    return tuple(sorted(cards, key=lambda each: each.card))


def _by_strengths(place: Callable[..., Any]) -> Callable[..., Any]:
    """A place that depends on the strengths alone is found once and not on every path."""

    @functools.wraps(place)
    def found(done: Played, *seats: Seat) -> Any:
        about = (place.__name__, *seats)
        return remembered(about, lambda: place(done, *seats), *done.strengths)

    return found


@dataclass(frozen=True)
class Played:
    """A Combat that was played out: the states, and what was added to the first reward."""

    before: State
    after: State
    between: tuple[State, ...]
    added: Quantity
    found: dict[tuple[Seat, str], Any] = field(default_factory=dict)

    @functools.cached_property
    def strengths(self) -> tuple[Quantity, ...]:
        """What the Combat track shows for everybody before."""
        return tuple(each.strength for each in self.before.players)

    @property
    def seats(self) -> range:
        """All players."""
        return range(len(self.before.players))

    def strength(self, seat: Seat) -> Quantity:
        """What the Combat track shows for a player before."""
        return self.strengths[seat]

    def others(self, *seats: Seat) -> list[Seat]:
        """Everybody but these."""
        return [seat for seat in self.seats if seat not in seats]

    # Places, by comparing strengths

    @_by_strengths
    def leads(self, seat: Seat, *others: Seat) -> Any:
        """Whether a player has strength, and more than each of these others."""
        own = self.strength(seat)
        return all_of(own > 0, *(own > self.strength(other) for other in others))

    def level(self, seat: Seat, other: Seat) -> Any:
        """Whether two players have the same strength."""
        return self.strength(seat) == self.strength(other)

    @_by_strengths
    def wins(self, seat: Seat) -> Any:
        """Whether a player has more strength than everybody else."""
        return self.leads(seat, *self.others(seat))

    @_by_strengths
    def tied_for_first(self, seat: Seat) -> Any:
        """Whether a player with strength has an equal, and nobody above."""
        own, others = self.strength(seat), self.others(seat)
        nobody_above = all_of(*(own >= self.strength(other) for other in others))
        return all_of(own > 0, nobody_above, any_of(*(self.level(seat, at) for at in others)))

    @_by_strengths
    def at_the_top(self) -> Quantity:
        """How many are tied for first."""
        return count_true(self.tied_for_first(seat) for seat in self.seats)

    @_by_strengths
    def tied_for_second(self, seat: Seat) -> Any:
        """Whether a player with strength is below a winner alone, with an equal."""
        return any_of(*(self._tied_below(top, seat) for top in self.others(seat)))

    def _tied_below(self, top: Seat, seat: Seat) -> Any:
        own, others = self.strength(seat), self.others(seat, top)
        nobody_between = all_of(*(own >= self.strength(other) for other in others))
        equal = any_of(*(self.level(seat, at) for at in others))
        return all_of(self.wins(top), own > 0, nobody_between, equal)

    @_by_strengths
    def second(self, seat: Seat) -> Any:
        """Whether a player is below one winner alone, and above everybody else."""
        return any_of(*(self._next(top, seat) for top in self.others(seat)))

    def _next(self, top: Seat, seat: Seat) -> Any:
        return all_of(self.wins(top), self.leads(seat, *self.others(seat, top)))

    @_by_strengths
    def third(self, seat: Seat) -> Any:
        """Whether a player is below a winner and a second, and above everybody else."""
        pairs = ((top, next_) for top in self.others(seat) for next_ in self.others(seat, top))
        return any_of(
            *(
                all_of(self._next(top, next_), self.leads(seat, *self.others(seat, top, next_)))
                for top, next_ in pairs
            )
        )

    @_by_strengths
    def next_below_two(self, seat: Seat) -> Any:
        """Whether a player is below exactly two who are tied for first, and above the others."""
        pairs = itertools.combinations(self.others(seat), 2)
        return any_of(
            *(
                all_of(
                    self.tied_for_first(one),
                    self.tied_for_first(other),
                    self.leads(seat, *self.others(seat, one, other)),
                    self.strength(seat) < self.strength(one),
                )
                for one, other in pairs
            )
        )

    @_by_strengths
    def above(self, seat: Seat) -> Quantity:
        """How many have more strength than a player."""
        own = self.strength(seat)
        return count_true(self.strength(other) > own for other in self.others(seat))

    @_by_strengths
    def tied(self, seat: Seat) -> Any:
        """Whether somebody else has the same strength."""
        return any_of(*(self.level(seat, other) for other in self.others(seat)))

    # What was delivered

    def given(self, seat: Seat, place: str) -> Any:
        """Whether a player was given the reward of a place, and of no other: what the player has.

        The points of a card added to the first reward come with it.
        """
        if (seat, place) not in self.found:
            self.found[seat, place] = self._given(seat, place)
        return self.found[seat, place]

    def _given(self, seat: Seat, place: str) -> Any:
        old, new = self.before.players[seat], self.after.players[seat]
        return all_of(
            *(
                getattr(new, what) == getattr(old, what) + self._due(old, which, place)
                for which, what in PRIZES.items()
            ),
            new.victory_points == old.victory_points + self._points(seat, place),
        )

    def _due(self, owner: Player, which: str, place: str) -> Quantity:
        return twice(owner, prize(which)) if which == place else 0

    def _points(self, seat: Seat, place: str) -> Quantity:
        if place != FIRST:
            return 0
        match = 1 if self.turned(seat) else 0
        return twice(self.before.players[seat], self.added) + match

    def turned(self, seat: Seat) -> bool:
        """Whether a face-up card of the Conflict's icon, had by a player before, is face down."""
        if self._cards_kept(seat):
            return False
        before, after = (state.players[seat].won for state in (self.before, self.after))
        return any(each.face_up and each.icon == ICON and each not in after for each in before)

    def won(self, seat: Seat) -> bool:
        """Whether a player has the Conflict card now."""
        if self._cards_kept(seat):
            return False
        return any(each.card == CARD for each in self.after.players[seat].won)

    def _cards_kept(self, seat: Seat) -> bool:
        """Whether the cards are what they were, whatever that is: nobody had this one before."""
        return same(self.before.players[seat], self.after.players[seat], "won")

    def all_else_kept(self) -> Any:
        """Whether nothing changed but what rewards and the end of a Combat are about."""
        return all_of(
            *(player_kept(self.before, self.after, at, *TAKEN, *CLEARED) for at in self.seats),
            table_kept(self.before, self.after, "conflict", "first_reward"),
        )

    def cleared(self, seat: Seat) -> Any:
        """Whether a player's troops are in supply, and nothing is left in the Conflict."""
        old, new = self.before.players[seat], self.after.players[seat]
        gone = (new.troops, new.sandworms, new.swords, new.strength)
        return all_of(new.supply == old.supply + old.troops, *(each == 0 for each in gone))

    def paid_in_order(self) -> list[Seat]:
        """Who was given prizes, in the order in which they came."""
        order: list[Seat] = []
        for one, other in zip(self.between, self.between[1:], strict=False):
            order += (seat for seat in self.seats if _richer(one, other, seat))
        return [seat for seat, _ in itertools.groupby(order)]


def _richer(one: State, other: State, seat: Seat) -> bool:
    old, new = one.players[seat], other.players[seat]
    return any(getattr(old, what) is not getattr(new, what) for what in PRIZES.values())


def twice(owner: Player, amount: Quantity) -> Quantity:
    """The amount, or twice as much for a player with a sandworm."""
    return pick(owner.sandworms >= 1, 2 * amount, amount)


KINDS: dict[str, dict[str, Any]] = {
    "in any order": {"sandworms": False, "won": False, "added": False},
    "with sandworms": {"sandworms": True, "won": False, "added": False},
    "with more for the winner": {"sandworms": False, "won": True, "added": True},
}
"""What a Combat is played out with; each kind leaves open what the others do not."""


SUMMONERS = {3: 3, 4: 2}
"""How many of so many players may have sandworms, from the first seat on."""


def played(players: int, kind: str) -> Played:
    """Combat is resolved, with any strengths of all players.

    In any order: any First Player, and both readings of the order in which rewards are taken. With
    sandworms: any number of them for everybody, with four players for the first two. With more for
    the winner: points that a card has added to the first reward, and cards won before.
    """
    has = KINDS[kind]
    any_order = kind == "in any order"

    def more(owner: Player) -> dict[str, Any]:
        some = has["sandworms"] and owner.seat in range(SUMMONERS[players])
        sandworms = AnyNumber(f"{owner.name}.sandworms") if some else 0
        won = Lazy(f"{owner.name}.won", won_before()) if has["won"] else ()
        leader = any_leader(owner.name)
        return {"intrigues": (), "leader": leader, "sandworms": sandworms, "won": won}

    config = covered_config(players, (conflict(),))
    before = symbolic_state(
        players,
        more,
        config=change(config, rulings=open_rulings((ORDER,) if any_order else ())),
        conflict=CARD,
        first_player=Lazy("first_player", tuple(range(players))) if any_order else 0,
        first_reward=(Gain(added(), "vp"),) if has["added"] else (),
        turn=None,
        pending=(ResolveCombat(),),
    )
    states = [before]

    def watch(_: State, now: State, __: tuple[Event, ...]) -> None:
        states.append(now)

    after, _ = play_out(before, watch=watch)
    return Played(before, after, tuple(states), added() if has["added"] else 0)
