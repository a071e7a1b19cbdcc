"""Conflict cards that are won: who takes them, and the battle icons that match."""

from __future__ import annotations

import functools
from itertools import combinations
from typing import Any

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects.tree import Gain
from rules_engine.imperium.actions import Flip, Pass
from rules_engine.imperium.frames import (
    EndgameIntrigues,
    PickFlip,
    ResolveCombat,
    TakeConflictCard,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, Won, follows
from rules_engine.kernel.game import Frame, asked, legal, options
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Event, Seat
from verifier.changes import changed
from verifier.current import assume, choose, claim, quantity, stage
from verifier.numbers import all_of
from verifier.play import Watch, next_state, play_out
from verifier.positions import claim_only, covered_config, printed, symbolic_state
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.watched import Lazy

COMBAT = "rules_engine.imperium.combat"
PLAYERS = 3
WINNER: Seat = 0
ICONS = ("crysknife", "desert_mouse", "ornithopter")
"""The battle icons. UPR-COMBAT-027"""
WILD = "wild"
CONTENDERS = 2


def _twin(old: str, new: str) -> Twin:
    return Twin(COMBAT, old, new)


# What a player has won before


def _cards() -> dict[str, str | None]:
    """An Objective and a Conflict card of each icon, and the wild one, with their icons."""
    faces = printed()
    objectives = {face.icon: face.id for face in faces.objectives.values()}
    conflicts = {face.icon: face.id for face in faces.conflicts.values()}
    return {card: icon for each in (objectives, conflicts) for icon, card in each.items()}


@functools.cache
def _supplies() -> tuple[tuple[Won, ...], ...]:
    """Up to two cards won before, of which no two are a match that was overlooked."""
    single = [Won(card, icon, up) for card, icon in _cards().items() for up in (True, False)]
    pairs = [pair for pair in combinations(single, 2) if _can_be(*pair)]
    return ((), *((card,) for card in single), *(_by_card(pair) for pair in pairs))


def _can_be(one: Won, other: Won) -> bool:
    if one.card == other.card:
        return False
    return not (one.face_up and other.face_up and one.icon == other.icon)


def _by_card(cards: tuple[Won, ...]) -> tuple[Won, ...]:
    return tuple(sorted(cards, key=lambda each: each.card))


# Taking the card


ANOTHER_WILD = ConflictFace("another_wild", "Another Wild", (), (), (), icon=WILD)
"""A Conflict card that exists in this game only."""


def _new_cards() -> tuple[str, ...]:
    """A Conflict card of each icon; of several it is not the one that may have been won before."""
    first: dict[str | None, str] = {}
    for face in printed().conflicts.values():
        first.setdefault(face.icon, face.id)
    return (*first.values(), ANOTHER_WILD.id)


def _about_to(frame: Frame, **slots: Any) -> State:
    """What comes next is about cards that the winner has won; nobody holds Intrigue cards."""

    def more(owner: Player) -> dict[str, Any]:
        own = Lazy("won", _supplies()) if owner.seat == WINNER else ()
        return {"won": own, "intrigues": ()}

    return symbolic_state(PLAYERS, more, shield_wall=False, pending=(frame,), **slots)


def _taking() -> tuple[State, State, str, str]:
    """Before and after the winner takes the Conflict card; the card and its icon."""
    before = _about_to(
        TakeConflictCard(WINNER),
        config=covered_config(PLAYERS, (ANOTHER_WILD,)),
        conflict=Lazy("conflict", _new_cards()),
    )
    stage(before)
    card = before.conflict
    assert card is not None
    assume(all(each.card != card for each in _won(before)))
    claim(asked(IMPERIUM, before).nobody(), "nobody is asked")
    face = ANOTHER_WILD if card == ANOTHER_WILD.id else printed().conflicts[card]
    return before, next_state(before), card, str(face.icon)


def _won(state: State, seat: Seat = WINNER) -> tuple[Won, ...]:
    return state.players[seat].won


def _points(state: State, seat: Seat = WINNER) -> Quantity:
    return state.players[seat].victory_points


def _matching(won: tuple[Won, ...], icon: str) -> list[str]:
    """The face-up cards with the icon, unless it is wild."""
    return [each.card for each in won if each.face_up and each.icon == icon and icon != WILD]


def _claim_nothing_else(before: State, after: State) -> None:
    """Nothing changes but the winner's cards and points, and that the Conflict card is gone."""
    claim_only(before, after, ("won", "victory_points"), ("conflict", "pending"))


@proves(
    {
        "UPR-COMBAT-025": _twin(
            "(*owner.won, Won(card, icon))", "(*owner.won, Won(card, icon, face_up=False))"
        )
    },
)
def the_winner_takes_the_conflict_card() -> None:
    """Unsatisfiable iff the card lies in the winner's supply, once, and no longer on the board.

    It is face up unless it makes a match. All that was there stays, nobody is asked, and nothing
    else changes but for the winner's points.
    """
    before, after, card, icon = _taking()
    had = [each.card for each in _won(before)]
    claim(after.conflict is None, "the card is no longer on the board")
    claim([each.card for each in _won(after)] == sorted([*had, card]), "the winner has it too")
    new = Won(card, icon, face_up=not _matching(_won(before), icon))
    claim(new in _won(after), "it is face up unless it makes a match")
    _claim_nothing_else(before, after)


@proves(
    {
        "UPR-COMBAT-028": _twin(
            "if each.face_up and each.icon == icon:",
            'if each.face_up and each.icon == icon and not each.card.startswith("objective"):',
        ),
        "UPR-COMBAT-030": _twin(
            "if each.face_up and each.icon == icon:",
            "if each.face_up and each.icon in (icon, WILD):",
        ),
    },
)
def a_face_up_card_with_the_same_icon_is_a_match_and_nothing_else() -> None:
    """Unsatisfiable iff the card just won scores exactly if a face-up one has its battle icon.

    Face-down cards do not count; Objectives and Conflict cards do. A wild icon, won or won before,
    matches nothing here. Without a match no card that was there is turned. Nothing else changes
    but that the card is taken.
    """
    before, after, _, icon = _taking()
    match = bool(_matching(_won(before), icon))
    scored = _points(after) > _points(before)
    claim(scored == match, "the winner scores exactly if there is a match")
    kept = all(each in _won(after) for each in _won(before))
    claim(kept != match, "a card is turned exactly if there is a match")
    _claim_nothing_else(before, after)


@proves(
    {
        "UPR-COMBAT-029": _twin("Won(card, icon, face_up=False)))", "Won(card, icon)))"),
        "UPR-COMBAT-038": _twin(
            'frame.seat, 1, "match"', 'frame.seat, 2 if doubles(owner) else 1, "match"'
        ),
    },
)
def a_match_turns_the_pair_down_for_one_victory_point() -> None:
    """Unsatisfiable iff a match is cashed in: the pair is face down, and gives just 1 point.

    Nobody is asked, so it cannot be declined; it is 1 point with any number of sandworms. No other
    card is turned, and then no two face-up cards of the winner share an icon other than wild.
    Nothing else changes.
    """
    before, after, card, icon = _taking()
    matching = _matching(_won(before), icon)
    assume(bool(matching))
    pair = (card, *matching)
    claim(len(pair) == 2, "one card matches the one just won")
    kept = [each for each in _won(before) if each.card not in pair]
    down = [Won(each, icon, face_up=False) for each in pair]
    claim(_won(after) == _by_card((*kept, *down)), "the pair is face down, and nothing else")
    claim(_points(after) == _points(before) + 1, "the winner has 1 Victory Point more")
    icons = [each.icon for each in _won(after) if each.face_up and each.icon != WILD]
    claim(len(icons) == len(set(icons)), "no two face-up cards share an icon")
    _claim_nothing_else(before, after)


# The order of taking rewards, the card and a match


SPICE_FOR_ALL = "spice_for_all"


def _conflict() -> ConflictFace:
    """A Conflict with an icon that gives any amount of spice for every place."""
    spice = (Gain(quantity("reward", 1), "spice"),)
    return ConflictFace(SPICE_FOR_ALL, "Spice for All", spice, spice, spice, icon=ICONS[0])


def _resolution(
    watch: Watch | None = None,
) -> tuple[State, State, tuple[Event, ...], list[Seat]]:
    """Before and after Combat is resolved, the events, and who has the most strength alone."""
    face = _conflict()
    same = [each.id for each in printed().conflicts.values() if each.icon == face.icon]

    def more(owner: Player) -> dict[str, Any]:
        known: dict[str, Any] = {"intrigues": (), "sandworms": 0}
        if owner.seat >= CONTENDERS:
            return {**known, "won": (), "strength": 0}
        cards = ((), (Won(same[owner.seat], face.icon),))
        return {**known, "won": Lazy(f"{owner.name}.won", cards)}

    before = symbolic_state(
        PLAYERS,
        more,
        config=covered_config(PLAYERS, (face,)),
        conflict=face.id,
        shield_wall=False,
        turn=None,
        pending=(ResolveCombat(),),
    )
    after, events = play_out(before, watch=watch)
    strengths = [each.strength for each in before.players]
    first = [
        seat
        for seat, own in enumerate(strengths)
        if all_of(own > 0, *(own > other for at, other in enumerate(strengths) if at != seat))
    ]
    return before, after, events, first


def _takers(before: State, after: State) -> list[Seat]:
    """Who has the Conflict card and had it not before."""
    return [
        new.seat
        for old, new in changed(before, after, "won")
        if any(each.card == SPICE_FOR_ALL for each in new.won)
        and all(each.card != SPICE_FOR_ALL for each in old.won)
    ]


@proves(
    {
        "UPR-COMBAT-025": _twin(
            """    state = push(state, EndCombat())
    for taking in takings:
        if taking.reward == FIRST:
            state = push(state, WinIntrigues(taking.seat), TakeConflictCard(taking.seat))
            events = (*events, Event("wins_conflict", WINS, taking.seat))
    return Step(push(state, GiveRewards(_in_order(state, takings))), events)""",
            """    state = push(state, EndCombat(), GiveRewards(_in_order(state, takings)))
    for taking in takings:
        if taking.reward == FIRST:
            state = push(state, WinIntrigues(taking.seat), TakeConflictCard(taking.seat))
            events = (*events, Event("wins_conflict", WINS, taking.seat))
    return Step(state, events)""",
        )
    },
    kind=ORDER,
)
def the_conflict_card_is_taken_after_all_rewards() -> None:
    """Unsatisfiable iff the single strongest takes the card, last of all, and without one nobody.

    Everybody's reward comes before, and everybody with strength has one. What players have says so.
    """
    at_the_taking: list[State] = []

    def watch(state: State, then: State, _: tuple[Event, ...]) -> None:
        if _takers(state, then):
            at_the_taking.append(state)

    before, after, _, first = _resolution(watch)
    claim(_takers(before, after) == first, "the single strongest takes the card")
    claim(len(at_the_taking) == len(first), "it is taken once, if anybody takes it")
    for old, new in zip(before.players, after.players, strict=True):
        due = pick(old.strength > 0, quantity("reward", 1), 0)
        claim(new.spice == old.spice + due, f"{old.name} has a reward with strength only")
        for state in at_the_taking:
            had = state.players[old.seat].spice
            claim(had == old.spice + due, f"{old.name} has it before the card is taken")


@proves(
    {"UPR-COMBAT-026": _twin("(taken, paired, *scored.events)", "(paired, *scored.events, taken)")},
    kind=ORDER,
)
def only_the_winner_checks_for_a_match_right_after_taking_the_card() -> None:
    """Unsatisfiable iff a match comes right after the card was taken, for the winner and once.

    It comes if the winner has a card of the icon. Nobody else's cards are turned, and nobody else
    scores, whatever they have. Who scores has the card from the same step on, and both lie face
    down.
    """
    scored: list[tuple[list[Seat], list[Seat]]] = []

    def watch(state: State, then: State, _: tuple[Event, ...]) -> None:
        scorers = [new.seat for _, new in changed(state, then, "victory_points")]
        if scorers:
            scored.append((scorers, _takers(state, then)))

    before, after, events, first = _resolution(watch)
    keys = [event.key for event in events]
    matches = [at for at, key in enumerate(keys) if key == "matches_icons"]
    due = [seat for seat in first if _won(before, seat)]
    claim([events[at].player for at in matches] == due, "the winner checks, and nobody else")
    claim(scored == [([seat], [seat]) for seat in due], "who scores has just taken the card")
    down = [not any(each.face_up for each in _won(after, seat)) for seat in due]
    claim(all(down), "the pair is face down")
    for at in matches:
        claim(keys[at - 1] == "takes_conflict_card", "the card is taken right before")
        claim(events[at - 1].player == events[at].player, "who has taken the card checks")
    for old, new in zip(before.players, after.players, strict=True):
        point = 1 if old.seat in due else 0
        claim(new.victory_points == old.victory_points + point, f"{old.name} scores a match only")
        claim(old.seat in first or old.won == new.won, f"{old.name} has the same cards")


# The wild icon


@proves(
    {
        "UPR-COMBAT-030": Twin(
            "rules_engine.imperium.endgame",
            "owner = change(owner, won=turned_down(owner, wild))",
            "owner = change(owner, won=owner.won)",
        )
    },
)
def in_the_endgame_a_wild_icon_may_be_matched_with_any_other() -> None:
    """Unsatisfiable iff a face-up wild card and a face-up one of another icon may be a pair.

    Then, and only then, the other card may be named; both are turned down, and nothing else, for
    1 Victory Point. It may always be left. Nothing else changes.
    """
    before = _about_to(EndgameIntrigues(WINNER))
    won = _won(before)
    named = choose("card", tuple(_cards()))
    flip = Flip(WINNER, named)
    stage(before, (flip,))
    wild = [each.card for each in won if each.face_up and each.icon == WILD]
    others = [each.card for each in won if each.face_up and each.icon in ICONS]
    may = bool(wild) and named in others
    allowed = legal(IMPERIUM, before, flip) is None
    claim(allowed == may, "the pair is allowed")
    claim((flip in options(IMPERIUM, before)) == may, "the pair is offered")
    claim(legal(IMPERIUM, before, Pass(WINNER)) is None, "it may be left")
    if not allowed:
        return
    after = next_state(before, flip)
    pair = (*wild, named)
    down = tuple(Won(each.card, each.icon, each.face_up and each.card not in pair) for each in won)
    claim(_won(after) == down, "the pair is face down, and nothing else")
    claim(_points(after) == _points(before) + 1, "it gives 1 Victory Point")
    _claim_nothing_else(before, after)


# Turned down by an effect


@proves(
    {
        "UPR-COMBAT-028": Twin(
            "rules_engine.imperium.conflict_cards",
            "if not any(each.face_up for each in won):",
            "if not won:",
        )
    },
)
def who_may_not_turn_a_card_down_is_told_why() -> None:
    """Unsatisfiable iff a card is refused because it is not face up, or has another icon.

    A card that was not won, or lies face down, is not face up; of a face-up one the icon is the
    reason, unless it is the one asked for or wild. An Objective is refused as such as well, unless
    a ruling counts it.
    """
    icon, named = ICONS[0], choose("card", tuple(_cards()))
    before = _about_to(PickFlip(WINNER, icon))
    stage(before, (Flip(WINNER, named),))
    assume(not asked(IMPERIUM, before).nobody())
    up = [each.icon for each in _won(before) if each.card == named and each.face_up]
    wanted = []
    if not up:
        wanted.append("not_face_up")
    elif up[0] not in (icon, WILD):
        wanted.append("another_icon")
    ruled = follows(before, "battle_intrigue_objective") == "objectives_too"
    if named in printed().objectives and not ruled:
        wanted.append("no_conflict_card")
    refused = legal(IMPERIUM, before, Flip(WINNER, named))
    keys = [] if refused is None else [reason.key for reason in refused.reasons]
    claim(keys == wanted, "just these are the reasons")


# What is printed


@proves(
    {
        "UPR-COMBAT-027": Twin(
            "rules_engine/catalogue/uprising/conflicts.toml",
            'name = "Shadow Contest"\nlevel = 2\nicon = "ornithopter"',
            'name = "Shadow Contest"\nlevel = 2\nicon = "sandworm"',
        )
    },
    kind=DATA_CHECK,
)
def there_are_three_battle_icons() -> None:
    """Unsatisfiable iff the icons are Crysknife, Desert Mouse and Ornithopter, or wild.

    Each card has one; an Objective has none that is wild, and each icon is on both kinds of card.
    """
    conflicts = [face.icon for face in printed().conflicts.values()]
    objectives = [face.icon for face in printed().objectives.values()]
    claim({*conflicts} == {*ICONS, WILD}, "Conflict cards have just these icons and the wild one")
    claim({*objectives} == {*ICONS}, "Objectives have just these icons")
