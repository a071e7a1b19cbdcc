"""Looking ahead: what a player would have to do, or may do, before something is possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules_engine.imperium import actions, frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel import game
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, Answer, asked, step
from rules_engine.kernel.outcomes import Refusal, Seat
from scenarios.asking.completing import Question, Tried, tried_at
from scenarios.groups import is_group
from scenarios.words import option_words

DEEPEST = 3
MOST_TRIED = 80
"""How many decisions ahead are looked at, and how many positions."""

COMES_FIRST = frozenset(
    {
        "gather_first", "place_spy_first", "effects_are_due", "resolve_effects_first",
        "accept_or_decline", "choose_option", "deploy_or_decline", "say_how_many_retreat",
        "recall_agent_first", "finish_box_first", "take_contract_first", "pick_faction",
        "pick_cost", "pick_icon_to_flip", "pick_card_to_trash", "pick_card_to_discard",
        "pick_card_to_acquire", "pick_card_of_row", "pick_intrigue", "pick_training_space",
        "pick_spy_to_recall", "pick_tied_player", "pick_place", "pick_copy", "sort_cards",
        "defend_or_not", "play_a_card_first", "space_first", "agent_or_reveal",
    }
)  # fmt: skip
"""Reasons which say that something else has to be done or decided before."""

FINAL = frozenset({"turn_in_progress", "reveal_in_progress"})
"""Reasons that no effect which is still to be resolved does away with."""

FREE = (frames.Turn, frames.AgentTurn, frames.RevealTurn, frames.CombatIntrigues)
"""Where a player decides what comes next."""


DRAWS = (frames.DrawFromDeck, frames.DrawFromIntrigue)
"""Where chance may answer with any card."""


class Path(NamedTuple):
    """Decisions of the player, in words, and the position after them."""

    decisions: tuple[str, ...]
    state: State


class Outlook(NamedTuple):
    """The shortest paths to a position that allows it, and what was found on the others."""

    paths: list[Path]
    after: Tried | None
    """What stands against it in the last position that was looked at."""
    unclear: bool
    """Whether a path could not be followed to its end."""


def something_first(here: Tried) -> bool:
    """Whether nothing but the moment is wrong: something has to be done or decided before.

    The last reason is that of what is pending; a card that may not be played yet has others too.
    """
    if not here.keys:
        return not isinstance(here.state.pending[-1], FREE) and not is_group(here.state)
    last = here.keys[-1]
    if last == "play_a_card_first":
        return len(here.keys) == 1
    return last in COMES_FIRST


def look_ahead(question: Question, here: State, must: bool) -> Outlook:
    """Search the positions that the player can reach alone, the nearest first."""
    level, after, unclear, room = [Path((), here)], None, False, MOST_TRIED
    for _ in range(DEEPEST):
        every = [each for path in level for each in _onwards(path, question.seat, must)][:room]
        room -= len(every)
        reached = [path for path in every if path is not None and _decides(path, question.seat)]
        seen = [(path, tried_at(question, path.state)) for path in reached]
        unclear = unclear or None in every or any(there is None for _, there in seen)
        found = [path for path, there in seen if there is not None and there.allowed]
        if found:
            return Outlook(_each_once(found), after, unclear)
        refused = [(path, there) for path, there in seen if there is not None]
        after = refused[-1][1] if refused else after
        level = [path for path, there in refused if not set(there.keys[-1:]) & FINAL]
    return Outlook([], after, unclear or bool(level))


def _decides(path: Path, seat: Seat) -> bool:
    """Whether the player decides at the end of a path."""
    return bool(path.state.pending) and seat in asked(IMPERIUM, path.state).players


def _each_once(paths: list[Path]) -> list[Path]:
    """The paths, without those that have the same decisions in another order."""
    return list({tuple(sorted(path.decisions)): path for path in reversed(paths)}.values())[::-1]


def _onwards(path: Path, seat: Seat, must: bool) -> Iterator[Path | None]:
    """One decision further, each way; nothing where that is not known."""
    try:
        decisions = list(_decisions(path.state, seat, must))
    except UnknownRead:
        yield None
        return
    for action in decisions:
        yield _onward(path, action)


def _decisions(state: State, seat: Seat, must: bool) -> Iterator[Action]:
    """What the player can do before: an effect that is due, or the choice that it asks for.

    A choice that has to be made leaves all its options; a free player resolves effects only, or
    reveals where the turn has to begin.
    """
    free = isinstance(state.pending[-1], FREE) or (not must and is_group(state))
    kinds: tuple[type, ...] = (actions.Resolve, actions.Reveal) if must else (actions.Resolve,)
    for action in game.actions(IMPERIUM, state):
        own = isinstance(action, Action) and action.by == seat
        if own and (not free or isinstance(action, kinds)):
            yield action


def _onward(path: Path, action: Action) -> Path | None:
    """One decision further, with any card where one is drawn; nothing if that is not known."""
    given: Action | Answer = action
    state = path.state
    try:
        while True:
            done = step(IMPERIUM, state, given)
            if isinstance(done, Refusal):
                return None
            state = done.state
            if not asked(IMPERIUM, state).chance:
                return Path((*path.decisions, option_words(path.state, action)), state)
            if not isinstance(state.pending[-1], DRAWS):
                return None
            given = Answer(ANY)
    except UnknownRead:
        return None
