"""Intrigue cards in hand: who sees them, who steals them, and which are given up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules_engine.catalogue.faces import IntrigueFace
from rules_engine.effects.tree import StealIntrigue
from rules_engine.imperium.actions import GiveUpIntrigue
from rules_engine.imperium.frames import Item, PickIntrigue, Run, Steal
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import Player, State, with_player
from rules_engine.kernel.chance import likelihoods
from rules_engine.kernel.decks import Cards, zone
from rules_engine.kernel.game import Answer, asked, handle, legal
from rules_engine.kernel.outcomes import Event, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.kernel.views import view
from verifier.current import choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.numbers import all_of, opposite
from verifier.play import next_state, play_out
from verifier.positions import NAMES, PRODUCT, claim_only, covered_config, printed, symbolic_state
from verifier.registry import Twin, proves
from verifier.watched import Lazy

PLAYERS = 3


# Who sees them


def _holding(cards: Cards) -> State:
    """The start of a game, but for any resources and the Intrigue cards that the first player has.

    It is not watched: a view reads every field.
    """
    state = starting_state(PRODUCT, NAMES[:PLAYERS], Rulings())
    for each in state.players:
        had = {
            what: quantity(f"{each.name}.{what}")
            for what in ("solari", "spice", "water", "persuasion")
        }
        held = cards if each.seat == OWNER else ()
        state = with_player(state, change(each, **had, intrigues=held))
    return state


def _hands(faces: Cards) -> tuple[Cards, ...]:
    """No card, each one alone, and each in a hand of three."""
    threes = (faces[at : at + 3] for at in range(0, len(faces) - 2, 3))
    return ((), *((face,) for face in faces), *threes, faces[-3:])


@proves(
    {
        "UPR-ICON-004": Twin(
            "rules_engine.imperium.state",
            "intrigues: Annotated[Cards, Seen.OWNER]",
            "intrigues: Cards",
        )
    },
    bounds="any resources, 3 players, all else as at the start; no Intrigue card, each one by "
    "itself, and hands of three in which each occurs",
)
def others_see_only_how_many_intrigue_cards_one_holds() -> None:
    """Unsatisfiable iff only their owner sees which Intrigue cards are held, others how many.

    The view of each other player and of a spectator shows the number, and is the same in every
    field if each card held is the next one instead, in the order of their names. The owner's view
    shows the cards.
    """
    faces = sorted(printed().intrigue)
    following = dict(zip(faces, (*faces[1:], faces[0]), strict=True))
    cards = choose("cards", _hands(tuple(faces)))
    others = zone(following[card] for card in cards)
    state, other = _holding(cards), _holding(others)
    stage(state)
    for viewer in (OWNER + 1, OWNER + 2, None):
        seen: Any = view(state, viewer)
        claim(seen["players"][OWNER]["intrigues"] == {"count": len(cards)}, "others see the number")
        claim(seen == view(other, viewer), "others see the same, whichever they are")
    own: Any = view(state, OWNER)
    claim(own["players"][OWNER]["intrigues"] == list(cards), "the owner sees the cards")


# Stealing


HELD = (0, 3, 4, 6)
SCHEMES = tuple(IntrigueFace(name, name, 9, ()) for name in ("plan", "scheme"))
"""Two kinds of Intrigue card that exist in this game only."""


def _hand(size: int) -> Cards:
    """So many cards, one of them different."""
    return ("plan",) * (size - 1) + ("scheme",) if size else ()


def _steal() -> StealIntrigue:
    """The effect that is printed."""
    effects = printed().spaces["secrets"].effects
    return next(effect for effect in effects if isinstance(effect, StealIntrigue))


@proves(
    {
        "UPR-ICON-009": Twin(
            "rules_engine.imperium.held_intrigue",
            "if len(player(state, other).intrigues) >= effect.least",
            "if len(player(state, other).intrigues) > effect.least",
        )
    },
    bounds="any quantities, 3 and 4 players, the thief in the first seat with one card, each "
    "opponent with 0, 3, 4 or 6 cards of two kinds, the effect printed on Secrets",
    cases=({"players": 3}, {"players": 4}),
)
def one_card_is_stolen_at_random_from_each_holder_of_four(players: int) -> None:
    """Unsatisfiable iff each opponent with 4 or more Intrigue cards loses one, and others none.

    The thief has all of them, and no card is lost or doubled. Which one it is is left to chance,
    every card of the victim being equally likely and no other possible. Nothing else of anybody
    changes.
    """

    def more(owner: Player) -> dict[str, Any]:
        hands = tuple(map(_hand, HELD))
        held = ("plan",) if owner.seat == OWNER else Lazy(f"{owner.name}.intrigues", hands)
        return {"intrigues": held}

    config = change(covered_config(players), intrigues=SCHEMES)
    frame = Run(OWNER, Item(_steal(), "secrets"))
    before = symbolic_state(players, more, config=config, pending=(frame,))

    def watch(state: State, _: State, __: tuple[Event, ...]) -> None:
        top = state.pending[-1]
        if isinstance(top, Steal):
            claim(asked(IMPERIUM, state).chance, "chance says which card")
            copies = Counter(state.players[top.victim].intrigues)
            claim(dict(likelihoods(IMPERIUM, state)) == dict(copies), "each is equally likely")
            for card in ("plan", "scheme", "detonation"):
                possible = legal(IMPERIUM, state, Answer(card)) is None
                claim(possible == (card in copies), "no other card can be taken")

    after, _ = play_out(before, watch=watch)
    stolen: Counter[str] = Counter()
    for old, new in zip(before.players[1:], after.players[1:], strict=True):
        loses = 1 if len(old.intrigues) >= 4 else 0
        lost = Counter(old.intrigues) - Counter(new.intrigues)
        claim(len(new.intrigues) == len(old.intrigues) - loses, f"{old.name} loses one from 4 on")
        claim(lost.total() == loses, f"{old.name} keeps the others")
        stolen += lost
    thief = Counter(after.players[OWNER].intrigues)
    claim(thief == stolen + Counter(("plan",)), "the thief has what was stolen")
    claim_only(before, after, ("intrigues",), ("pending",), others=("intrigues",))


# Giving up


@proves(
    {
        "UPR-ROUND-006": Twin(
            "rules_engine.imperium.held_intrigue",
            "return Step(to_discard_pile(state, card), (event,))",
            "return Step(state, (event,))",
        )
    },
    bounds="any quantities, 3 players, of whom the first holds three Intrigue cards of two kinds "
    "and has to discard one to three of them; one card in the discard pile",
)
def a_discarded_intrigue_card_is_put_on_the_discard_pile() -> None:
    """Unsatisfiable iff the picked card goes from the hand to the Intrigue discard pile.

    As many are still to be discarded as before but one, and after the last nothing is left to do.
    The report names the card. Nothing else changes.
    """
    count = choose("count", (1, 2, 3))
    config = change(covered_config(PLAYERS), intrigues=SCHEMES)
    before = symbolic_state(
        PLAYERS,
        lambda owner: {"intrigues": _hand(3)} if owner.seat == OWNER else {},
        config=config,
        intrigue_discard=("plan",),
        pending=(PickIntrigue(OWNER, count),),
    )
    card = choose("card", ("plan", "scheme"))
    given = GiveUpIntrigue(OWNER, card)
    stage(before, (given,))
    done = handle(IMPERIUM, before, given)
    claim(isinstance(done, Step), "a card that is held can be discarded")
    if not isinstance(done, Step):
        return
    after = done.state
    left = Counter(_hand(3)) - Counter((card,))
    claim(Counter(after.players[OWNER].intrigues) == left, "it has left the hand")
    claim(after.intrigue_discard == zone(("plan", card)), "it is on the discard pile")
    more = (PickIntrigue(OWNER, count - 1),) if count > 1 else ()
    claim(after.pending == more, "one fewer is to be discarded")
    claim([event.facts for event in done.events] == [{"card": card}], "the report names it")
    claim_only(before, after, ("intrigues",), ("intrigue_discard", "pending"))


@proves(
    {
        "UPR-ICON-010": Twin(
            "rules_engine.imperium.held_intrigue",
            "due = frame.count >= 1 and player(state, frame.seat).intrigues",
            "due = frame.count >= 2 and player(state, frame.seat).intrigues",
        ),
        "UPR-ICON-009": Twin(
            "rules_engine.imperium.held_intrigue",
            "CHANCE if player(state, frame.victim).intrigues else NOBODY",
            "NOBODY",
        ),
    },
    bounds="any number of cards to be trashed or discarded, any quantities, 3 players, of whom the "
    "first, who is also the victim, holds no Intrigue card or one",
)
def only_a_card_that_is_held_can_be_lost() -> None:
    """Unsatisfiable iff somebody says which Intrigue card is lost exactly if there is one to lose.

    If cards are to be trashed or discarded it is their owner, if one is stolen it is chance. Where
    no card is held, or none is to be given up any more, it goes on by itself and nothing changes.
    """
    count = quantity("count")
    held = choose("held", ((), ("plan",)))
    frames = (PickIntrigue(OWNER, count), PickIntrigue(OWNER, count, True), Steal(1, OWNER))
    frame = choose("frame", frames)
    before = symbolic_state(
        PLAYERS,
        lambda owner: {"intrigues": held} if owner.seat == OWNER else {},
        config=change(covered_config(PLAYERS), intrigues=SCHEMES),
        pending=(frame,),
    )
    stage(before)
    who = asked(IMPERIUM, before)
    if isinstance(frame, Steal):
        claim(who.chance == bool(held), "chance says which card is stolen, if there is one")
    else:
        decides = all_of(count >= 1, len(held) >= 1)
        asks_owner = who.players == (OWNER,)
        claim(decides if asks_owner else opposite(decides), "the owner is asked for a card held")
    if who.nobody():
        claim_only(before, next_state(before), (), ("pending",))
