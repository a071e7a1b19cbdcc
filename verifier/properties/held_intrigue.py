"""Intrigue cards in hand: who sees them, who steals them, and which are given up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules_engine.catalogue.faces import IntrigueFace
from rules_engine.effects.tree import (
    Arrow,
    DiscardIntrigue,
    Gain,
    StealIntrigue,
    TrashIntrigue,
)
from rules_engine.imperium.actions import GiveUpIntrigue, Resolve
from rules_engine.imperium.frames import Effects, Item, PickIntrigue, Run, Steal
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import Player, State, follows, with_player
from rules_engine.kernel.chance import likelihoods
from rules_engine.kernel.decks import Cards, without_card, zone
from rules_engine.kernel.game import Answer, asked, handle, legal, options
from rules_engine.kernel.outcomes import Event, Step
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.kernel.views import view
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    card_of,
    claim_just,
    claim_open,
    claim_told_to,
    full_table,
    plus,
)
from verifier.numbers import all_of, opposite
from verifier.play import line_from, next_state, play_out
from verifier.positions import NAMES, PRODUCT, claim_only, covered_config, printed, symbolic_state
from verifier.registry import Twin, proves
from verifier.watched import Lazy

PLAYERS = 3
SOURCE = "imperial_basin"


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


# Anybody, and nothing empty


@proves(
    {
        "UPR-ICON-010": Twin(
            "rules_engine.imperium.held_intrigue",
            "trashed_intrigues=with_card(state.trashed_intrigues, card)",
            "trashed_intrigues=(card,)",
        ),
        "UPR-ROUND-006": Twin(
            "rules_engine.imperium.held_intrigue",
            "intrigue_discard=with_card(state.intrigue_discard, card)",
            "intrigue_discard=(card,)",
        ),
    },
    cases=TABLES,
)
def an_intrigue_card_given_up_lies_beside_those_that_were(players: int) -> None:
    """Unsatisfiable iff one copy of the picked card leaves the hand for the pile that is meant.

    Discarded it lies on the Intrigue discard pile, trashed out of the game or, as a ruling says, on
    that pile too, beside what is there; everybody is told. As many as before but one are still to
    be given up in the same way. Just the cards held are allowed and offered, each once, and nothing
    else of anybody changes.
    """
    seat = any_seat(players)
    trash, count = choose("trash", (False, True)), choose("count", (1, 2, 3))
    own = {"intrigues": _hand(3)}
    turn = busy_turn((seat + 1) % players, "agent")
    frame = PickIntrigue(seat, count, trash)
    before = full_table(seat, players, (frame,), own, intrigues=SCHEMES, turn=turn)
    given = GiveUpIntrigue(seat, "plan")
    offered = [each.card for each in options(IMPERIUM, before)]
    claim(offered == ["plan", "scheme"], "each card held is offered once")
    theirs = GiveUpIntrigue(seat, card_of((seat + 1) % players, "intrigues"))
    claim(legal(IMPERIUM, before, theirs) is not None, "another's card cannot be given up")
    line = line_from(before).given(given)
    out = trash and follows(before, "trashed_intrigue_zone") != "discard_pile"
    pile = "trashed_intrigues" if out else "intrigue_discard"
    claim_just(
        before,
        line.state,
        {seat: {"intrigues": ("plan", "scheme")}},
        **{pile: plus(getattr(before, pile), "plan")},
    )
    more = (PickIntrigue(seat, count - 1, trash),) if count > 1 else ()
    claim(line.state.pending == more, "one fewer is to be given up, in the same way")
    claim_open(line.events, players)


@proves(
    {
        "UPR-ICON-009": Twin(
            "rules_engine.imperium.held_intrigue",
            'lost = Event("loses_intrigue", STEAL, victim, {"card": card}, ("card",))',
            'lost = Event("loses_intrigue", STEAL, victim, {"card": card})',
        )
    },
    cases=TABLES,
)
def only_thief_and_victim_know_what_was_stolen(players: int) -> None:
    """Unsatisfiable iff each theft is told to all, and which card it was to thief and victim alone.

    Everybody but the thief and who holds too few loses one, clockwise from the thief; the thief has
    them beside the own ones. Nothing else of anybody changes.
    """
    seat = any_seat(players)
    poor = (seat + 1) % players
    turn = busy_turn(poor, "agent")
    frame = Run(seat, Item(_steal(), "secrets"))
    own = {"intrigues": _hand(4)}

    def held(who: int) -> dict[str, Any]:
        return {"intrigues": _hand(3)} if who == poor else own

    before = full_table(seat, players, (frame,), own, intrigues=SCHEMES, turn=turn, each=held)
    after, events = play_out(before)
    victims = [(seat + step) % players for step in range(2, players)]
    losses = [event for event in events if event.key == "loses_intrigue"]
    claim([event.player for event in losses] == victims, "they lose one each, clockwise")
    new = {}
    for event in losses:
        card, victim = event.facts["card"], event.player
        assert victim is not None
        new[victim] = {"intrigues": without_card(_hand(4), card)}
        claim_told_to((event,), players, "card", (victim,))
    stolen = [event.facts["card"] for event in losses]
    new[seat] = {"intrigues": plus(_hand(4), *stolen)}
    claim_just(before, after, new)
    thefts = [event for event in events if event.key == "steals_intrigue"]
    claim([event.facts["card"] for event in thefts] == stolen, "the thief is told the same")
    claim([event.facts["victim"] for event in thefts] == victims, "and from whom")
    claim_told_to(tuple(thefts), players, "card", (seat,))


@proves(
    {
        "UPR-COST-003": Twin(
            "rules_engine.imperium.held_intrigue",
            "if len(player(state, seat).intrigues) < amount:",
            "if len(player(state, seat).intrigues) < 1:",
        ),
        "UPR-ICON-010": Twin(
            "rules_engine.imperium.held_intrigue",
            "PickIntrigue(seat, 1, trash=True)",
            "PickIntrigue(seat, 1)",
        ),
    },
    cases=TABLES,
)
def a_cost_in_intrigue_cards_is_paid_in_full_or_not_at_all(players: int) -> None:
    """Unsatisfiable iff it is allowed just with so many held, all are paid, and the effect comes.

    Discarded they are on the discard pile, trashed out of the game, or there too as a ruling says.
    """
    seat = any_seat(players)
    held, spice = _hand(choose("held", (1, 2, 3))), quantity("spice")
    trash = choose("trash", (False, True))
    count = 1 if trash else quantity("cards", 1)
    cost = TrashIntrigue() if trash else DiscardIntrigue(count)
    frame = Effects(seat, (Item(Arrow(cost, Gain(spice, "spice")), SOURCE),))
    before = full_table(seat, players, (frame,), {"intrigues": held}, intrigues=SCHEMES)
    pay = Resolve(seat, 0)
    stage(before, (pay,))
    allowed = legal(IMPERIUM, before, pay) is None
    claim((count <= len(held)) == allowed, "it is allowed with enough of them")
    assume(count <= len(held))
    after, _ = play_out(before, first=pay)
    old, left = before.players[seat], after.players[seat].intrigues
    claim(len(left) == len(held) - count, "so many are given up")
    gone = tuple((Counter(held) - Counter(left)).elements())
    out = trash and follows(before, "trashed_intrigue_zone") != "discard_pile"
    pile = "trashed_intrigues" if out else "intrigue_discard"
    claim_just(
        before,
        after,
        {seat: {"intrigues": left, "spice": old.spice + spice}},
        **{pile: plus(getattr(before, pile), *gone)},
    )
