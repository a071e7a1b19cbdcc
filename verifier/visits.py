"""A visit: an Agent is sent to a board space, and all that the space gives is resolved.

The properties of spaces say what everybody has afterwards. A change is what a player, or the table,
has more or less of than before; whatever no change names must be as it was. Cards, Spies and Agents
are counted, wherever they are; which of them it is, other properties say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.catalogue.faces import CardFace, IntrigueFace
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import (
    Choose,
    Deploy,
    EndTurn,
    PickFaction,
    PlaceSpy,
    PlayAgent,
    Resolve,
)
from rules_engine.imperium.frames import AgentTurn, PickTrack, SpyPlacement, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Alliance, Config, Player, SpyAt, State
from rules_engine.kernel.decks import shuffled, size
from rules_engine.kernel.game import Action, Frame, asked, handle, legal, options
from rules_engine.kernel.numbers import Quantity, count_true, pick, smaller
from rules_engine.kernel.outcomes import Seat, Step
from rules_engine.kernel.records import change
from verifier.current import assume, choose, claim, current, domain, quantity, stage
from verifier.numbers import all_of, any_of
from verifier.positions import (
    NAMES,
    SPIES,
    TOP,
    Computed,
    ally_of,
    covered,
    covered_config,
    factions,
    influence_name,
    influence_of,
    printed,
    symbolic_state,
)
from verifier.watched import Slot, SomeRulings, raw

VISITOR: Seat = 0
OTHER: Seat = 1
"""The opponent who may hold an Alliance token."""
HOLDERS = (None, VISITOR, OTHER)
"""Who may hold an Alliance token, or nobody."""
TABLE = None
"""Whose changes are those of the board, the decks and the piles."""


FITS = "fitting_card"
OTHERS = "other_card"
BLANK = "blank_card"
PAPER = "blank_intrigue"


# Changes


Change = Mapping[str, Quantity]
Changes = Mapping[Seat | None, Change]
"""What each player, and the table, has more or less of."""


def together(*parts: Changes) -> dict[Seat | None, dict[str, Quantity]]:
    """Several changes in one."""
    total: dict[Seat | None, dict[str, Quantity]] = {}
    for part in parts:
        for who, changed in part.items():
            known = total.setdefault(who, {})
            for what, amount in changed.items():
                known[what] = known.get(what, 0) + amount
    return total


def visitor(**gains: Quantity) -> Changes:
    """The visitor has so much more of these; less, if below 0."""
    return {VISITOR: gains}


def draws(cards: int) -> Changes:
    """The visitor draws cards."""
    return {VISITOR: {"hand": cards, "deck": -cards}}


def draws_intrigue(cards: int) -> Changes:
    """The visitor draws Intrigue cards."""
    return {VISITOR: {"intrigues": cards}, TABLE: {"intrigue_deck": -cards}}


SENDING: Changes = {VISITOR: {"hand": -1, "in_play": 1, "agents": -1}, TABLE: {"agents": 1}}
"""What every visit does: a card is played, and an Agent is on the board."""


# The position


def _icons() -> tuple[str, ...]:
    return tuple(sorted({space.icon for space in printed().spaces.values()}))


def own_cards(icon: str, box: tuple[Effect, ...] = ()) -> tuple[CardFace, ...]:
    """A card with just this icon, whose Agent box is given, one with all others, one with none."""
    others = tuple(each for each in _icons() if each != icon)
    return (
        CardFace(FITS, "Fitting card", agent_icons=(icon,), agent=box),
        CardFace(OTHERS, "Other card", agent_icons=others),
        CardFace(BLANK, "Blank card"),
    )


def own_config(
    players: int, cards: tuple[CardFace, ...], rulings: tuple[str, ...], choam: bool | Slot = False
) -> Config:
    """A game with cards of its own, in which only these rulings are open."""
    made = change(
        covered_config(players, choam=choam),
        cards=cards,
        intrigues=(IntrigueFace(PAPER, "Blank Intrigue card", 9, ()),),
    )
    if current().values is not None:
        return made
    return change(made, rulings=SomeRulings(still_open=rulings))


def spies_away_from(space: str, players: int) -> tuple[SpyAt, ...]:
    """Two Spies of the visitor on posts that are not linked to a space, and all of the others'."""
    posts = printed().posts.values()
    away = [post.id for post in posts if space not in post.spaces]
    linked = [post.id for post in posts if space in post.spaces]
    others = [seat for seat in range(players) if seat != VISITOR for _ in range(SPIES)]
    owners = (*(VISITOR for _ in range(SPIES - 1)), *others)
    # The first posts are the visitor's; the linked ones are taken by others, if by anybody.
    spies = [SpyAt(*at) for at in zip((*away, *linked), owners, strict=False)]
    return tuple(sorted(spies, key=lambda spy: (spy.post, spy.seat)))


def token(faction: str, players: int, holders: tuple[Seat | None, ...]) -> Alliance:
    """A token that one of these holds, who has the most Influence and enough for it, or nobody."""
    name = f"{faction}.token"

    def standing(seat: Seat) -> Quantity:
        return quantity(influence_name(seat, faction), 0, TOP)

    def holder() -> Seat | None:
        held_by: Seat | None = choose(name, holders)
        highest = 3 if held_by is None else standing(held_by)
        enough = held_by is None or highest >= 4
        domain(all_of(enough, *(standing(seat) <= highest for seat in range(players))))
        return held_by

    start = Alliance(faction, None)
    return covered("alliances.", start, faction=faction, holder=Computed((name,), holder))


def _other_token(faction: str) -> Alliance:
    """A token that must not be looked at."""
    return covered(f"{faction}.", Alliance(faction, None), faction=faction)


def about_to_visit(
    space: str,
    icon: str,
    *,
    players: int = 3,
    moving: tuple[str, ...] = (),
    holders: tuple[Seat | None, ...] = HOLDERS,
    box: tuple[Effect, ...] = (),
    rulings: tuple[str, ...] = (),
    choam: bool | Slot = False,
    own: Mapping[str, Any] | None = None,
    others: Callable[[Player], Mapping[str, Any]] = lambda _: {},
    **slots: Any,
) -> State:
    """A position in which the visitor is to take a turn; `moving` are Factions with Influence.

    `holders` may have their tokens. `box` is the Agent box of the card that fits. `own` and
    `others` give more slots of the visitor and of the other players.
    """

    def more(owner: Player) -> dict[str, Any]:
        if owner.seat != VISITOR:
            return {"contracts": (), "completed": (), "spies": 0, **others(owner)}
        return {**_visitors(), **(own or {})}

    cards = own_cards(icon, box)
    known: dict[str, Any] = {
        "config": own_config(players, cards, rulings, choam),
        "agents": (),
        "spies": spies_away_from(space, players),
        "alliances": tuple(
            token(each, players, holders) if each in moving else _other_token(each)
            for each in factions()
        ),
        "turn": None,
        "reserve": (),
        "trashed": (),
        "trashed_intrigues": (),
        "intrigue_deck": shuffled((PAPER,) * 4),
        "intrigue_discard": (),
        "pending": (Turn(VISITOR),),
    }
    return symbolic_state(players, more, **{**known, **slots})


def _visitors() -> dict[str, Any]:
    return {
        "agents": 2,
        "swordmaster": False,
        "spies": 1,
        "hand": tuple(sorted((FITS, OTHERS))),
        "deck": shuffled((BLANK,) * 4),
        "discard": (),
        "in_play": (),
        "intrigues": (),
        "contracts": (),
        "completed": (),
        "revealed": False,
    }


# Sending the Agent, and what comes then


@dataclass(frozen=True)
class Visit:
    """What was before, what is after, and what was decided on the way."""

    space: str
    before: State
    effects_done: State
    """All effects are resolved; the turn has not ended yet."""
    after: State
    inputs: tuple[Any, ...]
    asked_in: tuple[State, ...]
    """The positions in which somebody had to decide."""

    def option(self) -> int:
        """Which of the options was picked."""
        (picked,) = (each.option for each in self.inputs if isinstance(each, Choose))
        return picked

    def asked(self, kind: type[Frame]) -> tuple[State, ...]:
        """The positions in which a frame of a kind had to be answered."""
        return tuple(each for each in self.asked_in if isinstance(each.pending[-1], kind))

    def times(self, kind: type[Action]) -> int:
        """How many inputs were of a kind."""
        return sum(isinstance(each, kind) for each in self.inputs)


def has(state: State, what: str, seat: Seat = VISITOR) -> Quantity:
    """How much a player has."""
    return _number(state.players[seat], what)


def claim_open(before: State, space: str, may: bool) -> None:
    """The fitting card sends an Agent to the space just where it may; another card never does.

    From here on only positions count in which it may.
    """
    stage(before)
    allowed = legal(IMPERIUM, before, PlayAgent(VISITOR, FITS, space)) is None
    claim(may == allowed, "the space is open exactly if its requirement is met and its cost owned")
    assume(allowed)
    closed = legal(IMPERIUM, before, PlayAgent(VISITOR, OTHERS, space)) is not None
    claim(closed, "no other icon opens the space")


def visit(before: State, space: str) -> Visit:
    """Send the Agent and resolve all effects, along every path of choices and orders."""
    state, effects_done = before, before
    inputs: tuple[Any, ...] = ()
    asked_in: list[State] = []
    given: Any = PlayAgent(VISITOR, FITS, space)
    while state.pending:
        if asked(IMPERIUM, state).nobody():
            given = None
        else:
            given = _picked(state, len(inputs)) if inputs else given
            inputs = (*inputs, given)
            asked_in.append(state)
            stage(before, inputs)
        if isinstance(given, EndTurn):
            effects_done = state
        done = handle(IMPERIUM, state, given)
        assert isinstance(done, Step), f"an offered option is refused: {done}"
        state = done.state
    return Visit(space, before, effects_done, state, inputs, tuple(asked_in))


def _picked(state: State, number: int) -> Any:
    top = state.pending[-1]
    if isinstance(top, PickTrack):
        return _any_track(state)
    offered = _in_turn(state, top) if isinstance(top, AgentTurn) else options(IMPERIUM, state)
    return choose(f"choice {number}", offered)


def _any_track(state: State) -> PickFaction:
    """Any Faction with room on its track, or any if there is no room at all.

    To list the options would fork over all tracks at once.
    """
    picked = choose("picked", factions())
    room = influence_of(state, picked) < TOP
    none_left = all_of(*(influence_of(state, each) >= TOP for each in factions()))
    action = PickFaction(VISITOR, picked)
    allowed = legal(IMPERIUM, state, action) is None
    claim(any_of(room, none_left) == allowed, "any Faction with room on its track may be picked")
    assume(allowed)
    return action


def _in_turn(state: State, frame: AgentTurn) -> list[Action]:
    """The next effect in the order that was chosen, and the end of the turn; nothing else."""
    places = range(len(frame.items))
    backwards = len(places) > 1 and choose("order", ("forwards", "backwards")) == "backwards"
    effects = [Resolve(VISITOR, at) for at in (places[::-1] if backwards else places)]
    possible = [each for each in effects if legal(IMPERIUM, state, each) is None]
    end = EndTurn(VISITOR)
    return [*possible[:1], *((end,) if legal(IMPERIUM, state, end) is None else ())]


# What is claimed afterwards


def claim_outcome(done: Visit, *changes: Changes, combat: bool) -> None:
    """Everybody has what the changes say, and units may come into the Conflict if `combat`."""
    claim(AgentAt(done.space, VISITOR) in done.after.agents, "the Agent is on the space")
    claim_changes(done.before, done.after, SENDING, *changes)
    few = quantity("troops to deploy", 1, 2)
    assume(few <= done.effects_done.players[VISITOR].garrison)
    allowed = legal(IMPERIUM, done.effects_done, Deploy(VISITOR, few)) is None
    claim(allowed == combat, "up to two troops of the garrison may come in a Combat space only")


def claim_changes(before: State, after: State, *changes: Changes) -> None:
    """Every player and the table have what the changes say, and all else is as it was."""
    expected = together(*changes)
    for old, new in zip(before.players, after.players, strict=True):
        _claim_player(old, new, expected.get(old.seat, {}))
        _claim_tokens(before, after, old.seat, expected.get(old.seat, {}))
    _claim_table(before, after, expected.get(TABLE, {}))


def _claim_player(old: Player, new: Player, expected: Change) -> None:
    if old is new and not expected:
        return
    known = [each for each in old.__struct_fields__ if each != "tracks"]
    _claim_fields(old, new, known, expected, f"{old.name}'s ")
    for before, after in zip(old.tracks, new.tracks, strict=True):
        moved = expected.get(before.faction, 0)
        if before is not after or before.faction in expected:
            text = f"{old.name}'s Influence with {before.faction} is as it should be"
            claim(after.influence == before.influence + moved, text)


def _claim_tokens(before: State, after: State, seat: Seat, expected: Change) -> None:
    for old, new in zip(before.alliances, after.alliances, strict=True):
        moved = expected.get(_token(old.faction))
        if old is not new or moved is not None:
            now, then = (count_true([each.holder == seat]) for each in (new, old))
            text = f"{NAMES[seat]} has the {old.faction} token just if it should be so"
            claim(now == then + (moved or 0), text)


def _token(faction: str) -> str:
    return f"{faction} token"


def _claim_table(before: State, after: State, expected: Change) -> None:
    apart = ("players", "pending", "turn", "makers", "alliances")
    known = [each for each in before.__struct_fields__ if each not in apart]
    _claim_fields(before, after, known, expected, "")
    for old, new in zip(before.makers, after.makers, strict=True):
        if old is not new or old.space in expected:
            left = old.bonus_spice + expected.get(old.space, 0)
            claim(new.bonus_spice == left, f"the bonus spice on {old.space} is as it should be")


def _claim_fields(old: Any, new: Any, names: list[str], expected: Change, whose: str) -> None:
    """Fields left as they were need not be read, unless they should have changed."""
    for what in names:
        if raw(old, what) is not raw(new, what) or what in expected:
            so_many = _number(old, what) + expected.get(what, 0)
            claim(_number(new, what) == so_many, f"{whose}{what} is as it should be")


def _number(of: Any, what: str) -> Quantity:
    """How much there is of something: cards in a deck or zone, or just a number."""
    value = getattr(of, what)
    if what == "deck" or what.endswith("_deck"):
        return size(value)
    return len(value) if isinstance(value, tuple) else value


def claim_options(at: State, *allowed: bool) -> None:
    """Of the options just these are allowed, and there are no more of them."""
    for option, may in enumerate((*allowed, False)):
        is_allowed = legal(IMPERIUM, at, Choose(VISITOR, option)) is None
        claim(may == is_allowed, f"option {option} is allowed just where it should be")


# Changes that depend on what was before


def recruits(done: Visit, troops: int) -> Changes:
    """The visitor recruits troops, as many as the supply has."""
    came = smaller(troops, has(done.before, "supply"))
    return visitor(garrison=came, supply=-came)


def controller_gets(done: Visit, **gains: Quantity) -> Changes:
    """Whoever controls the space gets something, be it the visitor; nobody, if nobody does."""
    (holder,) = (each.holder for each in done.before.controls if each.space == done.space)
    return {} if holder is None else {holder: gains}


def takes_bonus_spice(done: Visit) -> Changes:
    """The visitor takes all bonus spice from the space."""
    (lying,) = (each.bonus_spice for each in done.before.makers if each.space == done.space)
    return {VISITOR: {"spice": lying}, TABLE: {done.space: -lying}}


def places_spies(done: Visit, at_most: Quantity) -> Changes:
    """The visitor was asked so often to place a Spy, and did so or did not."""
    placed = done.times(PlaceSpy)
    asked_so_often = len(done.asked(SpyPlacement))
    claim(asked_so_often == at_most, "a Spy may be placed, as often as it is said")
    return {VISITOR: {"spies": -placed}, TABLE: {"spies": placed}}


AT_FOUR: dict[str, Changes] = {
    "spacing_guild": visitor(solari=3),
    "bene_gesserit": draws_intrigue(1),
    "fremen": visitor(water=1),
}
"""What the fourth space of a track gives, besides the Emperor's Spy."""


def one_influence(done: Visit, faction: str) -> Changes:
    """One Influence, with the point at 2, what the track gives at 4, and the Alliance."""
    own = influence_of(done.before, faction)
    reaches_four = own == 3
    gained = {faction: pick(own < TOP, 1, 0), "victory_points": pick(own == 1, 1, 0)}
    bonus = {
        who: {what: pick(reaches_four, amount, 0) for what, amount in changed.items()}
        for who, changed in AT_FOUR.get(faction, {}).items()
    }
    return together({VISITOR: gained}, bonus, _token_moves(done.before, faction, own))


def spy_at_four(done: Visit) -> Quantity:
    """How many Spies may be placed for reaching 4 Influence with the Emperor."""
    return pick(influence_of(done.before, "emperor") == 3, 1, 0)


def _token_moves(before: State, faction: str, own: Quantity) -> Changes:
    """The token goes to a visitor who is the first at 4, or now stands above its holder."""
    holder = ally_of(before, faction)
    if holder == VISITOR:
        return {VISITOR: {_token(faction): 0}}
    if holder is None:
        takes = own == 3
    else:
        takes = all_of(own >= 3, own < TOP, own >= influence_of(before, faction, holder))
    token_and_point = pick(takes, 1, 0)
    moves = {_token(faction): token_and_point, "victory_points": token_and_point}
    if holder is None:
        return {VISITOR: moves}
    return {VISITOR: moves, holder: {what: -amount for what, amount in moves.items()}}
