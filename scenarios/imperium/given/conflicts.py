"""Given Conflict cards and Objectives, strengths, and what the first reward adds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.imperium.state import Won, player
from rules_engine.imperium.strength import END_OF_TRACK, TURNED_OVER, marker_of
from rules_engine.kernel.decks import Pool, possibly_in, size
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.imperium.names import lower_snake
from scenarios.imperium.table import impossible, name_one_of, new_effects
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.language.values import amount, exactly_one

if TYPE_CHECKING:
    from scenarios.imperium.position import Position


def _won(position: Position, line: Line, words: Words) -> None:
    _add_all_won(position, line, words, face_up=True)


def _matched(position: Position, line: Line, words: Words) -> None:
    _add_all_won(position, line, words, face_up=False)


def _add_all_won(position: Position, line: Line, words: Words, *, face_up: bool) -> None:
    """Conflict cards and Objectives in a player's supply; `nothing` says that there is none."""
    seat = position.table.seat(line, token(words, "NAME"))
    position.known.add((seat, "won"))
    for card in position.table.cards(line, phrases(words, "cards")[0], "conflict", "objective"):
        objective = position.table.names.printed.objectives.get(card)
        if objective is not None:
            _leave_objectives(position, line, card)
            _add_won(position, seat, Won(card, objective.icon, face_up))
        else:
            _add_won(position, seat, Won(card, _conflict_face(position, card).icon, face_up))
            leave_conflict_deck(position, line, card)


def _add_won(position: Position, seat: Seat, won: Won) -> None:
    cards = (*player(position.state, seat).won, won)
    position.change_player(seat, won=tuple(sorted(cards, key=lambda each: each.card)))
    position.known.add((seat, "won"))


def _conflict_face(position: Position, card: str) -> ConflictFace:
    names = position.table.names
    own = {face.id: face for face in names.conflicts}
    return {**names.printed.conflicts, **own}[card]


def _won_by_nobody(position: Position, line: Line, words: Words) -> None:
    """Conflict cards that were turned up and went to nobody."""
    for card in position.table.cards(line, phrases(words, "cards")[0], "conflict"):
        leave_conflict_deck(position, line, card)


def leave_conflict_deck(position: Position, line: Line, card: str) -> None:
    """A Conflict card that is or was on the table; what lay above it was dealt before."""
    position.once(line, "conflict", card)
    position.turned_up[card] = line


def deal_conflicts(position: Position) -> None:
    """The Conflict Deck is what is left after the cards that are or were on the table."""
    deck = position.state.conflict_deck
    reached = [
        at for at, part in enumerate(deck) if position.turned_up.keys() & {*possibly_in((part,))}
    ]
    left = []
    for at, part in enumerate(deck):
        named = [card for card in possibly_in((part,)) if card in position.turned_up]
        count = size((part,)) - len(named)
        if count < 0:
            message = "as many Conflict cards of its level as are dealt are named already"
            remedy = "leave it out, or name one of another level"
            line = list(position.turned_up.values())[-1]
            raise impossible(line, message, cite("BASE-SETUP-006"), remedy)
        above = bool(reached) and at < reached[-1]
        rest = tuple(card for card in possibly_in((part,)) if card not in named)
        if rest:
            left.append(Pool(0 if above or position.conflict_deck_is_empty else count, rest))
    position.state = change(position.state, conflict_deck=tuple(left))


def _no_conflicts_left(position: Position, _: Line, __: Words) -> None:
    position.conflict_deck_is_empty = True


def _objective(position: Position, line: Line, words: Words) -> None:
    exactly_one(line, phrases(words)[0], position.environment)
    seat = position.table.seat(line, token(words, "NAME"))
    icon = lower_snake(token(words, "ICON"))
    for card in position.state.objectives:
        if position.table.names.printed.objectives[card].icon == icon:
            _leave_objectives(position, line, card)
            _add_won(position, seat, Won(card, icon))
            return
    raise _no_objective(position, line)


def _leave_objectives(position: Position, line: Line, card: str) -> None:
    if card not in position.state.objectives:
        raise _no_objective(position, line)
    left = tuple(each for each in position.state.objectives if each != card)
    position.state = change(position.state, objectives=left)


def _no_objective(position: Position, line: Line) -> ScenarioError:
    faces = position.table.names.printed.objectives
    left = name_one_of(faces[card].name for card in position.state.objectives)
    remedy = "leave the line out" + (f", or {left}" if position.state.objectives else "")
    message = "there is no such Objective left"
    return impossible(line, message, cite("UPR-COMBAT-028"), remedy)


def _strength(position: Position, line: Line, words: Words) -> None:
    for name, value in zip(tokens(words, "NAME"), phrases(words), strict=True):
        seat = position.table.seat(line, name)
        position.once(line, seat, "strength")
        position.strengths[seat] = amount(line, value, position.environment)


def _marker(turned: bool) -> Callable[[Position, Line, Words], None]:
    """A player's Combat marker is there, with this side up: the strength that it stands for."""

    def fact(position: Position, line: Line, words: Words) -> None:
        word = token(words, "NAME")
        seat = position.table.seat(line, word)
        position.once(line, seat, "strength")
        space = amount(line, phrases(words)[0], position.environment)
        total = space + END_OF_TRACK if turned else space
        shown = marker_of(total)
        if turned and not shown.turned:
            raise _other_side(line, f"the combat marker of {word} is at {END_OF_TRACK}")
        if shown.turned and not turned:
            raise _other_side(
                line, f"the combat marker of {word} is turned over at {shown.stands_on!r}"
            )
        position.strengths[seat] = total

    return fact


def _other_side(line: Line, remedy: str) -> ScenarioError:
    message = f"a marker is turned over above {END_OF_TRACK}, and only there"
    return impossible(line, message, TURNED_OVER, f"write `{remedy}`")


def _first_reward(position: Position, line: Line, words: Words) -> None:
    effects = new_effects(line, token(words, "STRING"), position.table.names.printed)
    position.state = change(position.state, first_reward=position.state.first_reward + effects)


FACTS: dict[str, Callable[[Position, Line, Words], None]] = {
    "won": _won,
    "matched": _matched,
    "holds_objectives": _won,
    "won_by_nobody": _won_by_nobody,
    "no_conflicts_left": _no_conflicts_left,
    "objective": _objective,
    "strength": _strength,
    "marker": _marker(turned=False),
    "marker_turned": _marker(turned=True),
    "first_reward": _first_reward,
}
