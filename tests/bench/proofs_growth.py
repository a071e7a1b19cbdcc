"""How the time of a proof grows with the number of players and with the number of cards.

Every property here is of a kind that the suite has, with the size left open: a rule that looks at
all contenders, one that changes something of every player, a Combat that ranks everybody, where
each ranking is a path, cards drawn one by one from a deck of
different cards, where each order is a path, and from a deck of equal ones.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from rules_engine.effects.tree import DrawCards
from rules_engine.imperium.combat import FIRST, reward_of
from rules_engine.imperium.frames import EndCombat, GiveRewards, Item, ResolveCombat, Run
from rules_engine.imperium.state import ThisTurn
from rules_engine.imperium.units import TROOPS
from rules_engine.kernel.decks import possibly_in, shuffled, zone
from rules_engine.kernel.decks import size as cards_in
from rules_engine.kernel.numbers import smaller
from rules_engine.kernel.records import Record
from tests.bench.aims import told
from verifier.current import assume, choose, claim, quantity
from verifier.effects import OWNER
from verifier.numbers import all_of
from verifier.play import play_out
from verifier.positions import printed, symbolic_state, with_cards
from verifier.verdicts import PROVED, Settled, settle

ROUNDS = 3
SOURCE = "imperial_basin"


def the_single_strongest_takes_the_first_reward(players: int) -> None:
    """Any player with more strength than each other takes the first reward."""
    state = symbolic_state(players)
    own = choose("strongest", range(players))
    strengths = tuple(each.strength for each in state.players)
    others = (strength for seat, strength in enumerate(strengths) if seat != own)
    assume(all_of(strengths[own] > 0, *(strengths[own] > other for other in others)))
    claim(reward_of(strengths, own, players) == FIRST, "the strongest takes the first reward")


def all_troops_leave_the_conflict(players: int) -> None:
    """After Combat no troop of anybody is in the Conflict, and nobody has more or fewer."""
    after, _ = play_out(symbolic_state(players, pending=(EndCombat(),)))
    for owner in after.players:
        claim(owner.troops == 0, "no troop is in the Conflict")
        claim(owner.supply + owner.garrison == TROOPS, "all are in the supply or the garrison")


def at_most_one_player_wins(players: int) -> None:
    """When a whole Combat is resolved, at most one player takes the first reward."""
    before = symbolic_state(players, first_player=0, pending=(ResolveCombat(),))
    _, events = play_out(before, apart=(GiveRewards,))
    winners = [event for event in events if event.key == "wins_conflict"]
    claim(len(winners) <= 1, "at most one player wins")


def up_to_two_different_cards_are_drawn(cards: int) -> None:
    """Up to two cards are drawn from a deck of different cards."""
    names = tuple(card.id for card in printed().cards.values())[:cards]
    _draw(names, quantity("amount", 0, 2))


def any_number_of_equal_cards_is_drawn(cards: int) -> None:
    """Any number of cards is drawn from a deck of equal cards."""
    _draw(("dagger",) * cards, quantity("amount"))


def _draw(cards: tuple[str, ...], amount: int) -> None:
    """No card is lost or doubled, and as many are drawn as said or as there are."""
    frame = Run(OWNER, Item(DrawCards(amount), SOURCE))
    own = {"hand": (), "deck": shuffled(cards), "discard": ()}
    after, _ = play_out(with_cards((frame,), own, turn=ThisTurn(OWNER, kind="agent")))
    owner = after.players[OWNER]
    claim(len(owner.hand) == smaller(amount, len(cards)), "as many as said or as there are")
    claim(cards_in(owner.deck) == len(cards) - len(owner.hand), "the others are left")
    claim(zone(owner.hand + possibly_in(owner.deck)) == zone(cards), "none is lost or doubled")


class Growth(Record):
    """A property and the sizes that it is settled for."""

    claims: Callable[[int], None]
    things: str
    sizes: tuple[int, ...]


GROWTHS = (
    Growth(the_single_strongest_takes_the_first_reward, "players", (2, 3, 4, 6)),
    Growth(all_troops_leave_the_conflict, "players", (2, 3, 4, 6)),
    Growth(at_most_one_player_wins, "players", (2, 3, 4)),
    Growth(up_to_two_different_cards_are_drawn, "cards", (2, 4, 8)),
    Growth(any_number_of_equal_cards_is_drawn, "cards", (2, 4, 8)),
)


def proved(claims: Callable[[int], None], size: int) -> tuple[float, Settled]:
    """Seconds of the processor to settle the property for this size, and the verdict."""
    begun = time.process_time()
    settled = settle(partial(claims, size))
    assert settled.verdict == PROVED, settled
    return time.process_time() - begun, settled


def main() -> None:
    """Print the median time for each size, and how many times that of the smallest it is."""
    for each in GROWTHS:
        print(each.claims.__name__.replace("_", " "))
        proved(each.claims, each.sizes[0])
        least = 0.0
        for size in each.sizes:
            runs = [proved(each.claims, size) for _ in range(ROUNDS)]
            seconds = statistics.median(seconds for seconds, _ in runs)
            least = least or seconds
            paths = runs[0][1].paths
            figure = f"{seconds * 1000:.0f} ms {seconds / least:>6.1f}x"
            told(f"  {size} {each.things}, {paths} paths", figure)


if __name__ == "__main__":
    main()
